/** What is asked, made ready for pointing: the legal actions grouped by what one points at. Knows no rules. */

import { key } from "./geometry";
import type { Cell, Choice, Question } from "./protocol";

/** Something to point at. Pointing again goes on to the next of its choices: a turn of the tile, another piece. */
export interface Target {
  key: string;
  cell?: Cell; // lies on this cell ...
  spot?: string; // ... on this segment, or, without a cell, on a module's own place
  choices: Choice[];
}

/** What one points at for an action: for a move its goal. */
function anchor(choice: Choice): { cell?: Cell; spot?: string } {
  if (choice.to) return choice.to;
  return { cell: choice.cell, spot: choice.spot };
}

export function targets(question: Question | null): Target[] {
  const found = new Map<string, Target>();
  for (const choice of question?.actions ?? []) {
    const { cell, spot } = anchor(choice);
    if (!cell && !spot) continue;
    const name = [cell && key(cell), spot].filter(Boolean).join(" ");
    const target = found.get(name) ?? { key: name, cell, spot, choices: [] };
    target.choices.push(choice);
    found.set(name, target);
  }
  return [...found.values()];
}

/** Actions that point at nothing on the board: they become buttons. */
export function buttons(question: Question | null): Choice[] {
  return (question?.actions ?? []).filter((choice) => {
    const { cell, spot } = anchor(choice);
    return !cell && !spot;
  });
}

/** The choice to begin with when a target is pointed at: if possible in the turn or with the piece shown last. */
export function firstChoice(target: Target, turn: number, piece: string): number {
  const same = target.choices.findIndex(
    (choice) => (choice.turn ?? turn) === turn && (choice.piece ?? piece) === piece,
  );
  return Math.max(same, 0);
}

/** Choices of one target that differ in their piece need names of pieces; those that differ in turn do not. */
export function manyPieces(target: Target): boolean {
  return new Set(target.choices.map((choice) => choice.piece)).size > 1;
}
