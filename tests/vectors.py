"""Finds vectors that interpreted code hands to compiled code: each would stay in memory. CONTRIBUTING.md has the rule.

What is looked for follows from the compiled sources: the names of functions that take a vector, of functions that
return one, and of attributes that are one. A name that interpreted sources give to something else as well counts only
where it is an attribute of an engine or a batch.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

VECTOR = re.compile(r"\bvec\[")
ENGINES = {"engine", "batch", "world", "imagined"}  # what variables with an engine or a batch are called
# They look at a vector and keep nothing.
READERS = {
    "list",
    "tuple",
    "set",
    "len",
    "int",
    "sum",
    "min",
    "max",
    "sorted",
    "zip",
    "enumerate",
    "memoryview",
    "iter",
}
NUMPY = {"np", "numpy"}
METHODS = {*dir(list), *dir(dict), *dir(set), *dir(str)}  # names that everything has


@dataclass
class Names:
    """Names that stand for vectors in one file."""

    makers: set[str]  # functions that return one
    variables: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)


class Vectors:
    """What the sources say of vectors."""

    def __init__(self, compiled: Iterable[ast.Module], interpreted: Iterable[ast.Module]) -> None:
        self.takers: set[str] = set()
        self.makers: set[str] = set()
        self.attributes: set[str] = set()
        for tree in compiled:
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef):
                    self._read(node.body, node.name)
            self._read(tree.body, "")
        self.common = {name for tree in interpreted for name in defined(tree)}
        self.takers -= self.common | METHODS
        self.makers = {"vec", *self.makers} - self.common

    def _read(self, body: list[ast.stmt], owner: str) -> None:
        for node in body:
            if isinstance(node, ast.FunctionDef):
                vectors = {a.arg for a in node.args.args if a.annotation and is_type(a.annotation)}
                if vectors:
                    self.takers.add(owner if node.name == "__init__" else node.name)
                if node.returns is not None and is_type(node.returns):
                    self.makers.add(node.name)
                self.attributes.update(self._held(node, vectors))

    def _held(self, function: ast.FunctionDef, vectors: set[str]) -> Iterator[str]:
        """Attributes of `self` that are given a vector."""
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
                made = isinstance(node.value, ast.Call) and called(node.value) in {"vec", "zeros", "rows"}
                cut = isinstance(node.value, ast.Subscript) and ast.unparse(node.value.value).endswith(".blank")
                if made or cut or (isinstance(node.value, ast.Name) and node.value.id in vectors):
                    yield node.targets[0].attr

    def offences(self, tree: ast.Module) -> list[str]:
        """Every place of an interpreted file that would hand a vector over, as text."""
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        own = {node.name for node in functions}
        here = Names({node.name for node in functions if node.returns is not None and is_type(node.returns)})
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and self.is_vector(node.value, here):
                here.variables |= {target.id for target in node.targets if isinstance(target, ast.Name)}
                here.attributes |= {target.attr for target in node.targets if isinstance(target, ast.Attribute)}
        found = []
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and not self._harmless(node, own):
                values = [*node.args, *(keyword.value for keyword in node.keywords)]
                if called(node) in self.takers or any(self.is_vector(value, here) for value in values):
                    found.append(ast.unparse(node))
            elif isinstance(node, ast.Assign) and self.is_vector(node.value, here):
                found += [ast.unparse(node) for target in node.targets if is_foreign(target)]
        return found

    def is_vector(self, node: ast.expr, here: Names) -> bool:
        """Is this a vector, as far as names tell?"""
        match node:
            case ast.Name(id=name):
                return name in here.variables
            case ast.Call():
                return called(node) in self.makers | here.makers
            case ast.Subscript(slice=ast.Slice()):
                return self.is_vector(node.value, here)
            case ast.Attribute(attr=attribute):
                if attribute in here.attributes:
                    return True
                holder = ast.unparse(node.value).rpartition(".")[2]
                return attribute in self.attributes and (attribute not in self.common or holder in ENGINES)
            case ast.IfExp():
                return self.is_vector(node.body, here) or self.is_vector(node.orelse, here)
        return False

    def _harmless(self, node: ast.Call, own: set[str]) -> bool:
        """Does a call go to interpreted code, or to something that only reads?"""
        match node.func:
            case ast.Name(id=name):
                return name in READERS or name in own
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                return name in own
            case ast.Attribute(value=ast.Name(id=name)):
                return name in NUMPY
        return called(node) == "vec"


def defined(tree: ast.Module) -> Iterator[str]:
    """Names of functions, classes, fields and attributes of `self` in a file."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                yield name


def is_type(node: ast.expr) -> bool:
    """Is this the type of a vector?"""
    return VECTOR.match(ast.unparse(node).strip("'\"")) is not None


def called(node: ast.Call) -> str:
    """The last name of what is called: `fitting` for engine.fitting(...), `vec` for vec[i64](...)."""
    function = node.func.value if isinstance(node.func, ast.Subscript) else node.func
    return ast.unparse(function).rpartition(".")[2]


def is_foreign(target: ast.expr) -> bool:
    """An attribute of something else than `self`."""
    return isinstance(target, ast.Attribute) and ast.unparse(target.value) != "self"
