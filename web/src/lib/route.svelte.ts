/** Where one is: the address of the page and its parts. */

import { carrierOf, here as local } from "./carrier";
import { linkTo, pathOf, PLAIN } from "./site";

export type Place =
  | { page: "lobby" }
  | { page: "table"; id: string; at: number | null; invite: string | null; seat: string | null }
  | { page: "position"; id: string }
  | { page: "import"; text: string }
  | { page: "learn"; module: string | null }
  | { page: "rules"; module: string }
  | { page: "puzzles" }
  | { page: "puzzle"; id: string; table: string | null; seat: number | null }
  | { page: "lost" };

/** The address within the page. */
const current = () => (PLAIN ? location.hash.slice(1) || "/" : location.pathname + location.search + location.hash);

/** An address of the page, taken apart. */
function split(address: string): [path: string, search: string, hash: string] {
  const { pathname, search, hash } = new URL(address, "http://page");
  return [pathname, search, hash];
}

export function placeOf(path: string, search: string, hash: string): Place {
  const [, kind, id] = path.split("/");
  if (!kind) return { page: "lobby" };
  if (kind === "learn") return { page: "learn", module: id || null };
  if (kind === "rules" && id) return { page: "rules", module: id };
  if (kind === "puzzles") return { page: "puzzles" };
  if (kind === "puzzle" && id) return puzzleAt(id, path, search);
  if (kind === "position" && id) return { page: "position", id };
  if (kind === "import") return { page: "import", text: hash.slice(1) };
  if (kind !== "table" || !id) return { page: "lost" };
  const secret = new URLSearchParams(hash.slice(1));
  const at = new URLSearchParams(search).get("at");
  return {
    page: "table",
    id,
    at: at === null ? null : Math.max(0, Number(at) || 0),
    invite: secret.get("invite"),
    seat: secret.get("seat"),
  };
}

/** `/puzzle/ID` is one of the collection, `/puzzle/2/TABLE?seat=0` one of the dearest turns at a table. */
function puzzleAt(id: string, path: string, search: string): Place {
  const seat = new URLSearchParams(search).get("seat");
  return { page: "puzzle", id, table: path.split("/")[3] || null, seat: seat === null ? null : Number(seat) };
}

class Route {
  place = $state.raw(placeOf(...split(current())));

  constructor() {
    const read = () => (this.place = placeOf(...split(current())));
    addEventListener("popstate", read);
    addEventListener("hashchange", read);
  }

  go(path: string, instead = false) {
    history[instead ? "replaceState" : "pushState"](null, "", linkTo(path));
    this.place = placeOf(...split(path));
    if (!instead) scrollTo(0, 0);
  }
}

export const route = new Route();

/** Follows links of the page without loading it again. */
export function follow(event: MouseEvent) {
  const link = linkOf(event);
  const path = link && pathOf(link.getAttribute("href")!);
  if (!path || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (path.startsWith("/api/")) return void fetched(event, link, path);
  if (link.target || link.hasAttribute("download")) return;
  event.preventDefault();
  route.go(path);
}

/** Before a link can be opened elsewhere, it gets its whole address. */
export function aim(event: Event) {
  const link = linkOf(event);
  const path = link && pathOf(link.getAttribute("href")!);
  if (PLAIN && path && !path.startsWith("/api/")) link.href = linkTo(path);
}

function linkOf(event: Event): HTMLAnchorElement | null {
  const link = (event.target as Element).closest?.("a[href]");
  return link instanceof HTMLAnchorElement ? link : null;
}

/** A file that this browser makes itself is handed over without an address. */
async function fetched(event: Event, link: HTMLAnchorElement, path: string) {
  const carrier = carrierOf(path);
  if (carrier !== local) return; // the server has it
  event.preventDefault();
  const file = document.createElement("a");
  file.href = URL.createObjectURL(await (await carrier.ask("GET", path)).blob());
  file.download = link.download || path.slice(path.lastIndexOf("/") + 1);
  file.click();
  setTimeout(() => URL.revokeObjectURL(file.href), 60_000);
}
