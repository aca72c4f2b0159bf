/** The memory of a started engine, kept for the next visit. It fits one set of files and one version of the browser. */

import type { PyodideInterface } from "pyodide";

/** What of Emscripten's module is used here. */
export interface Core {
  HEAP8: Int8Array<ArrayBuffer>;
  _malloc(size: number): number;
  _free(place: number): void;
}

const STEP = 65_536; // bytes: memory comes in pages of this size

/** Takes one: what Pyodide has to know at the next start, then the memory, of which no other copy is made. */
export function takePicture(python: PyodideInterface, core: Core): Blob {
  const memory = core.HEAP8;
  const nothing = new Int8Array();
  core.HEAP8 = nothing; // Pyodide would copy it
  const head = python.makeMemorySnapshot() as Uint8Array<ArrayBuffer>;
  if (core.HEAP8 === nothing) core.HEAP8 = memory; // else it has just grown
  return new Blob([head, core.HEAP8]);
}

/** What Pyodide has to know. */
export async function headOf(picture: Blob): Promise<Uint8Array<ArrayBuffer>> {
  const [, size = 0] = new Uint32Array(await picture.slice(0, 8).arrayBuffer());
  const head = await picture.slice(0, size).arrayBuffer();
  if (size === 0 || head.byteLength !== size || (picture.size - size) % STEP !== 0)
    throw new Error(`expected a picture of the memory, got ${picture.size} bytes`);
  return new Uint8Array(head);
}

/** Writes the memory of a picture back, piece by piece. Nothing is written over nothing: that would take memory. */
export async function pour(memory: Blob, core: Core) {
  const wanted = memory.size - core.HEAP8.length;
  if (wanted > 0) core._free(core._malloc(wanted)); // it grows when more is asked for than it has
  for (let at = 0; at < memory.size; at += 16 * STEP) {
    const piece = new Int8Array(await memory.slice(at, at + 16 * STEP).arrayBuffer());
    for (let n = 0; n < piece.length; n += STEP) {
      const page = piece.subarray(n, n + STEP);
      const there = core.HEAP8.subarray(at + n, at + n + page.length);
      if (!blank(page) || !blank(there)) there.set(page);
    }
  }
}

const blank = (page: Int8Array) => new Int32Array(page.buffer, page.byteOffset, page.length / 4).every((one) => !one);

/** A page that is not secure (http, another machine) keeps nothing. */
const able = "caches" in globalThis && "subtle" in crypto;
const nameOf = (folder: string) => `picture ${folder}`;
const shelfOf = (folder: string) => caches.open(nameOf(folder));

async function addressOf(folder: string, files: Uint8Array<ArrayBuffer>[]): Promise<string> {
  const browser = new TextEncoder().encode(navigator.userAgent);
  const digests = await Promise.all([browser, ...files].map((file) => crypto.subtle.digest("SHA-256", file)));
  const bytes = digests.flatMap((digest) => [...new Uint8Array(digest).subarray(0, 8)]);
  return `${folder}picture-${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** The picture that was made with these files, if there is one. */
export async function pictureOf(folder: string, files: Uint8Array<ArrayBuffer>[]): Promise<Blob | undefined> {
  if (!able) return undefined;
  try {
    return (await (await shelfOf(folder)).match(await addressOf(folder, files)))?.blob();
  } catch {
    return undefined; // the browser keeps nothing for this page
  }
}

/** Keeps one, and forgets the others. Where there is no room for it the next start takes longer, and that is all. */
export async function keepPicture(folder: string, files: Uint8Array<ArrayBuffer>[], picture: Blob) {
  if (!able) return;
  try {
    await forgetPictures(folder);
    await (await shelfOf(folder)).put(await addressOf(folder, files), new Response(picture));
  } catch (full) {
    console.info(`the engine starts anew next time: ${String(full)}`);
  }
}

export async function forgetPictures(folder: string) {
  if (able) await caches.delete(nameOf(folder));
}
