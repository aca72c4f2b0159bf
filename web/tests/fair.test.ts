import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeEach, expect, it, vi } from "vitest";
import { check } from "../src/lib/fair";
import type { Proof, State } from "../src/lib/protocol";
import { hex, hmac, sha256, utf8 } from "../src/lib/sha256";

const vector = (name: string): Proof =>
  JSON.parse(readFileSync(new URL(`../../tests/server/vectors/${name}.json`, import.meta.url), "utf8"));

/** The actions that stand at the end. */
function gameOf(proof: Proof): string[] {
  const actions: string[] = [];
  for (const { text } of proof.lines) {
    if (text.startsWith("undo ")) actions.length -= Number(text.slice(5));
    else if (text.startsWith("draw ")) actions.push(text);
    else if (/^\d /.test(text)) actions.push(text.slice(2));
  }
  return actions;
}

beforeEach(() => {
  const store = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => store.get(name) ?? null,
    setItem: (name: string, value: string) => store.set(name, value),
  });
});

it("hashes as everybody does", () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 1000]) {
    const data = Uint8Array.from({ length }, (_, n) => n);
    expect(hex(sha256(data))).toBe(createHash("sha256").update(data).digest("hex"));
  }
  const key = sha256(utf8("key"));
  expect(hex(hmac(key, utf8("text")))).toBe(createHmac("sha256", key).update("text").digest("hex"));
});

it.each(["two-people", "shuffled-with-a-bot", "plugin/tiles-that-join"])("accepts the vector %s", (name) => {
  const proof = vector(name);
  const found = check(proof, gameOf(proof));
  expect(found.filter((one) => one.good === false)).toEqual([]);
  expect(found.filter((one) => one.good === undefined).map((one) => one.what)).toEqual([
    "noted",
    "entropy",
    "bag",
    "rules",
  ]);
  expect(found.find((one) => one.what === "draws")?.values.n).toBe(proof.bags.length);
});

it("refuses lines that are not numbered", () => {
  const proof = vector("two-people");
  proof.lines.splice(40, 1);
  expect(check(proof, gameOf(proof)).map((one) => [one.what, one.good])).toEqual([["form", false]]);
});

const forgeries: [string, string, (proof: Proof) => void][] = [
  ["another seed", "seed", (proof) => (proof.seed = "00".repeat(32))],
  ["another chain", "links", (proof) => (proof.entropies[0] = `chain:${"00".repeat(32)}`)],
  [
    "a link left out",
    "links",
    (proof) =>
      proof.lines.splice(
        proof.lines.findIndex(({ text }) => /^link/.test(text)),
        1,
      ),
  ],
  [
    "a consent left out",
    "consents",
    (proof) =>
      proof.lines.splice(
        proof.lines.findIndex(({ text }) => /^agree/.test(text)),
        1,
      ),
  ],
  ["a weight that is a text", "form", (proof) => (proof.bags[0]![0]![1] = "2" as unknown as number)],
  ["another draw", "draws", (proof) => (proof.lines.find(({ text }) => /^draw/.test(text))!.text = "draw none")],
];
it.each(forgeries)("refuses %s", (_, what, change) => {
  const proof = vector("two-people");
  const game = gameOf(proof);
  change(proof);
  proof.lines.forEach((line, n) => (line.seq = n + 1));
  expect(check(proof, game).find((one) => one.what === what)?.good).toBe(false);
});

it("shows the next link of its chain when it is wanted, once, and finds it again after a reload", async () => {
  const { Chains } = await import("../src/lib/chain");
  const sent: Record<string, unknown>[] = [];
  const send = (message: Record<string, unknown>) => Promise.resolve(sent.push(message));
  const before = new Chains("abc", send);
  const end = before.begin();
  const state = { mine: [1], fair: { wanted: [1], ends: { 1: end } } } as unknown as State;
  const chains = new Chains("abc", send);
  chains.answer(state);
  chains.answer(state);
  expect(sent).toHaveLength(1);
  const { type, link, seat } = sent[0] as { type: string; link: string; seat: number };
  expect([type, seat]).toEqual(["link", 1]);
  expect(createHash("sha256").update(Buffer.from(link, "hex")).digest("hex")).toBe(end);
  expect(chains.next(state, 1)).toBe(link);
});

it("commits to another chain where its own is lost, but waits for another device first", async () => {
  vi.useFakeTimers();
  const { Chains } = await import("../src/lib/chain");
  const sent: Record<string, unknown>[] = [];
  const chains = new Chains("abc", (message) => Promise.resolve(sent.push(message)));
  const state = { mine: [0], fair: { wanted: [0], ends: { 0: "ab".repeat(32) } } } as unknown as State;
  chains.answer(state);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(3000);
  expect(sent).toMatchObject([{ type: "chain", seat: 0 }]);
  vi.useRealTimers();
});
