/** Texts by key on a few shelves: in the browser's database, or in memory where it has none (private windows). */

const NAME = "bastide";
const SHELVES = ["tables", "lines", "chat"];

/** One entry: what it must be now (null: absent), and what it becomes (null: it goes). */
type Change = [shelf: string, key: string, was: string | null, now: string | null];

export interface Shelves {
  kept: boolean; // are the texts still there when the page is opened again?
  get(shelf: string, key: string): Promise<string | undefined>;
  all(shelf: string, start: string): Promise<string[]>;
  /** All of it or nothing: false if an entry is not what it must be. */
  commit(text: string): Promise<boolean>;
  /** Everything about a table: its name is the key, or the first word of it. */
  forget(table: string): Promise<void>;
}

/** The best that this browser has. */
export const openShelves = (): Promise<Shelves> =>
  opened().then(
    (database) => new Database(database),
    () => new Memory(),
  );

const opened = () =>
  new Promise<IDBDatabase>((done, failed) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => SHELVES.forEach((shelf) => request.result.createObjectStore(shelf));
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });

/** What is committed is stored before anybody is told. */
class Database implements Shelves {
  readonly kept = true;

  constructor(private readonly database: IDBDatabase) {}

  async get(shelf: string, key: string): Promise<string | undefined> {
    return (await this.#read(shelf, (store) => store.get(key))) as string | undefined;
  }

  async all(shelf: string, start: string): Promise<string[]> {
    const range = IDBKeyRange.bound(start, start + "\uffff");
    return (await this.#read(shelf, (store) => store.getAll(range))) as string[];
  }

  async commit(text: string): Promise<boolean> {
    const changes = JSON.parse(text) as Change[];
    return new Promise((done, failed) => {
      const transaction = this.database.transaction(SHELVES, "readwrite", { durability: "strict" });
      let refused = false;
      transaction.oncomplete = () => done(true);
      transaction.onabort = () =>
        refused ? done(false) : failed(transaction.error ?? new Error("nothing was stored"));
      for (const [shelf, key, was, now] of changes) {
        const store = transaction.objectStore(shelf);
        const found = store.get(key);
        found.onsuccess = () => {
          if (refused) return;
          if ((found.result ?? null) !== was) {
            refused = true;
            transaction.abort();
          } else if (now === null) store.delete(key);
          else store.put(now, key);
        };
      }
    });
  }

  async forget(table: string): Promise<void> {
    return new Promise((done, failed) => {
      const transaction = this.database.transaction(SHELVES, "readwrite", { durability: "strict" });
      transaction.oncomplete = () => done();
      transaction.onabort = () => failed(transaction.error ?? new Error("nothing was forgotten"));
      for (const shelf of SHELVES) {
        transaction.objectStore(shelf).delete(table);
        transaction.objectStore(shelf).delete(IDBKeyRange.bound(`${table} `, `${table} \uffff`));
      }
    });
  }

  #read(shelf: string, ask: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
    return new Promise((done, failed) => {
      const request = ask(this.database.transaction(shelf).objectStore(shelf));
      request.onsuccess = () => done(request.result);
      request.onerror = () => failed(request.error);
    });
  }
}

/** Gone with the page. */
class Memory implements Shelves {
  readonly kept = false;
  readonly #shelves = new Map(SHELVES.map((shelf) => [shelf, new Map<string, string>()]));

  async get(shelf: string, key: string): Promise<string | undefined> {
    return this.#shelves.get(shelf)!.get(key);
  }

  async all(shelf: string, start: string): Promise<string[]> {
    const found = [...this.#shelves.get(shelf)!].filter(([key]) => key.startsWith(start));
    return found.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text);
  }

  async commit(text: string): Promise<boolean> {
    const changes = JSON.parse(text) as Change[];
    if (changes.some(([shelf, key, was]) => (this.#shelves.get(shelf)!.get(key) ?? null) !== was)) return false;
    for (const [shelf, key, , now] of changes) {
      if (now === null) this.#shelves.get(shelf)!.delete(key);
      else this.#shelves.get(shelf)!.set(key, now);
    }
    return true;
  }

  async forget(table: string): Promise<void> {
    for (const shelf of this.#shelves.values())
      for (const key of [...shelf.keys()]) if (key === table || key.startsWith(`${table} `)) shelf.delete(key);
  }
}
