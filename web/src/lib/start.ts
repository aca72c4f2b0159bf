/** Opening a table and going there. */

import { api, Refused } from "./api";
import { here, type Carrier } from "./carrier";
import { device } from "./device.svelte";
import { Kept } from "./kept";
import type { Catalogue, Refusal, SeatWish, TableWish } from "./protocol";
import { route } from "./route.svelte";
import { usualBot } from "./people";
import { settings } from "./settings.svelte";

/** The links to own seats, to be shown at the table. */
export const seatLinks = new Kept<string>("bastide.seats");

/** Oneself at a table: the name and the colour chosen once. */
export const myself = (): SeatWish => ({
  kind: "human",
  ...(settings.name && { name: settings.name }),
  ...(settings.colour && { colour: settings.colour }),
});

/** Opens a table, by default oneself against the computer; returns why it could not be opened. */
export async function startTable(
  catalogue: Catalogue,
  wish: Partial<TableWish>,
  carrier?: Carrier,
): Promise<Refusal | null> {
  const whole: TableWish = { seats: [myself(), { kind: "bot", bot: usualBot(catalogue) }], ...wish };
  const alone = device.wanted && whole.seats.every((seat) => seat.kind !== "open") && !whole.public;
  try {
    const { table, link, seats } = await api.create(whole, carrier ?? (alone ? here : undefined));
    if (seats[0]) seatLinks.put(table, seats[0].link);
    route.go(link);
    return null;
  } catch (wrong) {
    if (wrong instanceof Refused) return wrong.refusal;
    throw wrong;
  }
}
