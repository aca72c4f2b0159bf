import { afterEach, expect, it, vi } from "vitest";
import { openShelves } from "../src/worker/shelves";

afterEach(() => vi.unstubAllGlobals());

it("keeps texts in memory where the browser has no database for the page", async () => {
  vi.stubGlobal("indexedDB", {
    open: () => {
      throw new DOMException("The operation is insecure.", "SecurityError");
    },
  });
  const shelves = await openShelves();
  expect(shelves.kept).toBe(false);
  const commit = (...changes: unknown[]) => shelves.commit(JSON.stringify(changes));
  expect(await commit(["lines", "b 2", null, "two"], ["lines", "b 1", null, "one"], ["lines", "c", null, "c"])).toBe(
    true,
  );
  expect(await shelves.all("lines", "b ")).toEqual(["one", "two"]);
  expect(await commit(["tables", "b", null, "b"], ["lines", "c", "d", "e"])).toBe(false); // all of it or nothing
  expect(await shelves.get("tables", "b")).toBeUndefined();
  expect(await commit(["lines", "c", "c", null])).toBe(true);
  expect(await shelves.get("lines", "c")).toBeUndefined();
});

it("says so where the browser refuses later", async () => {
  const request: { onerror?: () => void; error: DOMException } = { error: new DOMException("no", "InvalidStateError") };
  vi.stubGlobal("indexedDB", { open: () => (setTimeout(() => request.onerror!()), request) });
  expect((await openShelves()).kept).toBe(false);
});
