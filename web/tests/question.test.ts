import { describe, expect, it } from "vitest";
import type { Choice, Question } from "../src/lib/protocol";
import { buttons, firstChoice, manyPieces, targets } from "../src/lib/question";

const ask = (kind: Question["kind"], actions: Choice[]): Question => ({
  seat: 0,
  prompt: "x",
  kind,
  pass: false,
  rules: [],
  actions,
});

describe("what one points at", () => {
  it("groups the turns of a tile by their cell", () => {
    const found = targets(
      ask("place", [
        { text: "place D 1,0 0", verb: "place", tile: "D", cell: [1, 0], turn: 0 },
        { text: "place D 1,0 180", verb: "place", tile: "D", cell: [1, 0], turn: 2 },
        { text: "place D 0,1 90", verb: "place", tile: "D", cell: [0, 1], turn: 1 },
      ]),
    );
    expect(found.map((target) => [target.key, target.choices.length])).toEqual([
      ["1,0", 2],
      ["0,1", 1],
    ]);
    expect(firstChoice(found[0]!, 2, "")).toBe(1);
    expect(firstChoice(found[0]!, 1, "")).toBe(0);
    expect(manyPieces(found[0]!)).toBe(false);
  });

  it("offers the pieces of one spot together", () => {
    const [target] = targets(
      ask("spot", [
        { text: "deploy follower 1,0 city N", verb: "deploy", piece: "follower", cell: [1, 0], spot: "city N" },
        { text: "deploy big_follower 1,0 city N", verb: "deploy", piece: "big_follower", cell: [1, 0], spot: "city N" },
        { text: "pass", verb: "pass" },
      ]),
    );
    expect(target!.key).toBe("1,0 city N");
    expect(manyPieces(target!)).toBe(true);
    expect(firstChoice(target!, 0, "big_follower")).toBe(1);
  });

  it("points at the goal of a move and at places that are no segment", () => {
    const found = targets(
      ask("spot", [
        {
          text: "move meeple 1,0 path E to 3,0 path W",
          verb: "move",
          piece: "meeple",
          cell: [1, 0],
          spot: "path E",
          to: { cell: [3, 0], spot: "path W" },
        },
        { text: "deploy follower crown taxes", verb: "deploy", piece: "follower", spot: "crown taxes" },
      ]),
    );
    expect(found.map((target) => target.key)).toEqual(["3,0 path W", "crown taxes"]);
  });

  it("makes buttons of everything else", () => {
    const question = ask("choice", [
      { text: "choose grow", verb: "choose", choice: "grow" },
      { text: "choose 1,0", verb: "choose", cell: [1, 0] },
    ]);
    expect(buttons(question).map((choice) => choice.text)).toEqual(["choose grow"]);
    expect(targets(question).map((target) => target.key)).toEqual(["1,0"]);
  });
});
