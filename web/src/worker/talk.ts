/** What the page and its workers say to each other. */

import type { Started } from "./engine";

/** From the page to the worker that has the tables. */
export type Wish =
  | { type: "begin"; engine: string } // where the files of the engine are
  | { type: "ask"; id: number; method: string; path: string; body: string }
  | { type: "connect"; line: number; table: string }
  | { type: "say"; line: number; text: string }
  | { type: "hangUp"; line: number };

/** And back. */
export type News =
  | { type: "loading"; loaded: number; total: number }
  | { type: "ready"; kept: boolean } // are games still there when the page is opened again?
  | { type: "failed"; why: string }
  | { type: "answer"; id: number; status: number; kind: string; text: string }
  | { type: "said"; line: number; text: string }
  | { type: "closed"; line: number; code: number };

/** To the worker that thinks, and back. */
export interface Begin {
  engine: string;
  started: Started;
}
export interface Thought {
  id: number;
  kind: string;
  data: string;
}
export interface Answer {
  id: number;
  text?: string;
  error?: string;
  lost?: boolean; // the worker can do nothing more
}

/** What went wrong, in a line: an error of Python's has its whole way before it. */
export const lastLine = (wrong: unknown) => String(wrong).trim().split("\n").at(-1)!;
