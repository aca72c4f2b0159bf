/** One connection to a table that comes back by itself. Questions get their answers by number. */

import { VERSION, type Message, type Refusal } from "./protocol";

export class Refusing extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

interface Waiting {
  done: (message: Message) => void;
  failed: (error: Refusing) => void;
}

const LOST: Refusal = { code: "network", message: "the connection was lost" };

export class Socket {
  #socket: WebSocket | undefined;
  #waiting = new Map<number, Waiting>();
  #last = 0;
  #tries = 0;
  #closed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly path: string,
    private readonly hear: (message: Message) => void,
    private readonly connected: (is: boolean) => void,
  ) {
    this.#open();
    addEventListener("online", this.#hurry);
  }

  /** Sends a message; resolves with the answer to it, rejects with a `Refusing`. */
  send(message: Record<string, unknown>): Promise<Message> {
    if (this.#socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Refusing(LOST));
    const id = ++this.#last;
    this.#socket.send(JSON.stringify({ ...message, id }));
    return new Promise((done, failed) => this.#waiting.set(id, { done, failed }));
  }

  /** Connects anew: the server then sends the whole state. */
  again() {
    this.#tries = 0;
    this.#socket?.close();
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    removeEventListener("online", this.#hurry);
    this.#socket?.close();
  }

  #open() {
    const socket = new WebSocket(this.path);
    this.#socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", version: VERSION }));
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(data) as Message);
    socket.onclose = ({ code }) => this.#lost(code);
  }

  #receive(message: Message) {
    if (message.type === "beat") {
      this.#socket?.send(JSON.stringify(message)); // the server measures the lag, for the clocks
      return;
    }
    if (message.type === "welcome") {
      this.#tries = 0;
      this.connected(true);
    }
    const re = "re" in message ? message.re : undefined;
    const waiting = this.#waiting.get(re ?? 0);
    if (waiting) {
      this.#waiting.delete(re ?? 0);
      if (message.type === "refused") waiting.failed(new Refusing(message));
      else waiting.done(message);
    } else {
      this.hear(message);
    }
  }

  #lost(code: number) {
    for (const { failed } of this.#waiting.values()) failed(new Refusing(LOST));
    this.#waiting.clear();
    if (this.#closed) return;
    this.connected(false);
    if (code === 1008) return; // the server will not have us: it has said why
    this.#timer = setTimeout(() => this.#open(), Math.min(2000, 250 * 2 ** this.#tries++));
  }

  #hurry = () => {
    if (this.#socket?.readyState === WebSocket.CLOSED && !this.#closed) {
      clearTimeout(this.#timer);
      this.#open();
    }
  };
}
