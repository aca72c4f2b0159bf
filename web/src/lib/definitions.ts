/** What a sheet of drawings defines, by name.
 *
 * A browser copies whatever a drawing refers to, at each place and in unused definitions too: a page with a whole
 * sheet has ten times its elements. So only what is shown is taken out of a sheet, and small things are written out
 * where they are used.
 */

const REFERENCE = /(?:href="|url\()#([^")]+)/g;
const USE = /<use ([^>]*)\/>/g;
const POSTER = /<use (?=[^>]*href="#p-)([^>]*)\/>/; // a picture over several tiles; it is drawn once
const FORM = /^<(\w+) id="[^"]*"([^>]*)>(.*)<\/\1>$/s;

type Attributes = Record<string, string>;
const attributes = (text: string): Attributes =>
  Object.fromEntries([...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!]));
const written = (given: Attributes, ...names: string[]) =>
  names.map((name) => (given[name] ? ` ${name}="${given[name]}"` : "")).join("");

export class Definitions {
  #plain = new Map<string, string>();

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
    return drawing.replace(USE, (use, text: string) => {
      const given = attributes(text);
      const name = given.href?.slice(1) ?? "";
      const [, form, own, inside] = (name.startsWith("p-") ? undefined : this.#part(name)?.match(FORM)) ?? [];
      if (form === "symbol")
        return `<g${written(given, "transform", "style")}><svg${own}${written(given, "x", "y", "width", "height")}>${inside}</svg></g>`;
      if (form !== "g" || own) return use;
      const moved = given.x || given.y ? `translate(${given.x ?? 0} ${given.y ?? 0})` : "";
      const transform = (given.transform ?? "") + moved;
      return `<g${written({ ...given, transform }, "transform", "style")}>${inside}</g>`;
    });
  }

  /** All that a drawing refers to, and what that refers to in turn, except what is known already. */
  needed(drawing: string, known: ReadonlySet<string> = new Set()): Map<string, string> {
    const found = new Map<string, string>();
    const look = (text: string) => {
      for (const [, name] of text.matchAll(REFERENCE)) {
        const part = known.has(name!) || found.has(name!) ? undefined : this.#part(name!);
        if (part === undefined) continue;
        found.set(name!, part);
        look(part);
      }
    };
    look(drawing);
    return found;
  }

  /** Styles and definitions with which a drawing needs nothing else. */
  for(drawing: string): string {
    return `${this.style}<defs>${[...this.needed(drawing).values()].join("")}</defs>`;
  }

  /** The picture over several tiles of which a drawing shows a part: its address, and where it lies. */
  poster(name: string): { href: string; x: number; y: number } | undefined {
    const use = this.parts.get(name)?.match(POSTER);
    if (!use) return undefined;
    const given = attributes(use[1]!);
    return { href: given.href!, x: Number(given.x ?? 0), y: Number(given.y ?? 0) };
  }

  #part(name: string): string | undefined {
    const part = this.parts.get(name);
    if (part !== undefined && !this.#plain.has(name)) this.#plain.set(name, this.plain(part));
    return this.#plain.get(name);
  }
}

/** A picture with everything written out. */
export function plainPicture(svg: string): string {
  const end = "</defs>";
  const definitions = Definitions.of(svg);
  const body = definitions.plain(svg.slice(svg.indexOf(end) + end.length));
  return svg.slice(0, svg.indexOf(">") + 1) + definitions.for(body) + body;
}
