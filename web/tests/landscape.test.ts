import { expect, it } from "vitest";
import { Definitions } from "../src/lib/definitions";
import { compose } from "../src/lib/landscape";
import type { DrawingData, Laid } from "../src/lib/protocol";
import { Land } from "../src/lib/scene";

const tiles: Laid[] = [
  { tile: "D", cell: [0, 0], turn: 0 },
  { tile: "U", cell: [1, 0], turn: 1 },
];
const data: DrawingData = { tiles: {}, kinds: {}, pieces: {} };

it("has the land, the pieces, the names and the result in one picture that needs nothing else", () => {
  const standing = [
    { key: "a", piece: "follower", colour: 1, at: [50, 50] as [number, number], lies: true, scale: 1, seat: 1 },
  ].map((one) => ({ ...one, trapped: false, cell: [0, 0] as [number, number], spot: "road E" }));
  const { svg, width, height } = compose({
    land: new Land(tiles, data),
    standing,
    drawings: new Definitions(),
    posters: [],
    title: "Ann & Bob win",
    line: "with 12 points each",
    players: ["Ann", "Bob <b>"].map((name, colour) => ({
      name,
      score: 12,
      piece: "follower",
      colour,
      scale: 1,
      won: true,
    })),
    foot: "Bastide",
  });
  expect([...svg.matchAll(/href="#t-(\w)"/g)].map((match) => match[1])).toEqual(["D", "U"]);
  expect(svg).toContain('href="#f-follower-1" transform="translate(50 50)rotate(-90)');
  expect(svg).toContain("Ann &#38; Bob win");
  expect(svg).toContain("Bob &#60;b&#62;");
  expect(svg.match(/>12<\/text>/g)).toHaveLength(2);
  expect(svg).not.toMatch(/href="(?!#|data:)/);
  expect(svg.match(/<svg/g)).toHaveLength(svg.match(/<\/svg>/g)!.length);
  expect(width).toBe(1600);
  expect(height).toBeGreaterThan(400);
});
