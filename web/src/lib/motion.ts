/** Movement on the board: short, never waited for, none for those who do not want any. */

import { settings } from "./settings.svelte";

export const QUICK = 280; // ms

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const moves = () => !settings.still && !calm.matches;
const eased = (t: number) => 1 - (1 - t) ** 3;

interface Movement {
  duration: number;
  css?: (t: number, u: number) => string;
}

/** A piece is put down: it comes from above. */
export function drop(_: Element): Movement {
  if (!moves()) return { duration: 0 };
  return { duration: QUICK, css: (t) => `transform: translateY(${-26 * (1 - eased(t))}px); opacity: ${eased(t)}` };
}

/** A piece goes home: it rises and fades. */
export function rise(_: Element): Movement {
  if (!moves()) return { duration: 0 };
  return { duration: QUICK, css: (t, u) => `transform: translateY(${-40 * eased(u)}px); opacity: ${t}` };
}

/** A tile is laid: larger and higher than its place at first, so that it covers it all the while. */
export function land(_: Element): Movement {
  if (!moves()) return { duration: 0 };
  return {
    duration: QUICK,
    css: (t) => {
      const left = 1 - eased(t);
      return `transform: translateY(${-18 * left}px) scale(${1 + 0.4 * left}); transform-origin: 50px 50px`;
    },
  };
}
