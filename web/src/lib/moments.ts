/** What was won of late, made ready for showing on the board. */

import { boxOf, rim, TILE } from "./geometry";
import type { Entry, Point, Scored } from "./protocol";
import type { Land, Outline } from "./scene";
import type { Words } from "./words";

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

const AGAIN = "again"; // what modules call the moment when somebody plays once more
const drawnIn = (fresh: Entry[]) => fresh.findLast((entry) => entry.events.some((event) => event.event === "drawn"));

/** Who plays once more: a seat that draws again after it has laid a tile; -1 for nobody. */
export function playsAgain(log: Entry[], fresh: Entry[]): number {
  const drawn = drawnIn(fresh);
  if (!drawn) return -1;
  const before = log.filter((entry) => entry.n < drawn.n);
  const laid = before.findLast((entry) => entry.events.some((event) => event.event === "placed"));
  const dealt = before.findLast((entry) => entry.events.some((event) => event.event === "drawn"));
  return laid && dealt && laid.n > dealt.n && laid.seat === drawn.seat && dealt.seat === drawn.seat ? drawn.seat : -1;
}

/** One line for each thing out of the ordinary: what a module notes, points of no region, who plays once more. */
export function specialLines(log: Entry[], fresh: Entry[], words: Words): string[] {
  const events = fresh.flatMap((entry) => entry.events);
  const paid = new Map<string, string[]>(); // by source
  for (const event of events)
    if (event.event === "scored" && !event.final && event.points && !event.cell && !event.tiles.length)
      paid.set(event.kind, [...(paid.get(event.kind) ?? []), `${words.player(event.seat)} +${event.points}`]);
  const said = events.flatMap((event) => {
    if (event.event === "noted" && !paid.has(event.value))
      return [
        words.moment([`${event.what} ${event.value}`, event.what], event.seat, { value: event.value }) ||
          words.event(event),
      ];
    return event.event === "drawn" ? [words.moment([`drawn ${event.name}`], event.seat)] : [];
  });
  const again = playsAgain(log, fresh);
  const why = again >= 0 && !toldWhy(log, drawnIn(fresh));
  return [
    ...said.filter(Boolean),
    ...[...paid].map(([kind, names]) => words.told(words.source(kind), names.join(", "))),
    ...(why ? [words.moment([AGAIN], again) || words.about("playsAgain", again)] : []),
  ];
}

/** Did a module note since the tile before was drawn why somebody plays once more? */
function toldWhy(log: Entry[], again: Entry | undefined): boolean {
  const before = log.filter((entry) => entry.n < (again?.n ?? 0));
  const dealt = before.findLastIndex((entry) => entry.events.some((event) => event.event === "drawn"));
  return before.slice(dealt).some(({ events }) => events.some((one) => one.event === "noted" && one.value === AGAIN));
}
