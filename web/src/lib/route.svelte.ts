/** Where one is: the address of the page and its parts. */

export type Place =
  | { page: "lobby" }
  | { page: "table"; id: string; at: number | null; invite: string | null; seat: string | null }
  | { page: "position"; id: string }
  | { page: "learn"; module: string | null }
  | { page: "lost" };

export function placeOf(path: string, search: string, hash: string): Place {
  const [, kind, id] = path.split("/");
  if (!kind) return { page: "lobby" };
  if (kind === "learn") return { page: "learn", module: id || null };
  if (kind === "position" && id) return { page: "position", id };
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

class Route {
  place = $state.raw(placeOf(location.pathname, location.search, location.hash));

  constructor() {
    const read = () => (this.place = placeOf(location.pathname, location.search, location.hash));
    addEventListener("popstate", read);
    addEventListener("hashchange", read);
  }

  go(path: string, instead = false) {
    history[instead ? "replaceState" : "pushState"](null, "", path);
    const { pathname, search, hash } = new URL(path, location.href);
    this.place = placeOf(pathname, search, hash);
    if (!instead) scrollTo(0, 0);
  }
}

export const route = new Route();

/** Follows links of the page without loading it again. */
export function follow(event: MouseEvent) {
  const link = (event.target as Element).closest?.("a[href]");
  if (
    !(link instanceof HTMLAnchorElement) ||
    event.defaultPrevented ||
    event.button ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey
  )
    return;
  if (
    link.target ||
    link.hasAttribute("download") ||
    link.origin !== location.origin ||
    link.pathname.startsWith("/api/")
  )
    return;
  event.preventDefault();
  route.go(link.pathname + link.search + link.hash);
}
