/** What lies on a board, made ready for drawing. */

import type { Definitions } from "./definitions";
import { boxOf, key, kindAtSide, segmentOf, spotPoint, TILE, turned, turnedSide, type Box } from "./geometry";
import type { Cell, DrawingData, Figure, Laid, Point, Seat, Segment, Token } from "./protocol";

export interface Standing {
  key: string; // the same piece has the same key for as long as it stands there
  piece: string;
  colour: number;
  at: Point;
  lies: boolean;
  scale: number;
  seat: number;
  trapped: boolean;
  cell: Cell | null; // null: on a place that is no segment
  spot: string;
}
export interface Outline {
  d: string;
  transform: string;
}

const REACH = 12; // units from its middle that belong to a piece

/** What lies beyond a side: the step to the next cell, and its side that is met. */
const BEYOND: Record<string, [number, number, string]> = {
  N: [0, -1, "S"],
  E: [1, 0, "W"],
  S: [0, 1, "N"],
  W: [-1, 0, "E"],
};

/** Tiles by cell, with what is asked of them again and again. */
export class Land {
  readonly byCell: Map<string, Laid>;

  constructor(
    readonly tiles: Laid[],
    readonly data: DrawingData,
  ) {
    this.byCell = new Map(tiles.map((laid) => [key(laid.cell), laid]));
  }

  at(cell: Cell): Laid | undefined {
    return this.byCell.get(key(cell));
  }

  /** The empty cells beside tiles. */
  openCells(): Cell[] {
    const found = new Map<string, Cell>();
    for (const { cell } of this.tiles)
      for (const [dx, dy] of [
        [0, -1],
        [1, 0],
        [0, 1],
        [-1, 0],
      ] as const) {
        const beside: Cell = [cell[0] + dx, cell[1] + dy];
        if (!this.at(beside)) found.set(key(beside), beside);
      }
    return [...found.values()];
  }

  /** The point of a spot: of a segment on a cell, or of a place that is no segment, wherever it lies. */
  point(cell: Cell | undefined | null, spot: string, number = 0): Point | undefined {
    const laid = cell && this.at(cell);
    const drawing = laid && this.data.tiles[laid.tile];
    if (drawing) {
      const found = spotPoint(drawing, laid.cell, laid.turn, spot, number);
      if (found) return found;
    }
    const elsewhere = this.tiles.find((other) => this.data.tiles[other.tile]?.places?.[spot]);
    if (elsewhere) return spotPoint(this.data.tiles[elsewhere.tile]!, elsewhere.cell, elsewhere.turn, spot, number);
    const aside = 30 + 22 * number; // pieces like to stand in the middle
    return laid ? [laid.cell[0] * TILE + aside, laid.cell[1] * TILE + aside] : undefined; // on the tile as a whole
  }

  /** The outline of a segment as it lies. */
  outline(cell: Cell, spot: string): Outline | undefined {
    const segment = this.segment(cell, spot);
    return segment && { d: segment.outline, transform: place(cell, this.at(cell)!.turn) };
  }

  segment(cell: Cell | undefined | null, spot: string): Segment | undefined {
    const laid = cell && this.at(cell);
    const drawing = laid && this.data.tiles[laid.tile];
    return drawing?.segments[segmentOf(drawing, laid!.turn, spot)];
  }

  /** All segments that are joined with one, side by side, on these cells. */
  region(cell: Cell, spot: string, within: Cell[]): { cell: Cell; spot: string }[] {
    const inside = new Set(within.map(key));
    const found = new Map<string, { cell: Cell; spot: string }>();
    const open = [{ cell, spot }];
    for (let one = open.pop(); one; one = open.pop()) {
      const segment = this.segment(one.cell, one.spot);
      if (!segment || !inside.has(key(one.cell)) || found.has(`${key(one.cell)} ${one.spot}`)) continue;
      found.set(`${key(one.cell)} ${one.spot}`, one);
      for (const side of segment.sides) open.push(...this.beyond(one.cell, turnedSide(side, this.at(one.cell)!.turn)));
    }
    return [...found.values()];
  }

  /** The segment that meets a side, or half side, of a cell from the tile beyond it. */
  private beyond([x, y]: Cell, side: string): { cell: Cell; spot: string }[] {
    const [dx, dy, back] = BEYOND[side[0]!]!;
    const cell: Cell = [x + dx, y + dy];
    const laid = this.at(cell);
    const met = back + ({ L: "R", R: "L" }[side[1] ?? ""] ?? "");
    const segment = this.data.tiles[laid?.tile ?? ""]?.segments.find((one) =>
      one.sides.some((other) => turnedSide(other, laid!.turn) === met),
    );
    return segment ? [{ cell, spot: segment.names[laid!.turn]! }] : [];
  }

  /** The outlines of the whole region to which a segment belongs. */
  whole(cell: Cell, spot: string): Outline[] {
    const cells = this.tiles.map((laid) => laid.cell);
    return this.region(cell, spot, cells).flatMap((one) => this.outline(one.cell, one.spot) ?? []);
  }

  /** Does a piece lie down there, as a farmer does? */
  lies(piece: string, cell: Cell | undefined | null, spot: string): boolean {
    const kind = this.segment(cell, spot)?.kind ?? "";
    return (this.data.pieces[piece]?.lies ?? false) && (this.data.kinds[kind]?.ground ?? false);
  }

  /** The tiles that a score counted: those of its region, and those around it where they count. */
  counted({ cell, spot, tiles }: { cell: Cell | null; spot: string; tiles: Cell[] }): Cell[] {
    if (!cell || !this.data.kinds[this.segment(cell, spot)?.kind ?? ""]?.around) return tiles;
    const near = ([x, y]: Cell) => Math.abs(x - cell[0]) <= 1 && Math.abs(y - cell[1]) <= 1;
    return this.tiles.map((laid) => laid.cell).filter(near);
  }

  /** Where a tile would not go on with its neighbours: the side, its own land, the land that it would meet. */
  mismatch(tile: string, cell: Cell, turn: number): { side: string; own: string; met: string } | undefined {
    const around: [string, string, Cell][] = [
      ["N", "S", [cell[0], cell[1] - 1]],
      ["E", "W", [cell[0] + 1, cell[1]]],
      ["S", "N", [cell[0], cell[1] + 1]],
      ["W", "E", [cell[0] - 1, cell[1]]],
    ];
    const drawing = this.data.tiles[tile];
    for (const [side, back, other] of drawing ? around : []) {
      const laid = this.at(other);
      const there = laid && this.data.tiles[laid.tile];
      const own = kindAtSide(drawing!, turn, side);
      const met = there && kindAtSide(there, laid.turn, back);
      if (own && met && own !== met) return { side, own, met };
    }
    return undefined;
  }

  /** The segment below a point of the board; a line before the ground that it crosses. */
  spotAt(at: Point, inside: (outline: string, point: Point) => boolean): { cell: Cell; spot: string } | undefined {
    const cell: Cell = [Math.floor(at[0] / TILE), Math.floor(at[1] / TILE)];
    const laid = this.at(cell);
    const drawing = laid && this.data.tiles[laid.tile];
    if (!drawing) return undefined;
    const point = turned([at[0] - cell[0] * TILE, at[1] - cell[1] * TILE], 4 - laid.turn);
    const segment = drawing.segments.find((one) => inside(one.outline, point));
    return segment && { cell, spot: segment.names[laid.turn]! };
  }

  /** Pieces on segments and tokens on places of their own, the southern ones in front. */
  standing(figures: Figure[], tokens: Token[], seats: Seat[], colours: string[], trapped: Figure[] = []): Standing[] {
    const counts = new Map<string, number>();
    const alike = new Map<string, number>();
    const colour = (seat: number) => Math.max(0, colours.indexOf(seats[seat]?.colour ?? ""));
    const stuck = new Set(trapped.map((one) => `${one.seat} ${one.piece} ${key(one.cell)} ${one.spot}`));
    const stands = (seat: number, piece: string, cell: Cell | null, spot: string): Standing | undefined => {
      const here = `${cell ? key(cell) : ""} ${spot}`;
      const number = counts.get(here) ?? 0;
      const at = this.point(cell, spot, number);
      if (!at) return undefined;
      counts.set(here, number + 1);
      const name = seat < 0 ? `${seat} ${piece}` : `${seat} ${piece} ${here}`; // what is nobody's walks about
      alike.set(name, (alike.get(name) ?? 0) + 1);
      return {
        key: `${name} ${alike.get(name)}`,
        piece,
        seat,
        at,
        cell,
        spot,
        colour: seat < 0 ? -1 : colour(seat),
        lies: this.lies(piece, cell, spot),
        scale: this.data.pieces[piece]?.scale ?? 1,
        trapped: cell !== null && stuck.has(`${seat} ${piece} ${key(cell)} ${spot}`),
      };
    };
    const found = figures.map((one) => stands(one.seat, one.piece, one.cell, one.spot));
    for (const token of tokens) {
      const under = this.byCell.get(token.where); // it stands on a tile as a whole
      if (under) found.push(stands(token.seat, token.name, under.cell, ""));
      else if (token.where) found.push(stands(token.seat, token.name, null, token.where));
    }
    return found.filter((one) => one !== undefined).sort((a, b) => a.at[1] - b.at[1]);
  }

  /** The land as a picture of its own: far cheaper to move about than thousands of live elements. */
  picture(posters: { href: string; x: number; y: number }[]): { body: string; box: Box } {
    const box = boxOf(
      this.tiles.map((laid) => laid.cell),
      0.02,
    );
    const uses = this.tiles.map(
      ({ tile, cell, turn }) =>
        `<use href="#t-${tile}" x="-.3" y="-.3" width="100.6" height="100.6" transform="${place(cell, turn)}" style="--turn:${turn}"/>`,
    );
    const whole = posters.map(({ href, x, y }) => `<use href="${href}" x="${x}" y="${y}"/>`);
    return { box, body: uses.join("") + whole.join("") };
  }

  /** One path of all tiles, each grown by a margin: the shore, the ground below the seams, a veil over the rest. */
  coast(margin: number, without: Cell[] = []): string {
    const side = TILE + 2 * margin;
    const left = new Set(without.map(key));
    return this.tiles
      .filter(({ cell }) => !left.has(key(cell)))
      .map(({ cell: [x, y] }) => `M${x * TILE - margin} ${y * TILE - margin}h${side}v${side}h${-side}z`)
      .join("");
  }
}

/** A picture of the land with all that it needs. */
export function asFile({ body, box }: ReturnType<Land["picture"]>, drawings: Definitions): string {
  const size = `${box.left} ${box.top} ${box.right - box.left} ${box.bottom - box.top}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${size}">${drawings.whole(body)}</svg>`;
}

/** The piece at a point of the board, if one stands there. */
export function pieceAt(standing: Standing[], [x, y]: Point): Standing | undefined {
  const far = ({ at }: Standing) => Math.hypot(at[0] - x, at[1] - y);
  const near = standing.filter((one) => far(one) < REACH);
  return near.sort((a, b) => far(a) - far(b))[0];
}

/** The transform that puts a tile's drawing on its cell, turned. */
export function place(cell: Cell, turn: number): string {
  return `translate(${cell[0] * TILE} ${cell[1] * TILE})rotate(${90 * turn} 50 50)`;
}

/** Counts of a name, sorted by name: for lists of remaining tiles. */
export function sorted(counts: Record<string, number>): [string, number][] {
  return Object.entries(counts).sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
}
