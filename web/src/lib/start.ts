/** Opening a table and going there. */

import { api, Refused } from "./api";
import type { Catalogue, Refusal, TableWish } from "./protocol";
import { route } from "./route.svelte";
import { settings } from "./settings.svelte";

/** The strongest bot is the last of the catalogue. */
export const strongest = (catalogue: Catalogue) => catalogue.bots.at(-1) ?? "greedy";

const SEATS = "bastide.seats";

/** Keeps the link to an own seat in this browser, to be shown at the table; the oldest are forgotten. */
export function rememberSeat(table: string, link: string | undefined) {
  const kept = Object.entries(seatLinks()).filter(([id]) => id !== table).slice(-40);
  if (link) localStorage.setItem(SEATS, JSON.stringify(Object.fromEntries([...kept, [table, link]])));
}

export function seatLinks(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(SEATS) ?? "{}");
  } catch {
    return {};
  }
}

/** Opens a table, by default oneself against the computer; returns why it could not be opened. */
export async function startTable(catalogue: Catalogue, wish: Partial<TableWish>): Promise<Refusal | null> {
  const self = { kind: "human" as const, ...(settings.name && { name: settings.name }) };
  try {
    const { table, link, seats } = await api.create({ seats: [self, { kind: "bot", bot: strongest(catalogue) }], ...wish });
    rememberSeat(table, seats[0]?.link);
    route.go(link);
    return null;
  } catch (wrong) {
    if (wrong instanceof Refused) return wrong.refusal;
    throw wrong;
  }
}
