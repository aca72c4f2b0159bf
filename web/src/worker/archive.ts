/** Archives of the engine: zip files whose contents are not packed one by one, packed as a whole. */

export interface Entry {
  name: string;
  content: Uint8Array<ArrayBuffer>;
}

const ENTRY = 0x04034b50; // what an entry of a zip file begins with
const HEADER = 30; // bytes before its name

/** The bytes of a packed file. */
export async function unpack(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const unpacked = response.body!.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

/** The files in an archive; they share its memory. */
export function entries(archive: Uint8Array<ArrayBuffer>): Entry[] {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const found: Entry[] = [];
  let at = 0;
  while (at + HEADER <= archive.length && view.getUint32(at, true) === ENTRY) {
    const size = view.getUint32(at + 18, true);
    const begin = at + HEADER;
    const name = new TextDecoder().decode(archive.subarray(begin, begin + view.getUint16(at + 26, true)));
    const content = begin + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
    if (view.getUint16(at + 8, true) !== 0) throw new Error(`${name}: expected a file that is not packed`);
    found.push({ name, content: archive.subarray(content, content + size) });
    at = content + size;
  }
  return found;
}
