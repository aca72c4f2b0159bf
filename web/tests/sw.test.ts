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
  addAll = (all: (Request | string)[]) =>
    Promise.all(all.map((one) => this.put(one, new Response(typeof one === "string" ? one : one.cache)))).then(
      () => undefined,
    );
}
const HERE = "https://bastide.test";
const address = (name: Request | string) => new URL(typeof name === "string" ? name : name.url, HERE).href;

let shelf: Shelf;
let server: ((path: string) => Response) | null;
type Heard = { request: { url: string; method: string; mode: string }; respondWith: (answer: unknown) => void };
const listeners: Record<string, (event: never) => void> = {};

beforeEach(() => started());

/** The worker as it begins; of a site if it has files. */
async function started(site?: { version: string; files: string[] }) {
  shelf = new Shelf();
  server = (path) => new Response(`from the server: ${path}`);
  vi.stubGlobal("self", {
    SITE: site,
    registration: {},
    location: new URL("/sw.js", HERE),
    addEventListener: (name: string, heard: (event: never) => void) => (listeners[name] = heard),
    skipWaiting: () => Promise.resolve(void skipped++),
    clients: { claim: () => Promise.resolve(), matchAll: () => Promise.resolve(Array(pages).fill({})) },
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
  gone.length = skipped = 0;
  vi.resetModules();
  await import("../src/sw");
}
const gone: string[] = [];
let skipped = 0; // how often it has taken over from the one before
let pages = 1; // that are open

/** Something that the worker does in its own time. */
async function done(name: string, event: object = {}) {
  let what: unknown;
  listeners[name]!({ ...event, waitUntil: (promise: unknown) => (what = promise) } as never);
  await what;
}

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
  await done("activate");
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
  const call = { data: { json: () => ({ title: "On Sunday", link: "/table/abc" }) } };
  const click = { notification: { data: "/table/abc", close: () => undefined } };
  await done("push", call);
  expect(shown).toEqual([]);
  page.visibilityState = "hidden";
  await done("push", call);
  expect(shown).toMatchObject([{ title: "À vous de jouer", body: "On Sunday", tag: "bastide-abc" }]);
  await done("notificationclick", click);
  pages = [];
  await done("notificationclick", click);
  expect(opened).toEqual(["focus", "/table/abc"]);
});

it("keeps a site whole, none of it from the browser's own store, which may have files of an older one", async () => {
  await started({ version: "two", files: ["./", "engine/bastide.packed"] });
  await done("install");
  expect(await get("/engine/bastide.packed")).toBe("no-cache");
  expect(await get("/anything", "navigate")).toBe("no-cache");
});

it("leaves an older site to the pages that have it open, and takes over when a single page has been opened", async () => {
  await started({ version: "two", files: ["./"] });
  await done("install");
  pages = 2;
  await done("message", { data: "opened" });
  expect(skipped).toBe(0);
  pages = 1;
  await done("message", { data: "opened" });
  expect(skipped).toBe(1);
});
