import { expect, it } from "vitest";
import { Definitions } from "../src/lib/definitions";

const all = new Definitions(
  "<style>.a{fill:red}</style>",
  new Map([
    ["t-A", '<symbol id="t-A" viewBox="0 0 9 9"><use href="#s-tree" x="3" y="4"/><path fill="url(#g-pale)"/></symbol>'],
    ["t-B", '<symbol id="t-B"><use href="#p-wheel" x="-100" y="-200"/></symbol>'],
    ["s-tree", '<g id="s-tree"><use href="#s-leaf" transform="scale(2)"/></g>'],
    ["s-leaf", '<g id="s-leaf"><path d="M0 0"/></g>'],
    ["g-pale", '<radialGradient id="g-pale"/>'],
    ["p-wheel", '<g id="p-wheel"><path/></g>'],
  ]),
);
const TREE = '<g transform="scale(2)"><path d="M0 0"/></g>';

it("takes out what a drawing refers to, and what that refers to in turn", () => {
  const drawing = '<use href="#t-A"/><use href="#t-A"/><use href="#t-B"/><use href="#unknown"/>';
  expect([...all.needed(drawing).keys()]).toEqual(["t-A", "g-pale", "t-B", "p-wheel"]);
  expect([...all.needed(drawing, new Set(["t-A", "p-wheel"])).keys()]).toEqual(["t-B"]);
  expect(all.for('<use href="#s-tree"/>')).toBe(`<style>.a{fill:red}</style><defs><g id="s-tree">${TREE}</g></defs>`);
});

it("writes out small things where they are used", () => {
  const tile = '<use href="#t-A" x="-.3" width="9" transform="rotate(90)" style="--turn:1"/>';
  expect(all.plain(tile)).toBe(
    `<g transform="rotate(90)" style="--turn:1"><svg viewBox="0 0 9 9" x="-.3" width="9">` +
      `<g transform="translate(3 4)">${TREE}</g><path fill="url(#g-pale)"/></svg></g>`,
  );
  expect(all.plain('<use href="#p-wheel"/><use href="#unknown"/>')).toBe(
    '<use href="#p-wheel"/><use href="#unknown"/>',
  );
});

it("writes a whole drawing with what stands before it, the same each time", () => {
  const drawing = '<use href="#t-A"/><path fill="url(#g-pale)"/><use href="#t-B"/>';
  const plain = all.plain(drawing);
  for (let n = 0; n < 2; n++) expect(all.whole(drawing)).toBe(all.for(plain) + plain);
  expect(all.whole("<path/>")).toBe("<style>.a{fill:red}</style><defs></defs><path/>");
});

it("knows of which picture a tile shows a part", () => {
  expect(all.poster("t-B")).toEqual({ href: "#p-wheel", x: -100, y: -200 });
  expect(all.poster("t-A")).toBeUndefined();
  expect(all.poster("t-C")).toBeUndefined();
});
