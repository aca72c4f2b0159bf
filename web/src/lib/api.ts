/** The HTTP part of the server. */

import type {
  Analysis,
  Catalogue,
  Created,
  Lesson,
  Options,
  Drawings,
  Proof,
  PublicTable,
  Refusal,
  Replay,
  Rule,
  State,
  StoredPosition,
  Summary,
  TableWish,
} from "./protocol";

/** The server's refusal, or `network` when there was no answer. */
export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

async function ask<T>(method: string, path: string, body?: unknown, keepalive = false): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      keepalive, // it is sent although the page goes
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Refused({ code: "network", message: "no answer" });
  }
  if (!response.ok) {
    const refusal = await response.json().catch(() => ({ code: "internal", message: response.statusText }));
    throw new Refused(refusal);
  }
  if (response.status === 204) return undefined as T;
  return (response.headers.get("content-type")?.includes("json") ? response.json() : response.text()) as Promise<T>;
}

const get = <T>(path: string) => ask<T>("GET", path);

let catalogue: Promise<Catalogue> | undefined;
const rules = new Map<string, Promise<Rule[]>>();

/** What is asked once and kept; a failure is asked again. */
function once<T>(promise: Promise<T>, forget: () => void): Promise<T> {
  promise.catch(forget);
  return promise;
}

export interface ChoiceSum {
  edition: string;
  modules: string[];
  options: Options;
  tiles: number;
  players: number;
  drawings: Drawings;
}
type Choosing = Pick<TableWish, "preset" | "edition" | "modules" | "options"> & { players?: number };

export const api = {
  catalogue: () => (catalogue ??= once(get<Catalogue>("/api/catalogue"), () => (catalogue = undefined))),
  rules(modules: string[], language: string) {
    const path = `/api/rules?language=${language}${modules.length ? `&modules=${modules.join(",")}` : ""}`;
    if (!rules.has(path))
      rules.set(
        path,
        once(get<Rule[]>(path), () => rules.delete(path)),
      );
    return rules.get(path)!;
  },
  lesson: (module: string) => get<Lesson>(`/api/lessons/${module}`),
  choice: (choosing: Choosing) => ask<ChoiceSum>("POST", "/api/choice", choosing),
  tables: () => get<{ tables: Summary[] }>("/api/tables"),
  publicTables: () => get<{ tables: PublicTable[] }>("/api/public"),
  fill: (table: string, bot: string) => ask<unknown>("POST", `/api/tables/${table}/fill`, { bot }),
  create: (wish: TableWish) => ask<Created>("POST", "/api/tables", wish),
  join: (table: string, wish: { invite: string; name?: string }) =>
    ask<{ seat: number; link: string }>("POST", `/api/tables/${table}/join`, wish),
  enter: (table: string, token: string) => ask<{ seats: number[] }>("POST", `/api/tables/${table}/enter`, { token }),
  leave: (table: string) => ask<unknown>("POST", `/api/tables/${table}/leave`, undefined, true),
  state: (table: string) => get<State>(`/api/tables/${table}/state`),
  replay: (table: string) => get<Replay>(`/api/tables/${table}/replay`),
  proof: (table: string) => get<Proof>(`/api/tables/${table}/log`),
  analysis: (table: string) => get<Analysis>(`/api/tables/${table}/analysis`),
  recordPath: (table: string, at?: number) => `/api/tables/${table}/record${at === undefined ? "" : `?at=${at}`}`,
  record: (table: string, at: number) => get<string>(`/api/tables/${table}/record?at=${at}`),
  store: (wish: { record: string; title?: string; goal?: string; draws?: string[] }) =>
    ask<{ position: string; link: string }>("POST", "/api/positions", wish),
  position: (id: string) => get<StoredPosition>(`/api/positions/${id}`),
  picture: (module: string, theme: string) => `/api/pictures/${module}.svg?theme=${theme}`,
};
