import { expect, it } from "vitest";
import type { PyodideInterface } from "pyodide";
import { headOf, pour, takePicture, type Core } from "../src/worker/picture";

const PAGE = 65_536;

function coreOf(pages: number): Core {
  const core: Core = {
    HEAP8: new Int8Array(pages * PAGE),
    _malloc(size) {
      const grown = new Int8Array(core.HEAP8.length + Math.ceil(size / PAGE) * PAGE);
      grown.set(core.HEAP8);
      core.HEAP8 = grown;
      return 0;
    },
    _free: () => undefined,
  };
  return core;
}

/** Pyodide's part: a head of 16 bytes that says how long it is, then all memory that it sees. */
function pictured(core: Core): Blob {
  const python = {
    makeMemorySnapshot() {
      const made = new Uint8Array(16 + core.HEAP8.length);
      new Uint32Array(made.buffer).set([7, 16]);
      made.set(core.HEAP8, 16);
      return made;
    },
  };
  return takePicture(python as unknown as PyodideInterface, core);
}

it("brings a memory back, also over one that is smaller or not empty", async () => {
  const [before, after] = [coreOf(20), coreOf(3)];
  before.HEAP8.set([1, 2, 3], 5 * PAGE);
  after.HEAP8.set([9, 9], PAGE);
  const picture = pictured(before);
  expect(before.HEAP8.length).toBe(20 * PAGE);
  const head = await headOf(picture);
  expect(head.length).toBe(16);
  await pour(picture.slice(head.length), after);
  expect(Buffer.compare(Buffer.from(after.HEAP8.buffer), Buffer.from(before.HEAP8.buffer))).toBe(0);
});

it("is refused when it is not whole", async () => {
  const picture = pictured(coreOf(2));
  await expect(headOf(picture.slice(0, 1000))).rejects.toThrow("got 1000 bytes");
  await expect(headOf(new Blob())).rejects.toThrow("got 0 bytes");
  await expect(headOf(new Blob([new Uint8Array(PAGE)]))).rejects.toThrow("expected a picture of the memory");
});
