import { afterEach, beforeEach, expect, it, vi } from "vitest";

let Pace: typeof import("../src/lib/pace").Pace;
let PACE: number;
const settings = { atOnce: false };

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  settings.atOnce = false;
  vi.doMock("../src/lib/settings.svelte", () => ({ settings }));
  ({ Pace, PACE } = await import("../src/lib/pace"));
});
afterEach(() => void vi.useRealTimers());

const seats = ["human", "bot", "bot"].map((kind, seat) => ({ seat, kind }));
/** A state that brings one event, after so many entries. */
const brings = (n: number, event: object) =>
  ({
    seq: n,
    seats,
    game: { log: Array.from({ length: n + 1 }, (_, at) => ({ n: at, events: at === n ? [event] : [] })) },
  }) as never;
const laid = (seat: number) => ({ event: "placed", seat });
const start = { seq: 0, seats, game: { log: [{ n: 0, events: [laid(1)] }] } } as never;

function shown() {
  const seen: number[] = [];
  return { seen, pace: new Pace((state) => seen.push(state.seq)) };
}

it("shows the turns of two bots one after the other, and who is asked at once", () => {
  const { seen, pace } = shown();
  pace.take(start);
  pace.take(brings(1, laid(1)));
  pace.take(brings(2, { event: "deployed", seat: 1 })); // of the same turn
  expect(seen).toEqual([0, 1, 2]);
  pace.take(brings(3, { event: "drawn", seat: 2 }));
  pace.take(brings(4, laid(2)));
  vi.advanceTimersByTime(PACE - 100);
  expect(seen).toEqual([0, 1, 2, 3]);
  vi.advanceTimersByTime(100);
  expect(seen).toEqual([0, 1, 2, 3, 4]);
  pace.take(brings(5, { event: "drawn", seat: 0 }));
  expect(seen.at(-1)).toBe(5);
});

it("keeps the order, and hurries when somebody does not want to wait", () => {
  const { seen, pace } = shown();
  pace.take(start);
  pace.take(brings(1, laid(1)));
  pace.take(brings(2, laid(2)));
  pace.take(brings(3, laid(1)));
  expect(seen).toEqual([0, 1]);
  pace.hurry();
  vi.advanceTimersByTime(1);
  expect(seen).toEqual([0, 1, 2, 3]);
});

it("shows everything as it comes to who wants that", () => {
  settings.atOnce = true;
  const { seen, pace } = shown();
  pace.take(start);
  for (const n of [1, 2, 3]) pace.take(brings(n, laid(1 + (n % 2))));
  expect(seen).toEqual([0, 1, 2, 3]);
});
