import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { en } from "../src/texts/en";
import { fr } from "../src/texts/fr";
import { fill, setAll } from "../src/texts/format";

const languages = { en, fr };
const holes = (text: string) => [...text.matchAll(/\{(\w+)/g)].map((match) => match[1]).sort();

function* sources(folder: string): Generator<string> {
  for (const file of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, file.name);
    if (file.isDirectory()) yield* sources(path);
    else if (!path.includes("texts")) yield readFileSync(path, "utf8");
  }
}
const code = [...sources(join(import.meta.dirname, "../src"))].join("\n");

describe.each(Object.entries(languages))("texts in %s", (_, texts) => {
  it("has every text", () => {
    expect(Object.keys(texts).sort()).toEqual(Object.keys(en).sort());
    const empty = Object.entries(texts).filter(([, text]) => !text);
    expect(empty).toEqual([]);
  });

  it("fills in the same names as English", () => {
    for (const [key, text] of Object.entries(texts)) {
      expect([key, [...new Set(holes(text))]]).toEqual(
        [key, [...new Set(holes(en[key as keyof typeof en]))]].map((x, i) => (i && !text ? [] : x)),
      );
    }
  });
});

it("has a text for every key that the page uses", () => {
  const used = [...code.matchAll(/\bt\("(\w+)"/g)].map((match) => match[1]!);
  expect(used.length).toBeGreaterThan(100);
  expect(used.filter((key) => !(key in en))).toEqual([]);
});

it("has no text that the page does not use", () => {
  const prefixes = [...code.matchAll(/`(\w+_)\$\{/g)].map((match) => match[1]!);
  const unused = Object.keys(en).filter(
    (key) =>
      !new RegExp(`["\`]${key.replace(/_you$/, "")}["\`]`).test(code) && // `_you`: the form for oneself
      !prefixes.some((prefix) => key.startsWith(prefix)) &&
      key !== "language",
  );
  expect(unused).toEqual([]);
});

it("chooses the form that goes with a number", () => {
  expect(fill("{n} {n:tile|tiles}", { n: 1 }, "en")).toBe("1 tile");
  expect(fill("{n} {n:tile|tiles}", { n: 0 }, "en")).toBe("0 tiles");
  expect(fill("{n} {n:tuile|tuiles}", { n: 0 }, "fr")).toBe("0 tuile");
});

it("sets French so that no line begins with a colon or ends with a quotation mark", () => {
  expect(fill("{name} : « oui », c'est fini !", { name: "Ann" }, "fr")).toBe(
    "Ann\u00a0: «\u00a0oui\u00a0», c’est fini\u00a0!",
  );
  expect(fill("{name} : it's over", { name: "Ann" }, "en")).toBe("Ann : it's over");
});

it("sets the French that comes with other languages", () => {
  const told = { en: { says: "it's : so" }, fr: { says: ["l'or : oui"], n: 3, none: null } };
  expect(setAll(told)).toEqual({ en: told.en, fr: { says: ["l’or\u00a0: oui"], n: 3, none: null } });
  expect(setAll(["un : deux"], "fr")).toEqual(["un\u00a0: deux"]);
});
