/** Compiles Python for the browser, with the Python that will run it: node scripts/bytecode.mjs FOLDER
 *
 * Starts what a worker starts, sees which modules that loads, and compiles those: in library.zip instead of their sources, of
 * bastide.zip into bytecode.zip, to be unpacked beside the sources. Python compares the hash of each of these sources with
 * the one in its compiled file, so an old one does no harm. A worker starts in half of the time with it.
 */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const folder = process.argv[2];
const pyodide = join(import.meta.dirname, "../web/node_modules/pyodide");
const { loadPyodide } = await import(join(pyodide, "pyodide.mjs"));
const python = await loadPyodide({ indexURL: `${pyodide}/`, env: { BASTIDE_PURE: "1", HOME: "/home/bastide" } });
for (const name of ["library.zip", "packages.zip", "bastide.zip"])
  python.FS.writeFile(`/${name}`, await readFile(join(folder, name)));
try {
  python.runPython(`
import sys
from importlib.util import cache_from_source, source_hash
from zipfile import ZipFile, ZipInfo

from _frozen_importlib_external import _code_to_hash_pyc

HOME = "/lib/python3.14/site-packages"
EARLY = (1980, 1, 1, 0, 0, 0)
for archive in ("/packages.zip", "/bastide.zip"):
    with ZipFile(archive) as files:
        files.extractall(HOME)
sys.path.append(HOME)
import bastide.server.browser.ready

files = [getattr(module, "__file__", None) for module in sys.modules.values()]
used = {file.partition(".zip/")[2] or file.removeprefix(HOME + "/") for file in files if isinstance(file, str)}


def compiled(body, name, digest, check):
    code = compile(body, name, "exec", dont_inherit=True, optimize=2)
    return bytes(_code_to_hash_pyc(code, digest, check))


def copy(source, target, change):
    with ZipFile(source) as files, ZipFile(target, "w") as made:
        for name in files.namelist():
            for called, body in change(name, files.read(name)):
                made.writestr(ZipInfo(called, EARLY), body)


def instead(name, body):
    yield (f"{name}c", compiled(body, name, bytes(8), False)) if name in used else (name, body)


def beside(name, body):
    if name in used:
        yield cache_from_source(name), compiled(body, f"{HOME}/{name}", source_hash(body), True)


copy("/library.zip", "/made.zip", instead)
copy("/bastide.zip", "/bytecode.zip", beside)
`);
} catch (wrong) {
  console.error(String(wrong.message)); // without the whole of Pyodide, which Node.js would print as its place
  process.exit(1);
}
await writeFile(join(folder, "library.zip"), python.FS.readFile("/made.zip"));
await writeFile(join(folder, "bytecode.zip"), python.FS.readFile("/bytecode.zip"));
