/** The messages of docs/protocol.md, version 1, as types. */

export const VERSION = 1;

export type Cell = [number, number];
export type Point = [number, number];
export type Words = Record<string, unknown>;

export interface Option {
  name: string;
  values: (string | number)[];
  rule: string;
}
export interface HouseRule extends Option {
  texts: Record<string, { name?: string; says?: string }>;
}
export interface Module {
  name: string;
  texts: Record<string, Words>;
  options: Option[];
  house_rules: HouseRule[];
  standalone: boolean;
  players: [number, number];
  prefix: string;
  rules: number;
  lesson: boolean;
}
export type Options = Record<string, string | number>;
export interface Preset {
  name: string;
  edition: string;
  modules: string[];
  options: Options;
  table: { clock?: Clock; aids?: boolean } | null;
  picture: string; // of this module
  texts: Record<string, { name?: string; summary?: string }>; // by language, of those that plug-ins bring
}
export interface Catalogue {
  version: number;
  modules: Module[];
  editions: { name: string; modules: string[]; options: Options }[];
  presets: Preset[];
  bots: string[];
  colours: string[];
  themes: string[];
  emotes: string[];
  clocks: string[];
  limits: { name: number; chat: number; title: number; seats: number };
}
export interface Rule {
  id: string;
  module: string;
  section: string;
  text: string;
  examples: string[];
}

/** Words in the languages that a module speaks: English always. */
export interface Spoken {
  en: string;
  fr?: string;
}
/** One sentence of a lesson, and what goes with it. */
export interface LessonStep extends Spoken {
  do?: string; // the action that the learner is to take
  else?: Spoken; // said about any other action
  other?: string[]; // actions of the other player
  show?: string; // a region to look at: cell and spot
  end?: boolean; // the final scoring is on show
}
export interface Lesson {
  record: string[];
  draws: string[];
  steps: LessonStep[];
}

export interface Drawings {
  data: string;
  themes: Record<string, string>;
}
export interface Segment {
  kind: string;
  names: string[];
  sides: string[];
  outline: string;
  spots: Point[];
}
export interface TileDrawing {
  id: string;
  segments: Segment[];
  places?: Record<string, Point[]>;
}
export interface DrawingData {
  tiles: Record<string, TileDrawing>;
  kinds: Record<string, { ground: boolean; around: boolean }>;
  pieces: Record<string, { lies: boolean; scale: number }>;
}

export interface Clock {
  kind: string;
  seconds?: number;
  increment?: number;
  days?: number;
}
export interface ClockState extends Clock {
  left: number[] | null;
  running: number | null;
}

export interface Seat {
  seat: number;
  kind: "human" | "bot" | "open";
  name: string;
  colour: string;
  bot: string | null;
  ready: boolean;
  online: boolean;
  out: null | "resigned" | "time";
}
export type Status = "waiting" | "running" | "over";
export interface Summary {
  table: string;
  title: string;
  status: Status;
  created: number;
  changed: number;
  edition: string;
  modules: string[];
  seats: Seat[];
  mine: number[];
  decides: number;
  deadline: number | null;
  scores: number[];
  winners: number[] | null;
  clock: Clock;
  aids: boolean;
  next: string | null;
}

/** A table that everybody may find, with its invite while a seat is free. */
export interface PublicTable {
  table: Summary;
  invite: string | null;
}

export interface Told {
  edition: string;
  boxes: string[];
  house_rules: string[];
}
export interface RulesChoice {
  edition: string;
  preset: string;
  modules: string[];
  options: Options;
  scripted: boolean;
  told: Record<string, Told>;
}
export interface Laid {
  tile: string;
  cell: Cell;
  turn: number;
}
export interface Figure {
  seat: number;
  piece: string;
  cell: Cell;
  spot: string;
}
export interface Token {
  seat: number;
  name: string;
  where: string;
  count: number;
}
export interface Part {
  name: string;
  count: number;
  each: number;
  rule: string;
}
export interface Outcome {
  reason: string;
  scores: number[];
  ranking: number[];
  winners: number[];
}

export interface Scored {
  event: "scored";
  seat: number;
  points: number;
  kind: string;
  cell: Cell | null;
  spot: string;
  tiles: Cell[];
  final: boolean;
  parts: Part[];
  rules: string[];
}
export type GameEvent =
  | { event: "drawn"; seat: number; name: string }
  | { event: "discarded"; seat: number; tile: string }
  | { event: "placed"; seat: number; tile: string; cell: Cell; turn: number }
  | { event: "deployed" | "returned"; seat: number; piece: string; cell: Cell | null; spot: string }
  | Scored
  | { event: "noted"; seat: number; what: string; value: string }
  | { event: "ended"; outcome: Outcome };
export interface Entry {
  n: number;
  seq: number;
  seat: number;
  action: string;
  events: GameEvent[];
}

export interface Choice {
  text: string;
  verb: "place" | "discard" | "deploy" | "take" | "move" | "choose" | "pass";
  tile?: string;
  cell?: Cell;
  turn?: number;
  piece?: string;
  spot?: string;
  to?: { cell: Cell; spot: string };
  choice?: string;
  gain?: number[];
  worth?: number[];
}
export interface Question {
  seat: number;
  prompt: string;
  kind: "place" | "spot" | "piece" | "choice";
  pass: boolean;
  actions: Choice[];
  rules: string[];
}
export interface Hole {
  cell: Cell;
  fits: number;
  dead: boolean;
}
export interface Aids {
  unseen: Record<string, number>;
  cells: Hole[];
  trapped: Figure[];
}
export interface Source {
  kind: string;
  final: boolean;
  points: number[];
}

export interface Game {
  turn: number;
  decides: number;
  prompt: string;
  tile: string | null;
  left: number;
  tiles: Laid[];
  figures: Figure[];
  tokens: Token[];
  scores: number[];
  laps: number[];
  supply: Record<string, number>[];
  secret: string[];
  secret_counts: number[];
  discards: { seat: number; tile: string }[];
  question: Question | null;
  log_from: number;
  log: Entry[];
  sources: Source[];
  aids: Aids | null;
  outcome: Outcome | null;
}
export interface State {
  type: "state";
  table: string;
  seq: number;
  now: number;
  status: Status;
  title: string;
  goal: string;
  rules: RulesChoice;
  drawings: Drawings;
  seats: Seat[];
  mine: number[];
  seat: number;
  invite: string | null;
  aids: boolean;
  clock: ClockState;
  undo: number;
  takeback: boolean;
  offer: { kind: string; seat: number; waiting: number[] } | null;
  thinking: number | null;
  next: string | null;
  fair: {
    version: number;
    wanted: number[];
    ends: Record<number, string>;
    commitment: string;
    entropies: (string | null)[];
    seed: string | null;
  };
  game: Game | null;
}
export interface Region {
  kind: string;
  tiles: number;
  open: number;
  complete: boolean;
  weights: number[];
  attributes: Record<string, number>;
  spots: { cell: Cell; spot: string }[];
  figures: Figure[];
  cells: Cell[];
}
export interface Chat {
  n: number;
  at: number;
  seat: number;
  name: string;
  text: string;
  emote: string | null;
  system: boolean;
}
export interface Refusal {
  code: string;
  message: string;
  reason?: string;
}

type Reply = { re?: number };
export type Message =
  | { type: "welcome"; version: number; table: string; mine: number[]; chat: Chat[]; now: number }
  | State
  | ({ type: "done"; seq: number } & Reply)
  | ({ type: "refused" } & Refusal & Reply)
  | { type: "thinking"; seat: number; bot: string; since: number }
  | { type: "presence"; online: boolean[]; watching: number }
  | ({ type: "chat" } & Chat)
  | ({ type: "region" } & Region & Reply)
  | ({ type: "regions"; regions: Region[] } & Reply)
  | ({ type: "why"; legal: boolean; reason: string; message: string } & Reply)
  | ({ type: "pong"; now: number } & Reply)
  | { type: "beat"; n: number };

export interface Step {
  n: number;
  seat: number;
  action: string;
  events: GameEvent[];
  laid: number;
  figures: Figure[];
  tokens: Token[];
  supply: Record<string, number>[];
  scores: number[];
  left: number;
  tile: string | null;
}
export interface Replay {
  rules: RulesChoice;
  seats: Seat[];
  drawings: Drawings;
  title: string;
  goal: string;
  tiles: Laid[];
  steps: Step[];
  over: boolean;
}
/** Everything that decided the draws of a game that is over. */
export interface Proof {
  version: number;
  commitment: string;
  seed: string;
  entropies: string[];
  rules: RulesChoice;
  past: string[];
  lines: { seq: number; at: number; text: string }[];
  bags: [string, number][][];
  gets: number[];
}
export interface JudgedMove {
  n: number;
  action: string;
  value: number;
  best: string;
  best_value: number;
  loss: number;
  choices: number;
}
export interface JudgedTurn {
  number: number;
  player: string;
  seat: number;
  n: number;
  actions: string[];
  leads: number[];
  loss: number;
  moves: JudgedMove[];
}
export interface Analysis {
  players: string[];
  judge: string;
  over: boolean;
  par: number | null; // of a game that one player has played to its end
  scores: number[];
  losses: number[];
  turning_points: number[];
  turns: JudgedTurn[];
  fields: {
    kind: string;
    spot: string;
    tiles: number;
    farmers: [string, string, string, string][];
    points: number[];
  }[];
}
export interface StoredPosition {
  position: string;
  title: string;
  goal: string;
  record: string;
  draws: number;
  players: number;
  replay: Replay;
}

export interface SeatWish {
  kind: "human" | "bot" | "open";
  name?: string;
  colour?: string;
  bot?: string;
}
export interface TableWish {
  title?: string;
  preset?: string;
  edition?: string;
  modules?: string[];
  options?: Options;
  seats: SeatWish[];
  clock?: Clock;
  aids?: boolean;
  shuffle?: boolean;
  public?: boolean;
  draws?: string[];
  record?: string;
  position?: string;
}
export interface Created {
  table: string;
  link: string;
  invite: string | null;
  seats: { seat: number; token: string; link: string }[];
}
