import { describe, expect, it } from "vitest";
import type { Cell, DrawingData, Token } from "../src/lib/protocol";
import { Land } from "../src/lib/scene";

const at = (x: number, y: number) => ({ tile: "D", cell: [x, y] as Cell, turn: 0 });
const drawings = { tiles: { D: { id: "D", segments: [], places: {} } }, pieces: {}, kinds: {} };
const land = new Land([at(0, 0), at(2, -1)], drawings as unknown as DrawingData);

describe("figures of nobody", () => {
  it("stand on the tile whose cell they name, one beside the other", () => {
    const tokens: Token[] = [
      { seat: -1, name: "wolf", where: "2,-1", count: 1 },
      { seat: -1, name: "ghost", where: "2,-1", count: 1 },
      { seat: 0, name: "wine", where: "", count: 2 },
      { seat: -1, name: "lost", where: "5,5", count: 1 },
    ];
    const found = land.standing([], tokens, [], []);
    expect(found.map((one) => [one.piece, one.at, one.colour])).toEqual([
      ["wolf", [230, -70], -1],
      ["ghost", [252, -48], -1],
    ]);
  });
});
