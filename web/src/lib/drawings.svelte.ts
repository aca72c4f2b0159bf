/** The drawings of the tiles in play: what is shown of a sheet is put into the page; outlines and spots as data. */

import { carrierOf } from "./carrier";
import { Definitions } from "./definitions";
import type { DrawingData, Drawings, Laid } from "./protocol";

class Sheet {
  data = $state.raw<DrawingData>({ tiles: {}, kinds: {}, pieces: {} });
  definitions = $state.raw(new Definitions());
  ready = $state(false);
  #put = new Set<string>(); // what the page holds of them
  #data = "";
  #sheet = "";

  /** Is this kind of land open ground? */
  ground = (kind: string) => this.data.kinds[kind]?.ground ?? false;

  /** Is everything there that these tiles are drawn with? */
  has = (tiles: Laid[]) => this.ready && tiles.every(({ tile }) => tile in this.data.tiles);

  /** The address of a small drawing such as a token; nothing if the sheet has none. */
  small(name: string): string | undefined {
    return this.definitions.has(`s-${name}`) ? this.shown(`s-${name}`) : undefined;
  }

  /** The address of a drawing, which is put into the page with all that it refers to. */
  shown(name: string): string {
    const address = `#${name}`;
    const more = this.definitions.needed(`href="${address}"`, this.#put);
    if (more.size) {
      this.#holder().insertAdjacentHTML("beforeend", [...more.values()].join(""));
      for (const one of more.keys()) this.#put.add(one);
    }
    return address;
  }

  /** Pictures that lie over several tiles, as the tiles' own drawings say: address and north-west corner.
   *  Tiles of one type may lie on several squares of such a picture; most squares agree on where it lies. */
  posters(tiles: Laid[]): { href: string; x: number; y: number }[] {
    const votes = new Map<string, number>();
    for (const { tile, cell } of tiles) {
      const part = this.definitions.poster(`t-${tile}`);
      if (!part) continue;
      const place = `${part.href} ${cell[0] * 100 + part.x} ${cell[1] * 100 + part.y}`;
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
    const answer = await carrierOf(path).ask("GET", path);
    if (!answer.ok) return void (this.#data = ""); // it could not be drawn in time; the next state asks again
    const data = (await answer.json()) as DrawingData;
    if (path === this.#data) this.data = data;
  }

  async #fetchSheet(path: string) {
    if (path === this.#sheet) return;
    this.#sheet = path;
    const answer = await carrierOf(path).ask("GET", path);
    if (!answer.ok) return void (this.#sheet = "");
    const text = await answer.text();
    if (path !== this.#sheet) return;
    document.getElementById("drawings")?.remove();
    this.#put.clear();
    this.definitions = Definitions.of(text); // whoever shows a drawing puts it into the page again
    this.ready = true;
  }

  /** Where drawings are put. */
  #holder(): Element {
    let holder = document.getElementById("drawings");
    if (!holder) {
      holder = document.createElement("div");
      holder.id = "drawings";
      holder.ariaHidden = "true";
      holder.innerHTML = `<svg width="0" height="0">${this.definitions.style}<defs></defs></svg>`;
      document.body.prepend(holder);
    }
    return holder.querySelector("defs")!;
  }
}

export const sheet = new Sheet();
