import { expect, it } from "vitest";
import { deedsSince } from "../src/lib/since";
import type { Entry, GameEvent } from "../src/lib/protocol";

let n = 0;
const entry = (seat: number, action: string, ...events: GameEvent[]): Entry => ({ n, seq: n++, seat, action, events });
const placed = (seat: number, x: number): Entry =>
  entry(seat, `place D ${x},0 0`, { event: "placed", seat, tile: "D", cell: [x, 0], turn: 0 });
const deployed = (seat: number, x: number): Entry =>
  entry(seat, `deploy follower ${x},0 road N`, {
    event: "deployed",
    seat,
    piece: "follower",
    cell: [x, 0],
    spot: "road N",
  });
const score = { event: "scored", points: 3, kind: "road", final: false } as unknown as GameEvent;

it("tells what everybody did since one's own last move", () => {
  const log = [
    placed(0, 1),
    entry(1, "draw D"),
    placed(1, 2),
    deployed(1, 2),
    placed(2, 3),
    entry(
      2,
      "pass",
      { ...score, seat: 1 } as GameEvent,
      { event: "returned", seat: 1, piece: "follower", cell: [2, 0], spot: "road N" },
      { ...score, seat: 0, points: 0 } as GameEvent,
    ),
    entry(0, "draw E"), // the tile for the next move is no move
  ];
  expect(deedsSince(log, 0)).toEqual([
    {
      seat: 1,
      tiles: [[2, 0]],
      pieces: [{ piece: "follower", cell: [2, 0], spot: "road N", home: true }],
      scores: [{ points: 3, kind: "road" }],
    },
    { seat: 2, tiles: [[3, 0]], pieces: [], scores: [] },
  ]);
  expect(deedsSince([...log, placed(0, 4)], 0)).toEqual([]);
  expect(deedsSince(log, -1)).toEqual([]);
});
