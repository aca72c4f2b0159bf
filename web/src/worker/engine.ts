/** Brings Python and the engine into a worker: a few files, unpacked and started, nothing from anywhere else.
 *
 * The first start imports everything and keeps a picture of the memory (./picture). The next visit and the other worker
 * begin with that: they start in a fraction of the time.
 */

/// <reference lib="webworker" />
import type { PyodideConfig, PyodideInterface } from "pyodide";
import { entries, unpack, type Entry } from "./archive";
import { headOf, keepPicture, pictureOf, pour, takePicture, type Core } from "./picture";

/** No package is loaded by name: all of them are in packages.packed. */
const LOCK = JSON.stringify({
  info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.2", version: "314.0.7" },
  packages: {},
});
const HOME = "/lib/python3.14/site-packages";
const LIBRARY = "library.zip"; // what Pyodide calls it
const WASM = { headers: { "content-type": "application/wasm" } };
const ARCHIVES = ["library.packed", "packages.packed", "bastide.packed", "bytecode.packed"];

/** What a start leaves for another worker. */
export interface Started {
  module: WebAssembly.Module;
  picture: Blob;
}

type Archive = Uint8Array<ArrayBuffer>;
type Told = (loaded: number, total: number) => void;

/** What of Emscripten's settings is used here. */
interface Settings {
  dynamicLibraries: string[];
  locateFile(path: string, folder: string): string;
}
type Scripts = [typeof import("pyodide"), { default(settings: Settings): Promise<Core> }];

/** Loads it, starts it and makes something of it; `told` hears how many bytes have come, and how many there will be. */
export async function loadEngine<Made>(
  folder: string,
  make: (python: PyodideInterface, started: Started) => Promise<Made>,
  told: Told = () => undefined,
  before?: Started,
): Promise<Made> {
  const files = new Files(folder, told);
  const scripts = Promise.all(["pyodide.js", "pyodide.asm.js"].map((name) => import(/* @vite-ignore */ folder + name)));
  const compiled = before?.module ?? WebAssembly.compileStreaming(files.wasm());
  const archives = await Promise.all(ARCHIVES.map(async (name) => unpack(await files.counted(name))));
  const kept = before?.picture ?? (await pictureOf(folder, archives));
  const module = await compiled;
  const start = starter(folder, archives, module, (await scripts) as Scripts);
  try {
    if (kept) {
      const { python } = await start(kept);
      python.pyimport("random").seed(); // the one in the picture is known to everybody
      return await make(python, { module, picture: kept });
    }
  } catch (wrong) {
    console.info(`the engine starts anew: ${String(wrong)}`);
  }
  const { python, core } = await start();
  python.runPython("import bastide.server.browser.ready");
  const picture = takePicture(python, core);
  void keepPicture(folder, archives, picture);
  return make(python, { module, picture });
}

/** What starts Pyodide, from a picture of the memory or without. It asks for files: all of them are here. */
function starter(folder: string, archives: Archive[], module: WebAssembly.Module, [pyodide, created]: Scripts) {
  const [library, ...others] = archives;
  const all = others.flatMap(entries);
  const libraries = new Map(all.filter(isLibrary).map((one) => [`${HOME}/${one.name}`, one.content]));
  const answer = async (wanted: RequestInfo | URL) => {
    const name = String(wanted).slice(folder.length);
    if (name.endsWith(".wasm")) return new Response(null, WASM);
    if (name !== LIBRARY) return new Response(libraries.get(name));
    return { ok: true, arrayBuffer: async () => library!.buffer } as Response; // a real one would copy it
  };

  return async (picture?: Blob): Promise<{ python: PyodideInterface; core: Core }> => {
    let core: Core | undefined;
    const head = picture && (await headOf(picture));
    self.fetch = answer;
    WebAssembly.instantiateStreaming = async (_, imports) => ({
      module,
      instance: await WebAssembly.instantiate(module, imports),
    });
    try {
      const python = await pyodide.loadPyodide({
        indexURL: folder,
        stdLibURL: folder + LIBRARY,
        lockFileContents: LOCK,
        env: { BASTIDE_PURE: "1", HOME: "/home/bastide" },
        fsInit: async (files) => lay(files, all),
        createPyodideModule: (async (settings: Settings) => {
          // Libraries come first, always in the same order: so they lie where the picture of the memory has them.
          const { locateFile } = settings;
          settings.dynamicLibraries = [...libraries.keys()];
          settings.locateFile = (path, near) => (libraries.has(path) ? folder + path : locateFile(path, near));
          core = await created.default(settings);
          if (head) await pour(picture!.slice(head.length), core);
          return core;
        }) as unknown as PyodideConfig["createPyodideModule"],
        ...(head ? { _loadSnapshot: head } : { _makeSnapshot: true }),
      });
      return { python, core: core! };
    } finally {
      self.fetch = plainFetch; // and nothing of the start is held any longer
      WebAssembly.instantiateStreaming = plainInstantiate;
    }
  };
}

const isLibrary = ({ name }: Entry) => name.endsWith(".so");

/** Writes the files where Python looks for them. None is copied, nor is the library that Pyodide writes. */
function lay(files: PyodideInterface["FS"], all: Entry[]) {
  const write = files.writeFile.bind(files);
  files.writeFile = (path: string, content: Uint8Array, options?: object) =>
    write(path, content, { ...options, canOwn: true });
  const folders = new Set<string>();
  for (const { name, content } of all) {
    const path = `${HOME}/${name}`;
    const above = path.slice(0, path.lastIndexOf("/"));
    if (!folders.has(above)) files.mkdirTree(above);
    folders.add(above);
    files.writeFile(path, content);
  }
}

/** The files of the engine, counted while they come. */
class Files {
  #loaded = 0;
  #total = 0;

  constructor(
    private readonly folder: string,
    private readonly told: Told,
  ) {}

  async wasm(): Promise<Response> {
    const packed = await this.counted("python.wasm.packed");
    return new Response(packed.body!.pipeThrough(new DecompressionStream("gzip")), WASM);
  }

  async counted(name: string): Promise<Response> {
    const response = await plainFetch(this.folder + name, { cache: "no-cache" }); // else it might be of an older site
    if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
    this.#total += Number(response.headers.get("content-length") ?? 0);
    const count = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, out) => {
        this.#loaded += chunk.length;
        this.told(this.#loaded, Math.max(this.#total, this.#loaded));
        out.enqueue(chunk);
      },
    });
    return new Response(response.body!.pipeThrough(count), { headers: response.headers });
  }
}

const plainFetch = self.fetch.bind(self);
const plainInstantiate = WebAssembly.instantiateStreaming;
