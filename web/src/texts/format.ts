/** Fills texts in. */

export type Values = Record<string, string | number>;

const KEPT = "\u00a0"; // a space at which no line is broken

/** A text with the spaces and apostrophes of its language: in French no line begins with a colon. */
export function setText(text: string, language: string): string {
  if (language !== "fr") return text;
  return text
    .replace(/ (?=[:;!?»])/g, KEPT)
    .replace(/« /g, `«${KEPT}`)
    .replaceAll("'", "’");
}

/** What the server tells in several languages, each set as its readers expect it. */
export function setAll<T>(told: T, language = ""): T {
  if (typeof told === "string") return setText(told, language) as T;
  if (Array.isArray(told)) return told.map((one: unknown) => setAll(one, language)) as T;
  if (typeof told !== "object" || told === null) return told;
  return Object.fromEntries(
    Object.entries(told).map(([key, one]) => [key, setAll(one, key === "fr" ? key : language)]),
  ) as T;
}

/** `{name}` becomes its value; `{n:tile|tiles}` the form that goes with the number n in that language. */
export function fill(text: string, values: Values, language: string): string {
  return setText(text, language).replace(
    /\{(\w+)(?::([^}|]*)\|([^}]*))?\}/g,
    (_, name: string, one?: string, many?: string) => {
      const value = values[name] ?? "";
      if (one === undefined) return String(value);
      return new Intl.PluralRules(language).select(Number(value)) === "one" ? one : many!;
    },
  );
}

/** As many whole sentences as there is room for (in letters), one at least. */
export function inShort(text: string, room: number): string {
  const [first = "", ...rest] = text.split(/(?<=[.!?]) /);
  return rest.reduce((all, next) => (all.length + next.length < room ? `${all} ${next}` : all), first);
}
