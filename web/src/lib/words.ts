/** How modules call their things, in the language of the reader. Their texts come with the catalogue. */

import type { Catalogue, Choice, GameEvent, Module, Seat, Segment, TileDrawing } from "./protocol";
import { key, turnedSide } from "./geometry";
import { isYou, nameOf } from "./people";
import { settings, t, textOr } from "./settings.svelte";
import type { TextKey } from "../texts/en";
import { fill, type Values } from "../texts/format";

/** Groups of words in which a name is looked up when nobody says what it is. */
const GROUPS = ["kinds", "pieces", "sources", "tokens", "marks", "choices", "parts", "places", "prompts"];

export class Words {
  private readonly modules: Module[];

  constructor(
    catalogue: Catalogue | undefined,
    inPlay: string[],
    private readonly seats: Seat[] = [],
    private readonly mine: number[] = [],
  ) {
    this.modules = (catalogue?.modules ?? []).filter((module) => inPlay.includes(module.name));
  }

  /** The word of a module for a name in one of the groups; the name itself if no text has it. */
  of(name: string, ...groups: string[]): string {
    for (const group of groups.length ? groups : GROUPS) {
      for (const module of this.modules) {
        const found = (module.texts[settings.language]?.[group] as Record<string, unknown> | undefined)?.[name];
        if (typeof found === "string") return found;
      }
    }
    return name.replaceAll("_", " ");
  }

  piece = (name: string) => this.of(name, "pieces", "tokens");
  source = (kind: string) => this.of(kind, "sources", "kinds", "parts");
  part = (name: string) => this.of(name, "parts");
  told = (what: string, says: string) => t("told", { what, says });
  player = (seat: number) => nameOf(this.seats, seat, this.mine);

  /** A text about a player; "you" has forms of its own: "You win", not "You wins". */
  about(text: TextKey, seat: number, values: Values = {}): string {
    const named = { name: this.player(seat), ...values };
    return isYou(this.mine, seat) ? textOr(`${text}_you`, t(text, named), named) : t(text, named);
  }

  prompt(name: string): string {
    const found = this.of(name, "prompts");
    return found === name.replaceAll("_", " ") ? textOr(`ask_${name}`, found) : found;
  }

  /** What a module says about something out of the ordinary; nothing where it has no words for it. */
  moment(names: string[], seat: number, values: Values = {}): string {
    const said = (name: string) => {
      for (const module of this.modules) {
        const group = module.texts[settings.language]?.moments as Record<string, string> | undefined;
        const found = (isYou(this.mine, seat) && group?.[`${name}_you`]) || group?.[name];
        if (found) return found;
      }
      return "";
    };
    const text = names.map(said).find(Boolean) ?? "";
    return fill(text, { name: this.player(seat), ...values }, settings.language);
  }

  /** What modules tell who is asked something for the first time. */
  hints(prompt: string): { key: string; text: string }[] {
    return this.modules.flatMap((module) => {
      const text = (module.texts[settings.language]?.hints as Record<string, string> | undefined)?.[prompt];
      return text ? [{ key: `hint ${module.name} ${prompt}`, text }] : [];
    });
  }

  reason(code: string | undefined, message: string): string {
    if (!code) return message;
    const found = this.of(code, "reasons");
    return found === code.replaceAll("_", " ") ? textOr(`reason_not_${code}`, message) : found;
  }

  /** A spot in words: "city N" becomes "city (north)". */
  spot(spot: string): string {
    const [kind = "", ...rest] = spot.split(" ");
    const side = rest[0]?.match(/^[NESW][LR]?$/)?.[0];
    if (side) return t("placeOnTile", { kind: this.of(kind, "kinds"), side: this.side(side) });
    const whole = this.of(spot, "places", "choices");
    return whole === spot ? [kind, ...rest].map((word) => this.of(word)).join(" ") : whole;
  }

  /** A side or half side: "north", "north, western half". */
  side = (name: string): string => textOr(`side_${name}`, name);

  /** A segment with all sides that it reaches, as the tile lies: "city (north, east)". */
  segment(segment: Segment, turn = 0): string {
    const sides = segment.sides.map((side) => turnedSide(side, turn));
    const whole = (side: string) => sides.includes(`${side[0]}L`) && sides.includes(`${side[0]}R`);
    const named = [...new Set(sides.map((side) => (whole(side) ? side[0]! : side)))].sort(
      (a, b) => "NESW".indexOf(a[0]!) - "NESW".indexOf(b[0]!),
    );
    const kind = this.of(segment.kind, "kinds");
    return named.length ? t("placeOnTile", { kind, side: named.map(this.side).join(", ") }) : kind;
  }

  /** A tile in words, for those who do not see it: "tile with city (north, east), road (south)". */
  tile(drawing: TileDrawing | undefined, turn = 0, ground: (kind: string) => boolean = () => false): string {
    if (!drawing) return t("tileUnknown");
    const shown = drawing.segments.filter((segment) => !ground(segment.kind));
    const things = (shown.length ? shown : drawing.segments).map((segment) => this.segment(segment, turn));
    return t("tileWith", { things: things.join("; ") });
  }

  /** A move with the names of its cells. */
  choice(choice: Choice): string {
    const spot = this.spot(choice.spot ?? "");
    const piece = this.piece(choice.piece ?? "");
    const cell = choice.cell ? key(choice.cell) : "";
    switch (choice.verb) {
      case "place":
        return t("placeAt", { cell, degrees: 90 * (choice.turn ?? 0) });
      case "deploy":
        return t(cell ? "deployAt" : "deployOn", { piece, spot, cell });
      case "take":
        return t(cell ? "takeAt" : "takeOn", { piece, spot, cell });
      case "move":
        return t("moveTo", { piece, from: cell, to: choice.to ? key(choice.to.cell) : "" });
      case "discard":
        return t("discardTile", { tile: choice.tile ?? "" });
      case "pass":
        return t("pass");
      case "choose":
        if (choice.tile) return t("chooseTile", { tile: choice.tile });
        return choice.cell
          ? t("chooseCell", { cell })
          : this.of(choice.choice ?? choice.text, "choices", "marks", "tokens", "kinds", "pieces");
    }
  }

  /** A move for who sees on the board which cell is meant; `ways`: in how many the tile can lie there. */
  here(choice: Choice, ways: number): string {
    const { cell, ...elsewhere } = choice;
    if (choice.verb === "place") return t("placeWays", { n: ways });
    if (choice.verb === "move") return t("moveHere", { piece: this.piece(choice.piece ?? "") });
    if (choice.verb === "choose" && cell) return t("chooseHere");
    return this.choice(elsewhere);
  }

  /** What happened; `named`: with the names of its cells. */
  event(event: GameEvent, named = true): string {
    if (event.event === "ended") return t("log_ended");
    const about = (text: TextKey, values: Values = {}) => this.about(text, event.seat, values);
    switch (event.event) {
      case "drawn":
        return event.name === "?"
          ? about("log_drawnHidden")
          : about("log_drawn", { tile: this.of(event.name, "tokens") });
      case "discarded":
        return t("log_discarded", { tile: event.tile });
      case "placed":
        return named ? about("log_placed", { cell: key(event.cell) }) : about("log_laid");
      case "deployed":
        return about("log_deployed", { piece: this.piece(event.piece), spot: this.spot(event.spot) });
      case "returned":
        return about("log_returned", { piece: this.piece(event.piece) });
      case "scored":
        return about(event.final ? "log_scoredFinal" : "log_scored", {
          n: event.points,
          kind: this.source(event.kind),
        });
      case "noted":
        return about("log_noted", {
          what: this.of(event.what),
          value: event.value
            .split(" ")
            .map((word) => this.of(word))
            .join(" "),
        });
    }
  }
}
