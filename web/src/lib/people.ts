/** Who sits at a table: names of people and of bots. */

import type { Catalogue, Seat } from "./protocol";
import { settings, t, textOr } from "./settings.svelte";

const LEVEL = /^bot:(\d+)$/;
const FILE = /^python:.*?([^/\\]+)\.py(:\w+)?$/;
const USUAL = 3; // answers at once, plays well and can be beaten

/** The bot of each level has a name, from the first level on. */
const BOT_NAMES = ["Perrin", "Maude", "Bernard", "Aliénor", "Hugues", "Mélusine"];
const NUMERALS = ["", "", " II", " III", " IV", " V", " VI", " VII", " VIII"];

/** The level of a bot; none for one that is chosen by its method. */
export const levelOf = (bot: string | null | undefined): number | undefined => {
  const found = bot?.match(LEVEL)?.[1];
  return found ? Number(found) : undefined;
};

/** The bots by level, the weakest first. */
export const botLevels = (catalogue: Catalogue) =>
  catalogue.bots.filter((bot) => levelOf(bot)).sort((a, b) => levelOf(a)! - levelOf(b)!);

/** The bot that one plays against: the one chosen last, at first one that can be beaten. */
export function usualBot(catalogue: Catalogue): string {
  const wanted = [`bot:${settings.level || USUAL}`, `bot:${USUAL}`];
  return wanted.find((bot) => catalogue.bots.includes(bot)) ?? catalogue.bots.at(-1) ?? "greedy";
}

/** The levels first, then the bots by name. */
export const botChoices = (catalogue: Catalogue) => [
  ...botLevels(catalogue),
  ...catalogue.bots.filter((bot) => !levelOf(bot)),
];

/** What a bot is called: its own name for a level, the name of its method or of its file otherwise. */
export function botName(bot: string): string {
  const level = levelOf(bot);
  return (level && BOT_NAMES[level - 1]) || textOr(`bot_${bot}`, bot.match(FILE)?.[1] ?? bot);
}

/** How strong a bot is, in a word: "plays well"; of one without a level that it is no person. */
export const botText = (bot: string): string => textOr(`level_${levelOf(bot)}`, t("computer"));

/** A bot in a list of choices: "Bernard, plays well". */
export const botChoice = (bot: string): string => (levelOf(bot) ? `${botName(bot)}, ${botText(bot)}` : botName(bot));

/** What to call who sits there. Nobody named the seat: the colour, or "You" for the only own seat. */
export function nameOf(seats: Seat[], seat: number, mine: number[] = []): string {
  const one = seats[seat];
  if (!one) return "";
  if (one.bot && (!one.name || one.name === one.bot)) {
    const alike = seats.filter((other) => other.bot === one.bot && other.seat <= one.seat).length;
    return botName(one.bot) + NUMERALS[alike];
  }
  if (one.name && one.name !== one.colour) return one.name;
  return isYou(mine, seat) ? t("you") : textOr(`colour_${one.colour}`, one.colour);
}

/** Is this the only seat of whoever reads this? Two people at one screen are told apart by name. */
export const isYou = (mine: number[], seat: number) => mine.length === 1 && mine[0] === seat;
