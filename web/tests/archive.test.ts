import { expect, it } from "vitest";
import { entries } from "../src/worker/archive";

/** An entry of a zip file as Python writes it. */
function entry(name: string, content: string, method = 0): number[] {
  const header = new DataView(new ArrayBuffer(30));
  header.setUint32(0, 0x04034b50, true);
  header.setUint16(8, method, true);
  header.setUint32(18, content.length, true);
  header.setUint16(26, name.length, true);
  const bytes = (text: string) => [...new TextEncoder().encode(text)];
  return [...new Uint8Array(header.buffer), ...bytes(name), ...bytes(content)];
}

const DIRECTORY = [0x50, 0x4b, 0x01, 0x02, 0, 0]; // what follows the last entry

it("finds the files of an archive", () => {
  const archive = Uint8Array.from([...entry("a/b.py", "x = 1"), ...entry("empty", ""), ...DIRECTORY]);
  const found = entries(archive).map(({ name, content }) => [name, new TextDecoder().decode(content)]);
  expect(found).toEqual([
    ["a/b.py", "x = 1"],
    ["empty", ""],
  ]);
});

it("refuses an archive whose files are packed one by one", () => {
  const archive = Uint8Array.from([...entry("a.py", "??", 8), ...DIRECTORY]);
  expect(() => entries(archive)).toThrow("a.py: expected a file that is not packed");
});
