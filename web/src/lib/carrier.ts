/** Who answers: a server over the network, or the worker in this browser. The page speaks to both in the same way. */

import { load, store } from "./kept";
import type { TableWish } from "./protocol";
import { HOME, PLAIN } from "./site";
import type { News, Wish } from "../worker/talk";

/** What a WebSocket has, as far as it is used. */
export interface Line {
  readyState: number;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { data: string }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  send(text: string): void;
  close(): void;
}

export interface Carrier {
  ask(method: string, path: string, body?: unknown, keepalive?: boolean): Promise<Response>;
  connect(table: string): Line;
}

export const server: Carrier = {
  ask: (method, path, body, keepalive = false) =>
    fetch(path, {
      method,
      keepalive, // it is sent although the page goes
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    }),
  connect: (table) =>
    new WebSocket(
      `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/tables/${table}/socket`,
    ) as Line,
};

const ASK: RequestInit = { cache: "no-cache" }; // the files of an older site have the same names
const REST = 30_000; // ms after an engine that could not be loaded
const TABLES = "bastide.here";

/** How far the engine has come: 0 to 1, and whether it can be played with. */
export interface Progress {
  share: number;
  ready: boolean;
  kept?: boolean; // are games still there when the page is opened again? Known once it is ready
  failed?: string;
}

/** The worker with the tables of this browser. It begins to load when it is first asked, or told to. */
class Here implements Carrier {
  #worker: Worker | undefined;
  #rests = 0; // until when no other worker is tried
  #last = 0;
  #asked = new Map<number, (response: Response) => void>();
  #lines = new Map<number, WorkerLine>();
  #ready: Promise<Record<string, string>> | undefined; // answers that lie beside the page, by address
  progress: Progress = { share: 0, ready: false };
  tables = load(TABLES) === true; // has this browser ever had some of its own?
  #listeners = new Set<(progress: Progress) => void>();

  /** Hears of the progress from now on. */
  listen(listener: (progress: Progress) => void) {
    this.#listeners.add(listener);
    listener(this.progress);
    return () => this.#listeners.delete(listener);
  }

  async ask(method: string, path: string, body?: unknown): Promise<Response> {
    const file = method === "GET" && PLAIN ? (await this.#files())[path] : undefined;
    if (file) return unpacked(await fetch(HOME + file, ASK), file);
    const id = ++this.#last;
    const makes = method === "POST" && path === "/api/tables";
    return new Promise((done) => {
      this.#asked.set(id, (response) => {
        if (makes && response.ok) this.#made();
        done(response);
      });
      this.#say({ type: "ask", id, method, path, body: body === undefined ? "" : JSON.stringify(body) });
    });
  }

  connect(table: string): Line {
    const number = ++this.#last;
    const line = new WorkerLine(
      (text) => this.#say({ type: "say", line: number, text }),
      () => this.#say({ type: "hangUp", line: number }),
    );
    this.#lines.set(number, line);
    this.#say({ type: "connect", line: number, table });
    queueMicrotask(() => line.opened());
    return line;
  }

  /** Loads the engine, so that it is there when it is wanted. */
  start(): Worker | undefined {
    if (this.#worker || Date.now() < this.#rests) return this.#worker;
    const worker = new Worker(new URL("../worker/tables.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<News>) => this.#hear(data);
    worker.onerror = (event) => {
      event.preventDefault?.();
      this.#broke(event.message || "the worker could not be started");
    };
    this.#worker = worker;
    this.#say({ type: "begin", engine: `${HOME}engine/` });
    return worker;
  }

  #say(wish: Wish) {
    const worker = this.start();
    if (worker) worker.postMessage(wish);
    else this.#refuse(this.progress.failed!);
  }

  #files(): Promise<Record<string, string>> {
    this.#ready ??= fetch(`${HOME}ready.json`, ASK).then((found) => found.json());
    this.#ready.catch(() => (this.#ready = undefined)); // and is asked for again
    return this.#ready;
  }

  #hear(news: News) {
    switch (news.type) {
      case "loading":
        return this.#tell({ share: (0.8 * news.loaded) / news.total, ready: false });
      case "ready":
        return this.#tell({ share: 1, ready: true, kept: news.kept });
      case "failed":
        return this.#broke(news.why);
      case "answer": {
        const done = this.#asked.get(news.id);
        this.#asked.delete(news.id);
        const text = news.status === 204 ? null : news.text;
        return done?.(new Response(text, { status: news.status, headers: { "content-type": news.kind } }));
      }
      case "said":
        return this.#lines.get(news.line)?.onmessage?.({ data: news.text });
      case "closed":
        this.#lines.get(news.line)?.ended(news.code);
        this.#lines.delete(news.line);
    }
  }

  /** A table is kept here from now on: the browser is asked not to throw it away when room gets scarce. */
  #made() {
    if (this.tables) return;
    this.tables = true;
    store(TABLES, true);
    void navigator.storage?.persist?.();
  }

  /** The worker is gone: whoever waits is told, and the next one who asks gets a new one. All games are kept. */
  #broke(why: string) {
    this.#worker?.terminate();
    this.#worker = undefined;
    if (!this.progress.ready) this.#rests = Date.now() + REST;
    this.#tell({ share: 0, ready: false, failed: why });
    this.#refuse(why);
  }

  #refuse(why: string) {
    const refusal = JSON.stringify({ code: "unavailable", message: why });
    for (const done of this.#asked.values()) done(new Response(refusal, { status: 503 }));
    this.#asked.clear();
    for (const line of this.#lines.values()) line.ended(1011);
    this.#lines.clear();
  }

  #tell(progress: Progress) {
    this.progress = progress;
    for (const listener of this.#listeners) listener(progress);
  }
}

/** A connection to a table in the worker. */
class WorkerLine implements Line {
  readyState: number = WebSocket.CONNECTING;
  onopen: Line["onopen"] = null;
  onmessage: Line["onmessage"] = null;
  onclose: Line["onclose"] = null;

  constructor(
    readonly send: (text: string) => void,
    private readonly hangUp: () => void,
  ) {}

  opened() {
    this.readyState = WebSocket.OPEN;
    this.onopen?.(undefined as never);
  }

  close() {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    this.hangUp();
  }

  ended(code: number) {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    this.onclose?.({ code });
  }
}

/** A file that may be packed, as it was before. */
function unpacked(response: Response, file: string): Response {
  if (!file.endsWith(".packed") || !response.ok) return response;
  const kind = file.endsWith(".svg.packed") ? "image/svg+xml" : "application/json";
  return new Response(response.body!.pipeThrough(new DecompressionStream("gzip")), {
    headers: { "content-type": kind },
  });
}

export const here = new Here();

/** Is this the address, or the name, of a table that this browser has itself? */
export const isHere = (path: string) => /^(\/api\/tables\/)?here/.test(path);

/** What is the same everywhere, and games that need nobody else: this browser can do that too. */
const ALIKE = /^\/api\/(catalogue|choice|drawings|lessons|puzzles|rules)\b/;
const alone = (method: string, path: string, body: unknown) =>
  ALIKE.test(path) ||
  (method === "POST" && path === "/api/tables" && (body as TableWish).seats.every((seat) => seat.kind !== "open"));

/** The server; where it is gone this browser, if it has loaded the engine before. */
const either: Carrier = {
  async ask(method, path, body, keepalive) {
    if (!alone(method, path, body)) return server.ask(method, path, body, keepalive);
    try {
      const answer = await server.ask(method, path, body, keepalive);
      if (answer.status < 502) return answer;
      throw new Error(answer.statusText);
    } catch (gone) {
      const answer = await here.ask(method, path, body);
      if (answer.status === 503) throw gone;
      return answer;
    }
  },
  connect: server.connect,
};

/** Who answers for an address or a table. */
export const carrierOf = (path: string): Carrier => (PLAIN || isHere(path) ? here : either);
