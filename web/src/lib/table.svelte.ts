/** One table as this browser sees it: fed by the socket, asked by the components. Holds no rules. */

import { api, Refused } from "./api";
import { carrierOf } from "./carrier";
import { Chains } from "./chain";
import { changed } from "./changes";
import { sheet } from "./drawings.svelte";
import type { Noted } from "./fair";
import { Kept } from "./kept";
import { buttons, firstChoice, targets } from "./question";
import { Pace } from "./pace";
import type {
  Aids,
  Cell,
  Change,
  Chat,
  Choice,
  Entry,
  Game,
  Message,
  Refusal,
  Region,
  RegionMessage,
  State,
} from "./protocol";
import { settings } from "./settings.svelte";
import { reloadFor } from "./reload";
import { Socket } from "./socket";

/** What the player points at: a target of the question and which of its choices. */
export interface Pick {
  target: string;
  choice: number;
}

/** A position with aids: null where they are off, nothing until they are there. */
export type AidedGame = Game & { readonly aids: Aids | null | undefined };

/** What was seen of the draws before the first move, to be compared with the proof at the end. */
export const notes = new Kept<Noted>("bastide.noted");

export class Table {
  state = $state.raw<State | null>(null);
  aids = $state.raw<Aids | null | undefined>(); // of the last position for which somebody looked; null: switched off
  fresh = $state.raw<Entry[]>([]); // entries that the last state brought
  chat = $state.raw<Chat[]>([]);
  connected = $state(false);
  thinking = $state<number | null>(null);
  watching = $state(0);
  online = $state.raw<boolean[]>([]);
  refusal = $state.raw<Refusal | null>(null);
  pick = $state<Pick | null>(null);
  busy = $state(false); // an action is on its way
  region = $state.raw<RegionMessage | null>(null);
  ground = $state.raw<Region[] | null>(null); // all open ground, while it is shown
  wanted = $state<string | null>(); // at a lesson: the action to which the way is lit; null while there is only to read
  wasOver = false; // the game had ended before this page came
  skew = 0; // the server's clock minus ours

  #socket: Socket;
  #pace = new Pace((state) => this.#take(state));
  #told: State | null = null; // as the server told it
  #aided = -1; // the line at which aids were asked for
  #chains: Chains;
  #entropies = new Map<number, string>(); // sent by this page
  #shown = { turn: 0, piece: "" };

  constructor(readonly id: string) {
    this.#socket = new Socket(
      () => carrierOf(id).connect(id),
      (message) => this.#hear(message),
      (is) => this.#connected(is),
    );
    this.#chains = new Chains(id, (message) => this.#socket.send(message).catch(() => null)); // it is wanted again then
  }

  close() {
    this.#chains.close();
    this.#pace.close();
    this.#socket.close();
  }

  // --- what is asked
  game = $derived(this.state?.game ? this.#aidedGame(this.state.game) : null);
  log = $derived(this.state?.game?.log ?? []);
  question = $derived(this.wanted === null ? null : (this.game?.question ?? null));
  targets = $derived(targets(this.question));
  buttons = $derived(buttons(this.question));
  target = $derived(this.targets.find((target) => target.key === this.pick?.target));
  choice = $derived<Choice | undefined>(this.target?.choices[this.pick?.choice ?? 0]);

  /** Points at a target; pointing at it again goes on to its next choice. */
  point(target: string, by = 1) {
    const found = this.targets.find((one) => one.key === target);
    if (!found) return;
    const count = found.choices.length;
    const again = this.pick?.target === target;
    this.choose(
      target,
      again ? (this.pick!.choice + by + count) % count : firstChoice(found, this.#shown.turn, this.#shown.piece),
    );
  }

  choose(target: string, choice: number) {
    this.pick = { target, choice };
    const shown = this.targets.find((one) => one.key === target)?.choices[choice];
    this.#shown = { turn: shown?.turn ?? this.#shown.turn, piece: shown?.piece ?? this.#shown.piece };
  }

  // --- what is done
  /** Sends an action; was it taken? */
  async play(action: string): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    try {
      const link = this.#chains.next(this.state!, this.game!.decides);
      return await this.#do({ type: "play", seq: this.state!.seq, action, ...(link && { link }) });
    } finally {
      this.busy = false;
    }
  }

  confirm() {
    if (this.choice) void this.play(this.choice.text);
  }

  undo(whole = false) {
    return this.#do({ type: "undo", seq: this.state!.seq, ...(whole && { whole }) });
  }

  takeback = () => this.#do({ type: "takeback", seq: this.state!.seq });
  answer = (agree: boolean) => this.#do({ type: "answer", seq: this.state!.seq, agree });
  resign = () => this.#do({ type: "resign", ...(this.state!.mine.length > 1 && { seat: this.state!.seat }) });
  rematch = () => this.#do({ type: "rematch" });
  say = (text: string) => this.#do({ type: "chat", text });
  emote = (name: string) => this.#do({ type: "emote", name });

  /** The region at a spot, to be lit up; pointing at the same one again puts the light out. */
  async look(cell: Cell, spot: string) {
    const same = this.region?.spots.some(
      (one) => one.spot === spot && one.cell[0] === cell[0] && one.cell[1] === cell[1],
    );
    this.region = same ? null : ((await this.#ask({ type: "region", cell, spot })) as RegionMessage | null);
  }

  async why(action: string): Promise<{ reason: string; message: string; legal: boolean } | null> {
    return (await this.#ask({ type: "why", action })) as { reason: string; message: string; legal: boolean } | null;
  }

  async regions(): Promise<Region[]> {
    const answer = (await this.#ask({ type: "regions" })) as { regions: Region[] } | null;
    return answer?.regions ?? [];
  }

  /** All open ground with who lies there, or none. */
  async showGround(shown: boolean) {
    this.ground = shown ? (await this.regions()).filter((region) => sheet.ground(region.kind)) : null;
  }

  // --- within
  async #ask(message: Record<string, unknown>): Promise<Message | null> {
    try {
      return await this.#socket.send(message);
    } catch (wrong) {
      if (!(wrong instanceof Refused)) throw wrong;
      this.refusal = wrong.refusal;
      return null;
    }
  }

  async #do(message: Record<string, unknown>): Promise<boolean> {
    this.refusal = null;
    return (await this.#ask(message)) !== null;
  }

  /** The server is there again: what was said about its absence is no longer true. */
  #connected(is: boolean) {
    this.connected = is;
    this.#chains.again();
    if (is && this.refusal?.code === "network") this.refusal = null;
  }

  #hear(message: Message) {
    switch (message.type) {
      case "welcome":
        this.chat = message.chat;
        this.skew = message.now - Date.now();
        break;
      case "state":
        this.#tell(message);
        break;
      case "change":
        this.#follow(message);
        break;
      case "thinking":
        this.thinking = message.seat;
        break;
      case "presence":
        this.online = message.online;
        this.watching = message.watching;
        break;
      case "chat":
        if (!this.chat.some((one) => one.n === message.n)) this.chat = [...this.chat, message];
        break;
      case "refused":
        this.refusal = message;
        if (message.code === "version") reloadFor("version");
        break;
    }
  }

  /** Shows at once what is held back so that it can be followed. */
  hurry = () => this.#pace.hurry();

  /** The table as it is shown. */
  protected seen(state: State): State {
    return state;
  }

  /** What is new. If something between is missing, the whole state is asked for. */
  #follow(change: Change) {
    const state = changed(this.#told, change);
    if (state) this.#tell(state);
    else void this.#ask({ type: "state" });
  }

  #tell(told: State) {
    this.#told = told;
    this.#getReady(told); // the draws do not wait until it is shown
    this.#pace.take(told);
  }

  #take(told: State) {
    const state = this.seen(told);
    if (this.state && state.seq < this.state.seq && state.table === this.state.table) return; // overtaken
    const changed = state.seq !== this.state?.seq;
    if (!this.state) this.wasOver = state.status === "over";
    this.skew = state.now - Date.now();
    this.thinking = state.thinking;
    const news = (state.game?.log.length ?? 0) - this.log.length;
    this.fresh = this.state?.game && state.game && news > 0 ? state.game.log.slice(-news) : [];
    if (changed) {
      this.pick = null;
      this.region = null;
      this.refusal = null; // it was about the position before
    }
    this.state = state;
    void sheet.show(state.drawings, settings.theme);
    if (changed && this.ground) void this.showGround(true);
    // so that it can be read offline
    if (changed && state.status === "over") void api.replay(this.id).catch(() => null);
  }

  /** The position with aids for whoever looks at them: reading them asks the server, once for each position. */
  #aidedGame(game: Game): AidedGame {
    const aids = () => this.#readAids();
    return {
      ...game,
      get aids() {
        return aids();
      },
    };
  }

  #readAids(): Aids | null | undefined {
    const { aids, seq, status } = this.state!;
    if (!aids) return null;
    if (this.#aided !== seq && status !== "waiting") {
      this.#aided = seq;
      queueMicrotask(() => void this.getAids());
    }
    return this.aids;
  }

  /** What an attentive player could work out of the position; none where aids are off. */
  async getAids(): Promise<Aids | null> {
    if (!this.state?.aids) return null;
    const told = (await this.#ask({ type: "aids" })) as Aids | null;
    if (told) this.aids = told;
    return told;
  }

  /** Adds this browser's share to the randomness of the draws (docs/fair-draws.md). */
  #getReady(state: State) {
    this.#note(state);
    this.#chains.answer(state);
    if (state.status !== "waiting") return;
    for (const seat of state.mine) {
      if (state.seats[seat]?.ready || this.#entropies.has(seat)) continue;
      const chain = this.#chains.begin();
      this.#entropies.set(seat, `chain:${chain}`);
      void this.#ask({ type: "ready", chain, seat });
    }
  }

  /** The commitment as it was before the game, and the own entropies once the server shows that they count. */
  #note({ status, fair }: State) {
    const known = notes.get(this.id);
    if (!known && status !== "waiting") return;
    const sent = [...this.#entropies].filter(
      ([seat, own]) => fair.entropies[seat] === own && known?.entropies[seat] === undefined,
    );
    if (known && !sent.length) return;
    notes.put(this.id, {
      commitment: known?.commitment ?? fair.commitment,
      entropies: { ...known?.entropies, ...Object.fromEntries(sent) },
    });
  }
}
