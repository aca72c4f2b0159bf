/** A puzzle at a table of its own: one turn is played, and judged by what the puzzle knows of every answer. */

import { api } from "./api";
import type { State, TableWish } from "./protocol";
import { settings } from "./settings.svelte";
import { Table } from "./table.svelte";

/** By action: a value at the end of the turn, or what may follow. */
export interface Turns {
  [action: string]: number | Turns;
}
export interface Fact {
  fact: string;
  points?: number;
  other?: number;
  count?: number;
  kind?: string;
  piece?: string;
  rule?: string;
}
export interface Puzzle {
  id: string;
  module?: string;
  level?: number;
  record: string[];
  seat: number;
  solution: string[];
  tempting: string[];
  why: Fact[];
  turns: Turns;
}
export interface Listed {
  id: string;
  module: string;
  level: number;
}

const OTHER = "Maude"; // who sits at the other seats
const PAUSE = 600; // ms before each move of the solution
const DAY = 86_400_000; // ms

/** The puzzle of a day, the same for everybody. */
export function puzzleOfDay(all: Listed[], now: number): Listed | undefined {
  const shuffled = [...all].sort((a, b) => (a.id < b.id ? -1 : 1)); // ids are hashes
  return shuffled[Math.floor(now / DAY) % shuffled.length];
}

/** What is known after some actions: a value at the end of the turn, nothing if the puzzle does not know them. */
export function follow(turns: Turns, line: string[]): number | Turns | undefined {
  let at: number | Turns | undefined = turns;
  for (const action of line) at = typeof at === "object" ? at[action] : undefined;
  return at;
}

/** The points that a way to play the turn gives away; undefined before its end. */
export function lossOf(puzzle: Puzzle, line: string[]): number | undefined {
  const value = follow(puzzle.turns, line);
  return typeof value === "number" ? (follow(puzzle.turns, puzzle.solution) as number) - value : undefined;
}

/** The table on which a puzzle is solved. */
export function tableFor(puzzle: Puzzle, title: string): TableWish {
  const count = puzzle.record.find((line) => line.startsWith("players "))!.split(" ").length - 1;
  const self = { kind: "human" as const, ...(settings.name && { name: settings.name }) };
  const other = (seat: number) => ({ kind: "human" as const, name: count > 2 ? `${OTHER} ${seat + 1}` : OTHER });
  return {
    title,
    record: puzzle.record.join("\n") + "\n",
    seats: Array.from({ length: count }, (_, seat) => (seat === puzzle.seat ? self : other(seat))),
  };
}

export class PuzzleTable extends Table {
  shown = $state(false); // the solution was asked for
  #before = 0; // actions in the record
  #puzzle: Puzzle;
  #closed = false;

  constructor(id: string, puzzle: Puzzle) {
    super(id);
    this.#puzzle = puzzle;
    this.#before = puzzle.record
      .filter((line) => /^\S+: /.test(line))
      .reduce((sum, line) => sum + line.split("; ").length, 0);
  }

  /** The own actions so far. */
  line = $derived(
    this.log
      .slice(this.#before)
      .filter((entry) => entry.seat === this.#puzzle.seat && !entry.action.startsWith("draw "))
      .map((entry) => entry.action),
  );
  /** What the turn gave away, once it is played. An extra turn does not count. */
  loss = $derived.by(() => {
    for (let n = 1; n <= this.line.length; n++) {
      const loss = lossOf(this.#puzzle, this.line.slice(0, n));
      if (loss !== undefined) return loss;
    }
    return undefined;
  });

  override async play(action: string): Promise<boolean> {
    const next = follow(this.#puzzle.turns, [...this.line, action]);
    const done = await super.play(action);
    if (done && typeof next !== "object") this.wanted = null; // the turn is over: nothing is asked any more
    return done;
  }

  /** The turn anew. */
  async again(): Promise<boolean> {
    if (this.line.length && !(await this.takeback())) return false;
    this.shown = false;
    this.wanted = undefined;
    return true;
  }

  /** Plays the solution. */
  async solve() {
    if (!(await this.again())) return;
    this.shown = true;
    this.wanted = null;
    for (const [n, action] of this.#puzzle.solution.entries()) {
      do await new Promise((done) => setTimeout(done, PAUSE));
      while (this.line.length !== n && !this.#closed);
      if (this.#closed || !(await super.play(action))) return;
    }
  }

  override close() {
    this.#closed = true;
    super.close();
  }

  /** Only the own seat is one's own, and only it is asked. */
  protected override seen(told: State): State {
    const seat = this.#puzzle.seat;
    const game = told.game && {
      ...told.game,
      question: told.game.question?.seat === seat ? told.game.question : null,
    };
    return { ...told, mine: [seat], seat, takeback: false, game };
  }
}

export const puzzleApi = {
  list: () => api.get<Listed[]>("/api/puzzles"),
  one: (id: string) => api.get<Puzzle>(`/api/puzzles/${id}`),
  ofTable: (table: string, seat: number | null) =>
    api.get<Puzzle[]>(`/api/tables/${table}/puzzles${seat === null ? "" : `?seat=${seat}`}`),
};
