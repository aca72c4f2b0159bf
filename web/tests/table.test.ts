import { beforeEach, expect, it, vi } from "vitest";

type Heard = (message: unknown) => void;
let hear: Heard;
let connected: (is: boolean) => void;
let answers: ((message: Record<string, unknown>) => unknown)[];
let sent: Record<string, unknown>[];
let Table: typeof import("../src/lib/table.svelte").Table;

beforeEach(async () => {
  sent = [];
  answers = [];
  const store = new Map<string, string>();
  vi.resetModules();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => store.get(name) ?? null,
    setItem: (name: string, value: string) => store.set(name, value),
  });
  vi.stubGlobal("navigator", { languages: ["en"] });
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
  vi.stubGlobal("location", new URL("https://bastide.test/table/abc"));
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("{}")));
  vi.doMock("../src/lib/drawings.svelte", () => ({ sheet: { show: () => Promise.resolve(), ground: () => true } }));
  vi.doMock("../src/lib/socket", () => ({
    Socket: class {
      constructor(_: string, heard: Heard, is: (is: boolean) => void) {
        hear = heard;
        connected = is;
      }
      send(message: Record<string, unknown>) {
        sent.push(message);
        const answer = answers.shift();
        return answer ? Promise.resolve().then(() => answer(message)) : Promise.resolve({ type: "done" });
      }
      again = vi.fn();
      close = vi.fn();
    },
  }));
  ({ Table } = await import("../src/lib/table.svelte"));
});

const place = (cell: [number, number], turn: number) => ({
  text: `place D ${cell} ${90 * turn}`,
  verb: "place",
  tile: "D",
  cell,
  turn,
});
const question = {
  seat: 0,
  prompt: "place",
  kind: "place",
  pass: false,
  rules: [],
  actions: [place([0, -1], 0), place([0, -1], 2), place([1, 0], 1), place([1, 0], 2)],
};
const entries = (count: number) => Array.from({ length: count }, (_, n) => ({ n, events: [] }));
const state = (seq: number, more: object = {}, game: object = {}) => ({
  type: "state",
  table: "abc",
  n: seq,
  seq,
  now: Date.now(),
  status: "running",
  seats: [{ seat: 0, ready: true }],
  mine: [0],
  seat: 0,
  drawings: { data: "", themes: {} },
  fair: { version: 2, wanted: [], ends: {}, commitment: "c", entropies: [null], seed: null },
  game: { question, log: [], tiles: [], ...game },
  ...more,
});

it("points at a spot, goes on to its next choice, and keeps the turn for the next spot", () => {
  const table = new Table("abc");
  hear(state(1));
  table.point("0,-1");
  expect(table.choice?.text).toBe("place D 0,-1 0");
  table.point("0,-1");
  expect(table.choice?.text).toBe("place D 0,-1 180");
  table.point("1,0");
  expect(table.choice?.text).toBe("place D 1,0 180");
});

it("follows changes, and asks for everything when one is missing", () => {
  const table = new Table("abc");
  hear(state(5, {}, { log: entries(2) }));
  hear({ type: "change", n: 6, after: 5, seq: 6, now: 0, game: { log: { at: 2, drop: 0, add: entries(3).slice(2) } } });
  expect([table.state?.seq, table.log.length, table.fresh]).toEqual([6, 3, entries(3).slice(2)]);
  hear({ type: "change", n: 9, after: 8, seq: 9, now: 0, game: { log: { at: 9, drop: 0, add: [] } } });
  expect(table.state?.seq).toBe(6);
  expect(sent).toEqual([{ type: "state" }]);
});

it("asks for aids once for each position, and only if somebody looks", async () => {
  const table = new Table("abc");
  hear(state(1, { aids: true }));
  await Promise.resolve();
  expect(sent).toEqual([]);
  answers.push(() => ({ type: "aids", seq: 1, unseen: { D: 2 } }));
  expect([table.game?.aids, table.game?.aids]).toEqual([undefined, undefined]);
  await vi.waitFor(() => expect(table.game?.aids?.unseen).toEqual({ D: 2 }));
  expect(sent).toEqual([{ type: "aids" }]);
  hear(state(2, { aids: false }));
  expect(table.game?.aids).toBeNull();
});

it("forgets the choice, the region and the refusal with the next position", () => {
  const table = new Table("abc");
  hear(state(1));
  table.point("1,0");
  hear({ type: "refused", code: "rate", message: "" });
  expect(table.refusal?.code).toBe("rate");
  hear(state(2));
  expect([table.pick, table.region, table.refusal]).toEqual([null, null, null]);
});

it("says no longer that the server is away once it is back", async () => {
  const { Refused } = await import("../src/lib/api");
  const table = new Table("abc");
  hear(state(1));
  answers.push(() => {
    throw new Refused({ code: "network", message: "" });
  });
  await table.play("pass");
  expect(table.refusal?.code).toBe("network");
  expect(table.busy).toBe(false);
  connected(true);
  expect(table.refusal).toBeNull();
});

it("adds its share to the draws, even where nothing can be kept", () => {
  vi.stubGlobal("localStorage", {
    getItem: () => null,
    setItem: () => {
      throw new Error("full");
    },
  });
  new Table("abc");
  hear(state(0, { status: "waiting", seats: [{ seat: 0, ready: false }], game: null }));
  expect(sent).toMatchObject([{ type: "ready", seat: 0, chain: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
});

it("knows whether the game had ended before the page came", () => {
  const late = new Table("abc");
  hear(state(9, { status: "over" }));
  expect(late.wasOver).toBe(true);
  const there = new Table("abc");
  hear(state(1));
  hear(state(2, { status: "over" }));
  expect(there.wasOver).toBe(false);
});
