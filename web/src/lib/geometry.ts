/** Pure geometry: the window on the board (pan and zoom), cells, and what stands where on a turned tile. */

import type { Cell, Point, TileDrawing } from "./protocol";

export const TILE = 100; // units of a tile's side
export const PIECE = 1.05; // pieces are drawn by so much larger than their own units

/** A point of the board is shown at `point * zoom + (x, y)` pixels. */
export interface View {
  x: number;
  y: number;
  zoom: number;
}
export interface Size {
  width: number;
  height: number;
}
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export const ZOOM_MIN = 0.12; // by hand; the whole of a long land may need less
export const ZOOM_MAX = 4;

const within = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);

/** The box around cells, in tile units, with `margin` cells of room on each side. */
export function boxOf(cells: Cell[], margin = 0): Box {
  const xs = cells.length ? cells.map(([x]) => x) : [0];
  const ys = cells.length ? cells.map(([, y]) => y) : [0];
  return {
    left: (Math.min(...xs) - margin) * TILE,
    top: (Math.min(...ys) - margin) * TILE,
    right: (Math.max(...xs) + 1 + margin) * TILE,
    bottom: (Math.max(...ys) + 1 + margin) * TILE,
  };
}

/** How large a tile is shown at most, so that a large screen is used. */
export const largest = ({ width, height }: Size) => Math.max(1.5, Math.min(width, height) / 560);

/** The window that shows the whole box in the middle, not enlarged beyond `most`. */
export function fit(box: Box, size: Size, most = largest(size)): View {
  const wide = box.right - box.left;
  const high = box.bottom - box.top;
  const zoom = within(Math.min(size.width / wide, size.height / high), 0.01, most);
  return {
    zoom,
    x: size.width / 2 - ((box.left + box.right) / 2) * zoom,
    y: size.height / 2 - ((box.top + box.bottom) / 2) * zoom,
  };
}

export function panBy(view: View, dx: number, dy: number): View {
  return { ...view, x: view.x + dx, y: view.y + dy };
}

/** Zooms so that the point of the board below `at` (pixels) stays there. */
export function zoomAt(view: View, at: Point, factor: number): View {
  const zoom = within(view.zoom * factor, Math.min(ZOOM_MIN, view.zoom), ZOOM_MAX);
  const by = zoom / view.zoom;
  return { zoom, x: at[0] - (at[0] - view.x) * by, y: at[1] - (at[1] - view.y) * by };
}

/** Keeps at least a tile's width of the box in the window. */
export function keepInSight(view: View, box: Box, size: Size): View {
  const room = Math.min(TILE * view.zoom, size.width / 2, size.height / 2);
  return {
    ...view,
    x: within(view.x, room - box.right * view.zoom, size.width - room - box.left * view.zoom),
    y: within(view.y, room - box.bottom * view.zoom, size.height - room - box.top * view.zoom),
  };
}

/** The nearest window in which a box is wholly visible with some pixels of margin (if it can be). */
export function reveal(view: View, box: Box, size: Size, margin = 24): View {
  const shift = (low: number, high: number, length: number) => {
    if (high - low > length - 2 * margin) return length / 2 - (low + high) / 2;
    if (low < margin) return margin - low;
    return high > length - margin ? length - margin - high : 0;
  };
  const dx = shift(box.left * view.zoom + view.x, box.right * view.zoom + view.x, size.width);
  const dy = shift(box.top * view.zoom + view.y, box.bottom * view.zoom + view.y, size.height);
  return panBy(view, dx, dy);
}

/** The point of the board below a pixel. */
export function unproject(view: View, at: Point): Point {
  return [(at[0] - view.x) / view.zoom, (at[1] - view.y) / view.zoom];
}

/** The point of a box that is nearest to `at`, so far within its rim; its middle where it is too small. */
export function keepIn(box: Box, [x, y]: Point, [across, down]: Point): Point {
  const near = (low: number, high: number, value: number) => (low > high ? (low + high) / 2 : within(value, low, high));
  return [near(box.left + across, box.right - across, x), near(box.top + down, box.bottom - down, y)];
}

export function cellAt([x, y]: Point): Cell {
  return [Math.floor(x / TILE), Math.floor(y / TILE)];
}

/** A point of a tile after `turn` quarter turns clockwise about its middle. */
export function turned([x, y]: Point, turn: number): Point {
  const half = TILE / 2;
  switch (((turn % 4) + 4) % 4) {
    case 1:
      return [half - (y - half), x];
    case 2:
      return [TILE - x, TILE - y];
    case 3:
      return [y, half - (x - half)];
    default:
      return [x, y];
  }
}

const SIDES = "NESW";

/** A side (`N`) or half side (`NL`) of a tile after `turn` quarter turns clockwise. */
export function turnedSide(side: string, turn: number): string {
  return SIDES[(SIDES.indexOf(side[0]!) + turn) % 4]! + side.slice(1);
}

/** The kind of land that a tile has on one of its sides, as it lies. */
export function kindAtSide(tile: TileDrawing, turn: number, side: string): string | undefined {
  const reaches = (length: number) =>
    tile.segments.find((segment) =>
      segment.sides.some((one) => one.length === length && turnedSide(one, turn)[0] === side),
    )?.kind;
  return reaches(1) ?? reaches(2);
}

/** Number of the segment that a spot names on a tile as it lies; -1 for none. */
export function segmentOf(tile: TileDrawing, turn: number, spot: string): number {
  return tile.segments.findIndex((segment) => segment.names[turn] === spot);
}

/** Where the `number`th piece on a spot stands, in units of the board; nothing if the tile has no such spot. */
export function spotPoint(tile: TileDrawing, cell: Cell, turn: number, spot: string, number = 0): Point | undefined {
  const segment = tile.segments[segmentOf(tile, turn, spot)];
  const places = segment?.spots ?? tile.places?.[spot];
  const place = places?.[number % places.length];
  if (!place) return undefined;
  const [x, y] = turned(place, turn);
  return [cell[0] * TILE + x, cell[1] * TILE + y];
}

/** The item nearest to `from` in a direction: what an arrow key goes to. */
export function nearest<T>(items: T[], where: (item: T) => Point, from: Point, [dx, dy]: Point): T | undefined {
  let best: T | undefined;
  let least = Infinity;
  for (const item of items) {
    const [x, y] = where(item);
    const along = (x - from[0]) * dx + (y - from[1]) * dy;
    const across = Math.abs((x - from[0]) * dy) + Math.abs((y - from[1]) * dx);
    if (along > 1 && along + 2 * across < least) {
      best = item;
      least = along + 2 * across;
    }
  }
  return best;
}

/** The line around a set of cells: every side beyond which another cell lies. */
export function rim(cells: Cell[]): string {
  const inside = new Set(cells.map(key));
  const sides: [Cell, string][] = [
    [[0, -1], "m0 0h100"],
    [[1, 0], "m100 0v100"],
    [[0, 1], "m0 100h100"],
    [[-1, 0], "m0 0v100"],
  ];
  return cells
    .flatMap(([x, y]) =>
      sides
        .filter(([[dx, dy]]) => !inside.has(key([x + dx, y + dy])))
        .map(([, line]) => `M${x * TILE} ${y * TILE}${line}`),
    )
    .join("");
}

export const key = (cell: Cell) => `${cell[0]},${cell[1]}`;
