"""Writes the whole game as plain files: any web server can show them, also below a path, and nothing else is needed."""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from bastide.errors import BastideError
from bastide.rules import Rules
from bastide.rules.build import compiled
from bastide.rules.choose import choose
from bastide.rules.registry import presets, specs
from bastide.server.browser.files import engine_files
from bastide.server.content import catalogue, drawings, lessons, pictures
from bastide.server.content.pages import INDEX, SMALL, STATIC

LOOKS = ("day", "night", "contrast")  # themes that the page has
DRAWN = ("day", "night")  # of tiles; the others are drawn in the browser when somebody asks
MARK = ".bastide-site"  # says that a folder was written by this
PACKED = ".packed"  # gzip, by a name at which no web server thinks of unpacking it
TEXTS = (".css", ".html", ".js", ".json", ".svg", ".webmanifest")
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'self' blob:; worker-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'"
)
HEAD = f'<meta name="bastide-site" content="" /><meta http-equiv="Content-Security-Policy" content="{POLICY}" />'

Say = Callable[[str], None]


def write_site(folder: Path, page: Path = STATIC, say: Say = lambda _: None) -> int:
    """Writes all files into a folder that is new, empty or an older site; says how many bytes they are."""
    if not (page / INDEX).is_file():
        raise BastideError("the page was not built; in a clone, scripts/play builds it where Node.js is")
    files: dict[str, bytes] = {}
    say("the engine")
    files |= {f"engine/{name}": body for name, body in engine_files().items()}
    files |= page_files(page)
    answers: dict[str, str] = {}
    for address, name, body in ready_answers(say):
        answers[address] = f"ready/{name}"
        files[f"ready/{name}"] = body
    files["ready.json"] = json.dumps(answers).encode()
    files["sw.js"] = worker_for(files, (page / "sw.js").read_bytes())
    clear(folder)
    for name, body in [*files.items(), *beside(files)]:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(body)
    (folder / MARK).touch()
    return sum(map(len, files.values()))


def beside(files: dict[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """Texts once more as `.gz`, for web servers that send what lies packed beside a file (nginx: `gzip_static on`)."""
    for name, body in files.items():
        if name.endswith(TEXTS) and len(body) > SMALL:
            yield f"{name}.gz", packed(body)


def clear(folder: Path) -> None:
    """Makes room for a site. Refused if something else lies there."""
    if folder.exists() and (not folder.is_dir() or (any(folder.iterdir()) and not (folder / MARK).exists())):
        raise BastideError(f"{folder}: expected a folder that is new, empty or a site, found something else")
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)


def page_files(page: Path) -> dict[str, bytes]:
    """The built page; its addresses are made relative, for it may lie anywhere."""
    files = {file.relative_to(page).as_posix(): file.read_bytes() for file in page.rglob("*") if file.is_file()}
    text = files[INDEX].decode().replace('="/', '="./').replace("<title>", f"{HEAD}<title>")
    files[INDEX] = text.encode()
    manifest = "manifest.webmanifest"
    files[manifest] = files[manifest].decode().replace(': "/', ': "./').encode()
    return files


def worker_for(files: dict[str, bytes], script: bytes) -> bytes:
    """The service worker, which keeps all files: it is another one as soon as one of them is."""
    digest = hashlib.sha256(script)
    for name, body in sorted(files.items()):
        digest.update(f"{name} {len(body)}\n".encode())
        digest.update(body)
    kept = ["./", *sorted(name for name in files if name not in (INDEX, "sw.js"))]
    site = {"version": digest.hexdigest()[:16], "files": kept}
    return f"self.SITE = {json.dumps(site)};\n".encode() + script


def ready_answers(say: Say) -> Iterator[tuple[str, str, bytes]]:
    """What the page asks for most: its address, the name of the file, the answer."""
    yield "/api/catalogue", f"catalogue.json{PACKED}", packed(catalogue.catalogue())
    for module in lessons.lessons():
        yield f"/api/lessons/{module}", f"lesson-{module}.json{PACKED}", packed(lessons.lesson_of(module))
    for module in specs():
        say(f"the picture of {module}")
        for theme in LOOKS:
            address = f"/api/pictures/{module}.svg?theme={theme}"
            yield address, f"{module}-{theme}.svg{PACKED}", packed(pictures.picture(module, theme))
    for rules in usual_choices():
        say(f"the drawings of {', '.join(rules.module_names)}")
        found, look = drawings.drawings_of(rules), drawings.look_of(rules)
        yield found.data, f"{look}.json{PACKED}", packed(drawings.data(rules))
        for theme in DRAWN:
            yield found.themes[theme], f"{look}-{theme}.svg{PACKED}", packed(drawings.sheet(rules, theme))


def usual_choices() -> Iterator[Rules]:
    """What is played at one click, and what lessons and puzzles begin with."""
    for preset in ("", *presets()):
        yield compiled(choose("", [], 2, preset, {}))
    for spec in specs().values():
        yield compiled(choose("", [spec.name], 2, "", {}))


def packed(body: bytes) -> bytes:
    """Compressed, always in the same way."""
    return gzip.compress(body, mtime=0)
