/** Checks in the browser that nobody chose the draws of a game (docs/protocol.md, fair draws). */

import type { Proof } from "./protocol";

/** What this browser saw of a table before the first move: the commitment, and the entropies of its own seats. */
export interface Noted {
  commitment: string;
  entropies: Record<number, string>;
}

/** One thing that was looked at; `values` fill in its text. */
export interface Finding {
  what: "seed" | "noted" | "entropy" | "draws" | "game";
  good: boolean;
  values: Record<string, string | number>;
}

const SPAN = 1n << 64n; // values of eight bytes
const utf8 = (text: string) => new TextEncoder().encode(text);
const hex = (bytes: ArrayBuffer) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
const bytesOf = (text: string) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const sha256 = (bytes: Uint8Array<ArrayBuffer>) => crypto.subtle.digest("SHA-256", bytes);

/** All that can be checked, good or bad. `game` has the actions as the page shows them. */
export async function check(proof: Proof, game: string[], noted?: Noted): Promise<Finding[]> {
  const found: Finding[] = [
    { what: "seed", good: hex(await sha256(bytesOf(proof.seed))) === proof.commitment, values: {} },
  ];
  if (noted) {
    found.push({ what: "noted", good: noted.commitment === proof.commitment, values: {} });
    const own = Object.entries(noted.entropies);
    if (own.length)
      found.push({
        what: "entropy",
        good: own.every(([seat, sent]) => proof.entropies[Number(seat)] === sent),
        values: {},
      });
  }
  found.push(await checkDraws(proof), checkGame(proof, game));
  return found;
}

/** Every draw: made from seed, entropies, its number, and what people had done until then. */
async function checkDraws(proof: Proof): Promise<Finding> {
  const secret = await sha256(utf8([proof.seed, ...proof.entropies].join("\n")));
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const told: string[] = [];
  let n = 0;
  for (const { text } of proof.lines) {
    const [word = "", name = ""] = text.split(/ (.*)/);
    if (word === "draw") {
      const due = await drawn(key, proof.bags[n] ?? [], n, hex(await sha256(utf8(told.join("\n")))));
      if (due !== name) return { what: "draws", good: false, values: { n: n + 1, was: name, due } };
      n++;
    } else if (/^\d+$/.test(word) && proof.entropies[Number(word)]) told.push(text);
  }
  return { what: "draws", good: true, values: { n } };
}

/** What had to be drawn from a bag. */
async function drawn(key: CryptoKey, bag: [string, number][], n: number, told: string): Promise<string> {
  const total = BigInt(bag.reduce((sum, [, weight]) => sum + weight, 0));
  if (!total) return "";
  for (let attempt = 0; ; attempt++) {
    const value = new DataView(await crypto.subtle.sign("HMAC", key, utf8(`${n}.${attempt}.${told}`))).getBigUint64(0);
    if (value >= SPAN - (SPAN % total)) continue;
    let left = value % total;
    for (const [name, weight] of bag) if ((left -= BigInt(weight)) < 0n) return name;
  }
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
