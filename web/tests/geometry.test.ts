import { describe, expect, it } from "vitest";
import {
  boxOf,
  cellAt,
  fit,
  keepIn,
  keepInSight,
  nearest,
  panBy,
  reveal,
  spotPoint,
  turned,
  unproject,
  zoomAt,
} from "../src/lib/geometry";
import type { Cell, Point, TileDrawing } from "../src/lib/protocol";

const size = { width: 800, height: 600 };

describe("the window on the board", () => {
  it("fits the whole board in the middle", () => {
    const box = boxOf([
      [0, 0],
      [3, 1],
    ]);
    const view = fit(box, size);
    expect(unproject(view, [400, 300])).toEqual([200, 100]);
    expect((box.right - box.left) * view.zoom).toBeLessThanOrEqual(800);
  });

  it("shows the whole of a land of forty tiles in a row on a phone", () => {
    const box = boxOf(Array.from({ length: 40 }, (_, x): Cell => [x, 0]));
    const view = fit(box, { width: 330, height: 500 });
    expect((box.right - box.left) * view.zoom).toBeLessThanOrEqual(330);
    expect(zoomAt(view, [0, 0], 0.9).zoom).toBeCloseTo(view.zoom); // by hand it gets no smaller, and does not jump
    expect(zoomAt(view, [0, 0], 1.1).zoom).toBeCloseTo(view.zoom * 1.1);
  });

  it("keeps the point below the pointer where it is while zooming", () => {
    const view = { x: 13, y: -7, zoom: 0.8 };
    const before = unproject(view, [250, 140]);
    const after = unproject(zoomAt(view, [250, 140], 1.7), [250, 140]);
    expect(after[0]).toBeCloseTo(before[0]);
    expect(after[1]).toBeCloseTo(before[1]);
  });

  it("never loses the board", () => {
    const box = boxOf([[0, 0]]);
    const view = keepInSight(panBy({ x: 0, y: 0, zoom: 1 }, 9000, -9000), box, size);
    expect(view).toEqual({ x: 700, y: 0, zoom: 1 });
  });

  it("moves only as far as needed to show a cell", () => {
    const view = { x: 0, y: 0, zoom: 1 };
    expect(reveal(view, boxOf([[1, 1]]), size)).toEqual(view);
    expect(reveal(view, boxOf([[8, 1]]), size).x).toBe(800 - 24 - 900);
  });
});

describe("tiles", () => {
  it("turns points clockwise about the middle", () => {
    const north: Point = [50, 10];
    expect([0, 1, 2, 3].map((turn) => turned(north, turn))).toEqual([
      [50, 10],
      [90, 50],
      [50, 90],
      [10, 50],
    ]);
  });

  it("knows where a piece stands on a turned tile", () => {
    const tile: TileDrawing = {
      id: "D",
      segments: [
        { kind: "city", names: ["city N", "city E", "city S", "city W"], sides: ["N"], outline: "", spots: [[50, 20]] },
      ],
      places: {},
    };
    expect(spotPoint(tile, [2, -1], 1, "city E")).toEqual([280, -50]);
    expect(spotPoint(tile, [2, -1], 1, "city N")).toBeUndefined();
  });

  it("finds the cell of a point west and north of the start tile too", () => {
    expect(cellAt([-1, -150])).toEqual([-1, -2]);
  });

  it("goes with an arrow to what lies in that direction", () => {
    const cells: Cell[] = [
      [0, -1],
      [2, 0],
      [0, 1],
    ];
    const where = ([x, y]: Cell): Point => [x * 100, y * 100];
    expect(nearest(cells, where, [0, 0], [1, 0])).toEqual([2, 0]);
    expect(nearest(cells, where, [0, 0], [0, -1])).toEqual([0, -1]);
    expect(nearest(cells, where, [0, 0], [-1, 0])).toBeUndefined();
  });
});

it("brings a point into a box, with room around it", () => {
  const box = { left: 0, top: 0, right: 100, bottom: 50 };
  expect(keepIn(box, [50, 20], [10, 10])).toEqual([50, 20]);
  expect(keepIn(box, [200, -30], [10, 10])).toEqual([90, 10]);
  expect(keepIn(box, [200, -30], [10, 30])).toEqual([90, 25]); // too low for the room: its middle
});
