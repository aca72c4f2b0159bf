import { beforeEach, expect, it, vi } from "vitest";

/** A shelf as the browser has it: answers by address, in the order in which they were put. */
class Shelf {
  readonly kept = new Map<string, Response>();
  put(name: Request | string, answer: Response) {
    const key = address(name);
    this.kept.delete(key);
    this.kept.set(key, answer);
    return Promise.resolve();
  }
  match = (name: Request | string) => Promise.resolve(this.kept.get(address(name))?.clone());
  keys = () => Promise.resolve([...this.kept.keys()].map((url) => ({ url })));
  delete = ({ url }: { url: string }) => Promise.resolve(this.kept.delete(url));
  addAll = (paths: string[]) =>
    Promise.all(paths.map((path) => this.put(path, new Response(path)))).then(() => undefined);
}
const HERE = "https://bastide.test";
const address = (name: Request | string) => new URL(typeof name === "string" ? name : name.url, HERE).href;

let shelf: Shelf;
let server: ((path: string) => Response) | null;
type Heard = { request: { url: string; method: string; mode: string }; respondWith: (answer: unknown) => void };
const listeners: Record<string, (event: never) => void> = {};

beforeEach(async () => {
  shelf = new Shelf();
  server = (path) => new Response(`from the server: ${path}`);
  vi.stubGlobal("self", {
    location: new URL("/sw.js", HERE),
    addEventListener: (name: string, heard: (event: never) => void) => (listeners[name] = heard),
    skipWaiting: () => Promise.resolve(),
    clients: { claim: () => Promise.resolve() },
  });
  vi.stubGlobal("caches", {
    open: () => Promise.resolve(shelf),
    keys: () => Promise.resolve(["bastide-1", "bastide-0"]),
    delete: (name: string) => Promise.resolve(gone.push(name) > 0),
    match: (name: Request | string) => shelf.match(name),
  });
  vi.stubGlobal("fetch", (request: Request | string) => {
    if (!server) return Promise.reject(new TypeError("no network"));
    return Promise.resolve(server(new URL(address(request)).pathname));
  });
  gone.length = 0;
  vi.resetModules();
  await import("../src/sw");
});
const gone: string[] = [];

/** What the page gets for a path; undefined when the worker leaves it to the browser. */
async function get(path: string, mode = "cors", method = "GET"): Promise<string | undefined> {
  let answer: unknown;
  const event: Heard = {
    request: { url: new URL(path, HERE).href, method, mode },
    respondWith: (given) => (answer = given),
  };
  listeners.fetch!(event as never);
  return answer === undefined ? undefined : (await ((await answer) as Response)).text();
}

it("brings the page without a server", async () => {
  expect(await get("/table/abc", "navigate")).toBe("from the server: /table/abc");
  server = null;
  expect(await get("/", "navigate")).toBe("from the server: /table/abc"); // one page for all addresses
});

it("keeps replays, rules and drawings, but no secrets", async () => {
  expect(await get("/api/tables/abc/replay")).toContain("from the server");
  expect(await get("/api/tables/abc/state")).toBeUndefined();
  expect(await get("/api/tables", "cors", "POST")).toBeUndefined();
  server = null;
  expect(await get("/api/tables/abc/replay")).toBe("from the server: /api/tables/abc/replay");
  await expect(get("/api/tables/other/replay")).rejects.toThrow("no network");
});

it("keeps the latest twenty games only", async () => {
  for (let n = 0; n < 23; n++) await get(`/api/tables/t${n}/replay`);
  const games = [...shelf.kept.keys()].filter((url) => url.endsWith("/replay"));
  expect(games.length).toBe(20);
  expect(games[0]).toBe(`${HERE}/api/tables/t3/replay`);
});

it("does not keep what the server refused", async () => {
  server = () => new Response("no", { status: 404 });
  await get("/api/tables/abc/replay");
  expect(shelf.kept.size).toBe(0);
});

it("takes assets from the shelf first and forgets older shelves", async () => {
  await get("/assets/index-1.js");
  server = null;
  expect(await get("/assets/index-1.js")).toBe("from the server: /assets/index-1.js");
  let done: Promise<unknown> | undefined;
  listeners.activate!({ waitUntil: (what: Promise<unknown>) => (done = what) } as never);
  await done;
  expect(gone).toEqual(["bastide-0"]);
});

it("shows a call of the server unless the table is looked at, and leads there", async () => {
  const shown: unknown[] = [];
  const opened: string[] = [];
  const page = { url: `${HERE}/table/abc`, visibilityState: "visible", focus: () => void opened.push("focus") };
  let pages = [page];
  Object.assign(self, {
    navigator: { language: "fr-CH" },
    registration: { showNotification: (title: string, more: object) => void shown.push({ title, ...more }) },
  });
  Object.assign((self as unknown as { clients: object }).clients, {
    matchAll: () => Promise.resolve(pages),
    openWindow: (link: string) => void opened.push(link),
  });
  const tell = async (name: string, event: object) => {
    let done: unknown;
    listeners[name]!({ ...event, waitUntil: (what: unknown) => (done = what) } as never);
    await done;
  };
  const call = { data: { json: () => ({ title: "On Sunday", link: "/table/abc" }) } };
  const click = { notification: { data: "/table/abc", close: () => undefined } };
  await tell("push", call);
  expect(shown).toEqual([]);
  page.visibilityState = "hidden";
  await tell("push", call);
  expect(shown).toMatchObject([{ title: "À vous de jouer", body: "On Sunday", tag: "bastide-abc" }]);
  await tell("notificationclick", click);
  pages = [];
  await tell("notificationclick", click);
  expect(opened).toEqual(["focus", "/table/abc"]);
});
