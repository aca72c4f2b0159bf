/** Turns of bots, shown one after the other so that they can be followed. Who is asked something never waits. */

import type { GameEvent, State } from "./protocol";
import { settings } from "./settings.svelte";

export const PACE = 900; // ms for which the turn of one bot stands alone
const MOST = 40; // states that wait; bots that play among themselves are not followed for ever

export class Pace {
  #waiting: State[] = [];
  #known = -1; // entries of the log that are shown; -1: nothing yet
  #last = -1; // the bot that laid a tile last ...
  #until = 0; // ... and until when the next one waits
  #hurried = false; // until nothing waits
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly show: (state: State) => void) {}

  /** Shows a state, now or when those before it could be seen. */
  take(state: State) {
    this.#waiting.push(state);
    if (this.#waiting.length > MOST) this.hurry();
    else if (this.#waiting.length === 1) this.#go();
  }

  /** Somebody does not want to wait. */
  hurry() {
    this.#hurried = this.#waiting.length > 0;
    if (this.#hurried) this.#go();
  }

  close() {
    clearTimeout(this.#timer);
    this.#waiting = [];
  }

  #go() {
    clearTimeout(this.#timer);
    const state = this.#waiting[0]!;
    const left = this.#wait(state);
    if (left > 0) return void (this.#timer = setTimeout(() => this.#go(), left));
    this.#waiting.shift();
    this.#note(state);
    this.show(state);
    // one at a time: whatever is said about a state is said before the next one comes
    if (this.#waiting.length) this.#timer = setTimeout(() => this.#go(), 0);
    else this.#hurried = false;
  }

  /** How long a state has to wait: it lays the tile of one bot while that of another was laid a moment ago. */
  #wait(state: State): number {
    const next = this.#laidBy(state);
    const seen = typeof document === "undefined" || !document.hidden;
    if (next < 0 || next === this.#last || this.#last < 0) return 0;
    if (settings.atOnce || this.#hurried || !seen) return 0;
    return this.#until - Date.now();
  }

  #note(state: State) {
    const fresh = this.#fresh(state);
    const laid = this.#laidBy(state);
    if (laid >= 0) this.#last = laid;
    if (fresh.some((event) => "seat" in event && event.seat === this.#last && event.event !== "drawn"))
      this.#until = Date.now() + PACE;
    this.#known = state.game ? state.game.log.length : -1;
  }

  #laidBy(state: State): number {
    const laid = this.#fresh(state).find((event) => event.event === "placed");
    return laid && "seat" in laid && state.seats[laid.seat]?.kind === "bot" ? laid.seat : -1;
  }

  /** What a state brings that was not shown; nothing of the first one, which has the whole past. */
  #fresh(state: State): GameEvent[] {
    if (this.#known < 0 || !state.game) return [];
    return state.game.log.filter((entry) => entry.n >= this.#known).flatMap((entry) => entry.events);
  }
}
