/** The HTTP part of the protocol. */

import { carrierOf, here, type Carrier } from "./carrier";
import { plainPicture } from "./definitions";
import { PLAIN } from "./site";
import { setAll } from "../texts/format";
import type {
  Analysis,
  Catalogue,
  ChoiceSum,
  Created,
  Entered,
  Joined,
  Lesson,
  PositionLink,
  PositionWish,
  Proof,
  PublicTables,
  PushKey,
  Refusal,
  Replay,
  RulePicture,
  Rule,
  RulesWish,
  SeatClaim,
  State,
  StoredPosition,
  Subscription,
  Summaries,
  TableWish,
  TakenSeat,
} from "./protocol";

/** The server's refusal, or `network` when there was no answer. */
export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

async function ask<T>(
  method: string,
  path: string,
  body?: unknown,
  keepalive = false,
  carrier: Carrier = carrierOf(path),
): Promise<T> {
  let response: Response;
  try {
    response = await carrier.ask(method, path, body, keepalive);
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
const pictures = new Map<string, Promise<string>>();

async function pictureAt(path: string): Promise<string> {
  const answer = await carrierOf(path).ask("GET", path);
  const svg = await answer.text();
  return URL.createObjectURL(new Blob([answer.ok ? plainPicture(svg) : svg], { type: "image/svg+xml" }));
}

/** What is asked once and kept; a failure is asked again. */
function once<T>(promise: Promise<T>, forget: () => void): Promise<T> {
  promise.catch(forget);
  return promise;
}

/** The tables of this browser at the server, and those that it has itself once the engine is there. */
async function ownTables(): Promise<Summaries> {
  if (PLAIN || !here.tables) return get<Summaries>("/api/tables");
  here.start();
  const own = () => ask<Summaries>("GET", "/api/tables", undefined, false, here);
  const served = await get<Summaries>("/api/tables").catch((wrong: unknown) => wrong);
  if (served instanceof Error) return own();
  const { tables } = served as Summaries;
  const kept = here.progress.ready ? (await own()).tables : [];
  return { tables: [...tables, ...kept].sort((a, b) => b.changed - a.changed) };
}

export const api = {
  get, // of parts that are loaded when they are wanted
  catalogue: () =>
    (catalogue ??= once(
      get<Catalogue>("/api/catalogue").then((found) => setAll(found)),
      () => (catalogue = undefined),
    )),
  rules(modules: string[], language: string) {
    const path = `/api/rules?language=${language}${modules.length ? `&modules=${modules.join(",")}` : ""}`;
    if (!rules.has(path))
      rules.set(
        path,
        once(
          get<Rule[]>(path).then((found) => setAll(found, language)),
          () => rules.delete(path),
        ),
      );
    return rules.get(path)!;
  },
  rulePictures: (module: string, theme: string) =>
    get<RulePicture[]>(`/api/rulepages/${module}?theme=${theme}`).then((found) => setAll(found)),
  lesson: (module: string) => get<Lesson>(`/api/lessons/${module}`).then((found) => setAll(found)),
  choice: (choosing: RulesWish) => ask<ChoiceSum>("POST", "/api/choice", choosing),
  tables: ownTables,
  publicTables: () => get<PublicTables>("/api/public"),
  fill: (table: string, bot: string) => ask<unknown>("POST", `/api/tables/${table}/fill`, { bot }),
  create: (wish: TableWish, carrier?: Carrier) => ask<Created>("POST", "/api/tables", wish, false, carrier),
  join: (table: string, wish: SeatClaim) => ask<Joined>("POST", `/api/tables/${table}/join`, wish),
  enter: (table: string, token: string) => ask<Entered>("POST", `/api/tables/${table}/enter`, { token }),
  newLink: (table: string, seat: number) => ask<TakenSeat>("POST", `/api/tables/${table}/seats/${seat}/link`),
  pushKey: () => get<PushKey>("/api/push"),
  subscribe: (wish: Subscription) => ask<unknown>("POST", "/api/push", wish),
  unsubscribe: () => ask<unknown>("DELETE", "/api/push"),
  leave: (table: string) => ask<unknown>("POST", `/api/tables/${table}/leave`, undefined, true),
  state: (table: string) => get<State>(`/api/tables/${table}/state`),
  replay: (table: string) => get<Replay>(`/api/tables/${table}/replay`),
  proof: (table: string) => get<Proof>(`/api/tables/${table}/log`),
  analysis: (table: string) => get<Analysis>(`/api/tables/${table}/analysis`),
  recordPath: (table: string, at?: number) => `/api/tables/${table}/record${at === undefined ? "" : `?at=${at}`}`,
  record: (table: string, at: number) => get<string>(`/api/tables/${table}/record?at=${at}`),
  store: (wish: PositionWish) => ask<PositionLink>("POST", "/api/positions", wish),
  position: (id: string) => get<StoredPosition>(`/api/positions/${id}`),
  /** The address of a small picture of a module. */
  picture(module: string, theme: string): Promise<string> {
    const path = `/api/pictures/${module}.svg?theme=${theme}`;
    if (!PLAIN) return Promise.resolve(path);
    if (!pictures.has(path)) pictures.set(path, pictureAt(path));
    return pictures.get(path)!;
  },
};
