import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Message } from "../src/lib/protocol";
import { Socket } from "../src/lib/socket";

/** A WebSocket without a network: what was sent is kept, the test speaks for the server. */
class FakeSocket {
  static readonly OPEN = 1;
  static readonly CLOSED = 3;
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: Record<string, unknown>[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(readonly path: string) {
    FakeSocket.all.push(this);
  }
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.readyState = FakeSocket.CLOSED;
  }
  /** The server accepts and greets. */
  greet() {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
    this.say({ type: "welcome", version: 1, table: "t", mine: [0], chat: [], now: 0 });
  }
  say(message: unknown) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  breakOff(code: number) {
    this.readyState = FakeSocket.CLOSED;
    this.onclose?.({ code });
  }
}
const latest = () => FakeSocket.all.at(-1)!;

let heard: Message[];
let states: boolean[];
let socket: Socket;

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  heard = [];
  states = [];
  const nothing = () => undefined;
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("addEventListener", nothing);
  vi.stubGlobal("removeEventListener", nothing);
  vi.stubGlobal("document", { addEventListener: nothing, removeEventListener: nothing, visibilityState: "visible" });
  socket = new Socket(
    () => new FakeSocket("ws://here/socket"),
    (message) => heard.push(message),
    (is) => states.push(is),
  );
});
afterEach(() => {
  socket.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a connection", () => {
  it("says hello first and sends beats back", () => {
    latest().greet();
    latest().say({ type: "beat", n: 3 });
    expect(latest().sent).toEqual([
      { type: "hello", version: 2 },
      { type: "beat", n: 3 },
    ]);
    expect(states).toEqual([true]);
  });

  it("gives answers to their questions, refusals too", async () => {
    latest().greet();
    const good = socket.send({ type: "play", seq: 1, action: "pass" });
    const bad = socket.send({ type: "resign" });
    latest().say({ type: "refused", re: 2, code: "over", message: "" });
    latest().say({ type: "done", re: 1, seq: 2 });
    expect(await good).toMatchObject({ type: "done", seq: 2 });
    await expect(bad).rejects.toMatchObject({ refusal: { code: "over" } });
  });

  it("is given up when the server is silent for 15 seconds, and comes back", () => {
    latest().greet();
    vi.advanceTimersByTime(14_000);
    latest().say({ type: "beat", n: 1 });
    vi.advanceTimersByTime(14_000);
    expect(FakeSocket.all.length).toBe(1);
    vi.advanceTimersByTime(2_000);
    expect(states).toEqual([true, false]);
    expect(FakeSocket.all.length).toBe(2);
    latest().greet();
    expect(states).toEqual([true, false, true]);
  });

  it("is tried again more and more slowly, and not by all at the same moment", () => {
    const waits: number[] = [];
    for (const chance of [0, 0.999]) {
      vi.spyOn(Math, "random").mockReturnValue(chance);
      latest().breakOff(1006);
      const before = FakeSocket.all.length;
      let wait = 0;
      while (FakeSocket.all.length === before) {
        vi.advanceTimersByTime(25);
        wait += 25;
      }
      waits.push(wait);
    }
    expect(waits).toEqual([125, 750]); // half of 250 ms, then one and a half times 500 ms
  });
});

it.each(["table", "unreadable"])("is not tried again once the table is refused for good: %s", (code) => {
  latest().say({ type: "refused", code, message: "" });
  expect(heard).toMatchObject([{ type: "refused", code }]);
  latest().breakOff(1006); // however it is closed
  vi.advanceTimersByTime(120_000);
  expect(FakeSocket.all.length).toBe(1);
});

describe("what was not answered", () => {
  it("is sent again over the next connection, if the server can tell that it knows it", async () => {
    latest().greet();
    const move = socket.send({ type: "play", seq: 7, action: "pass" });
    const word = socket.send({ type: "chat", text: "hello" });
    latest().breakOff(1006);
    await expect(word).rejects.toMatchObject({ refusal: { code: "network" } }); // or it would be said twice
    vi.advanceTimersByTime(1_000);
    latest().greet();
    expect(latest().sent[1]).toEqual({ type: "play", seq: 7, action: "pass", id: 1 });
    latest().say({ type: "refused", re: 1, code: "stale", message: "" }); // the first one had arrived
    await expect(move).resolves.toMatchObject({ code: "stale" });
  });

  it("is refused after 20 seconds", async () => {
    latest().greet();
    const move = socket.send({ type: "play", seq: 7, action: "pass" });
    const failed = expect(move).rejects.toMatchObject({ refusal: { code: "network" } });
    vi.advanceTimersByTime(21_000);
    await failed;
  });

  it("`stale` at the first attempt is a refusal", async () => {
    latest().greet();
    const move = socket.send({ type: "play", seq: 7, action: "pass" });
    latest().say({ type: "refused", re: 1, code: "stale", message: "" });
    await expect(move).rejects.toMatchObject({ refusal: { code: "stale" } });
  });
});

describe("a table that cannot be had", () => {
  it("is not asked for again when it is gone", () => {
    latest().readyState = FakeSocket.OPEN;
    latest().say({ type: "refused", re: null, code: "table", message: "no such table" });
    latest().breakOff(1008);
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all.length).toBe(1);
    expect(heard).toMatchObject([{ code: "table" }]);
  });

  it("is said to be broken after five faults of the server, and tried rarely from then on", () => {
    for (let n = 0; n < 5; n++) {
      latest().breakOff(1011);
      if (n < 4) vi.advanceTimersByTime(6_000);
    }
    expect(heard).toMatchObject([{ type: "refused", code: "internal" }]);
    const before = FakeSocket.all.length;
    vi.advanceTimersByTime(29_000);
    expect(FakeSocket.all.length).toBe(before);
    vi.advanceTimersByTime(2_000);
    expect(FakeSocket.all.length).toBe(before + 1);
  });
});
