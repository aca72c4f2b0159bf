/** A table on which a lesson goes its way: the learner has the first seat, the page plays the other one. */

import type { Lesson, Spoken, State } from "./protocol";
import { settings, t } from "./settings.svelte";
import { Table } from "./table.svelte";

const OWN = 0; // the learner's seat
const PAUSE = 600; // ms before each move of the other player, so that it can be followed

const pause = (time: number) => new Promise((done) => setTimeout(done, time));

const said = (words: Spoken): string => words[settings.language] ?? words.en;

export class LessonTable extends Table {
  at = $state(0);
  oops = $state(""); // about an action that is not asked for
  waiting = $state(true); // for the other player

  #lesson: Lesson;
  #played = 0; // of the other player's actions in this step
  #arrived: () => void = () => undefined;
  #closed = false;

  constructor(id: string, lesson: Lesson) {
    super(id);
    this.#lesson = lesson;
    this.wanted = null;
    void this.#begin();
  }

  get step() {
    return this.#lesson.steps[this.at]!;
  }
  get count() {
    return this.#lesson.steps.length;
  }
  get last() {
    return this.at === this.count - 1;
  }
  get text() {
    return said(this.step);
  }

  /** The learner's action. Only what the lesson asks for is played. */
  override async play(action: string): Promise<boolean> {
    const { do: due, else: other } = this.step;
    if (!due) return false;
    if (action !== due) {
      this.oops = other ? said(other) : t("lessonElse");
      return false;
    }
    if (!(await this.#play(action))) return false;
    await this.next();
    return true;
  }

  /** Goes on to the next step, or with what the other player still has to do in this one. */
  async next() {
    if (this.#played === (this.step.other?.length ?? 0) && !this.last) {
      this.at++;
      this.#played = 0;
    }
    this.oops = "";
    this.region = null;
    this.wanted = this.step.do ?? null;
    await this.#others();
    const [cell, ...spot] = this.step.show?.split(" ") ?? [];
    if (cell) await this.look(cell.split(",").map(Number) as [number, number], spot.join(" "));
  }

  override close() {
    this.#closed = true;
    super.close();
  }

  /** The learner sees one own seat, and nothing to take back: the lesson goes forward only. */
  protected override seen(told: State): State {
    queueMicrotask(() => this.#arrived());
    const game = told.game && {
      ...told.game,
      question: told.game.question?.seat === OWN ? told.game.question : null,
    };
    return { ...told, mine: [OWN], seat: OWN, undo: 0, takeback: false, game };
  }

  async #begin() {
    await this.#until(() => Boolean(this.game));
    this.waiting = false;
  }

  async #others() {
    const actions = this.step.other ?? [];
    this.waiting = true;
    while (this.#played < actions.length && !this.#closed) {
      await pause(PAUSE);
      if (this.#closed || !(await this.#play(actions[this.#played]!))) break;
      this.#played++;
    }
    this.waiting = false;
  }

  /** Plays, and waits until the table shows it. */
  async #play(action: string): Promise<boolean> {
    const before = this.state!.seq;
    if (!(await super.play(action))) return false;
    await this.#until(() => this.state!.seq > before);
    return true;
  }

  async #until(good: () => boolean) {
    while (!good()) await new Promise<void>((done) => (this.#arrived = done));
  }
}
