/** SHA-256 and HMAC, for chains of links and for checking draws: the browser's own is there only over https. */

const roots = (n: number, power: number) => {
  const found: number[] = [];
  for (let prime = 2; found.length < n; prime++) {
    let whole = true;
    for (let by = 2; by * by <= prime; by++) whole &&= prime % by !== 0;
    if (whole) found.push(fraction(prime, power));
  }
  return found;
};
/** The first 32 bits behind the point of a root. */
const fraction = (prime: number, power: number) => {
  const root = prime ** power;
  return ((root - Math.floor(root)) * 2 ** 32) | 0;
};
const START = roots(8, 1 / 2);
const ROUND = roots(64, 1 / 3);
const BLOCK = 64;

const turn = (word: number, by: number) => (word >>> by) | (word << (32 - by));

export function sha256(data: Uint8Array): Uint8Array {
  const length = (((data.length + 8) >> 6) + 1) * BLOCK;
  const padded = new Uint8Array(length);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(length - 8, Math.floor(data.length / 2 ** 29));
  view.setUint32(length - 4, data.length << 3);
  const sum = [...START];
  const words = new Int32Array(64);
  for (let at = 0; at < length; at += BLOCK) {
    for (let n = 0; n < 16; n++) words[n] = view.getInt32(at + 4 * n);
    for (let n = 16; n < 64; n++) {
      const [far, near] = [words[n - 15]!, words[n - 2]!];
      const first = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3);
      const second = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10);
      words[n] = words[n - 16]! + first + words[n - 7]! + second;
    }
    let [a, b, c, d, e, f, g, h] = sum as [number, number, number, number, number, number, number, number];
    for (let n = 0; n < 64; n++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[n]! + words[n]!) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, n) => (sum[n] = (sum[n]! + word) | 0));
  }
  const digest = new DataView(new ArrayBuffer(32));
  sum.forEach((word, n) => digest.setInt32(4 * n, word));
  return new Uint8Array(digest.buffer);
}

/** HMAC-SHA-256 with a key of at most 64 bytes. */
export function hmac(key: Uint8Array, data: Uint8Array): Uint8Array {
  const pad = (by: number) => Uint8Array.from({ length: BLOCK }, (_, n) => (key[n] ?? 0) ^ by);
  return sha256(join(pad(0x5c), sha256(join(pad(0x36), data))));
}

const join = (one: Uint8Array, other: Uint8Array) => {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
};

export const utf8 = (text: string) => new TextEncoder().encode(text);
export const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
export const bytesOf = (text: string) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
