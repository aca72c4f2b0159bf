/** The worker with the tables of this browser: Bastide's own server without a network (server/browser). */

/// <reference lib="webworker" />
import { loadEngine } from "./engine";
import { openShelves } from "./shelves";
import { lastLine, type Answer, type Begin, type News, type Thought, type Wish } from "./talk";

/** What Python offers (browser/script.py). */
interface Tables {
  ask(id: number, method: string, path: string, body: string): void;
  connect(line: number, table: string): void;
  hear(line: number, text?: string): void;
  notice(data: string): void;
}

const tell = (news: News) => self.postMessage(news);
const others = new BroadcastChannel("bastide-tables"); // other pages of this browser
const waiting: Wish[] = []; // until Python is there
let tables: Tables | undefined;
let wake = (): unknown => undefined; // starts the worker that thinks: it takes memory, so not before there is a table

self.onmessage = ({ data }: MessageEvent<Wish>) => {
  if (data.type === "begin")
    void begin(data.engine).catch((wrong: unknown) => tell({ type: "failed", why: lastLine(wrong) }));
  else if (tables) serve(tables, data);
  else waiting.push(data);
};

async function begin(engine: string) {
  const { python, started } = await loadEngine(engine, (loaded, total) => tell({ type: "loading", loaded, total }));
  const thinker = new Thinker({ engine, started });
  const shelves = await openShelves();
  const script = {
    shelves,
    thinker,
    publish: (data: string) => others.postMessage(data),
    answer: (id: number, status: number, kind: string, text: string) =>
      tell({ type: "answer", id, status, kind, text }),
    said: (line: number, text: string) => tell({ type: "said", line, text }),
    hung_up: (line: number, code: number) => tell({ type: "closed", line, code }),
  };
  tables = (await python.pyimport("bastide.server.browser.script").serve(script)) as Tables;
  others.onmessage = ({ data }: MessageEvent<string>) => tables!.notice(data);
  tell({ type: "ready", kept: shelves.kept });
  wake = () => thinker.start();
  for (const wish of waiting.splice(0)) serve(tables, wish);
}

function serve(server: Tables, wish: Wish) {
  if (wish.type === "ask") server.ask(wish.id, wish.method, wish.path, wish.body);
  else if (wish.type === "connect") {
    server.connect(wish.line, wish.table);
    wake(); // a bot may be asked soon
  } else if (wish.type === "say") server.hear(wish.line, wish.text);
  else if (wish.type === "hangUp") server.hear(wish.line);
}

/** The worker that thinks. Stopping it ends it; the next thought gets a new one. */
class Thinker {
  #worker: Worker | undefined;
  #last = 0;
  #asked = new Map<number, { done: (text: string) => void; failed: (why: Error) => void }>();

  constructor(private readonly begin: Begin) {}

  start(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL("./thinker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      const asked = this.#asked.get(data.id);
      this.#asked.delete(data.id);
      if (data.error === undefined) asked?.done(data.text!);
      else asked?.failed(new Error(data.error));
    };
    worker.onerror = ({ message }) => this.stop(message);
    worker.postMessage(this.begin);
    return (this.#worker = worker);
  }

  ask(kind: string, data: string): Promise<string> {
    const id = ++this.#last;
    return new Promise((done, failed) => {
      this.#asked.set(id, { done, failed });
      this.start().postMessage({ id, kind, data } satisfies Thought);
    });
  }

  stop(why = "stopped") {
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const { failed } of this.#asked.values()) failed(new Error(why));
    this.#asked.clear();
    this.start();
  }
}
