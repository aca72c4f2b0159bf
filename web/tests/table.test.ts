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
const state = (seq: number, more: object = {}, game: object = {}) => ({
  type: "state",
  table: "abc",
  seq,
  now: Date.now(),
  status: "running",
  seats: [{ seat: 0, ready: true }],
  mine: [0],
  seat: 0,
  drawings: { data: "", themes: {} },
  fair: { version: 2, wanted: [], ends: {}, commitment: "c", entropies: [null], seed: null },
  game: { question, log_from: 0, log: [], tiles: [], ...game },
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

it("ignores a state that was overtaken, and asks for everything when the log has a gap", () => {
  const table = new Table("abc");
  hear(state(5, {}, { log: [{ n: 0 }, { n: 1 }] }));
  hear(state(4));
  expect(table.state?.seq).toBe(5);
  hear(state(9, {}, { log_from: 7, log: [{ n: 7 }] }));
  expect(table.state?.seq).toBe(5);
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
