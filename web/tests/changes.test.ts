import { expect, it } from "vitest";
import { changed } from "../src/lib/changes";
import type { Change, State } from "../src/lib/protocol";

const fair = { version: 2, wanted: [0], ends: {}, commitment: "c", entropies: [], seed: null };
const state = {
  type: "state",
  table: "abc",
  n: 3,
  seq: 7,
  now: 100,
  undo: 0,
  fair,
  game: { turn: 0, tiles: [1, 2, 3], figures: ["a", "b", "c"], log: [] },
} as unknown as State;
const change = (members: object) => ({ type: "change", n: 4, after: 3, seq: 8, now: 200, ...members }) as Change;

it("takes over what is new and keeps the rest", () => {
  const next = changed(state, change({ undo: 1, fair: { wanted: [] }, game: { turn: 1 } }))!;
  expect(next).toMatchObject({ type: "state", table: "abc", n: 4, seq: 8, now: 200, undo: 1 });
  expect(next.fair).toEqual({ ...fair, wanted: [] });
  expect(next.game).toEqual({ ...state.game, turn: 1 });
  expect("after" in next).toBe(false);
});

it("changes long lists in one place", () => {
  const add = { at: 3, drop: 0, add: [4] };
  const replace = { at: 1, drop: 2, add: ["d"] };
  const next = changed(state, change({ game: { tiles: add, figures: replace } }))!;
  expect(next.game).toMatchObject({ tiles: [1, 2, 3, 4], figures: ["a", "d"] });
  expect(state.game!.tiles).toEqual([1, 2, 3]);
});

it("notices that a change is missing", () => {
  expect(changed(state, change({ n: 6, after: 5 }))).toBeNull();
  expect(changed(null, change({}))).toBeNull();
});
