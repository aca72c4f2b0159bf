/** What was won of late, made ready for showing on the board. */

import { boxOf, rim, TILE } from "./geometry";
import type { Entry, Point, Scored } from "./protocol";
import type { Land, Outline } from "./scene";

/** Points that rise from where they were won. */
export interface Won {
  seat: number;
  points: number;
  at: Point;
  outlines: Outline[];
}

/** The scores of some entries, except those at the end, which are told one by one. */
export function wonIn(entries: Entry[], land: Land): Won[] {
  const scores = entries.flatMap((entry) =>
    entry.events.filter((event): event is Scored => event.event === "scored" && !event.final && event.points > 0),
  );
  const found = scores.flatMap((score) => {
    const at = pointOf(score, land);
    return at ? [{ seat: score.seat, points: score.points, at, outlines: outlinesOf(score, land) }] : [];
  });
  return found.map((one, n) => ({ ...one, at: beside(one.at, found.slice(0, n)) }));
}

/** The last spot of the region that is known: where its owner stood, or the middle of its tiles. */
function pointOf({ cell, spot, tiles }: Scored, land: Land): Point | undefined {
  if (cell) return land.point(cell, spot);
  if (!tiles.length) return undefined;
  const box = boxOf(tiles);
  return [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
}

/** Two who share a region get their points side by side. */
function beside([x, y]: Point, before: Won[]): Point {
  const near = before.filter(({ at }) => Math.abs(at[1] - y) < TILE / 4 && Math.abs(at[0] - x) < TILE / 2).length;
  return [x + near * 0.45 * TILE, y];
}

/** The true outline of what was scored; the rim of its tiles where it is no region. */
export function outlinesOf(score: Scored, land: Land): Outline[] {
  const region = score.cell ? land.region(score.cell, score.spot, score.tiles) : [];
  const found = region.flatMap(({ cell, spot }) => land.outline(cell, spot) ?? []);
  const counted = land.counted(score);
  const around = counted.length > score.tiles.length || !found.length;
  return around && counted.length ? [{ d: rim(counted), transform: "" }, ...found] : found;
}

/** Who plays once more: a seat that draws again after it has laid a tile; -1 for nobody. */
export function playsAgain(log: Entry[], fresh: Entry[]): number {
  const drawn = fresh.findLast((entry) => entry.events.some((event) => event.event === "drawn"));
  if (!drawn) return -1;
  const before = log.filter((entry) => entry.n < drawn.n);
  const laid = before.findLast((entry) => entry.events.some((event) => event.event === "placed"));
  const dealt = before.findLast((entry) => entry.events.some((event) => event.event === "drawn"));
  return laid && dealt && laid.n > dealt.n && laid.seat === drawn.seat && dealt.seat === drawn.seat ? drawn.seat : -1;
}
