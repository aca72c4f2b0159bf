/** The window on the board: dragging, pinching, the wheel. The sums are in geometry.ts. */

import { fit, keepInSight, panBy, reveal, unproject, zoomAt, type Box, type Size, type View } from "./geometry";
import type { Point } from "./protocol";

const DRAG = 7; // pixels before a press becomes a drag
const RIM = 60; // pixels at the eastern rim where the buttons are
const SETTLE = 180; // milliseconds without zooming before the drawing is made sharp again

export class Window {
  view = $state.raw<View>({ x: 0, y: 0, zoom: 1 });
  drawn = $state(1); // the zoom for which the picture was drawn; in between it is only stretched
  size = $state.raw<Size>({ width: 0, height: 0 });
  box: Box = { left: 0, top: 0, right: 100, bottom: 100 };
  auto = $state(true); // follows the growing board until somebody moves the window
  moving = $state(false);

  #pointers = new Map<number, Point>();
  #start: Point = [0, 0];
  #dragged = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The part of the window where no buttons are. */
  get #free(): Size {
    const { width, height } = this.size;
    return { width: width - RIM, height };
  }

  /** Shows the whole board. */
  all() {
    this.auto = true;
    if (this.size.width) this.#set(fit(this.box, this.#free), true);
  }

  follow(box: Box) {
    this.box = box;
    if (this.auto) this.all();
  }

  /** The part of the board that is in the window and not below the buttons. */
  get seen(): Box {
    const [left, top] = unproject(this.view, [0, 0]);
    const [right, bottom] = unproject(this.view, [this.#free.width, this.#free.height]);
    return { left, top, right, bottom };
  }

  /** Is a point of the board in the window? */
  sees([x, y]: Point): boolean {
    const { zoom, x: left, y: top } = this.view;
    const [across, down] = [x * zoom + left, y * zoom + top];
    return across >= 0 && down >= 0 && across <= this.size.width && down <= this.size.height;
  }

  reveal(box: Box) {
    if (this.size.width) this.#set(reveal(this.view, box, this.#free));
  }

  /** Shows a box as large as is sensible; returns how to go back. */
  closer(box: Box, most: number): () => void {
    const before = { view: this.view, auto: this.auto };
    this.#set(fit(box, this.#free, most), true);
    return () => {
      this.auto = before.auto;
      if (this.auto) this.all();
      else this.#set(before.view, true);
    };
  }

  zoom(factor: number, at: Point = [this.size.width / 2, this.size.height / 2]) {
    this.auto = false;
    this.#set(zoomAt(this.view, at, factor));
  }

  pan(dx: number, dy: number) {
    this.auto = false;
    this.#set(panBy(this.view, dx, dy));
  }

  press(id: number, at: Point) {
    this.#pointers.set(id, at);
    if (this.#pointers.size === 1) {
      this.#start = at;
      this.#dragged = false;
    }
  }

  /** Moves with one finger, zooms with two. */
  move(id: number, at: Point) {
    const before = this.#pointers.get(id);
    if (!before) return;
    const other = [...this.#pointers].find(([one]) => one !== id)?.[1];
    this.#pointers.set(id, at);
    if (other) {
      this.#dragged = true;
      const spread = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1]);
      this.zoom(spread(at, other) / Math.max(1, spread(before, other)), [
        (at[0] + other[0]) / 2,
        (at[1] + other[1]) / 2,
      ]);
      this.pan((at[0] - before[0]) / 2, (at[1] - before[1]) / 2);
    } else if (this.#dragged || Math.hypot(at[0] - this.#start[0], at[1] - this.#start[1]) > DRAG) {
      if (!this.#dragged) return void (this.#dragged = this.moving = true);
      this.pan(at[0] - before[0], at[1] - before[1]);
    }
  }

  /** Ends a press; true if it was a tap. */
  release(id: number): boolean {
    const known = this.#pointers.delete(id);
    if (!this.#pointers.size) this.moving = false;
    return known && !this.#dragged && !this.#pointers.size;
  }

  #set(view: View, sharp = false) {
    this.view = keepInSight(view, this.box, this.size);
    clearTimeout(this.#timer);
    if (sharp) this.drawn = this.view.zoom;
    else if (this.drawn !== this.view.zoom) this.#timer = setTimeout(() => (this.drawn = this.view.zoom), SETTLE);
  }
}
