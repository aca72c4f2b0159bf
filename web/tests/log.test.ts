import { expect, it } from "vitest";
import { finalScores, sumText } from "../src/lib/log";
import type { Entry, Scored } from "../src/lib/protocol";

const entry = (n: number, events: Entry["events"] = []): Entry => ({ n, seq: n, seat: 0, action: "pass", events });
const score = (final: boolean, parts: [number, number][]): Scored => ({
  event: "scored",
  seat: 0,
  points: parts.reduce((sum, [count, each]) => sum + count * each, 0),
  kind: "city",
  cell: null,
  spot: "",
  tiles: [],
  final,
  rules: [],
  parts: parts.map(([count, each]) => ({ name: "tiles", count, each, rule: "BASE-14" })),
});

it("writes sums as people do", () => {
  expect(
    sumText(
      score(false, [
        [4, 2],
        [1, 2],
      ]),
    ),
  ).toBe("4×2 + 2 = 10");
  expect(sumText(score(false, [[3, 1]]))).toBe("3");
});

it("finds the final scores", () => {
  expect(
    finalScores([entry(0, [score(false, [[1, 1]])]), entry(1, [score(true, [[5, 1]]), score(true, [[2, 3]])])]),
  ).toHaveLength(2);
});
