/// <reference lib="webworker" />
/** Keeps the page, so that it can be used without a network.
 *
 * Of a server it keeps the drawings, the engine, the rules and the last games. A site of plain files it keeps whole:
 * `bastide site` writes the list of its files before this script. A newer site waits until no page of the one before is
 * open, for their files do not go together.
 */

const worker = self as unknown as ServiceWorkerGlobalScope & { SITE?: { version: string; files: string[] } };
const site = worker.SITE;
const SITES = `site ${new URL(".", worker.location.href).pathname} `; // several sites may share a web server
const SHELF = site ? SITES + site.version : "bastide-1";
const GAMES = 20; // replays that are kept

/** What is kept from the server's answers; everything else (secrets, states) is not. */
const KEPT = [
  /^\/assets\//,
  /^\/engine\//,
  /^\/icon/,
  /^\/manifest/,
  /^\/api\/(catalogue|rules|drawings|pictures)/,
  /^\/api\/tables$/,
  /^\/api\/tables\/\w+\/replay$/,
  /^\/api\/positions\/\w+$/,
];

worker.addEventListener("install", (event) => {
  event.waitUntil(site ? keepSite(site.files) : shell().then(() => worker.skipWaiting()));
});

/** A page that has just been opened offers to become this newer site: it can if no other one uses the old one. */
worker.addEventListener("message", (event) => {
  const pages = worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  event.waitUntil(pages.then(({ length }) => (length === 1 ? worker.skipWaiting() : undefined)));
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(forgetOthers().then(() => worker.clients.claim()));
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== worker.location.origin) return;
  if (site) return event.respondWith(fromSite(request));
  if (request.mode === "navigate" && !url.pathname.startsWith("/api/")) event.respondWith(fromServer(request, "/"));
  else if (url.pathname.startsWith("/assets/")) event.respondWith(fromShelf(request));
  else if (KEPT.some((path) => path.test(url.pathname))) event.respondWith(fromServer(request, request));
});

worker.addEventListener("push", (event) => {
  event.waitUntil(call(event.data!.json() as Call));
});

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data as string));
});

/** What the server says when a turn has begun. */
interface Call {
  title: string; // of the table
  link: string;
}

const pageAt = async (link: string) =>
  (await worker.clients.matchAll({ type: "window" })).find((page) => new URL(page.url).pathname === link);

/** A message of the system, unless somebody looks at the table. */
async function call({ title, link }: Call) {
  if ((await pageAt(link))?.visibilityState === "visible") return;
  const french = worker.navigator.language.startsWith("fr");
  const tag = `bastide-${link.split("/").pop()}`; // there is one message for each table
  const said = french ? "À vous de jouer" : "Your turn";
  await worker.registration.showNotification(said, { body: title, icon: "/icon-turn.svg", tag, data: link });
}

async function open(link: string) {
  const page = await pageAt(link);
  await (page ? page.focus() : worker.clients.openWindow(link));
}

/** The page and the files that it names. */
async function shell() {
  const shelf = await caches.open(SHELF);
  const page = await fetch("/");
  const text = await page.clone().text();
  await shelf.put("/", page);
  await shelf.addAll([...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1]!));
}

/** All files, so that the next start needs no network. Files of an older site by the same name are not taken. */
async function keepSite(files: string[]) {
  const wanted = files.map((file) => new Request(new URL(file, worker.location.href), { cache: "no-cache" }));
  await (await caches.open(SHELF)).addAll(wanted);
}

async function fromSite(request: Request): Promise<Response> {
  const shelf = await caches.open(SHELF);
  const kept = await shelf.match(request.mode === "navigate" ? "./" : request, { ignoreSearch: true });
  return kept ?? fetch(request);
}

async function forgetOthers() {
  const older = (name: string) => name !== SHELF && name.startsWith(site ? SITES : "bastide-");
  for (const name of await caches.keys()) if (older(name)) await caches.delete(name);
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
