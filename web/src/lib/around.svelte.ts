/** What the parts of a table or a replay share: words, colours, what is lit, which rules are looked up. */

import { getContext, setContext } from "svelte";
import { outlinesOf } from "./moments";
import type { Catalogue, Cell, Scored, Seat } from "./protocol";
import type { Land, Outline } from "./scene";
import { settings } from "./settings.svelte";
import type { Table } from "./table.svelte";
import { Words } from "./words";

interface Source {
  catalogue: Catalogue | undefined;
  modules: string[];
  seats: Seat[];
  mine: number[];
}

const AROUND = Symbol("around");
const TABLE = Symbol("table");

export class Around {
  readonly #source: () => Source;
  #lit = $state.raw<Cell[]>([]);
  outlines = $state.raw<Outline[]>([]); // the true outline of what is lit, where it has one
  counted = $state.raw<number[] | null>(null); // the scores as far as the final scoring has told them
  rule = $state<string | null>(null); // rules that somebody wants to read
  naming = $state(false); // words beside the board name its cells

  constructor(source: () => Source) {
    this.#source = source;
    setContext(AROUND, this);
  }

  get catalogue() {
    return this.#source().catalogue;
  }
  /** Tiles that somebody wants to see. */
  get lit() {
    return this.#lit;
  }
  set lit(cells: Cell[]) {
    this.#lit = cells;
    this.outlines = [];
  }
  /** Lights what a score counted. */
  show(score: Scored | undefined, land: Land) {
    this.lit = score ? land.counted(score) : [];
    this.outlines = score ? outlinesOf(score, land) : [];
  }

  /** Are the cells numbered at the rim of the board, so that their names can be understood? */
  get numbered() {
    return settings.coordinates || this.naming;
  }

  get mine() {
    return this.#source().mine;
  }
  words = $derived.by(() => {
    const { catalogue, modules, seats, mine } = this.#source();
    return new Words(catalogue, modules, seats, mine);
  });
  colours = $derived.by(() => this.#source().catalogue?.colours ?? []);

  /** The number of a seat's colour in the drawings. */
  colourOf = (seat: number) => Math.max(0, this.colours.indexOf(this.#source().seats[seat]?.colour ?? ""));
}

export const useAround = (): Around => getContext(AROUND);

/** The table that is played at. */
export const provideTable = (table: () => Table) => setContext(TABLE, table);
export const useTable = (): Table => getContext<() => Table>(TABLE)();
