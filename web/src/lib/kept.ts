/** Small things about tables that this browser remembers; the oldest are forgotten. */

const MOST = 40;

export class Kept<T> {
  constructor(private readonly store: string) {}

  get(table: string): T | undefined {
    return this.#all()[table];
  }

  put(table: string, value: T) {
    const others = Object.entries(this.#all())
      .filter(([id]) => id !== table)
      .slice(-MOST);
    localStorage.setItem(this.store, JSON.stringify(Object.fromEntries([...others, [table, value]])));
  }

  #all(): Record<string, T> {
    try {
      return JSON.parse(localStorage.getItem(this.store) ?? "{}");
    } catch {
      return {};
    }
  }
}
