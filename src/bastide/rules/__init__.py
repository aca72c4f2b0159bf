"""The contract of a module, and how a choice of modules is compiled into Rules."""

from bastide.rules.layout import Layout
from bastide.rules.listener import Listener, Part
from bastide.rules.module import Module
from bastide.rules.position import Position
from bastide.rules.rules import Rules
from bastide.rules.spec import Choice, Option, Spec

__all__ = ["Choice", "Layout", "Listener", "Module", "Option", "Part", "Position", "Rules", "Spec"]
