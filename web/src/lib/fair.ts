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
  what:
    "seed" | "noted" | "entropy" | "links" | "consents" | "draws" | "game" | "bag" | "past" | "rules" | "gets" | "form";
  good?: boolean;
  values: Record<string, string | number>;
}

const HASH = /^[0-9a-f]{64}$/;
const PART = /^([0-9a-f]{16,64}|chain:[0-9a-f]{64})?$/; // of a seat in the draws
const SPAN = 1n << 64n; // values of eight bytes
const CHAIN = "chain:";
const BLANK = "-"; // stands for the link of a chain that was lost
/** Every line that may stand in a game. */
const LINE = new RegExp(
  String.raw`^(begin( \d)*|draw \S+|(link|chain) \d [\da-f]{64}|(ask|agree|resign|time) \d|undo [1-9]\d*|` +
    String.raw`credit \d+ \d+|\d \S.*)$`,
);
const hashText = (text: string) => hex(sha256(utf8(text)));
const hashLink = (link: string) => hex(sha256(bytesOf(link)));

/** All that can be checked, good or bad, and what cannot. `game` has the actions as the page shows them. */
export function check(proof: Proof, game: string[], noted?: Noted): Finding[] {
  try {
    return checkAll(proof, game, noted);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError)
      return [{ what: "form", good: false, values: { error: error.message } }]; // a log of another form than declared
    throw error;
  }
}

/** Refuses a log in which something is not what it must be, or would keep this browser busy. */
function checkForm({ rules, lines, bags }: Proof) {
  if (rules.scripted) throw new TypeError("a puzzle’s draws are given");
  if (lines.some(({ seq }, n) => seq !== n + 1)) throw new TypeError("lines are not numbered from 1");
  const weights = bags.flatMap((bag) => bag.map(([, weight]) => weight));
  if (!weights.every((weight) => Number.isInteger(weight) && weight > 0 && weight < 2 ** 32))
    throw new TypeError("a bag has a weight that is no number of tiles");
}

function checkAll(proof: Proof, game: string[], noted?: Noted): Finding[] {
  checkForm(proof);
  const own = Object.values(noted?.entropies ?? {});
  const found: Finding[] = [
    { what: "seed", good: HASH.test(proof.seed) && hashLink(proof.seed) === proof.commitment, values: {} },
    { what: "noted", good: noted && noted.commitment === proof.commitment, values: {} },
    { what: "entropy", good: own.length ? own.every((sent) => proof.entropies.includes(sent)) : undefined, values: {} },
  ];
  const known = proof.version === 1 || proof.version === 2;
  const unknown: Finding = { what: "draws", good: false, values: { n: 0, was: `version ${proof.version}`, due: "2" } };
  const ofLines = () => (proof.version === 1 ? [checkFirstVersion(proof)] : new Checker(proof).run());
  const lines = known ? ofLines() : [unknown];
  const past: Finding[] = proof.past.length ? [{ what: "past", values: { n: proof.past.length } }] : [];
  const rules: Finding = { what: "rules", values: {} }; // nobody commits to them
  return [...found, ...lines, checkGame(proof, game), checkBags(proof), ...past, rules];
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
  tile?: string; // that was drawn or laid
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
    this.#must(this.#parts.every((part) => PART.test(part)) && this.#isOrder(), "links", { text: "begin" });
    for (const { text } of this.proof.lines) this.#line(text);
    this.#must(this.#begun && this.#draws === this.proof.bags.length, "draws", { n: this.#draws, was: "", due: "" });
    const finding = (what: Finding["what"], values: Finding["values"]): Finding => {
      const wrong = this.#wrong[what];
      return { what, good: !wrong, values: wrong ?? values };
    };
    const gets = this.#wrong.gets ? [finding("gets", {})] : []; // told only if it is wrong
    return [
      finding("links", { n: this.#changed }),
      finding("consents", {}),
      finding("draws", { n: this.#draws }),
      ...gets,
    ];
  }

  /** Is every seat there once, where they were shuffled? */
  #isOrder = () =>
    !this.#order.length || [...this.#order].sort().join() === this.proof.entropies.map((_, n) => n).join();

  /** Only the first thing that is wrong is told. */
  #must(good: boolean, what: Finding["what"], values: Finding["values"] = {}) {
    if (!good) this.#wrong[what] ??= values;
  }

  #line(text: string) {
    const [word = "", rest = ""] = text.split(/ (.*)/);
    const [seat, digits = ""] = [Number(rest.split(" ")[0]), rest.split(" ")[1]];
    if (!LINE.test(text)) return this.#must(false, "links", { text });
    this.#must(this.#begun || ["begin", "link", "chain"].includes(word), "links", { text });
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
      const wanted = this.#asked !== undefined && this.#people().includes(seat) && !this.#agreed.has(seat);
      this.#must(wanted, "consents", { text });
      this.#agreed.add(seat);
    } else if (word === "undo") this.#undo(seat, text);
    else if (word === "resign" || word === "time") {
      this.#must(seat in this.#parts && !this.#out.has(seat), "links", { text });
      this.#out.add(seat);
    } else if (word !== "credit") this.#act(Number(word), text, tileOf(rest));
  }

  /** Who lays a tile has drawn it; tiles of a record with which the table began have no owner here. */
  #act(seat: number, text: string, tile?: string) {
    const same = this.#done.filter((one) => tile !== undefined && one.tile === tile && one.seat === seat);
    const held = same.filter((one) => one.draw).length - same.filter((one) => !one.draw).length;
    this.#must(tile === undefined || this.proof.past.length > 0 || held > 0, "gets", { text });
    this.#done.push({ seat, draw: false, links: [], tile });
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
    this.#done.push({ seat: this.proof.gets[this.#draws] ?? -1, draw: true, links, tile: name });
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

/** The tile that an action lays, or throws away because it fits nowhere. */
const tileOf = (action: string) => /^(?:place|discard) (\S+)/.exec(action)?.[1];

/** A pile of tiles (or of tokens) from which is drawn. */
interface Pile {
  first: Map<string, number>; // what lay in it, with what joined it
  drawn: Map<string, number>; // and was not taken back
  joined: string[]; // kinds of tiles that came later,
  before: number; // and how many of the others had left it unseen by then: those weigh less
}

interface BagDraw {
  pile: Pile;
  name: string;
  came: boolean; // others joined the pile just before
}

/** Piles of tiles lose what is drawn and nothing else; once others may join one. Tokens may be put back. */
class Piles {
  static readonly MOST = 8;
  #all: Pile[] = [];

  constructor(private readonly laid: Set<string | undefined>) {}

  /** From which pile comes what was drawn from this bag? Nothing if this cannot be the bag. */
  draw(bag: [string, number][], name: string): BagDraw | undefined {
    const now = new Map(bag);
    let pile = this.#all.find(({ first }) => bag.some(([one]) => first.has(one)));
    if (!pile) this.#all.push((pile = { first: now, drawn: new Map(), joined: [], before: 0 }));
    const { first, drawn } = pile;
    const areTiles = [...first.keys()].some((one) => this.laid.has(one));
    const left = (one: string) => (first.get(one) ?? 0) - (drawn.get(one) ?? 0);
    const come = [...now.keys()].filter((one) => !first.has(one));
    if (now.size < bag.length || this.#all.length > Piles.MOST) return;
    if (come.length && (!areTiles || pile.joined.length)) return;
    if (come.length) {
      const there = [...first.keys()].filter(left);
      const sum = there.reduce((all, one) => all + left(one), 0);
      const whole = there.every((one) => now.get(one) === left(one));
      if (!whole) pile.before = sum - Math.max(...there.map((one) => (now.get(one) ?? 0) / left(one)));
      for (const one of come) first.set(one, (now.get(one) ?? 0) / (whole ? 1 : sum));
      pile.joined = come;
    }
    const { joined, before } = pile;
    const old = [...first.keys()].filter((one) => !joined.includes(one));
    const sum = before ? old.reduce((all, one) => all + left(one), 0) : 1;
    const holds = (one: string) => {
      const [here, most] = [now.get(one) ?? 0, first.get(one) ?? 0];
      const weight = left(one) * (joined.includes(one) ? sum : sum - before);
      return Number.isSafeInteger(most) && (here === weight || (!areTiles && left(one) < here && here <= most));
    };
    if (![...first.keys()].every(holds)) return;
    drawn.set(name, (drawn.get(name) ?? 0) + 1);
    return { pile, name, came: come.length > 0 };
  }

  undo({ pile, name, came }: BagDraw) {
    pile.drawn.set(name, (pile.drawn.get(name) ?? 0) - 1);
    if (!came) return;
    for (const one of pile.joined) pile.first.delete(one);
    pile.joined = [];
    pile.before = 0;
  }

  /** How many lay in each pile at first, with those that joined it. */
  get sizes(): string {
    return this.#all.map(({ first }) => [...first.values()].reduce((all, one) => all + one, 0)).join(" + ");
  }
}

/** Does each bag lose what was drawn from it and nothing else? What it had at first is not known here. */
function checkBags(proof: Proof): Finding {
  const actions = [...proof.past, ...proof.lines.map(({ text }) => text.replace(/^\d /, ""))];
  const piles = new Piles(new Set(actions.map(tileOf)));
  const done: (BagDraw | undefined)[] = []; // what stands
  let n = 0;
  for (const { text } of proof.lines) {
    if (text.startsWith("draw ")) {
      const drawn = piles.draw(proof.bags[n++] ?? [], text.slice("draw ".length));
      if (!drawn) return { what: "bag", good: false, values: { n } };
      done.push(drawn);
    } else if (text.startsWith("undo ")) {
      const undone = done.splice(-Number(text.slice("undo ".length)) || done.length);
      for (const drawn of undone.reverse()) if (drawn) piles.undo(drawn);
    } else if (/^\d /.test(text)) done.push(undefined);
  }
  return { what: "bag", values: { sizes: piles.sizes } };
}

/** Version 1: every draw follows from seed, entropies, its number, and what people had done until then. */
function checkFirstVersion(proof: Proof): Finding {
  if (proof.entropies.some((part) => part.startsWith(CHAIN)))
    return { what: "draws", good: false, values: { n: 0, was: "version 1", due: "2" } }; // chains came with version 2
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
    if (!LINE.test(text)) continue; // that is told elsewhere
    if (word === "undo") actions.length -= Math.min(Number(rest), actions.length);
    else if (word === "draw") actions.push(text);
    else if (/^\d+$/.test(word)) actions.push(rest);
  }
  const same =
    actions.length === game.length && game.every((action, n) => action === actions[n] || action === "draw ?");
  return { what: "game", good: same, values: {} };
}
