/** What a sheet of drawings defines, by name.
 *
 * A browser copies whatever a drawing refers to, at each place and in unused definitions too: a page with a whole
 * sheet has ten times its elements. So only what is shown is taken out of a sheet, and small things are written out
 * where they are used.
 */

const REFERENCE = /(?:href="|url\()#([^")]+)/g;
const USE = /<use [^>]*\/>/g;
const POSTER = /<use (?=[^>]*href="#p-)([^>]*)\/>/; // a picture over several tiles; it is drawn once
const FORM = /^<(\w+) id="[^"]*"([^>]*)>(.*)<\/\1>$/s;

type Attributes = Record<string, string>;
const attributes = (text: string): Attributes =>
  Object.fromEntries([...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!]));
const written = (given: Attributes, ...names: string[]) =>
  names.map((name) => (given[name] ? ` ${name}="${given[name]}"` : "")).join("");

const namesIn = (text: string): string[] => [...text.matchAll(REFERENCE)].map(([, name]) => name!);

/** A text and the names of what it refers to. */
interface Written {
  text: string;
  names: string[];
}
const readyMade = (text: string): Written => ({ text, names: namesIn(text) });

export class Definitions {
  // A land grows by one tile at a time: what was written once is not written again.
  #parts = new Map<string, Written>();
  #uses = new Map<string, Written>();

  /** The styles, and the text of each definition. */
  constructor(
    readonly style = "",
    private readonly parts: ReadonlyMap<string, string> = new Map(),
  ) {}

  /** Of the text of a sheet. */
  static of(sheet: string): Definitions {
    const svg = new DOMParser().parseFromString(sheet, "image/svg+xml").documentElement;
    const text = (part: Element) => part.outerHTML.replace(' xmlns="http://www.w3.org/2000/svg"', "");
    const all = [...svg.querySelectorAll("defs > *")];
    return new Definitions(text(svg.querySelector("style")!), new Map(all.map((one) => [one.id, text(one)])));
  }

  has = (name: string) => this.parts.has(name);

  /** A drawing with everything written out. */
  plain(drawing: string): string {
    return drawing.replace(USE, (use: string) => this.#use(use).text);
  }

  /** The same, and before it the styles and definitions with which it needs nothing else. */
  whole(drawing: string): string {
    const names = new Set(namesIn(drawing.replace(USE, "")));
    const plain = drawing.replace(USE, (use: string) => {
      const one = this.#use(use);
      for (const name of one.names) names.add(name);
      return one.text;
    });
    return this.#before(names) + plain;
  }

  /** All that a drawing refers to, and what that refers to in turn, except what is known already. */
  needed(drawing: string, known: ReadonlySet<string> = new Set()): Map<string, string> {
    return this.#reached(namesIn(drawing), known);
  }

  /** Styles and definitions with which a drawing needs nothing else. */
  for(drawing: string): string {
    return this.#before(namesIn(drawing));
  }

  #before(names: Iterable<string>): string {
    return `${this.style}<defs>${[...this.#reached(names).values()].join("")}</defs>`;
  }

  #reached(names: Iterable<string>, known: ReadonlySet<string> = new Set()): Map<string, string> {
    const found = new Map<string, string>();
    const look = (wanted: Iterable<string>) => {
      for (const name of wanted) {
        const part = known.has(name) || found.has(name) ? undefined : this.#part(name);
        if (part === undefined) continue;
        found.set(name, part.text);
        look(part.names);
      }
    };
    look(names);
    return found;
  }

  /** A use, written out. */
  #use(use: string): Written {
    const known = this.#uses.get(use);
    if (known) return known;
    const made = readyMade(this.#written(use));
    this.#uses.set(use, made);
    return made;
  }

  #written(use: string): string {
    const given = attributes(use);
    const name = given.href?.slice(1) ?? "";
    const [, form, own, inside] = (name.startsWith("p-") ? undefined : this.#part(name)?.text.match(FORM)) ?? [];
    if (form === "symbol")
      return `<g${written(given, "transform", "style")}><svg${own}${written(given, "x", "y", "width", "height")}>${inside}</svg></g>`;
    if (form !== "g" || own) return use;
    const moved = given.x || given.y ? `translate(${given.x ?? 0} ${given.y ?? 0})` : "";
    const transform = (given.transform ?? "") + moved;
    return `<g${written({ ...given, transform }, "transform", "style")}>${inside}</g>`;
  }

  /** The picture over several tiles of which a drawing shows a part: its address, and where it lies. */
  poster(name: string): { href: string; x: number; y: number } | undefined {
    const use = this.parts.get(name)?.match(POSTER);
    if (!use) return undefined;
    const given = attributes(use[1]!);
    return { href: given.href!, x: Number(given.x ?? 0), y: Number(given.y ?? 0) };
  }

  #part(name: string): Written | undefined {
    const part = this.parts.get(name);
    if (part !== undefined && !this.#parts.has(name)) this.#parts.set(name, readyMade(this.plain(part)));
    return this.#parts.get(name);
  }
}

/** A picture with everything written out. */
export function plainPicture(svg: string): string {
  const end = "</defs>";
  const definitions = Definitions.of(svg);
  return svg.slice(0, svg.indexOf(">") + 1) + definitions.whole(svg.slice(svg.indexOf(end) + end.length));
}
