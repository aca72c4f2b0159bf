/** One connection to a table that comes back by itself. Questions get their answers by number. */

import { Refused } from "./api";
import type { Line } from "./carrier";
import { VERSION, type Message, type Refusal } from "./protocol";

interface Waiting {
  message: Record<string, unknown>;
  done: (message: Message) => void;
  failed: (error: Refused) => void;
  sent: number; // how often
  again: boolean; // it may be sent again: the server notices what it has already
  timer: ReturnType<typeof setTimeout>;
}

const LOST: Refusal = { code: "network", message: "the connection was lost" };
const SILENCE = 15_000; // ms without a word of the server, which beats every 10 s
const ANSWER = 20_000; // ms for an answer, the way over a new connection included
const SHORTEST = 250; // ms until the first attempt to connect anew
const LONGEST = 4_000; // ms between two later ones
const FAULTS = 5; // connections in a row that the server broke off with a fault before it is said aloud
const FAULTY = 30_000; // ms between two attempts from then on
const REFUSED = 1008; // closed with this: the server will not have us, and has said why
const FAULT = 1011;
const FOR_GOOD = new Set(["table", "unreadable"]); // refused so when the table is opened: no later attempt succeeds

/** What may be sent again: `seq`, or the seat's own number, tells the server that it knows it already. */
const REPEATABLE = new Set(["play", "undo", "takeback", "answer", "ready", "region", "regions", "why"]);

export class Socket {
  #socket: Line | undefined;
  #waiting = new Map<number, Waiting>();
  #last = 0;
  #tries = 0;
  #faults = 0;
  #heard = 0; // when the server was heard last
  #greeted = false;
  #closed = false;
  #refused = false; // for good
  #timer: ReturnType<typeof setTimeout> | undefined;
  #watchdog: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly connect: () => Line,
    private readonly hear: (message: Message) => void,
    private readonly connected: (is: boolean) => void,
  ) {
    this.#open();
    addEventListener("online", this.#look);
    addEventListener("pageshow", this.#look);
    document.addEventListener("visibilitychange", this.#look);
  }

  /** Sends a message; resolves with its answer, rejects with a `Refused`. What is safe is sent again if need be. */
  send(message: Record<string, unknown>): Promise<Message> {
    const again = REPEATABLE.has(String(message.type));
    if (!this.#greeted && !again) return Promise.reject(new Refused(LOST));
    const id = ++this.#last;
    return new Promise((done, failed) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        failed(new Refused(LOST));
        this.again(); // whoever does not answer may not be there
      }, ANSWER);
      const waiting = { message: { ...message, id }, done, failed, sent: 0, again, timer };
      this.#waiting.set(id, waiting);
      if (this.#greeted) this.#transmit(waiting);
    });
  }

  /** Connects anew: the server then sends the whole state. */
  again() {
    this.#tries = 0;
    this.#drop();
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#watchdog);
    removeEventListener("online", this.#look);
    removeEventListener("pageshow", this.#look);
    document.removeEventListener("visibilitychange", this.#look);
    for (const { timer } of this.#waiting.values()) clearTimeout(timer);
    this.#socket?.close();
  }

  #open() {
    clearTimeout(this.#timer);
    const socket = this.connect();
    this.#socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", version: VERSION }));
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(data) as Message);
    socket.onclose = ({ code }) => this.#lost(code);
    this.#watch();
  }

  /** Gives a connection up at once; a dead one would take minutes to close. */
  #drop() {
    const socket = this.#socket;
    if (!socket || socket.readyState === WebSocket.CLOSED) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    this.#lost(0);
  }

  #watch() {
    this.#heard = Date.now();
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.#drop(), SILENCE);
  }

  #transmit(waiting: Waiting) {
    waiting.sent++;
    this.#socket!.send(JSON.stringify(waiting.message));
  }

  #receive(message: Message) {
    this.#watch();
    if (message.type === "beat") {
      this.#socket?.send(JSON.stringify(message)); // the server measures the lag, for the clocks
      return;
    }
    if (message.type === "welcome") this.#welcomed();
    const id = Number("re" in message ? message.re : 0); // own numbers: the page sends no others
    const waiting = this.#waiting.get(id);
    if (message.type === "refused" && !waiting && FOR_GOOD.has(message.code)) this.#refused = true;
    if (!waiting) return this.hear(message);
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    const known = message.type === "refused" && message.code === "stale" && waiting.sent > 1;
    if (message.type === "refused" && !known) waiting.failed(new Refused(message));
    else waiting.done(message); // `stale` the second time: the first one had arrived
  }

  #welcomed() {
    this.#tries = this.#faults = 0;
    this.#greeted = true;
    this.connected(true);
    for (const waiting of this.#waiting.values()) this.#transmit(waiting);
  }

  #lost(code: number) {
    clearTimeout(this.#watchdog);
    this.#greeted = false;
    for (const [id, waiting] of this.#waiting) {
      if (waiting.again && code !== REFUSED) continue;
      clearTimeout(waiting.timer);
      this.#waiting.delete(id);
      waiting.failed(new Refused(LOST));
    }
    if (this.#closed) return;
    this.connected(false);
    if (code === REFUSED || this.#refused) return;
    if (code === FAULT && ++this.#faults === FAULTS)
      this.hear({ type: "refused", re: null, code: "internal", message: "the table cannot be read" });
    const usual = Math.min(LONGEST, SHORTEST * 2 ** this.#tries++) * (0.5 + Math.random()); // not all at once
    this.#timer = setTimeout(() => this.#open(), this.#faults < FAULTS ? usual : FAULTY);
  }

  /** The page is seen again, or the network is back: is the connection still there? */
  #look = () => {
    if (this.#closed || this.#refused || document.visibilityState === "hidden") return;
    if (this.#socket?.readyState === WebSocket.CLOSED) {
      if (this.#faults < FAULTS) this.#open();
    } else if (Date.now() - this.#heard > SILENCE) this.again();
  };
}
