/** The drawings of the tiles in play: one sheet of symbols put into the page, and their outlines and spots as data. */

import type { DrawingData, Drawings, Laid } from "./protocol";

class Sheet {
  data = $state.raw<DrawingData>({ tiles: {}, kinds: {}, pieces: {} });
  ready = $state(0); // how many sheets have been put into the page
  text = ""; // what is inside the sheet: styles and definitions
  #data = "";
  #sheet = "";

  /** Is this kind of land open ground? */
  ground = (kind: string) => this.data.kinds[kind]?.ground ?? false;

  /** Is everything there that these tiles are drawn with? */
  has = (tiles: Laid[]) => this.ready > 0 && tiles.every(({ tile }) => tile in this.data.tiles);

  /** The address of a small drawing such as a token; nothing if the sheet has none. */
  small(name: string): string | undefined {
    return this.ready && document.getElementById(`s-${name}`) ? `#s-${name}` : undefined;
  }

  /** Pictures that lie over several tiles, as the tiles' own drawings say: address and north-west corner.
   *  Tiles of one type may lie on several squares of such a picture; most squares agree on where it lies. */
  posters(tiles: Laid[]): { href: string; x: number; y: number }[] {
    const votes = new Map<string, number>();
    for (const { tile, cell } of this.ready ? tiles : []) {
      const use = document.getElementById(`t-${tile}`)?.querySelector('use[href^="#p-"]');
      if (!use) continue;
      const place = [
        use.getAttribute("href"),
        cell[0] * 100 + Number(use.getAttribute("x")),
        cell[1] * 100 + Number(use.getAttribute("y")),
      ].join(" ");
      votes.set(place, (votes.get(place) ?? 0) + 1);
    }
    const best = new Map<string, string>();
    for (const [place, count] of votes) {
      const href = place.split(" ")[0]!;
      if (count > (votes.get(best.get(href) ?? "") ?? 0)) best.set(href, place);
    }
    return [...best.values()].map((place) => {
      const [href, x, y] = place.split(" ");
      return { href: href!, x: Number(x), y: Number(y) };
    });
  }

  /** Makes the drawings of a table the current ones; what is there already is not fetched again. */
  async show(drawings: Drawings, theme: string) {
    const sheet = drawings.themes[theme] ?? drawings.themes.day ?? "";
    await Promise.all([this.#fetchData(drawings.data), this.#fetchSheet(sheet)]);
  }

  async #fetchData(path: string) {
    if (path === this.#data) return;
    this.#data = path;
    const data = (await (await fetch(path)).json()) as DrawingData;
    if (path === this.#data) this.data = data;
  }

  async #fetchSheet(path: string) {
    if (path === this.#sheet) return;
    this.#sheet = path;
    const text = await (await fetch(path)).text();
    if (path !== this.#sheet) return;
    let holder = document.getElementById("drawings");
    if (!holder) {
      holder = document.createElement("div");
      holder.id = "drawings";
      holder.ariaHidden = "true";
      document.body.prepend(holder);
    }
    const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    holder.replaceChildren(document.importNode(svg, true));
    this.text = svg.innerHTML;
    this.ready++;
  }
}

export const sheet = new Sheet();
