/** The worker with the tables of this browser: Bastide's own server without a network (server/browser). */

/// <reference lib="webworker" />
import type { PyodideInterface } from "pyodide";
import { loadEngine, type Started } from "./engine";
import { openShelves } from "./shelves";
import { lastLine, type News, type Wish } from "./talk";
import { Thinker } from "./thoughts";

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
  const shelves = await openShelves();
  const open = (python: PyodideInterface, started: Started) => {
    const thinker = new Thinker({ engine, started });
    wake = () => thinker.start();
    const script = {
      shelves,
      thinker,
      publish: (data: string) => others.postMessage(data),
      answer: (id: number, status: number, kind: string, text: string) =>
        tell({ type: "answer", id, status, kind, text }),
      said: (line: number, text: string) => tell({ type: "said", line, text }),
      hung_up: (line: number, code: number) => tell({ type: "closed", line, code }),
    };
    return python.pyimport("bastide.server.browser.script").serve(script) as Promise<Tables>;
  };
  tables = await loadEngine(engine, open, (loaded, total) => tell({ type: "loading", loaded, total }));
  others.onmessage = ({ data }: MessageEvent<string>) => tables!.notice(data);
  tell({ type: "ready", kept: shelves.kept });
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
