/** The table in words: every cell, region, hole and player can be asked for, and every move typed. Holds no rules. */

import { api } from "./api";
import { key, kindAtSide, turnedSide } from "./geometry";
import { sheet } from "./drawings.svelte";
import type { Cell, Choice, Figure, TileDrawing } from "./protocol";
import { Land } from "./scene";
import { settings, t } from "./settings.svelte";
import type { Table } from "./table.svelte";
import type { Words } from "./words";
import { COMMANDS, s, VERBS } from "../texts/spoken";

const SIDES: [string, Cell, string][] = [
  ["N", [0, -1], "S"],
  ["E", [1, 0], "W"],
  ["S", [0, 1], "N"],
  ["W", [-1, 0], "E"],
];
const LIST = 6; // things named when a command means several

const cellOf = (word = ""): Cell | undefined =>
  /^-?\d+,-?\d+$/.test(word) ? (word.split(",").map(Number) as Cell) : undefined;
const byPlace = (a: Cell, b: Cell) => a[1] - b[1] || a[0] - b[0];
const wordFor = (lists: Record<string, string[]>, word: string) =>
  Object.keys(lists).find((name) => lists[name]!.includes(word));

export class Spoken {
  #hole = -1; // where the keys stand among the holes,
  #region = -1; // and among the regions

  constructor(
    private readonly table: Table,
    private readonly words: () => Words,
  ) {}

  get #game() {
    return this.table.game!;
  }
  get #land() {
    return new Land(this.#game.tiles, sheet.data);
  }

  /** The answer to a command. */
  async answer(line: string): Promise<string> {
    const typed = line
      .trim()
      .replace(/\s*,\s*/g, ",")
      .split(/\s+/);
    const rest = typed.slice(1);
    const cell = cellOf(rest[0]);
    switch (wordFor(COMMANDS, typed[0]!.toLowerCase())) {
      case "help":
        return s("help");
      case "what":
        return cell ? this.cell(cell) : s("unknown", { command: line });
      case "region":
        return cell ? this.region(cell, this.#spot(rest.slice(1))) : s("unknown", { command: line });
      case "tile":
        return this.tile();
      case "moves":
        return this.moves(cell);
      case "play":
        return this.#numbered(Number(rest[0]));
      case "players":
        return this.#game.scores.map((_, seat) => this.player(seat)).join(". ");
      case "player":
        return this.player(Number(rest[0]) - 1) || s("unknown", { command: line });
      case "holes":
        return this.holes()
          .map((one) => this.cell(one))
          .join(". ");
      case "board":
        return this.#board();
      case "bag":
        return this.#bag();
      case "log":
        return this.#log(Number(rest[0]) || this.#game.scores.length);
      case "turn":
        return this.#situation();
      case "undo":
        return this.table.state!.undo && (await this.table.undo()) ? s("undone") : s("noUndo");
      case "rule":
        return this.#rule(rest[0] ?? "");
      default:
        return this.#move(line, typed);
    }
  }

  // --- what lies there

  /** A tile by its sides, then by its parts as actions name them. */
  private described(name: string, turn: number, at?: Cell): string {
    const drawing = sheet.data.tiles[name];
    if (!drawing) return t("tileUnknown");
    const words = this.words();
    const sides = SIDES.map(([side]) => {
      const kind = kindAtSide(drawing, turn, side);
      return s("side", { side: words.side(side), kind: kind ? words.of(kind, "kinds") : s("none") });
    });
    const parts = drawing.segments.map((segment) => {
      const reached = [...new Set(segment.sides.map((side) => turnedSide(side, turn)))].sort(
        (a, b) => "NESW".indexOf(a[0]!) - "NESW".indexOf(b[0]!),
      );
      const spot = this.#said(segment.names[turn]!);
      const part = reached.length
        ? s("part", { spot, sides: reached.map(words.side).join(", ") })
        : s("partInside", { spot });
      const region = at ? this.#regionText(at, segment.names[turn]!) : "";
      return [part, this.#marks(segment.marks, turn), region].filter(Boolean).join(", ");
    });
    return [sides.join(", "), this.#marks(drawing.marks, turn), ...parts].filter(Boolean).join(". ");
  }

  /** What is printed: shields, an inn, a symbol that points somewhere. */
  #marks(marks: TileDrawing["marks"], turn: number): string {
    const words = this.words();
    const told = Object.entries(marks ?? {}).map(([name, value]) => {
      if (typeof value === "number" && value > 1) return s("mark", { n: value, name: words.of(name) });
      if (typeof value !== "object" || !value) return words.of(name);
      const more = Object.values(value).map((one) =>
        /^[NESW]$/.test(String(one))
          ? s("pointsTo", { side: words.side(turnedSide(String(one), turn)) })
          : words.of(String(one)),
      );
      return [words.of(name), ...more].join(" ");
    });
    return told.length ? s("with", { marks: told.join(", ") }) : "";
  }

  /** The tile to be placed. */
  tile(): string {
    const name = this.#game.tile;
    return name ? `${s("tile", { tile: name })}. ${this.described(name, 0)}` : s("tileNone");
  }

  /** A cell: its tile with who stands where, or what surrounds it. */
  cell(cell: Cell): string {
    const land = this.#land;
    const laid = land.at(cell);
    if (laid) {
      const head = s("turned", { tile: laid.tile, degrees: 90 * laid.turn });
      const tokens = this.#game.tokens
        .filter((token) => token.where === key(cell))
        .map((token) => this.words().of(token.name));
      return [t("told", { what: key(cell), says: head }), this.described(laid.tile, laid.turn, cell), ...tokens].join(
        ". ",
      );
    }
    const around = SIDES.map(([side, [dx, dy], back]) => {
      const other = land.at([cell[0] + dx, cell[1] + dy]);
      const drawing = other && sheet.data.tiles[other.tile];
      const kind = drawing && kindAtSide(drawing, other.turn, back);
      return { side: this.words().side(side), kind: kind && this.words().of(kind, "kinds"), other };
    });
    if (!around.some((one) => one.other)) return s("empty", { cell: key(cell) });
    const said = around.map(({ side, kind }) => (kind ? s("beside", { side, kind }) : s("besideNothing", { side })));
    const hole = this.#game.aids?.cells.find((one) => key(one.cell) === key(cell));
    const turns = this.#placed(cell).map((one) => 90 * (one.turn ?? 0));
    return [
      s("hole", { cell: key(cell) }),
      ...said,
      hole ? (hole.dead ? s("dead") : s("fits", { n: hole.fits })) : "",
      turns.length ? s("yoursFits", { degrees: turns.join(", ") }) : "",
    ]
      .filter(Boolean)
      .join(", ");
  }

  #placed = (cell: Cell): Choice[] =>
    (this.table.question?.actions ?? []).filter(
      (one) => one.verb === "place" && one.cell && key(one.cell) === key(cell),
    );

  /** The empty squares beside tiles, from north to south. */
  holes(): Cell[] {
    const land = this.#land;
    const found = new Map<string, Cell>();
    for (const { cell } of this.#game.tiles)
      for (const [, [dx, dy]] of SIDES) {
        const next: Cell = [cell[0] + dx, cell[1] + dy];
        if (!land.at(next)) found.set(key(next), next);
      }
    return [...found.values()].sort(byPlace);
  }

  // --- regions

  /** A region with all its squares and open ends. */
  region(cell: Cell, spot: string): string {
    const laid = this.#land.at(cell);
    if (!laid) return s("noTile", { cell: key(cell) });
    const spots = sheet.data.tiles[laid.tile]?.segments.map((one) => one.names[laid.turn]!) ?? [];
    const fitting = spots.filter((one) => one === spot || (spot && one.startsWith(spot)));
    if (fitting.length !== 1) {
      const names = spots.map((one) => this.#said(one)).join(", ");
      return s("noRegion", { spot: this.#said(spot), cell: key(cell), spots: names });
    }
    const parts = this.#parts(cell, fitting[0]!);
    const cells = [...new Map(parts.map((one) => [key(one.cell), one.cell])).values()].sort(byPlace);
    const ends = this.#ends(parts);
    const open = [...new Set(ends.map(({ cell: [x, y], side }) => this.#beyond([x, y], side)))];
    return [
      this.#regionText(cell, fitting[0]!),
      s("cells", { cells: cells.map(key).join("; ") }),
      open.length ? s("openAt", { cells: open.join("; ") }) : "",
    ]
      .filter(Boolean)
      .join(". ");
  }

  #parts = (cell: Cell, spot: string) =>
    this.#land.region(
      cell,
      spot,
      this.#game.tiles.map((laid) => laid.cell),
    );

  #beyond([x, y]: Cell, side: string): string {
    const [, [dx, dy]] = SIDES.find(([name]) => name === side[0])!;
    return key([x + dx, y + dy]);
  }

  /** The sides of a region at which no tile lies. */
  #ends(parts: { cell: Cell; spot: string }[]): { cell: Cell; side: string }[] {
    const land = this.#land;
    const found = new Map<string, { cell: Cell; side: string }>();
    for (const { cell, spot } of parts)
      for (const own of land.segment(cell, spot)?.sides ?? []) {
        const side = turnedSide(own, land.at(cell)!.turn)[0]!;
        const [, [dx, dy]] = SIDES.find(([name]) => name === side)!;
        if (!land.at([cell[0] + dx, cell[1] + dy])) found.set(`${key(cell)} ${side}`, { cell, side });
      }
    return [...found.values()];
  }

  /** A region in short: kind, size, open ends, what is printed in it, who stands there. */
  #regionText(cell: Cell, spot: string): string {
    const land = this.#land;
    const words = this.words();
    const parts = this.#parts(cell, spot);
    const kind = land.segment(cell, spot)?.kind ?? "";
    const tiles = new Set(parts.map((one) => key(one.cell))).size;
    const ends = this.#ends(parts).length;
    const marks: Record<string, number> = {};
    for (const part of parts)
      for (const [name, n] of Object.entries(land.segment(part.cell, part.spot)?.marks ?? {}))
        marks[name] = (marks[name] ?? 0) + n;
    const inside = new Set(parts.map((one) => `${key(one.cell)} ${one.spot}`));
    const figures = this.#game.figures.filter((one) => inside.has(`${key(one.cell)} ${one.spot}`));
    const around = sheet.data.kinds[kind]?.around;
    return [
      around ? words.of(kind, "kinds") : s("region", { kind: words.of(kind, "kinds"), n: tiles }),
      around ? s("around", { n: this.#neighbours(cell) }) : ends ? s("open", { n: ends }) : s("finished"),
      tiles > 1 ? this.#marks(marks, 0) : "",
      figures.map((one) => this.#figure(one)).join(", ") || s("nobody"),
    ]
      .filter(Boolean)
      .join(", ");
  }

  #neighbours = ([x, y]: Cell) =>
    this.#game.tiles.filter(({ cell }) => Math.max(Math.abs(cell[0] - x), Math.abs(cell[1] - y)) === 1).length;

  #figure = (one: Figure) => `${this.words().player(one.seat)} ${this.words().piece(one.piece)}`;

  /** One spot of every region, in the order of the board. */
  #regions(): { cell: Cell; spot: string }[] {
    const seen = new Set<string>();
    const found: { cell: Cell; spot: string }[] = [];
    for (const laid of [...this.#game.tiles].sort((a, b) => byPlace(a.cell, b.cell)))
      for (const segment of sheet.data.tiles[laid.tile]?.segments ?? []) {
        const spot = segment.names[laid.turn]!;
        if (seen.has(`${key(laid.cell)} ${spot}`)) continue;
        for (const part of this.#parts(laid.cell, spot)) seen.add(`${key(part.cell)} ${part.spot}`);
        found.push({ cell: laid.cell, spot });
      }
    return found;
  }

  // --- keys

  /** What a key asks for; nothing if it asks for nothing. */
  key(pressed: string): string {
    if (/^[1-8]$/.test(pressed)) return this.player(Number(pressed) - 1);
    if (pressed === "," || pressed === ".") {
      const holes = this.holes();
      this.#hole = (this.#hole + (pressed === "." ? 1 : holes.length - 1) + holes.length) % holes.length;
      return this.cell(holes[this.#hole]!);
    }
    if (pressed === ";" || pressed === ":") {
      const regions = this.#regions();
      this.#region = (this.#region + (pressed === ";" ? 1 : regions.length - 1) + regions.length) % regions.length;
      const { cell, spot } = regions[this.#region]!;
      return t("told", { what: `${key(cell)} ${this.#said(spot)}`, says: this.region(cell, spot) });
    }
    return "";
  }

  // --- people and tiles

  player(seat: number): string {
    const game = this.#game;
    if (!(seat in game.scores)) return "";
    const words = this.words();
    const supply = Object.entries(game.supply[seat] ?? {}).map(([piece, n]) => `${n} ${words.piece(piece)}`);
    const tokens = game.tokens
      .filter((token) => token.seat === seat && !token.where && token.count)
      .map((token) => `${token.count} ${words.of(token.name)}`);
    const hidden = game.secret_counts[seat];
    return [
      s("player", {
        n: seat + 1,
        name: words.player(seat),
        score: game.scores[seat]!,
        supply: supply.join(", ") || s("none"),
      }),
      tokens.length ? s("has", { tokens: tokens.join(", ") }) : "",
      hidden ? s("hidden", { n: hidden }) : "",
      game.secret.length && seat === this.table.state!.seat ? game.secret.map((one) => words.of(one)).join(", ") : "",
    ]
      .filter(Boolean)
      .join(", ");
  }

  #board(): string {
    const tiles = [...this.#game.tiles].sort((a, b) => byPlace(a.cell, b.cell));
    const told = tiles.map((laid) =>
      s("boardTile", { cell: key(laid.cell), tile: laid.tile, degrees: 90 * laid.turn }),
    );
    return [s("board", { n: tiles.length }), ...told].join(". ");
  }

  #bag(): string {
    const list = Object.entries(this.#game.aids?.unseen ?? {}).map(([tile, n]) =>
      s("bagTile", { n, tile, sides: this.words().tile(sheet.data.tiles[tile], 0, sheet.ground) }),
    );
    return s("bag", { n: this.#game.left, list: list.join(". ") });
  }

  #log(count: number): string {
    const told = this.table.log
      .slice(-3 * count)
      .flatMap((entry) => entry.events)
      .filter((event) => event.event !== "drawn")
      .map((event) => this.words().event(event));
    return told.slice(-2 * count).join(". ");
  }

  /** Whose turn it is, and what is asked. */
  #situation(): string {
    const question = this.table.question;
    if (this.table.state!.status === "over") return this.#over();
    if (!question) return this.words().about("sayTurn", this.#game.decides);
    const tile = question.kind === "place" ? this.tile() : "";
    const choices = t("sayChoices", { n: question.actions.length });
    return [t("sayYourTurn"), tile, `${this.words().prompt(question.prompt)}.`, choices].filter(Boolean).join(" ");
  }

  #over(): string {
    const scores = this.#game.scores.map((_, seat) => this.player(seat)).join(". ");
    return s("over", { scores });
  }

  async #rule(id: string): Promise<string> {
    const rules = await api.rules(this.table.state!.rules.modules, settings.language);
    const found = rules.find((rule) => rule.id.toLowerCase() === id.toLowerCase());
    return found ? s("rule", { id: found.id, text: found.text }) : s("noRule", { id });
  }

  // --- moves

  /** Everything that can be done, with numbers; on one cell only, if it is given. */
  moves(cell?: Cell): string {
    if (!this.table.question) return this.table.state!.status === "over" ? this.#over() : s("notYours");
    const told = this.table.question.actions.flatMap((choice, n) =>
      !cell || (choice.cell && key(choice.cell) === key(cell))
        ? [s("move", { n: n + 1, move: this.#told(choice) })]
        : [],
    );
    return told.join(". ") || s("noMoves");
  }

  /** A move in words, with what one must type for it. */
  #told = (choice: Choice): string => `${this.words().choice(choice)} (${choice.text})`;

  async #numbered(number: number): Promise<string> {
    const choice = this.table.question?.actions[number - 1];
    if (!choice) return this.table.question ? s("unknown", { command: String(number) }) : s("notYours");
    return this.#play(choice);
  }

  async #play(choice: Choice): Promise<string> {
    const done = await this.table.play(choice.text);
    return done ? s("done", { move: this.words().choice(choice) }) : "";
  }

  /** A move in words, as much of it as is needed: the legal action that has all these words in this order. */
  async #move(line: string, typed: string[]): Promise<string> {
    const named = typed.map((word) => this.#internal(word));
    const known =
      wordFor(VERBS, typed[0]!.toLowerCase()) ||
      this.table.question?.actions.some((one) => one.text.split(" ").includes(named[0]!));
    if (!this.table.question) return known ? s("notYours") : s("unknown", { command: line });
    const fits = (choice: Choice) => {
      const words = choice.text.split(" ");
      let at = 0;
      return named.every((word) => {
        at = words.indexOf(word, at) + 1;
        return at > 0;
      });
    };
    const found = this.table.question.actions.filter(fits);
    const exact = found.find((one) => one.text === named.join(" "));
    if (exact ?? found.length === 1) return this.#play(exact ?? found[0]!);
    if (found.length) {
      const list = found.slice(0, LIST).map((one) => one.text);
      return s("several", { list: list.join("; ") + (found.length > LIST ? " …" : "") });
    }
    if (!known) return s("unknown", { command: line });
    const why = await this.table.why(named.join(" "));
    return s("notLegal", { reason: why ? this.words().reason(why.reason, why.message) : line });
  }

  /** A word as actions have it: `ville` is `city`, `nord` is `N`. */
  #internal(word: string): string {
    const plain = word.toLowerCase();
    const verb = wordFor(VERBS, plain);
    if (verb) return verb;
    if (/^-?\d/.test(word)) return word;
    const side = ["N", "E", "S", "W"].find((one) => this.words().side(one).toLowerCase() === plain);
    if (side) return side;
    const names = [...Object.keys(sheet.data.kinds), ...Object.keys(sheet.data.pieces)];
    const meant = names.find((name) => this.words().of(name, "kinds", "pieces").toLowerCase() === plain);
    if (meant) return meant;
    const tile = Object.keys(sheet.data.tiles).find((name) => name.toLowerCase() === plain);
    return /^[nesw][lr]?$/.test(plain) ? plain.toUpperCase() : names.includes(plain) ? plain : (tile ?? word);
  }

  /** A spot as actions have it. */
  #spot = (typed: string[]): string => typed.map((word) => this.#internal(word)).join(" ");

  /** A spot as one types it, in the reader's language: "ville N". */
  #said = (spot: string): string => {
    const [kind = "", ...rest] = spot.split(" ");
    return [this.words().of(kind, "kinds"), ...rest].join(" ");
  };
}
