/** Small things about tables that this browser remembers; the oldest are forgotten. */

const MOST = 40;

/** Keeps a value in this browser. Where nothing can be kept (private window, full disk) the page goes on without. */
export function store(name: string, value: unknown) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // what cannot be kept is forgotten with the page
  }
}

/** What was kept; null where there is nothing. */
export function load(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

export class Kept<T> {
  constructor(private readonly name: string) {}

  get(table: string): T | undefined {
    return this.#all()[table];
  }

  put(table: string, value: T) {
    const others = Object.entries(this.#all())
      .filter(([id]) => id !== table)
      .slice(-MOST);
    store(this.name, Object.fromEntries([...others, [table, value]]));
  }

  #all(): Record<string, T> {
    try {
      return JSON.parse(localStorage.getItem(this.name) ?? "{}");
    } catch {
      return {};
    }
  }
}
