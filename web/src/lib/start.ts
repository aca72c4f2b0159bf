/** Opening a table and going there. */

import { api, Refused } from "./api";
import { Kept } from "./kept";
import type { Catalogue, Refusal, TableWish } from "./protocol";
import { route } from "./route.svelte";
import { usualBot } from "./people";
import { settings } from "./settings.svelte";

/** The links to own seats, to be shown at the table. */
export const seatLinks = new Kept<string>("bastide.seats");

/** Opens a table, by default oneself against the computer; returns why it could not be opened. */
export async function startTable(catalogue: Catalogue, wish: Partial<TableWish>): Promise<Refusal | null> {
  const self = { kind: "human" as const, ...(settings.name && { name: settings.name }) };
  try {
    const { table, link, seats } = await api.create({
      seats: [self, { kind: "bot", bot: usualBot(catalogue) }],
      ...wish,
    });
    if (seats[0]) seatLinks.put(table, seats[0].link);
    route.go(link);
    return null;
  } catch (wrong) {
    if (wrong instanceof Refused) return wrong.refusal;
    throw wrong;
  }
}
