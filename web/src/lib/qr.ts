/** QR codes (ISO/IEC 18004) for links: bytes, correction level M, versions 1 to 10, that is up to 213 bytes. */

/** By version: correction words of a block, blocks of the shorter kind, their data words, blocks with one word more. */
const BLOCKS: [number, number, number, number][] = [
  [10, 1, 16, 0],
  [16, 1, 28, 0],
  [26, 1, 44, 0],
  [18, 2, 32, 0],
  [24, 2, 43, 0],
  [16, 4, 27, 0],
  [18, 4, 31, 0],
  [22, 2, 38, 2],
  [22, 3, 36, 2],
  [26, 4, 43, 1],
];
const BYTES = 0b0100; // the mode
const FILLING = [0xec, 0x11];
const LEVEL = 0b00; // M
const UNKNOWN = -1;

/** Powers of 2 in the field of 256 elements with the polynomial 0x11d, and their logarithms. */
const POWER: number[] = [1];
for (let n = 1; n < 255; n++) POWER[n] = POWER[n - 1]! << 1 >= 256 ? (POWER[n - 1]! << 1) ^ 0x11d : POWER[n - 1]! << 1;
const LOG = new Map(POWER.map((value, n) => [value, n]));
const times = (a: number, b: number) => (a && b ? POWER[(LOG.get(a)! + LOG.get(b)!) % 255]! : 0);

/** The correction words of a block: the rest of a division by a polynomial with the first powers as its roots. */
function correction(data: number[], count: number): number[] {
  let divisor = [1];
  for (let n = 0; n < count; n++) {
    const next = [...divisor, 0];
    divisor.forEach((value, i) => (next[i + 1]! ^= times(value, POWER[n]!)));
    divisor = next;
  }
  const rest = [...data, ...Array<number>(count).fill(0)];
  for (let i = 0; i < data.length; i++) {
    const by = rest[i]!;
    divisor.forEach((value, n) => (rest[i + n]! ^= times(value, by)));
  }
  return rest.slice(data.length);
}

/** `value` followed by the rest of its division by a generator, as format and version are written. */
function checked(value: number, generator: number, bits: number): number {
  let rest = value << bits;
  for (let n = 31 - Math.clz32(rest); n >= bits; n--) if ((rest >> n) & 1) rest ^= generator << (n - bits);
  return (value << bits) | rest;
}

/** The data words in the order in which they are drawn: blocks side by side, then their correction. */
function words(bytes: Uint8Array, version: number): number[] {
  const [check, short, length, long] = BLOCKS[version - 1]!;
  const capacity = short * length + long * (length + 1);
  const bits: number[] = [];
  const push = (value: number, count: number) => {
    for (let n = count - 1; n >= 0; n--) bits.push((value >> n) & 1);
  };
  push(BYTES, 4);
  push(bytes.length, version < 10 ? 8 : 16);
  bytes.forEach((byte) => push(byte, 8));
  push(0, Math.min(4, capacity * 8 - bits.length));
  push(0, -bits.length & 7);
  const data: number[] = [];
  for (let n = 0; n < bits.length; n += 8) data.push(Number.parseInt(bits.slice(n, n + 8).join(""), 2));
  for (let n = 0; data.length < capacity; n++) data.push(FILLING[n % 2]!);
  const blocks: number[][] = [];
  for (let n = 0; n < short + long; n++) blocks.push(data.splice(0, n < short ? length : length + 1));
  const across = (lists: number[][]) =>
    Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, i) =>
      lists.flatMap((list) => (i < list.length ? [list[i]!] : [])),
    ).flat();
  return [...across(blocks), ...across(blocks.map((block) => correction(block, check)))];
}

const MASKS: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

type Grid = number[][]; // rows of 0, 1 or UNKNOWN

/** Everything that does not depend on the data: finders, timing, alignment, version; room for the format. */
function frame(version: number): Grid {
  const size = 17 + 4 * version;
  const grid: Grid = Array.from({ length: size }, () => Array<number>(size).fill(UNKNOWN));
  const set = (x: number, y: number, dark: boolean) => {
    if (x >= 0 && y >= 0 && x < size && y < size) grid[y]![x] = Number(dark);
  };
  const square = (x: number, y: number, reach: number, dark: (ring: number) => boolean) => {
    for (let dy = -reach; dy <= reach; dy++)
      for (let dx = -reach; dx <= reach; dx++) set(x + dx, y + dy, dark(Math.max(Math.abs(dx), Math.abs(dy))));
  };
  for (let n = 0; n < size; n++) {
    set(6, n, n % 2 === 0);
    set(n, 6, n % 2 === 0);
  }
  const last = size - 7;
  if (version > 1) {
    const count = Math.floor(version / 7) + 2;
    const step = Math.ceil((last - 6) / (count - 1) / 2) * 2;
    const middles = [6, ...Array.from({ length: count - 1 }, (_, n) => last - (count - 2 - n) * step)];
    for (const y of middles)
      for (const x of middles)
        if (!((x === 6 && (y === 6 || y === last)) || (y === 6 && x === last))) square(x, y, 2, (ring) => ring !== 1);
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ])
    square(x!, y!, 4, (ring) => ring !== 2 && ring !== 4);
  for (const [x, y] of formatPlaces(size).flat()) set(x, y, false);
  set(8, size - 8, true);
  if (version >= 7) {
    const text = checked(version, 0x1f25, 12);
    for (let n = 0; n < 18; n++) {
      const [a, b] = [size - 11 + (n % 3), Math.floor(n / 3)];
      set(a, b, Boolean((text >> n) & 1));
      set(b, a, Boolean((text >> n) & 1));
    }
  }
  return grid;
}

/** The two places of each bit of the format, from the lowest bit on. */
function formatPlaces(size: number): [number, number][][] {
  const near = [0, 1, 2, 3, 4, 5, 7, 8];
  return Array.from({ length: 15 }, (_, n) => [
    n < 8 ? [8, near[n]!] : [[7, 5, 4, 3, 2, 1, 0][n - 8]!, 8],
    n < 8 ? [size - 1 - n, 8] : [8, size - 15 + n],
  ]);
}

/** How hard a grid is to read, by the rules of the norm. */
function penalty(grid: Grid): number {
  const lines = [...grid, ...grid.map((_, x) => grid.map((row) => row[x]!))].map((line) => line.join(""));
  let sum = 0;
  for (const line of lines) {
    for (const run of line.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
    for (let n = 0; n + 11 <= line.length; n++)
      if (["10111010000", "00001011101"].includes(line.slice(n, n + 11))) sum += 40;
  }
  for (let y = 1; y < grid.length; y++)
    for (let x = 1; x < grid.length; x++)
      if (new Set([grid[y]![x], grid[y]![x - 1], grid[y - 1]![x], grid[y - 1]![x - 1]]).size === 1) sum += 3;
  const dark = grid.flat().filter(Boolean).length / grid.length ** 2;
  return sum + 10 * Math.floor(Math.abs(dark * 100 - 50) / 5);
}

/** The grid of a text: rows of 0 and 1, without the light rim. Refused if the text is too long. */
export function qr(text: string): Grid {
  const bytes = new TextEncoder().encode(text);
  const room = ([, short, length, long]: (typeof BLOCKS)[number]) => short * length + long * (length + 1);
  const version = BLOCKS.findIndex((block, n) => room(block) >= bytes.length + (n < 9 ? 2 : 3)) + 1;
  if (!version) throw new RangeError(`a QR code holds at most 213 bytes here, got ${bytes.length}`);
  const empty = frame(version);
  const size = empty.length;
  const bits = words(bytes, version).flatMap((word) => Array.from({ length: 8 }, (_, n) => (word >> (7 - n)) & 1));
  const drawn = MASKS.map((mask, number) => {
    const grid = empty.map((row) => [...row]);
    let n = 0;
    for (let right = size - 1; right > 0; right -= 2) {
      if (right === 6) right = 5; // the column of the timing
      for (let step = 0; step < size; step++) {
        const y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
        for (const x of [right, right - 1])
          if (empty[y]![x] === UNKNOWN) grid[y]![x] = (bits[n++] ?? 0) ^ Number(mask(x, y));
      }
    }
    const format = checked((LEVEL << 3) | number, 0x537, 10) ^ 0x5412;
    formatPlaces(size).forEach((places, bit) => places.forEach(([x, y]) => (grid[y]![x] = (format >> bit) & 1)));
    return grid;
  });
  const hard = drawn.map(penalty);
  return drawn[hard.indexOf(Math.min(...hard))]!;
}

/** The dark squares of a grid as one path. */
export const pathOf = (grid: Grid): string =>
  grid.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
