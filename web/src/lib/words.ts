/** How modules call their things, in the language of the reader. Their texts come with the catalogue. */

import type { Catalogue, Choice, GameEvent, Module, Seat, TileDrawing } from "./protocol";
import { key } from "./geometry";
import { settings, t, textOr } from "./settings.svelte";

/** Groups of words in which a name is looked up when nobody says what it is. */
const GROUPS = ["kinds", "pieces", "sources", "tokens", "marks", "choices", "parts", "places", "prompts"];

export class Words {
  private readonly modules: Module[];

  constructor(
    catalogue: Catalogue | undefined,
    inPlay: string[],
    private readonly seats: Seat[] = [],
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
  player = (seat: number) => this.seats[seat]?.name || textOr(`colour_${this.seats[seat]?.colour}`, "");

  prompt(name: string): string {
    const found = this.of(name, "prompts");
    return found === name.replaceAll("_", " ") ? textOr(`ask_${name}`, found) : found;
  }

  reason(code: string | undefined, message: string): string {
    if (!code) return message;
    const found = this.of(code, "reasons");
    return found === code.replaceAll("_", " ") ? message : found;
  }

  /** A spot in words: "city N" becomes "city (north)". */
  spot(spot: string): string {
    const [kind = "", ...rest] = spot.split(" ");
    const side = rest[0]?.match(/^[NESW][LR]?$/)?.[0];
    if (side) return t("placeOnTile", { kind: this.of(kind, "kinds"), side: textOr(`side_${side[0]}`, side) });
    const whole = this.of(spot, "places", "choices");
    return whole === spot ? [kind, ...rest].map((word) => this.of(word)).join(" ") : whole;
  }

  /** A tile in words, for those who do not see it: "tile with city (north), road (south)". */
  tile(drawing: TileDrawing | undefined, turn = 0): string {
    const things = drawing?.segments
      .filter((s) => s.kind !== "field" && s.kind !== "meadow")
      .map((s) => this.spot(s.names[turn] ?? s.kind));
    return t("tileWith", {
      things: [
        ...new Set(things?.length ? things : drawing?.segments.map((s) => this.spot(s.names[turn] ?? s.kind))),
      ].join(", "),
    });
  }

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

  event(event: GameEvent): string {
    if (event.event === "ended") return t("log_ended");
    const name = this.player(event.seat);
    switch (event.event) {
      case "drawn":
        return event.name === "?"
          ? t("log_drawnHidden", { name })
          : t("log_drawn", { name, tile: this.of(event.name, "tokens") });
      case "discarded":
        return t("log_discarded", { tile: event.tile });
      case "placed":
        return t("log_placed", { name, cell: key(event.cell) });
      case "deployed":
        return t("log_deployed", { name, piece: this.piece(event.piece), spot: this.spot(event.spot) });
      case "returned":
        return t("log_returned", { name, piece: this.piece(event.piece) });
      case "scored":
        return t(event.final ? "log_scoredFinal" : "log_scored", {
          name,
          n: event.points,
          kind: this.source(event.kind),
        });
      case "noted":
        return t("log_noted", {
          name,
          what: this.of(event.what),
          value: event.value
            .split(" ")
            .map((word) => this.of(word))
            .join(" "),
        });
    }
  }
}
