import { expect, it, vi } from "vitest";

vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });

const { Land } = await import("../src/lib/scene");
const { playsAgain, wonIn } = await import("../src/lib/moments");
import type { DrawingData, Entry, GameEvent, Segment } from "../src/lib/protocol";

const SIDES = ["N", "E", "S", "W"];
const turn = (side: string, by: number) => SIDES[(SIDES.indexOf(side[0]!) + by) % 4]! + side.slice(1);
const segment = (kind: string, ...sides: string[]): Segment => ({
  kind,
  names: [0, 1, 2, 3].map((by) => `${kind} ${turn(sides[0]!, by)}`),
  sides,
  outline: `M ${kind} ${sides.join()}`,
  spots: [[50, 20]],
});
const data = {
  tiles: {
    END: { id: "END", segments: [segment("city", "N"), segment("field", "EL", "ER", "SL", "SR", "WL", "WR")] },
    ROAD: { id: "ROAD", segments: [segment("road", "E", "W"), segment("field", "NL", "NR", "EL", "WR")] },
  },
  kinds: { city: {}, road: {}, field: { ground: true } },
  pieces: {},
} as unknown as DrawingData;

const land = new Land(
  [
    { tile: "END", cell: [0, 0], turn: 0 },
    { tile: "END", cell: [0, -1], turn: 2 },
    { tile: "ROAD", cell: [1, 0], turn: 0 },
    { tile: "ROAD", cell: [2, 0], turn: 0 },
  ],
  data,
);
const spots = (found: { cell: number[]; spot: string }[]) => found.map(({ cell, spot }) => `${cell} ${spot}`).sort();
const entry = (n: number, seat: number, ...events: GameEvent[]): Entry => ({ n, seq: n, seat, action: "", events });
const drawn = (n: number, seat: number) => entry(n, seat, { event: "drawn", seat, name: "ROAD" });
const placed = (n: number, seat: number) =>
  entry(n, seat, { event: "placed", seat, tile: "ROAD", cell: [n, 0], turn: 0 });

it("follows a region from tile to tile, turned ones too", () => {
  const all = land.tiles.map((laid) => laid.cell);
  expect(spots(land.region([0, 0], "city N", all))).toEqual(["0,-1 city S", "0,0 city N"]);
  expect(spots(land.region([1, 0], "road E", all))).toEqual(["1,0 road E", "2,0 road E"]);
  expect(spots(land.region([2, 0], "field NL", all))).toEqual(["0,0 field EL", "1,0 field NL", "2,0 field NL"]);
});

it("stays on the tiles that were counted", () => {
  expect(spots(land.region([1, 0], "road E", [[1, 0]]))).toEqual(["1,0 road E"]);
});

it("shows points where they were won, side by side for two, none of the end", () => {
  const score = {
    event: "scored" as const,
    seat: 0,
    points: 4,
    kind: "city",
    cell: [0, 0] as [number, number],
    spot: "city N",
    tiles: [
      [0, 0],
      [0, -1],
    ] as [number, number][],
    final: false,
    rules: [],
    parts: [],
  };
  const won = wonIn([entry(1, 0, score, { ...score, seat: 1 }, { ...score, final: true })], land);
  expect(won.map((one) => [one.seat, one.points, one.at])).toEqual([
    [0, 4, [50, 20]],
    [1, 4, [95, 20]],
  ]);
  expect(won[0]!.outlines.map((one) => one.d)).toEqual(["M city N", "M city N"]);
});

it("notices who plays once more", () => {
  const first = [drawn(0, 0), placed(1, 0)];
  expect(playsAgain([...first, drawn(2, 0)], [drawn(2, 0)])).toBe(0);
  expect(playsAgain([...first, drawn(2, 1)], [drawn(2, 1)])).toBe(-1);
  expect(playsAgain([drawn(0, 0), drawn(1, 0)], [drawn(1, 0)])).toBe(-1); // the first could not be laid
});

it("says in one line why something special happens", async () => {
  const { specialLines } = await import("../src/lib/moments");
  const said: Record<string, string> = { "pig taxes": "Taxes!", "drawn wolf": "Wolf!", again: "Builder!" };
  const words = {
    player: (seat: number) => `P${seat}`,
    source: (kind: string) => kind,
    told: (what: string, says: string) => `${what}: ${says}`,
    event: () => "noted",
    about: () => "once more",
    moment: (names: string[]) => names.map((name) => said[name]).find(Boolean) ?? "",
  } as never;
  const note = (n: number, what: string, value: string) => entry(n, 0, { event: "noted", seat: 0, what, value });
  const paid = (n: number, seat: number) =>
    entry(n, seat, { event: "scored", seat, points: 4, kind: "taxes", cell: null, tiles: [] } as unknown as GameEvent);
  const lines = (...fresh: Entry[]) => specialLines([drawn(0, 0), placed(1, 0), ...fresh], fresh, words);
  expect(lines(note(2, "pig", "taxes"))).toEqual(["Taxes!"]);
  expect(lines(note(2, "pig", "taxes"), paid(3, 0), paid(4, 1))).toEqual(["taxes: P0 +4, P1 +4"]);
  expect(lines(entry(2, 1, { event: "drawn", seat: 1, name: "wolf" }))).toEqual(["Wolf!"]);
  expect(lines(drawn(2, 0))).toEqual(["Builder!"]);
  expect(lines(note(2, "symbol", "again"), drawn(3, 0))).toEqual(["noted"]); // the symbol has said why
});
