/** Checks in the browser that nobody chose the draws of a game (docs/fair-draws.md). */

import type { Proof } from "./protocol";
import { bytesOf, hex, hmac, sha256, utf8 } from "./sha256";

/** What this browser saw of a table before the first move: the commitment, and what its own seats added. */
export interface Noted {
  commitment: string;
  entropies: Record<number, string>;
}

/** One thing that was looked at; `values` fill in its text. `good` is missing where it could not be looked at. */
export interface Finding {
  what: "seed" | "noted" | "entropy" | "links" | "consents" | "draws" | "game" | "bag";
  good?: boolean;
  values: Record<string, string | number>;
}

const SPAN = 1n << 64n; // values of eight bytes
const CHAIN = "chain:";
const BLANK = "-"; // stands for the link of a chain that was lost
const hashText = (text: string) => hex(sha256(utf8(text)));
const hashLink = (link: string) => hex(sha256(bytesOf(link)));

/** All that can be checked, good or bad, and what cannot. `game` has the actions as the page shows them. */
export function check(proof: Proof, game: string[], noted?: Noted): Finding[] {
  const own = Object.values(noted?.entropies ?? {});
  const found: Finding[] = [
    { what: "seed", good: hashLink(proof.seed) === proof.commitment, values: {} },
    { what: "noted", good: noted && noted.commitment === proof.commitment, values: {} },
    { what: "entropy", good: own.length ? own.every((sent) => proof.entropies.includes(sent)) : undefined, values: {} },
  ];
  const lines = proof.version === 1 ? [checkFirstVersion(proof)] : new Checker(proof).run();
  return [...found, ...lines, checkGame(proof, game), { what: "bag", values: {} }];
}

/** A number below `total` that follows from the key, a label and what people added. */
function below(key: Uint8Array, total: number, label: string | number, told: string): number {
  for (let attempt = 0; ; attempt++) {
    const value = new DataView(hmac(key, utf8(`${label}.${attempt}.${told}`)).buffer).getBigUint64(0);
    if (value < SPAN - (SPAN % BigInt(total))) return Number(value % BigInt(total));
  }
}

/** What had to be drawn from a bag. */
function drawn(key: Uint8Array, bag: [string, number][], n: number, told: string): string {
  const total = bag.reduce((sum, [, weight]) => sum + weight, 0);
  if (!total) return "";
  let left = below(key, total, n, told);
  for (const [name, weight] of bag) if ((left -= weight) < 0) return name;
  return "";
}

interface Done {
  seat: number;
  draw: boolean;
  links: string[];
}

/** Goes through the lines of a game and looks whether each could come: links, consents to take-backs, draws. */
class Checker {
  #parts: string[];
  #ends: string[];
  #revealed: string[][];
  #order: number[];
  #first: string[] = []; // links that shuffled the seats
  #begun = false;
  #done: Done[] = []; // actions and draws that stand
  #draws = 0; // with those that were taken back
  #out = new Set<number>();
  #asked: number | undefined; // who wants to take a turn back,
  #agreed = new Set<number>(); // and who agreed
  #drawing = false; // a link was shown, so a draw comes next
  #changed = 0;
  #wrong: Partial<Record<Finding["what"], Record<string, string | number>>> = {};

  constructor(private readonly proof: Proof) {
    const begin = proof.lines.find(({ text }) => text.startsWith("begin"))?.text ?? "";
    this.#order = begin.split(" ").slice(1).map(Number);
    const before = (list: string[]) =>
      this.#order.length ? list.map((_, n) => list[this.#order.indexOf(n)] ?? "") : list;
    this.#parts = before(proof.entropies);
    this.#ends = this.#parts.map((part) => part.replace(CHAIN, ""));
    this.#revealed = this.#parts.map(() => []);
  }

  run(): Finding[] {
    for (const { text } of this.proof.lines) this.#line(text);
    const finding = (what: Finding["what"], values: Finding["values"]): Finding => {
      const wrong = this.#wrong[what];
      return { what, good: !wrong, values: wrong ?? values };
    };
    return [finding("links", { n: this.#changed }), finding("consents", {}), finding("draws", { n: this.#draws })];
  }

  /** Only the first thing that is wrong is told. */
  #must(good: boolean, what: Finding["what"], values: Finding["values"] = {}) {
    if (!good) this.#wrong[what] ??= values;
  }

  #line(text: string) {
    const [word = "", rest = ""] = text.split(/ (.*)/);
    const [seat, digits = ""] = [Number(rest.split(" ")[0]), rest.split(" ")[1]];
    this.#must(this.#asked === undefined || word === "agree" || word === "undo", "consents", { text });
    if (word === "begin") this.#begin(text);
    else if (word === "link" || word === "chain") {
      const next = word === "chain" || hashLink(digits) === this.#ends[seat];
      this.#must(next && this.#missing().includes(seat), "links", { text });
      this.#revealed[seat]?.push(word === "chain" ? BLANK : digits);
      this.#ends[seat] = digits;
      this.#changed += word === "chain" ? 1 : 0;
      this.#drawing = true;
    } else if (word === "draw") this.#draw(rest);
    else if (word === "ask") {
      this.#must(this.#people().includes(seat), "consents", { text });
      [this.#asked, this.#agreed] = [seat, new Set([seat])];
    } else if (word === "agree") {
      this.#must(this.#asked !== undefined, "consents", { text });
      this.#agreed.add(seat);
    } else if (word === "undo") this.#undo(seat, text);
    else if (word === "resign" || word === "time") this.#out.add(seat);
    else if (word !== "credit") {
      this.#must(/^\d$/.test(word), "game");
      this.#done.push({ seat: Number(word), draw: false, links: [] });
    }
  }

  #begin(text: string) {
    this.#must(!this.#begun && !this.#missing().length, "links", { text });
    this.#begun = true;
    if (!this.#order.length) return;
    this.#first = this.#revealed.flatMap((links, old) => links.map((link) => `${old} ${link}`));
    const order = this.#parts.map((_, n) => n);
    const [key, told] = [this.#key([...this.#parts].sort()), hashText(this.#first.join("\n"))];
    for (let last = order.length - 1; last > 0; last--) {
      const other = below(key, last + 1, `seat ${last}`, told);
      [order[last], order[other]] = [order[other]!, order[last]!];
    }
    this.#must(order.join() === this.#order.join(), "draws", { n: 0, was: text, due: order.join(" ") });
    this.#parts = this.#order.map((old) => this.#parts[old] ?? "");
    this.#ends = this.#order.map((old) => this.#ends[old] ?? "");
    this.#revealed = this.#order.map((old) => this.#revealed[old] ?? []);
  }

  #draw(name: string) {
    this.#must(!this.#missing().length, "links", { text: `draw ${name}` });
    const links = this.#adding().map((seat) => `${seat} ${this.#revealed[seat]?.[this.#used(seat)] ?? BLANK}`);
    const told = hashText([...this.#first, ...this.#done.flatMap((one) => one.links), ...links].join("\n"));
    const standing = this.#done.filter((one) => one.draw).length;
    const due = drawn(this.#key(this.#parts), this.proof.bags[this.#draws] ?? [], standing, told);
    this.#must(due === name, "draws", { n: this.#draws + 1, was: name, due });
    this.#done.push({ seat: this.proof.gets[this.#draws] ?? -1, draw: true, links });
    this.#draws++;
    this.#drawing = false;
  }

  /** Own actions since the last draw may be taken back, and a whole turn if everybody agreed. */
  #undo(count: number, text: string) {
    const done = this.#done;
    let end = done.length;
    if (this.#asked !== undefined) while (end && (done[end - 1]!.draw || done[end - 1]!.seat !== this.#asked)) end--;
    const owner = this.#asked ?? done.at(-1)?.seat ?? -1;
    let run = 0;
    while (end > run && !done[end - run - 1]!.draw && done[end - run - 1]!.seat === owner) run++;
    const most = done.length - end + run;
    const agreed = this.#people().every((seat) => this.#agreed.has(seat));
    const allowed = this.#asked === undefined ? !this.#drawing && count > 0 && count <= most : agreed && count === most;
    this.#must(run > 0 && allowed && this.#people().includes(owner), "consents", { text });
    done.length -= Math.min(count, done.length);
    this.#asked = undefined;
    this.#drawing = false;
  }

  #key = (parts: string[]) => sha256(utf8(["bastide draws 2", this.proof.seed, ...parts].join("\n")));
  #people = () => this.#parts.map((_, seat) => seat).filter((seat) => this.#parts[seat] && !this.#out.has(seat));
  #chained = () => this.#people().filter((seat) => this.#parts[seat]!.startsWith(CHAIN));
  #used = (seat: number) =>
    this.#done.flatMap((one) => one.links).filter((link) => link.startsWith(`${seat} `)).length +
    (this.#first.length ? 1 : 0);

  /** Who adds a link: all before the seats are shuffled; before a draw who acted last and who gets it. */
  #adding(): number[] {
    if (!this.#begun) return this.#order.length ? this.#chained() : [];
    const given = new Set<number>();
    let end = this.#done.length;
    while (end && this.#done[end - 1]!.draw)
      for (const link of this.#done[--end]!.links) given.add(Number(link.split(" ")[0]));
    const last = end ? [this.#done[end - 1]!.seat] : [];
    const able = this.#chained();
    const wanted = new Set([...last, this.proof.gets[this.#draws] ?? -1]);
    return [...wanted].filter((seat) => able.includes(seat) && !given.has(seat));
  }

  #missing = () =>
    this.#adding().filter((seat) => (this.#begun ? this.#used(seat) : 0) === this.#revealed[seat]?.length);
}

/** Version 1: every draw follows from seed, entropies, its number, and what people had done until then. */
function checkFirstVersion(proof: Proof): Finding {
  const key = sha256(utf8([proof.seed, ...proof.entropies].join("\n")));
  const told: string[] = [];
  let n = 0;
  for (const { text } of proof.lines) {
    const [word = "", name = ""] = text.split(/ (.*)/);
    if (word === "draw") {
      const due = drawn(key, proof.bags[n] ?? [], n, hashText(told.join("\n")));
      if (due !== name) return { what: "draws", good: false, values: { n: n + 1, was: name, due } };
      n++;
    } else if (/^\d+$/.test(word) && proof.entropies[Number(word)]) told.push(text);
  }
  return { what: "draws", good: true, values: { n } };
}

/** Do the lines lead to the game that was shown? Draws that were secret then have no name in it. */
function checkGame(proof: Proof, game: string[]): Finding {
  const actions = [...proof.past];
  for (const { text } of proof.lines) {
    const [word = "", rest = ""] = text.split(/ (.*)/);
    if (word === "undo") actions.length -= Math.min(Number(rest), actions.length);
    else if (word === "draw") actions.push(text);
    else if (/^\d+$/.test(word)) actions.push(rest);
  }
  const same =
    actions.length === game.length && game.every((action, n) => action === actions[n] || action === "draw ?");
  return { what: "game", good: same, values: {} };
}
