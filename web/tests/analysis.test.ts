import { expect, it } from "vitest";
import { choiceOf, dearest, leader, moveAt, reach, turnAt } from "../src/lib/analysis";
import type { Analysis, JudgedTurn } from "../src/lib/protocol";

const isTile = (name: string) => name === "U";
const turn = (number: number, seat: number, n: number, leads: number[], loss: number): JudgedTurn => ({
  number,
  seat,
  n,
  leads,
  loss,
  player: "",
  actions: [],
  moves: [
    {
      n: n - 1,
      action: "place U 1,0 0",
      value: 0,
      best: "place U 0,1 0",
      best_value: loss,
      loss,
      choices: 2,
      margin: 0,
    },
  ],
});
const analysis = (...turns: JudgedTurn[]): Analysis => ({
  players: ["red", "blue"],
  judge: "outlook",
  over: true,
  par: null,
  scores: [],
  losses: [],
  turning_points: [],
  turns,
  fields: [],
});
const game = analysis(turn(1, 0, 3, [2, -2], 0.5), turn(2, 1, 6, [-23, 23], 0), turn(3, 0, 9, [-5, 5], 4));

it("reads actions as they are written", () => {
  expect(choiceOf("place U -1,2 270", isTile)).toMatchObject({ verb: "place", tile: "U", cell: [-1, 2], turn: 3 });
  expect(choiceOf("deploy follower 1,0 city N", isTile)).toMatchObject({
    piece: "follower",
    cell: [1, 0],
    spot: "city N",
  });
  expect(choiceOf("deploy follower crown taxes", isTile)).toEqual({
    text: "deploy follower crown taxes",
    verb: "deploy",
    piece: "follower",
    spot: "crown taxes",
  });
  expect(choiceOf("move meeple 1,0 path E to 3,0 path W", isTile)).toMatchObject({
    cell: [1, 0],
    spot: "path E",
    to: { cell: [3, 0], spot: "path W" },
  });
  expect(choiceOf("choose U", isTile)).toMatchObject({ choice: "U", tile: "U" });
  expect(choiceOf("choose grow", isTile).tile).toBeUndefined();
  expect(choiceOf("choose 1,-2", isTile)).toMatchObject({ cell: [1, -2] });
  expect(choiceOf("pass", isTile)).toEqual({ text: "pass", verb: "pass" });
});

it("finds the turn and the move of a step", () => {
  expect(turnAt(game, 4)?.number).toBe(2);
  expect(moveAt(game, 5)?.n).toBe(5);
  expect(moveAt(game, 4)).toBeUndefined(); // a draw
  expect(turnAt(game, 10)).toBeUndefined();
});

it("tells who led and what was dearest", () => {
  expect(game.turns.map(leader)).toEqual([0, 1, 1]);
  expect(dearest(game, 0)?.turn.number).toBe(3);
  expect(dearest(game, 0)?.move.n).toBe(8); // the move itself, not the end of its turn
  expect(dearest(game, 1)).toBeUndefined();
});

it("ends the axis at a round number", () => {
  expect(reach(game)).toBe(30);
  expect(reach(analysis(turn(1, 0, 3, [0, 0], 0)))).toBe(4);
});
