import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { pathOf, qr } from "../src/lib/qr";

const rows = (text: string) => qr(text).map((row) => row.join(""));
const hash = (text: string) => createHash("sha256").update(rows(text).join("\n")).digest("hex").slice(0, 16);

test("a code is drawn as other encoders draw it", () => {
  expect(rows("a")).toEqual([
    "111111100101101111111",
    "100000101011001000001",
    "101110101101001011101",
    "101110101011001011101",
    "101110100100101011101",
    "100000100011001000001",
    "111111101010101111111",
    "000000001100000000000",
    "100000101011011001110",
    "100110000001110111001",
    "001011100110101100000",
    "010101011001111101010",
    "110100111101111111111",
    "000000001100100000101",
    "111111100111010011110",
    "100000100010001000111",
    "101110100111010011100",
    "101110100101111101000",
    "101110100101110111011",
    "100000100011111101000",
    "111111101010100100110",
  ]);
});

test.each([
  ["https://bastide.example.org/table/8tymnb9vnvhz#invite=abcdefghijklmnopqrstuv", 5, "43c7358c5c2f2207"],
  ["y".repeat(120), 7, "f4007e005ff93ebf"], // says its version
  ["é".repeat(85), 9, "86dfd7804ba91da5"], // blocks of two lengths
  ["q".repeat(213), 10, "86d0337bea63245b"], // full
])("longer codes too: %#", (text, version, drawn) => {
  expect(rows(text)).toHaveLength(17 + 4 * version);
  expect(hash(text)).toBe(drawn);
});

test("what does not fit is refused", () => {
  expect(() => qr("x".repeat(214))).toThrow("at most 213 bytes here, got 214");
});

test("dark squares become a path", () => {
  expect(
    pathOf([
      [1, 0],
      [0, 1],
    ]),
  ).toBe("M0 0h1v1h-1zM1 1h1v1h-1z");
});
