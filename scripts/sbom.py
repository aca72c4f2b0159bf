"""Writes which packages are installed beside this Python, as a CycloneDX document: what a release stands on."""

from __future__ import annotations

import json
import sys
from importlib.metadata import Distribution, distributions


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


def document(packages: list[Distribution]) -> dict[str, object]:
    """Bastide and everything else that is installed, but for what installs."""
    program = next(package for package in packages if package.metadata["Name"] == "bastide")
    others = [p for p in packages if p.metadata["Name"] not in ("bastide", "pip", "setuptools")]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**component(program), "type": "application"}},
        "components": [component(p) for p in sorted(others, key=lambda p: p.metadata["Name"].lower())],
    }


json.dump(document(list(distributions())), sys.stdout, indent=1)
print()
