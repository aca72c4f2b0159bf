/** Opening a table and going there. */

import { api, Refused } from "./api";
import { Kept } from "./kept";
import type { Catalogue, Refusal, TableWish } from "./protocol";
import { route } from "./route.svelte";
import { settings, t, textOr } from "./settings.svelte";

const LEVEL = /^bot:(\d+)$/;
const USUAL = "bot:3"; // answers at once, plays well and can be beaten

/** The bot that one plays against if one does not choose. */
export const usualBot = (catalogue: Catalogue) =>
  catalogue.bots.includes(USUAL) ? USUAL : (catalogue.bots.at(-1) ?? "greedy");

/** The levels first, then the bots by name. */
export const botChoices = (catalogue: Catalogue) =>
  [...catalogue.bots].sort((a, b) => Number(LEVEL.test(b)) - Number(LEVEL.test(a)));

export function botText(bot: string): string {
  const level = bot.match(LEVEL)?.[1];
  return t("bot", { level: level ? t("bot_level", { n: level }) : textOr(`bot_${bot}`, bot) });
}

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
