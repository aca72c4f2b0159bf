import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Answer } from "../src/worker/talk";
import { Thinker } from "../src/worker/thoughts";

/** A worker that answers when the test says so. */
class FakeWorker {
  static all: FakeWorker[] = [];
  static ended = 0;
  asked: { id: number; data: string }[] = [];
  onmessage!: (event: { data: Answer }) => void;
  onerror!: (event: { message: string }) => void;

  constructor() {
    FakeWorker.all.push(this);
  }
  postMessage(message: { id?: number; data: string }) {
    if (message.id !== undefined) this.asked.push({ id: message.id, data: message.data });
  }
  terminate() {
    FakeWorker.ended++;
  }
  answer(data: string, answer: Partial<Answer>) {
    const { id } = this.asked.find((one) => one.data === data)!;
    this.onmessage({ data: { id, ...answer } });
  }
}

beforeEach(() => {
  FakeWorker.all = [];
  FakeWorker.ended = 0;
  vi.stubGlobal("Worker", FakeWorker);
});
afterEach(() => vi.unstubAllGlobals());

const thinker = () => new Thinker({ engine: "/engine/", started: {} as never });

it("stops one thought; what else was wanted is begun anew", async () => {
  const asked = thinker();
  const stopped = asked.ask("choose", "turn 3 of the first table");
  const other = asked.ask("choose", "turn 9 of another table");
  const drawing = asked.ask("draw", "day.svg");
  asked.stop("turn 3 of the first table");
  await expect(stopped).rejects.toThrow("stopped");
  const [before, now] = FakeWorker.all;
  expect(FakeWorker.ended).toBe(1);
  expect(before!.asked.length).toBe(3);
  expect(now!.asked.map(({ data }) => data)).toEqual(["turn 9 of another table", "day.svg"]);
  now!.answer("turn 9 of another table", { text: "pass" });
  now!.answer("day.svg", { text: "<svg/>" });
  expect([await other, await drawing]).toEqual(["pass", "<svg/>"]);
  asked.stop("turn 9 of another table"); // it has been answered: nothing is left to stop
  expect(FakeWorker.ended).toBe(1);
});

it("goes on with a new worker when one can do nothing more", async () => {
  const asked = thinker();
  const fatal = asked.ask("review", "a game for which there is no memory");
  const waiting = asked.ask("choose", "the next turn");
  FakeWorker.all[0]!.answer("a game for which there is no memory", { error: "out of memory", lost: true });
  await expect(fatal).rejects.toThrow("out of memory");
  FakeWorker.all[1]!.answer("the next turn", { text: "pass" });
  expect(await waiting).toBe("pass");
});

it("keeps the worker after an ordinary mistake", async () => {
  const asked = thinker();
  const wrong = asked.ask("choose", "a question that cannot be answered");
  FakeWorker.all[0]!.answer("a question that cannot be answered", { error: "ValueError: no", lost: false });
  await expect(wrong).rejects.toThrow("ValueError: no");
  expect(FakeWorker.ended).toBe(0);
});

it("tries a worker that cannot be started once for each question, not for ever", async () => {
  const asked = thinker();
  const first = asked.ask("choose", "one");
  FakeWorker.all[0]!.onerror({ message: "" });
  await expect(first).rejects.toThrow("could not be started");
  expect(FakeWorker.all.length).toBe(1);
  const second = asked.ask("choose", "two");
  FakeWorker.all[1]!.answer("two", { text: "pass" });
  expect(await second).toBe("pass");
});
