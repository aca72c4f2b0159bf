/** What the others did since one's own last move: whose tiles and pieces are framed until one acts. */

import type { Cell, Entry, GameEvent } from "./protocol";

/** What one player did or won. */
export interface Deed {
  seat: number;
  tiles: Cell[];
  pieces: { piece: string; cell: Cell | null; spot: string; home: boolean }[]; // home: it has come back already
  scores: { points: number; kind: string }[];
}

/** A tile or a token that comes is no move of whoever gets it. */
const isMove = (entry: Entry) => !entry.action.startsWith("draw ");

/** The deeds of all players since the last move of a seat, in the order of play; none for who only watches. */
export function deedsSince(log: Entry[], seat: number): Deed[] {
  if (seat < 0) return [];
  const own = log.findLastIndex((entry) => entry.seat === seat && isMove(entry));
  const deeds = new Map<number, Deed>();
  const of = (one: number) => {
    const found = deeds.get(one) ?? { seat: one, tiles: [], pieces: [], scores: [] };
    deeds.set(one, found);
    return found;
  };
  for (const event of log.slice(own + 1).flatMap((entry) => entry.events)) note(event, of);
  return [...deeds.values()].filter((deed) => deed.tiles.length || deed.pieces.length || deed.scores.length);
}

function note(event: GameEvent, of: (seat: number) => Deed) {
  if (event.event === "placed") of(event.seat).tiles.push(event.cell);
  else if (event.event === "deployed")
    of(event.seat).pieces.push({ piece: event.piece, cell: event.cell, spot: event.spot, home: false });
  else if (event.event === "returned") {
    const where = String([event.piece, event.cell, event.spot]);
    const back = of(event.seat).pieces.find((one) => !one.home && String([one.piece, one.cell, one.spot]) === where);
    if (back) back.home = true;
  } else if (event.event === "scored" && event.points && !event.final)
    of(event.seat).scores.push({ points: event.points, kind: event.kind });
}
