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
  what: "seed" | "noted" | "entropy" | "links" | "consents" | "draws" | "game" | "bag" | "past" | "gets";
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
  return [...found, ...lines, checkGame(proof, game), checkBags(proof), ...past];
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

/** Does each bag lose what was drawn from it and nothing else? What it had at first is not known here. */
function checkBags(proof: Proof): Finding {
  const actions = [...proof.past, ...proof.lines.map(({ text }) => text.replace(/^\d /, ""))];
  const laid = new Set(actions.map(tileOf)); // other things than tiles may be put back
  const tiles = (bag: [string, number][]) => new Map(bag.filter(([name]) => laid.has(name)));
  const standing: { name: string; bag: [string, number][] }[] = [];
  const lostOnly = (bag: [string, number][]) => {
    const now = tiles(bag);
    for (const { name, bag: before } of [...standing].reverse()) {
      const then = tiles(before);
      then.set(name, (then.get(name) ?? 0) - 1);
      const left = [...then].filter(([, count]) => count > 0);
      if (left.some(([tile]) => now.has(tile)))
        // else another pile was drawn from
        return left.length === now.size && left.every(([tile, count]) => now.get(tile) === count);
    }
    return true;
  };
  const done: boolean[] = []; // the actions that stand: is it a draw?
  let n = 0;
  for (const { text } of proof.lines) {
    if (text.startsWith("draw ")) {
      const bag = proof.bags[n++] ?? [];
      if (!lostOnly(bag)) return { what: "bag", good: false, values: { n } };
      standing.push({ name: text.slice("draw ".length), bag });
      done.push(true);
    } else if (text.startsWith("undo ")) {
      const undone = done.splice(-Number(text.slice("undo ".length)) || done.length);
      for (const draw of undone) if (draw) standing.pop();
    } else if (/^\d /.test(text)) done.push(false);
  }
  return { what: "bag", values: {} };
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
