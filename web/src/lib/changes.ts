/** A table is told whole once, and then by what changes (docs/protocol.md). */

import type { Change, Game, GameChange, Splice, Spliced, State } from "./protocol";

const SPLICED: Spliced[] = ["tiles", "figures", "tokens", "discards", "log", "sources"];

/** The state after a change; null if one between them is missing: then the whole state must be asked for. */
export function changed(state: State | null, { type: _, after, game, fair, ...members }: Change): State | null {
  if (!state || after !== state.n) return null;
  return {
    ...state,
    ...members,
    fair: { ...state.fair, ...fair },
    game: state.game && game ? changedGame(state.game, game) : state.game,
  };
}

function changedGame(before: Game, change: GameChange): Game {
  const lists = SPLICED.filter((name) => change[name]).map((name) => [
    name,
    spliced<unknown>(before[name], change[name]!),
  ]);
  return { ...before, ...change, ...Object.fromEntries(lists) } as Game;
}

function spliced<Entry>(before: Entry[], { at, drop, add }: Splice<Entry>): Entry[] {
  return [...before.slice(0, at), ...add, ...before.slice(at + drop)];
}
