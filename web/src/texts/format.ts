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
