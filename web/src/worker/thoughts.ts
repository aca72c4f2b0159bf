/** What is asked of the worker that thinks (./thinker): it may be stopped, and it may break. */

import type { Answer, Begin, Thought } from "./talk";

interface Asked {
  thought: Thought;
  done: (text: string) => void;
  failed: (why: Error) => void;
}

/** The worker that thinks. To stop a thought it is ended; a new one does what else was wanted. */
export class Thinker {
  #worker: Worker | undefined;
  #last = 0;
  #asked = new Map<number, Asked>();

  constructor(private readonly begin: Begin) {}

  start(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL("./thinker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Answer>) => this.#hear(data);
    worker.onerror = ({ message }) => this.#broke(message);
    worker.postMessage(this.begin);
    return (this.#worker = worker);
  }

  ask(kind: string, data: string): Promise<string> {
    const thought = { id: ++this.#last, kind, data };
    return new Promise((done, failed) => {
      this.#asked.set(thought.id, { thought, done, failed });
      this.start().postMessage(thought);
    });
  }

  stop(data: string) {
    for (const { thought } of this.#asked.values())
      if (thought.data === data) return this.#replace(thought.id, "stopped");
  }

  #hear({ id, text, error, lost }: Answer) {
    if (lost) return this.#replace(id, error!);
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (error === undefined) asked?.done(text!);
    else asked?.failed(new Error(error));
  }

  /** Ends the worker and one thought; the others begin anew. */
  #replace(id: number, why: string) {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#asked.get(id)?.failed(new Error(why));
    this.#asked.delete(id);
    const worker = this.start(); // it will be wanted again
    for (const { thought } of this.#asked.values()) worker.postMessage(thought);
  }

  /** It could not be started: nobody waits for it, and the next one who asks tries again. */
  #broke(why: string) {
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const { failed } of this.#asked.values())
      failed(new Error(why || "the worker that thinks could not be started"));
    this.#asked.clear();
  }
}
