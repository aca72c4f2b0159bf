/** What the log of a game tells. */

import type { Entry, Scored, Step } from "./protocol";

/** The final scores, in the order in which they are told. */
export function finalScores(entries: Pick<Entry | Step, "events">[]): Scored[] {
  return entries.flatMap(
    (entry) => entry.events.filter((event) => event.event === "scored" && event.final) as Scored[],
  );
}

/** The sum behind a score, as people write it: 4×2 + 1×2 = 10. */
export function sumText(score: Scored): string {
  const parts = score.parts.map((part) =>
    part.each === 1 || part.count === 1 ? `${part.count * part.each}` : `${part.count}×${part.each}`,
  );
  return parts.length > 1 || parts[0]?.includes("×")
    ? `${parts.join(" + ").replaceAll("+ -", "− ")} = ${score.points}`
    : `${score.points}`;
}
