/** Texts of parts that are loaded when they are wanted, beside en.ts and fr.ts. */

import { LANGUAGES, settings } from "../lib/settings.svelte";
import { fill, type Values } from "./format";

/** The function that says one of these texts in the language of the reader. */
export const sayer =
  <Key extends string>(texts: Record<keyof typeof LANGUAGES, Record<Key, string>>) =>
  (key: Key, values: Values = {}): string =>
    fill(texts[settings.language][key], values, settings.language);
