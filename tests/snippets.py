"""What README, CONTRIBUTING and the pages of docs/ show: their code, records, commands and links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
GUIDES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])
PAGES = sorted([*GUIDES, ROOT / "SECURITY.md", *ROOT.glob("docs/*/**/*.md"), *ROOT.glob("bench/*.md")])

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"`([^`]+)`")
LINK = re.compile(r"(?<!`)\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def blocks(page: Path, language: str) -> list[str]:
    """The code blocks of a page in one language; "" for those that name none."""
    return [code for name, code in BLOCK.findall(page.read_text("utf-8")) if name == language]


def program(page: Path) -> str:
    """All Python of a page, from above to below, as somebody would copy it."""
    return "\n\n".join(blocks(page, "python"))


def commands(page: Path) -> Iterator[str]:
    """The commands `bastide ...` that a page shows, in blocks and within sentences."""
    text = page.read_text("utf-8")
    lines = [line for language in ("", "sh") for code in blocks(page, language) for line in code.splitlines()]
    for line in [*lines, *(" ".join(code.split()) for code in INLINE.findall(BLOCK.sub("", text)))]:
        command = line.partition("  #")[0].strip()
        if re.match(r"bastide (?!\d)", command):
            yield command


def anchors(page: Path) -> set[str]:
    """What a link to a heading of the page may say after `#`."""
    headings = HEADING.findall(BLOCK.sub("", page.read_text("utf-8")))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in headings}


def broken_links(page: Path) -> list[str]:
    """The links of a page to files or headings that are not there."""
    broken = []
    for link in LINK.findall(BLOCK.sub("", page.read_text("utf-8"))):
        target, _, heading = link.partition("#")
        if "://" in link or link.startswith("mailto:"):
            continue
        there = (page.parent / target).resolve() if target else page
        if not there.exists() or (heading and heading not in anchors(there)):
            broken.append(link)
    return broken
