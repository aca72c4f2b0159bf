/// <reference lib="webworker" />
/** Keeps the page, the drawings, the rules and the last games, so that they can be read without the server. */

const worker = self as unknown as ServiceWorkerGlobalScope;
const SHELF = "bastide-1";
const GAMES = 20; // replays that are kept

/** What is kept from the server's answers; everything else (secrets, states) is not. */
const KEPT = [
  /^\/assets\//,
  /^\/icon/,
  /^\/manifest/,
  /^\/api\/(catalogue|rules|drawings|pictures)/,
  /^\/api\/tables$/,
  /^\/api\/tables\/\w+\/replay$/,
  /^\/api\/positions\/\w+$/,
];

worker.addEventListener("install", (event) => {
  event.waitUntil(shell().then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(forgetOthers().then(() => worker.clients.claim()));
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== worker.location.origin) return;
  if (request.mode === "navigate" && !url.pathname.startsWith("/api/")) event.respondWith(fromServer(request, "/"));
  else if (url.pathname.startsWith("/assets/")) event.respondWith(fromShelf(request));
  else if (KEPT.some((path) => path.test(url.pathname))) event.respondWith(fromServer(request, request));
});

/** The page and the files that it names. */
async function shell() {
  const shelf = await caches.open(SHELF);
  const page = await fetch("/");
  const text = await page.clone().text();
  await shelf.put("/", page);
  await shelf.addAll([...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1]!));
}

async function forgetOthers() {
  for (const name of await caches.keys()) if (name !== SHELF) await caches.delete(name);
}

async function fromShelf(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fromServer(request, request);
}

/** The server's answer, which is kept; without a server what was kept. */
async function fromServer(request: Request, name: Request | string): Promise<Response> {
  const shelf = await caches.open(SHELF);
  try {
    const answer = await fetch(request);
    if (answer.ok) {
      await shelf.put(name, answer.clone());
      await tidy(shelf);
    }
    return answer;
  } catch (wrong) {
    const kept = await shelf.match(name);
    if (kept) return kept;
    throw wrong;
  }
}

/** Only the latest games stay. */
async function tidy(shelf: Cache) {
  const games = (await shelf.keys()).filter((request) => request.url.endsWith("/replay"));
  for (const request of games.slice(0, Math.max(0, games.length - GAMES))) await shelf.delete(request);
}

export {}; // a module of its own
