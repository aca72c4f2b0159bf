/** Runs a program in the engine of the browser, under Node.js: node bench/pyodide.mjs ENGINE PROGRAM ARGUMENT...
 *
 * ENGINE is the folder of that name of a site (`bastide site`): the files that a browser loads (web/src/worker/engine.ts).
 */

import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const [engine, program, ...given] = process.argv.slice(2);
const HOME = "/lib/python3.14/site-packages";
const LOCK = JSON.stringify({
  info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.2", version: "314.0.7" },
  packages: {},
});

const folder = await mkdtemp(join(tmpdir(), "engine-")); // with the WebAssembly unpacked, as Node.js wants it
try {
  for (const name of ["pyodide", "pyodide.asm"]) await copyFile(join(engine, `${name}.js`), join(folder, `${name}.mjs`));
  const unpacked = async (name) => gunzipSync(await readFile(join(engine, `${name}.packed`)));
  await writeFile(join(folder, "pyodide.asm.wasm"), await unpacked("python.wasm"));
  await writeFile(join(folder, "library.zip"), await unpacked("library"));
  const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")).href);
  const python = await loadPyodide({
    indexURL: `${folder}/`,
    stdLibURL: join(folder, "library.zip"),
    lockFileContents: LOCK,
    env: { BASTIDE_PURE: "1", HOME: "/home/bastide" },
  });
  for (const name of ["packages", "bastide", "bytecode"])
    python.unpackArchive(new Uint8Array(await unpacked(name)).buffer, "zip", { extractDir: HOME });
  python.globals.set("given", python.toPy(given));
  python.runPython(`import sys; sys.argv = ["", *given]; given = __name__ = "__main__"; __file__ = "/program.py"`);
  await python.runPythonAsync(await readFile(program, "utf8"), { filename: program });
} finally {
  await rm(folder, { recursive: true });
}
