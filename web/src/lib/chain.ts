/** This browser's hash chains: it commits to the end of one for each own seat, and shows a link when one is wanted.
 *
 * So nobody, not even who runs the server, knows a tile before the one who gets it asks (docs/fair-draws.md).
 */

import { Kept } from "./kept";
import type { State } from "./protocol";
import { bytesOf, hex, sha256 } from "./sha256";

const LINKS = 1000; // more than a seat needs in the longest game
const PATIENCE = 3000; // ms for another device of the same player to show its link

/** Where each chain of a table begins; all its links follow. */
const kept = new Kept<string[]>("bastide.chains");

type Send = (message: Record<string, unknown>) => Promise<unknown>;

export class Chains {
  #roots: string[];
  #links = new Map<string, string>(); // link -> the next one
  #asked = new Map<number, string>(); // by seat: the end for which the next link was sent
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly table: string,
    private readonly send: Send,
  ) {
    this.#roots = kept.get(table) ?? [];
    for (const root of this.#roots) this.#unroll(root);
  }

  /** The end of a new chain. */
  begin(): string {
    const root = hex(crypto.getRandomValues(new Uint8Array(32)));
    this.#roots = [...this.#roots, root];
    kept.put(this.table, this.#roots);
    return this.#unroll(root);
  }

  /** The link to be sent with an action of this seat; none if its chain is not here. */
  next({ fair }: State, seat: number): string | undefined {
    const end = fair.ends[seat];
    return end === undefined ? undefined : this.#links.get(end);
  }

  /** Sends what is wanted of own seats. Where a chain is lost, another one takes its place after a moment. */
  answer(state: State) {
    clearTimeout(this.#timer);
    for (const seat of state.mine.filter((one) => state.fair.wanted.includes(one))) {
      const end = state.fair.ends[seat]!;
      const link = this.#links.get(end);
      if (link === undefined) {
        this.#timer = setTimeout(() => void this.send({ type: "chain", chain: this.begin(), seat }), PATIENCE);
      } else if (this.#asked.get(seat) !== end) {
        this.#asked.set(seat, end);
        void this.send({ type: "link", link, seat });
      }
    }
  }

  /** The connection is another one: what was sent may not have arrived. */
  again() {
    this.#asked.clear();
  }

  close() {
    clearTimeout(this.#timer);
  }

  /** All links of a chain; returns its end. */
  #unroll(root: string): string {
    let link = root;
    for (let n = 0; n < LINKS; n++) {
      const before = hex(sha256(bytesOf(link)));
      this.#links.set(before, link);
      link = before;
    }
    return link;
  }
}
