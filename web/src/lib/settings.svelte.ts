/** What a person has chosen in this browser, and how it is applied to the page. */

import { store } from "./kept";
import { en, type TextKey } from "../texts/en";
import { fr } from "../texts/fr";
import { fill, type Values } from "../texts/format";

export const LANGUAGES = { en, fr };
export type Language = keyof typeof LANGUAGES;
export const LOOKS = ["auto", "day", "night", "contrast"] as const;
export type Look = (typeof LOOKS)[number];

interface Kept {
  language: Language | null;
  look: Look;
  sound: boolean;
  still: boolean;
  coordinates: boolean;
  holes: boolean;
  hints: boolean; // one sentence at each first question
  spoken: boolean; // everything in words, moves are typed
  told: string[]; // explanations that have been read
  name: string;
  level: number; // of the bot one plays against; 0: never chosen
  colour: string; // in which one plays if it is free; "": any
  atOnce: boolean; // turns of bots are shown as they come, not one after the other
  projected: boolean; // the points if the game ended now, beside those of now
  volume: number; // of the sounds, 0 to 1
  notify: boolean; // the system tells whose turn it is
  tapConfirms: boolean; // pointing again at the same place confirms; otherwise it turns the tile
}

const STORE = "bastide.settings";
const fresh: Kept = {
  language: null,
  look: "auto",
  sound: false,
  still: false,
  coordinates: false,
  holes: false,
  hints: true,
  spoken: false,
  told: [],
  name: "",
  level: 0,
  colour: "",
  atOnce: false,
  projected: true,
  volume: 0.6,
  notify: false,
  tapConfirms: false,
};

function kept(): Kept {
  try {
    return { ...fresh, ...JSON.parse(localStorage.getItem(STORE) ?? "{}") };
  } catch {
    return { ...fresh };
  }
}

const byBrowser: Language =
  (navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in LANGUAGES) as Language) ?? "en";
const night = matchMedia("(prefers-color-scheme: dark)");
const contrast = matchMedia("(prefers-contrast: more)");

class Settings {
  #kept = $state(kept());
  #night = $state(night.matches);
  #contrast = $state(contrast.matches);

  constructor() {
    night.addEventListener("change", () => (this.#night = night.matches));
    contrast.addEventListener("change", () => (this.#contrast = contrast.matches));
  }

  get language(): Language {
    return this.#kept.language ?? byBrowser;
  }
  /** The language as it is written where the reader lives: dates differ between London and Boston. */
  get locale(): string {
    return navigator.languages.find((tag) => tag.startsWith(this.language)) ?? this.language;
  }
  get look(): Look {
    return this.#kept.look;
  }
  get sound() {
    return this.#kept.sound;
  }
  get still() {
    return this.#kept.still;
  }
  get coordinates() {
    return this.#kept.coordinates;
  }
  get holes() {
    return this.#kept.holes;
  }
  get hints() {
    return this.#kept.hints;
  }
  get spoken() {
    return this.#kept.spoken;
  }
  /** Has an explanation been read? */
  knows(what: string): boolean {
    return this.#kept.told.includes(what);
  }
  learn(what: string) {
    if (!this.knows(what)) this.set({ told: [...this.#kept.told, what] });
  }
  get name() {
    return this.#kept.name;
  }
  get level() {
    return this.#kept.level;
  }
  get colour() {
    return this.#kept.colour;
  }
  get atOnce() {
    return this.#kept.atOnce;
  }
  get projected() {
    return this.#kept.projected;
  }
  get volume() {
    return this.#kept.volume;
  }
  get notify() {
    return this.#kept.notify;
  }
  get tapConfirms() {
    return this.#kept.tapConfirms;
  }

  /** The theme of the drawings. */
  get theme(): "day" | "night" | "contrast" {
    if (this.look !== "auto") return this.look;
    if (this.#contrast) return "contrast";
    return this.#night ? "night" : "day";
  }

  set(change: Partial<Kept>) {
    Object.assign(this.#kept, change);
    store(STORE, this.#kept);
  }

  /** Puts language, theme and movement where the style sheet and the browser look for them. */
  apply() {
    const page = document.documentElement;
    page.lang = this.language;
    page.dataset.theme = this.theme;
    page.dataset.still = String(this.still);
  }
}

export const settings = new Settings();

/** A text of the page in the language of the reader. */
export function t(key: TextKey, values: Values = {}): string {
  return fill(LANGUAGES[settings.language][key], values, settings.language);
}

/** A number of points with one digit, as the reader writes it. */
export function number(value: number): string {
  return new Intl.NumberFormat(settings.language, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
    .format(value)
    .replace("-", "−");
}

/** A text whose key is put together from what the server sends; `otherwise` if there is none. */
export function textOr(key: string, otherwise: string, values: Values = {}): string {
  return key in en ? t(key as TextKey, values) : otherwise;
}
