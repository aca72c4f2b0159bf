#!/usr/bin/env node
// Checks the draws of games from their logs (GET /api/tables/ID/log), by docs/fair-draws.md alone: it shares no code with
// the server or the page, and knows no rules of the game. `node scripts/verify-draws.mjs [--commitment HEX] FILE...`
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const sha256 = (data) => createHash("sha256").update(data);
const hashLink = (link) => sha256(Buffer.from(link, "hex")).digest("hex");
const hashLines = (lines) => sha256(lines.join("\n")).digest("hex");
const keyOf = (seed, parts) => sha256(["bastide draws 2", seed, ...parts].join("\n")).digest();
const LINE = /^(begin( \d)*|draw \S+|(link|chain) \d [0-9a-f]{64}|(ask|agree|resign|time) \d|undo [1-9]\d*|credit \d+ \d+|\d \S.*)$/;
const demand = (good, why) => {
  if (!good) throw new Error(why);
};

/** A number below `total` that follows from the key, a label and what people added. */
function below(key, total, label, told) {
  const span = 1n << 64n;
  for (let attempt = 0; ; attempt++) {
    const value = createHmac("sha256", key).update(`${label}.${attempt}.${told}`).digest().readBigUInt64BE();
    if (value < span - (span % BigInt(total))) return Number(value % BigInt(total));
  }
}

const sizeOf = (bag) => bag.reduce((sum, [, weight]) => sum + weight, 0);
const nameAt = (bag, number) => bag.find(([, weight]) => (number -= weight) < 0)?.[0];

/** The tile that an action lays, or throws away because it fits nowhere. */
const tileOf = (action) => /^(?:place|discard) (\S+)/.exec(action)?.[1];

/** Tiles lie in piles, which are told by their names. A pile loses what is drawn from it and nothing else; once others may
 *  join it, and if some had left it unseen before, those that were there weigh less. Tokens may have been put back. */
class Piles {
  all = []; // of each `first`: what lay in it; `drawn`; `joined`: the names of those that came later, `before`: how many had left

  constructor(laid) {
    this.laid = laid;
  }

  /** From which pile comes what was drawn from this bag? Nothing if the bag is none. */
  draw(bag, name) {
    const now = new Map(bag);
    let pile = this.all.find(({ first }) => bag.some(([name]) => first.has(name)));
    if (!pile) this.all.push((pile = { first: now, drawn: new Map(), joined: [], before: 0 }));
    const tiles = [...pile.first.keys()].some((name) => this.laid.has(name));
    const come = [...now.keys()].filter((name) => !pile.first.has(name));
    const left = (name) => pile.first.get(name) - (pile.drawn.get(name) ?? 0);
    if (now.size !== bag.length || this.all.length > 8 || (come.length && (!tiles || pile.joined.length))) return;
    if (come.length) {
      const there = [...pile.first.keys()].filter(left);
      const total = there.reduce((sum, name) => sum + left(name), 0);
      const whole = there.every((name) => now.get(name) === left(name));
      pile.before = whole ? 0 : total - Math.max(...there.map((name) => (now.get(name) ?? 0) / left(name)));
      pile.joined = come;
      for (const name of come) pile.first.set(name, now.get(name) / (whole ? 1 : total));
    }
    const old = [...pile.first.keys()].filter((name) => !pile.joined.includes(name));
    const total = pile.before ? old.reduce((sum, name) => sum + left(name), 0) : 1;
    const weight = (name) => left(name) * (pile.joined.includes(name) ? total : total - pile.before);
    const holds = (name) => {
      const here = now.get(name) ?? 0;
      return here === weight(name) || (!tiles && here > left(name) && here <= pile.first.get(name));
    };
    if (![...pile.first.keys()].every(holds) || ![...pile.first.values()].every(Number.isSafeInteger)) return;
    pile.drawn.set(name, (pile.drawn.get(name) ?? 0) + 1);
    return { pile, came: come.length > 0 };
  }

  undo({ pile, drawn, came }) {
    pile.drawn.set(drawn, pile.drawn.get(drawn) - 1);
    if (!came) return;
    for (const name of pile.joined) pile.first.delete(name);
    [pile.joined, pile.before] = [[], 0];
  }

  /** How many lay in each pile, and how many joined it. */
  toString() {
    const sum = (pile, names) => names.reduce((total, name) => total + pile.first.get(name), 0);
    const told = this.all.map((pile) => {
      const [all, joined] = [sum(pile, [...pile.first.keys()]), sum(pile, pile.joined)];
      return joined ? `${all - joined}, then ${joined} more` : all;
    });
    return told.join(" and ");
  }
}

/** Every line of a log, one after the other. Returns how many draws there were, and what was not checked. */
function verify(log, noted) {
  demand(log.version === 2, `this is version ${log.version} of fair draws; expected 2`);
  demand(!log.rules.scripted, "a puzzle's draws are given");
  demand(log.lines.every(({ seq }, n) => seq === n + 1), "the lines are not numbered from 1");
  const isWeight = (weight) => Number.isInteger(weight) && weight > 0 && weight < 2 ** 32;
  demand(log.bags.flat().every(([, weight]) => isWeight(weight)), "a bag has a weight that is no number of tiles");
  demand(/^[0-9a-f]{64}$/.test(log.seed) && hashLink(log.seed) === log.commitment, "the seed is not the one committed to");
  demand(!noted || noted === log.commitment, "the commitment is not the one that was noted");
  const begin = log.lines.find(({ text }) => /^begin( |$)/.test(text))?.text.split(" ").slice(1).map(Number) ?? [];
  const seats = log.entropies.length;
  const shuffled = begin.length > 0;
  demand(!shuffled || [...begin].sort().join() === [...Array(seats).keys()].join(), "the shuffled seats are no order");
  let parts = shuffled ? log.entropies.map((_, old) => log.entropies[begin.indexOf(old)]) : log.entropies;
  let [ends, revealed] = [parts.map((part) => part.replace("chain:", "")), parts.map(() => [])];
  const history = log.past.map((text) => ({ seat: -1, draw: text.startsWith("draw "), links: [], past: true }));
  const out = new Set();
  let [begun, first, asked, agreed, draws, changed] = [false, [], -1, new Set(), 0, 0];
  let drawing = false; // a link was shown, so a draw comes next
  const piles = new Piles(new Set([...log.past, ...log.lines.map(({ text }) => text.replace(/^\d /, ""))].map(tileOf)));

  const people = () => parts.map((_, seat) => seat).filter((seat) => parts[seat] && !out.has(seat));
  const chained = () => people().filter((seat) => parts[seat].startsWith("chain:"));
  const used = (seat) => history.flatMap((one) => one.links).filter((link) => link.startsWith(`${seat} `)).length + (first.length ? 1 : 0);
  /** Actions at the end of the history that are no draws and belong to a seat. */
  const run = (seat, end) => {
    let count = 0;
    while (end > count && !history[end - count - 1].draw && !history[end - count - 1].past && history[end - count - 1].seat === seat) count++;
    return count;
  };
  /** Who adds a link now: all before a shuffle; before a draw who acted last and who gets it, once between two actions. */
  const adding = () => {
    if (!begun) return shuffled ? chained() : [];
    let end = history.length;
    const given = new Set();
    while (end && history[end - 1].draw && !history[end - 1].past) history[--end].links.forEach((link) => given.add(Number(link.split(" ")[0])));
    const last = end && !history[end - 1].past ? [history[end - 1].seat] : [];
    return [...new Set([...last, log.gets[draws]])].filter((seat) => chained().includes(seat) && !given.has(seat));
  };
  const missing = () => adding().filter((seat) => (begun ? used(seat) : 0) === revealed[seat].length);

  for (const { text, seq } of log.lines) {
    const [word, rest = ""] = text.split(/ (.*)/);
    const seat = Number(rest.split(" ")[0]);
    const good = (holds, why) => demand(holds, `line ${seq}, ${JSON.stringify(text)}: ${why}`);
    good(LINE.test(text), "nobody knows this line");
    good(begun || ["begin", "link", "chain"].includes(word), "the game has not begun");
    good(asked < 0 || ["agree", "undo"].includes(word), "a take-back waits for consents");
    if (word === "begin") {
      good(!begun && !missing().length, "links are missing, or it is the second one");
      if (shuffled) {
        first = revealed.flatMap((links, old) => links.map((link) => `${old} ${link}`));
        const key = keyOf(log.seed, [...parts].sort());
        const order = parts.map((_, n) => n);
        for (let last = seats - 1; last > 0; last--) {
          const other = below(key, last + 1, `seat ${last}`, hashLines(first));
          [order[last], order[other]] = [order[other], order[last]];
        }
        good(order.join() === begin.join(), `the seats had to be ${order.join(" ")}`);
        [parts, ends, revealed] = [parts, ends, revealed].map((list) => begin.map((old) => list[old]));
      }
      begun = true;
    } else if (word === "link" || word === "chain") {
      const digits = rest.split(" ")[1];
      good(/^[0-9a-f]{64}$/.test(digits) && missing().includes(seat), "this is not wanted");
      good(word === "chain" || hashLink(digits) === ends[seat], "this is not the next link of the chain");
      revealed[seat].push(word === "chain" ? "-" : digits);
      ends[seat] = digits;
      drawing = true;
      changed += word === "chain";
    } else if (word === "draw") {
      good(!missing().length, `seat ${missing()[0]} has not added its link`);
      const links = adding().map((one) => `${one} ${revealed[one][used(one)]}`);
      const told = hashLines([...first, ...history.flatMap((one) => one.links), ...links]);
      const bag = log.bags[draws] ?? [];
      const standing = history.filter((one) => one.draw && !one.past).length;
      const due = nameAt(bag, below(keyOf(log.seed, parts), sizeOf(bag) || 1, standing, told));
      good(due === rest, `${due} was due`);
      const from = piles.draw(bag, rest);
      good(from, "the bag has lost or gained something that was not drawn");
      history.push({ seat: log.gets[draws], draw: true, links, drawn: rest, ...from });
      draws++;
      drawing = false;
    } else if (word === "ask") {
      good(people().includes(seat), "nobody sits there");
      [asked, agreed] = [seat, new Set([seat])];
    } else if (word === "agree") {
      good(asked >= 0 && people().includes(seat) && !agreed.has(seat), "there is nothing to agree to");
      agreed.add(seat);
    } else if (word === "undo") {
      let end = history.length;
      if (asked >= 0) while (end && !history[end - 1].past && (history[end - 1].draw || history[end - 1].seat !== asked)) end--;
      const owner = asked >= 0 ? asked : history.at(-1)?.seat;
      const most = history.length - end + run(owner, end);
      good(asked >= 0 || !drawing, "a tile is about to be drawn");
      good(people().includes(owner) && run(owner, end) > 0, "nothing of a person's is there to take back");
      good(asked < 0 || people().every((one) => agreed.has(one)), "not everybody has agreed");
      good(asked < 0 ? seat > 0 && seat <= most : seat === most, "this is not what may be taken back");
      for (const one of history.splice(-seat).reverse()) if (one.draw) piles.undo(one);
      [asked, drawing] = [-1, false];
    } else if (word === "resign" || word === "time") {
      good(!out.has(seat) && seat in parts, "the seat is out already, or there is none");
      out.add(seat);
    } else if (word !== "credit") {
      const [owner, tile] = [Number(word), tileOf(rest)];
      const all = history.filter((one) => one.seat === owner);
      const held = all.filter((one) => one.drawn === tile).length - all.filter((one) => one.laid === tile).length;
      good(!tile || log.past.length || held > 0, "this tile was drawn for somebody else");
      history.push({ seat: owner, draw: false, links: [], laid: tile });
    }
  }
  demand(begun && draws === log.bags.length, "there are not as many draws as bags");
  const without = (name, seats) => seats.length && `${name}: ${seats.join(", ")}`;
  const having = (test) => parts.map((_, seat) => seat).filter((seat) => test(parts[seat]));
  const open = [
    !noted && `whether ${log.commitment} was shown before the game`,
    `what lay in the bag at first (${piles}; bastide replay --verify works it out)`,
    log.past.length && `the ${log.past.length} actions of the record with which the table began`,
    changed && `${changed} draws went on without a link, for a chain was changed`,
    without("seats that have no part in the draws", having((part) => !part)),
    without("seats without a chain, whose tiles the server could know", having((part) => /^[0-9a-f]+$/.test(part))),
    "whether these are the rules, the names and the times of the game",
    "who wrote a player's actions",
  ].filter(Boolean);
  return { draws, open };
}

let [files, noted, failed] = [process.argv.slice(2), "", false];
if (files[0] === "--commitment") [noted, files] = [files[1], files.slice(2)];
for (const file of files) {
  try {
    const { draws, open } = verify(JSON.parse(readFileSync(file, "utf8")), noted);
    console.log(`${file}: all ${draws} draws agree. Not checked: ${open.join("; ")}.`);
  } catch (error) {
    failed = true;
    const form = error instanceof TypeError || error instanceof RangeError ? "this is no log of a game: " : "";
    console.log(`${file}: REFUSED, ${form}${error.message}`);
  }
}
process.exit(failed ? 1 : 0);
