"""Writes what a release stands on, as a CycloneDX document: the packages installed beside this Python, and what the
wheel has in it for the browser."""

from __future__ import annotations

import json
import re
import sys
from importlib.metadata import Distribution, distributions
from pathlib import Path

ROOT = Path(__file__).parents[1]
BUNDLED = ("pyodide", "svelte")  # of npm: the engine for browsers, and what the page is written with


def component(package: Distribution) -> dict[str, object]:
    """One package."""
    name, version = package.metadata["Name"], package.version
    licence = package.metadata.get("License-Expression") or package.metadata.get("License") or ""
    found: dict[str, object] = {
        "type": "library",
        "name": name,
        "version": version,
        "purl": f"pkg:pypi/{name.lower().replace('_', '-')}@{version}",
    }
    if licence and "\n" not in licence:
        found["licenses"] = [{"license": {"name": licence}}]
    return found


def bundled() -> list[dict[str, object]]:
    """What lies in the wheel itself."""
    locked = json.loads((ROOT / "web/package-lock.json").read_text("utf-8"))["packages"]
    found: list[dict[str, object]] = []
    for name in BUNDLED:
        version, licence = (locked[f"node_modules/{name}"][what] for what in ("version", "license"))
        found.append(
            {
                "type": "library",
                "name": name,
                "version": version,
                "purl": f"pkg:npm/{name}@{version}",
                "licenses": [{"license": {"name": licence}}],
            }
        )
    wheels = re.findall(r"^([\w-]+)==(\S+)", (ROOT / "requirements/browser.txt").read_text("utf-8"), re.M)
    return found + [
        {"type": "library", "name": name, "version": version, "purl": f"pkg:pypi/{name}@{version}?platform=wasm32"}
        for name, version in wheels
    ]


def document(packages: list[Distribution]) -> dict[str, object]:
    """Bastide and everything else that is installed, but for what installs."""
    program = next(package for package in packages if package.metadata["Name"] == "bastide")
    others = [p for p in packages if p.metadata["Name"] not in ("bastide", "pip", "setuptools")]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**component(program), "type": "application"}},
        "components": [component(p) for p in sorted(others, key=lambda p: p.metadata["Name"].lower())] + bundled(),
    }


json.dump(document(list(distributions())), sys.stdout, indent=1)
print()
