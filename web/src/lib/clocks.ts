/** The clocks that the page offers. */

import type { Clock } from "./protocol";
import { t } from "./settings.svelte";

export const CLOCKS: Clock[] = [
  { kind: "none" },
  { kind: "sudden", seconds: 900 },
  { kind: "sudden", seconds: 1800 },
  { kind: "increment", seconds: 600, increment: 10 },
  { kind: "turn", seconds: 60 },
  { kind: "days", days: 1 },
  { kind: "days", days: 3 },
];

export function clockText(clock: Clock): string {
  switch (clock.kind) {
    case "sudden":
      return t("clock_sudden", { n: (clock.seconds ?? 0) / 60 });
    case "increment":
      return t("clock_increment", { n: (clock.seconds ?? 0) / 60, m: clock.increment ?? 0 });
    case "turn":
      return t("clock_turn", { n: clock.seconds ?? 0 });
    case "days":
      return t("clock_days", { n: clock.days ?? 0 });
    default:
      return t("clock_none");
  }
}
