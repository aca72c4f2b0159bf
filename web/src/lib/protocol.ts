/**
 * The messages of docs/protocol.md, as types.
 * Made by scripts/protocol_types.py from what the server declares: not to be changed by hand.
 */

export const VERSION = 2;

export type Cell = [number, number];

export type Point = [number, number];

export type Options = Record<string, string | number>;

export type Status = "waiting" | "running" | "over";

export type Verb = "place" | "discard" | "deploy" | "take" | "move" | "choose" | "pass";

export type GameEvent = Drawn | Discarded | Placed | Deployed | Returned | Scored | Noted | Ended;

/** Members of a game of which a change tells only what is new in them. */
export type Spliced = "tiles" | "figures" | "tokens" | "discards" | "log" | "sources";

/** What the server says on the socket. */
export type Message =
  | State
  | Chat
  | Welcome
  | Done
  | Refused
  | Thinking
  | Presence
  | RegionMessage
  | Regions
  | AidsMessage
  | WhyNot
  | Pong
  | Beat
  | Change;

/** How long everybody may think; see docs/protocol.md. */
export interface Clock {
  kind: "none" | "sudden" | "increment" | "turn" | "days";
  seconds?: number;
  increment?: number;
  days?: number;
}

/** A tile that lies before the first turn. */
export interface StartTile {
  tile: string;
  cell: Cell;
  turn?: number;
}

/** A seat of a new table: for its maker, for a bot, or for whoever has the invite. */
export interface SeatWish {
  kind: "human" | "bot" | "open";
  name?: string;
  colour?: string;
  bot?: string;
}

/** A choice of rules that is to be looked at before a table is made. */
export interface RulesWish {
  preset?: string;
  edition?: string;
  modules?: string[];
  options?: Options;
  players?: number;
}

/** A table to be made. */
export interface TableWish {
  seats: SeatWish[];
  title?: string;
  preset?: string;
  edition?: string;
  modules?: string[];
  options?: Options;
  clock?: Clock;
  aids?: boolean;
  shuffle?: boolean;
  public?: boolean;
  start?: StartTile[];
  draws?: string[];
  record?: string;
  position?: string;
}

/** A position or puzzle to be kept. */
export interface PositionWish {
  record: string;
  title?: string;
  goal?: string;
  draws?: string[];
}

/** Somebody with the invite takes a seat. */
export interface SeatClaim {
  invite: string;
  name?: string;
  colour?: string;
  seat?: number;
}

/** A browser wants to be called: where, and with which keys messages to it are encrypted (RFC 8291). */
export interface Subscription {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** Somebody at a table has its free seats played by the computer. */
export interface Fill {
  bot: string;
}

/** Somebody with a seat's link comes back to it. */
export interface Enter {
  token: string;
}

/** A tile on the board. */
export interface Laid {
  tile: string;
  cell: Cell;
  turn: number;
}

/** A piece on the board. */
export interface Figure {
  seat: number;
  piece: string;
  cell: Cell;
  spot: string;
}

/** Something else on the table. */
export interface Token {
  seat: number;
  name: string;
  where: string;
  count: number;
}

/** A segment of the tile on a cell. */
export interface Spot {
  cell: Cell;
  spot: string;
}

/** A tile that fitted nowhere. */
export interface Discard {
  seat: number;
  tile: string;
}

/** How the game ended. */
export interface Outcome {
  reason: string;
  scores: number[];
  ranking: number[];
  winners: number[];
}

/** A named part of a score. */
export interface Part {
  name: string;
  count: number;
  each: number;
  rule: string;
}

/** A tile or token was drawn. */
export interface Drawn {
  event: "drawn";
  seat: number;
  name: string;
}

/** A tile left the game. */
export interface Discarded {
  event: "discarded";
  seat: number;
  tile: string;
}

/** A tile was laid. */
export interface Placed {
  event: "placed";
  seat: number;
  tile: string;
  cell: Cell;
  turn: number;
}

/** A piece was put on a spot. */
export interface Deployed {
  event: "deployed";
  seat: number;
  piece: string;
  cell: Cell | null;
  spot: string;
}

/** A piece went home. */
export interface Returned {
  event: "returned";
  seat: number;
  piece: string;
  cell: Cell | null;
  spot: string;
}

/** A player got points, and why. */
export interface Scored {
  event: "scored";
  seat: number;
  points: number;
  kind: string;
  cell: Cell | null;
  spot: string;
  tiles: Cell[];
  parts: Part[];
  rules: string[];
  final: boolean;
}

/** Something in the words of its module. */
export interface Noted {
  event: "noted";
  seat: number;
  what: string;
  value: string;
}

/** The game is over. */
export interface Ended {
  event: "ended";
  outcome: Outcome;
}

/** One action of the game, as the receiver may know it. */
export interface Entry {
  n: number;
  seq: number;
  seat: number;
  action: string;
  events: GameEvent[];
}

/** Points by where they came from. */
export interface Source {
  kind: string;
  final: boolean;
  points: number[];
}

/** A legal action in parts. `text` is what is sent back. */
export interface Choice {
  text: string;
  verb: Verb;
  tile?: string;
  cell?: Cell;
  turn?: number;
  piece?: string;
  spot?: string;
  to?: Spot;
  choice?: string;
  gain?: number[];
  worth?: number[];
}

/** What the seat is asked. */
export interface Question {
  seat: number;
  prompt: string;
  kind: "place" | "spot" | "piece" | "choice";
  pass: boolean;
  rules: string[];
  actions: Choice[];
}

/** An empty cell beside a tile. */
export interface Hole {
  cell: Cell;
  fits: number;
  dead: boolean;
}

/** What an attentive player could work out. */
export interface Aids {
  unseen: Record<string, number>;
  cells: Hole[];
  trapped: Figure[];
}

/** The position by the eyes of a seat. */
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
  discards: Discard[];
  question: Question | null;
  log: Entry[];
  sources: Source[];
  projected: (number | null)[] | null;
  outcome: Outcome | null;
}

/** Addresses of what the tiles in play look like. */
export interface Drawings {
  data: string;
  themes: Record<string, string>;
}

/** A player's place. */
export interface Seat {
  seat: number;
  kind: "human" | "bot" | "open";
  name: string;
  colour: string;
  bot: string | null;
  ready: boolean;
  online: boolean;
  out: "resigned" | "time" | null;
}

/** A choice of rules in words. */
export interface Told {
  edition: string;
  boxes: string[];
  house_rules: string[];
}

/** What is played. */
export interface RulesChoice {
  edition: string;
  preset: string;
  modules: string[];
  options: Options;
  scripted: boolean;
  told: Record<string, Told>;
}

/** The clock at the moment of the message. */
export interface ClockState {
  kind: "none" | "sudden" | "increment" | "turn" | "days";
  seconds?: number;
  increment?: number;
  days?: number;
  left: number[] | null;
  running: number | null;
}

/** Something that others must agree to. */
export interface Offer {
  kind: string;
  seat: number;
  waiting: number[];
}

/** The proof of the draws, as far as it may be known. */
export interface Fair {
  version: number;
  wanted: number[];
  ends: Record<number, string>;
  commitment: string;
  entropies: (string | null)[];
  seed: string | null;
}

/** A table by the eyes of a seat. */
export interface State {
  type: "state";
  table: string;
  n: number;
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
  offer: Offer | null;
  thinking: number | null;
  next: string | null;
  fair: Fair;
  game: Game | null;
}

/** A line of the chat. */
export interface Chat {
  type: "chat";
  n: number;
  at: number;
  seat: number;
  name: string;
  text: string;
  emote: string | null;
  system: boolean;
}

/** The answer to hello. */
export interface Welcome {
  type: "welcome";
  version: number;
  table: string;
  mine: number[];
  chat: Chat[];
  now: number;
  re: number | string | null;
}

/** It is stored. */
export interface Done {
  type: "done";
  re: number | string | null;
  seq: number;
}

/** Nothing was changed. */
export interface Refused {
  type: "refused";
  re: number | string | null;
  code: string;
  message: string;
  reason?: string;
}

/** A bot began to think. */
export interface Thinking {
  type: "thinking";
  seat: number;
  bot: string;
  since: number;
}

/** Who is there. */
export interface Presence {
  type: "presence";
  online: boolean[];
  watching: number;
}

/** A region of the board. */
export interface Region {
  kind: string;
  tiles: number;
  open: number;
  complete: boolean;
  weights: number[];
  attributes: Record<string, number>;
  spots: Spot[];
  figures: Figure[];
  cells: Cell[];
}

/** What becomes of a region. */
export interface Prospect {
  now: number;
  finished: number | null;
  gaps: number;
  closers: number;
}

/** The region that was asked for. */
export interface RegionMessage {
  type: "region";
  kind: string;
  tiles: number;
  open: number;
  complete: boolean;
  weights: number[];
  attributes: Record<string, number>;
  spots: Spot[];
  figures: Figure[];
  cells: Cell[];
  re: number | string | null;
  prospect: Prospect;
}

/** All regions that were asked for. */
export interface Regions {
  type: "regions";
  re: number | string | null;
  regions: Region[];
}

/** The aids that were asked for. */
export interface AidsMessage {
  type: "aids";
  unseen: Record<string, number>;
  cells: Hole[];
  trapped: Figure[];
  re: number | string | null;
  seq: number;
}

/** Why an action is illegal; or that it is not. */
export interface WhyNot {
  type: "why";
  re: number | string | null;
  legal: boolean;
  reason: string;
  message: string;
}

/** The answer to ping. */
export interface Pong {
  type: "pong";
  re: number | string | null;
  now: number;
}

/** To be sent back at once: the server measures how long messages are under way. */
export interface Beat {
  type: "beat";
  n: number;
}

/** What is new in a list: after the first `at` entries `drop` are gone, and `add` has come in their place. */
export interface Splice<Item> {
  at: number;
  drop: number;
  add: Item[];
}

export interface GameChange {
  turn?: number;
  decides?: number;
  prompt?: string;
  tile?: string | null;
  left?: number;
  tiles?: Splice<Laid>;
  figures?: Splice<Figure>;
  tokens?: Splice<Token>;
  scores?: number[];
  laps?: number[];
  supply?: Record<string, number>[];
  secret?: string[];
  secret_counts?: number[];
  discards?: Splice<Discard>;
  question?: Question | null;
  log?: Splice<Entry>;
  sources?: Splice<Source>;
  projected?: (number | null)[] | null;
  outcome?: Outcome | null;
}

export interface FairChange {
  version?: number;
  wanted?: number[];
  ends?: Record<number, string>;
  commitment?: string;
  entropies?: (string | null)[];
  seed?: string | null;
}

export interface Change {
  type: "change";
  n: number;
  after: number;
  seq?: number;
  now?: number;
  status?: Status;
  title?: string;
  goal?: string;
  rules?: RulesChoice;
  drawings?: Drawings;
  seats?: Seat[];
  mine?: number[];
  seat?: number;
  invite?: string | null;
  aids?: boolean;
  clock?: ClockState;
  undo?: number;
  takeback?: boolean;
  offer?: Offer | null;
  thinking?: number | null;
  next?: string | null;
  fair?: FairChange;
  game?: GameChange;
}

/** Why a request was refused. */
export interface Refusal {
  code: string;
  message: string;
  reason?: string;
}

/** A seat and the secret that it is played with. */
export interface TakenSeat {
  seat: number;
  token: string;
  link: string;
}

/** A new table. */
export interface Created {
  table: string;
  link: string;
  invite: string | null;
  seats: TakenSeat[];
}

/** A seat was taken. */
export interface Joined {
  table: string;
  seat: number;
  token: string;
  link: string;
}

/** This browser has these seats now. */
export interface Entered {
  table: string;
  seats: number[];
}

/** A table in a list. */
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

/** A table that everybody may find, and the invite while a seat is free. */
export interface PublicTable {
  table: Summary;
  invite: string | null;
}

/** Tables that everybody may find. */
export interface PublicTables {
  tables: PublicTable[];
}

/** The tables of a browser. */
export interface Summaries {
  tables: Summary[];
}

/** The position after one action. */
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

/** A whole game, step by step. */
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

/** Where a position is kept. */
export interface PositionLink {
  position: string;
  link: string;
}

/** A position that was kept. */
export interface StoredPosition {
  position: string;
  title: string;
  goal: string;
  record: string;
  draws: number;
  players: number;
  replay: Replay;
}

/** One thing that happened at a table. */
export interface LogLine {
  seq: number;
  at: number;
  text: string;
  lag: number;
}

/** Every line of a game that is over, and the proof of its draws. */
export interface Proof {
  table: string;
  version: number;
  commitment: string;
  seed: string;
  entropies: string[];
  rules: RulesChoice;
  start: Laid[];
  past: string[];
  draws: string[];
  lines: LogLine[];
  bags: [string, number][][];
  gets: number[];
}

/** One decision beside the best that was found. */
export interface JudgedMove {
  n: number;
  action: string;
  value: number;
  best: string;
  best_value: number;
  loss: number;
  choices: number;
  margin: number;
}

/** All that one player did before the next one drew. */
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

/** A field at the end of a game. */
export interface LedgerField {
  kind: string;
  spot: string;
  tiles: number;
  farmers: [string, string, string, string][];
  points: number[];
}

/** A game, judged: what `bastide analyse --json` writes. */
export interface Analysis {
  players: string[];
  judge: string;
  over: boolean;
  par: number | null;
  scores: number[];
  losses: number[];
  turning_points: number[];
  turns: JudgedTurn[];
  fields: LedgerField[];
}

/** What a preset says about the table. */
export interface TablePart {
  clock: Clock | null;
  aids: boolean | null;
}

/** What a choice of rules comes to. */
export interface ChoiceSum {
  edition: string;
  modules: string[];
  options: Options;
  tiles: number;
  players: number;
  pieces: Record<string, number>;
  table: TablePart | null;
  drawings: Drawings;
  told: Record<string, Told>;
}

/** A numbered rule. */
export interface Rule {
  id: string;
  module: string;
  section: string;
  text: string;
  examples: string[];
}

/** With what the server signs its calls (Web Push); nothing where it calls nobody. */
export interface PushKey {
  key: string | null;
}

/** Something that a module lets people choose; the first value is the default. */
export interface Option {
  name: string;
  values: (string | number)[];
  rule: string;
}

/** Something that no book has. */
export interface HouseRule {
  name: string;
  values: (string | number)[];
  rule: string;
  texts: Record<string, Record<string, string>>;
}

/** A box, or a game of its own. */
export interface Module {
  name: string;
  texts: Record<string, Record<string, unknown>>;
  options: Option[];
  house_rules: HouseRule[];
  standalone: boolean;
  players: [number, number];
  prefix: string;
  rules: number;
  lesson: boolean;
  pictures: boolean;
}

/** A named set of options. */
export interface Edition {
  name: string;
  modules: string[];
  options: Options;
  players?: [number, number];
}

/** What a preset says about the table. */
export interface PresetTable {
  clock?: Clock;
  aids?: boolean;
}

/** A named choice. */
export interface Preset {
  name: string;
  edition: string;
  modules: string[];
  options: Options;
  table: PresetTable | null;
  picture: string;
  texts: Record<string, Record<string, string>>;
}

/** How long names and texts may be, and how many seats a table may have. */
export interface LongestTexts {
  name: number;
  chat: number;
  title: number;
  seats: number;
}

/** Everything that a page must know before a table is made. */
export interface Catalogue {
  version: number;
  game: string;
  modules: Module[];
  editions: Edition[];
  presets: Preset[];
  bots: string[];
  colours: string[];
  themes: string[];
  emotes: string[];
  clocks: string[];
  limits: LongestTexts;
}

/** A part of a tile: a road, a city. */
export interface Segment {
  kind: string;
  names: string[];
  sides: string[];
  outline: string;
  spots: Point[];
  marks?: Record<string, number>;
}

/** What belongs to the drawing of a tile. */
export interface TileDrawing {
  id: string;
  segments: Segment[];
  places: Record<string, Point[]>;
  marks?: Record<string, unknown>;
}

/** How a kind of land looks. */
export interface KindDrawing {
  ground: boolean;
  around: boolean;
}

/** How a piece looks. */
export interface PieceDrawing {
  lies: boolean;
  scale: number;
}

/** Outlines and places of everything in play. */
export interface DrawingData {
  tiles: Record<string, TileDrawing>;
  kinds: Record<string, KindDrawing>;
  pieces: Record<string, PieceDrawing>;
}

/** Words in the languages that a module speaks: English always. */
export interface Spoken {
  en: string;
  fr?: string;
}

/** One sentence of a lesson, and what goes with it. */
export interface LessonStep {
  en: string;
  fr?: string;
  do?: string;
  else?: Spoken;
  other?: string[];
  show?: string;
  end?: boolean;
}

/** A table to be made, and what the page says and lights at it. */
export interface Lesson {
  record: string[];
  draws: string[];
  steps: LessonStep[];
}

/** A drawn board that shows a rule, ready to be shown. */
export interface RulePicture {
  svg: string;
  rules: string[];
  texts: Record<string, string>;
  sums: string[];
}
