/** The analysis of a game, made ready for showing. */

import type { Analysis, Cell, Choice, JudgedMove, JudgedTurn } from "./protocol";

export const SMALL = 0.05; // a loss that is not worth a word
export const COSTLY = 1; // points

/** An action's text in parts (docs/notation.md). `isTile` tells a tile from other names. */
export function choiceOf(text: string, isTile: (name: string) => boolean): Choice {
  const [verb, what = "", ...rest] = text.split(" ") as [Choice["verb"], ...string[]];
  const cellOf = (word: string): Cell | undefined =>
    /^-?\d+,-?\d+$/.test(word) ? (word.split(",").map(Number) as Cell) : undefined;
  const spotOf = ([first = "", ...words]: string[]) => {
    const cell = cellOf(first);
    return cell ? { cell, spot: words.join(" ") } : { spot: [first, ...words].join(" ") };
  };
  switch (verb) {
    case "place":
      return { text, verb, tile: what, cell: cellOf(rest[0] ?? ""), turn: Number(rest[1]) / 90 };
    case "discard":
      return { text, verb, tile: what };
    case "choose":
      return { text, verb, choice: what, cell: cellOf(what), tile: isTile(what) ? what : undefined };
    case "deploy":
    case "take":
      return { text, verb, piece: what, ...spotOf(rest) };
    case "move": {
      const to = rest.indexOf("to");
      return { text, verb, piece: what, ...spotOf(rest.slice(0, to)), to: spotOf(rest.slice(to + 1)) as Choice["to"] };
    }
    default:
      return { text, verb };
  }
}

/** The turn to which a step of the replay belongs. */
export const turnAt = (analysis: Analysis, step: number): JudgedTurn | undefined =>
  analysis.turns.find((turn) => step <= turn.n);

/** The decision that a step of the replay shows; none if something was drawn. */
export const moveAt = (analysis: Analysis, step: number): JudgedMove | undefined =>
  turnAt(analysis, step)?.moves.find((move) => move.n === step);

/** Who is ahead after a turn. */
export const leader = (turn: JudgedTurn): number => turn.leads.indexOf(Math.max(...turn.leads));

/** The dearest move of a player and its turn, if anything was given away. */
export function dearest(analysis: Analysis, seat: number): { turn: JudgedTurn; move: JudgedMove } | undefined {
  const own = analysis.turns
    .filter((turn) => turn.seat === seat)
    .flatMap((turn) => turn.moves.filter((move) => move.loss >= SMALL).map((move) => ({ turn, move })));
  return own.sort((a, b) => b.move.loss - a.move.loss)[0];
}

/** The end of the axis: a round number of points that nobody's lead goes beyond. */
export function reach(analysis: Analysis): number {
  const most = Math.max(4, ...analysis.turns.flatMap((turn) => turn.leads.map(Math.abs)));
  const ten = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 3, 4, 6, 8, 10].map((step) => step * ten).find((round) => round >= most)!;
}
