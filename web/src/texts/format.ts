/** Fills texts in. */

export type Values = Record<string, string | number>;

/** `{name}` becomes its value; `{n:tile|tiles}` the form that goes with the number n in that language. */
export function fill(text: string, values: Values, language: string): string {
  return text.replace(/\{(\w+)(?::([^}|]*)\|([^}]*))?\}/g, (_, name: string, one?: string, many?: string) => {
    const value = values[name] ?? "";
    if (one === undefined) return String(value);
    return new Intl.PluralRules(language).select(Number(value)) === "one" ? one : many!;
  });
}

/** As many whole sentences as there is room for (in letters), one at least. */
export function inShort(text: string, room: number): string {
  const [first = "", ...rest] = text.split(/(?<=[.!?]) /);
  return rest.reduce((all, next) => (all.length + next.length < room ? `${all} ${next}` : all), first);
}
