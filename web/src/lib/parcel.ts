/** A game that travels in a link: from this browser to a server, or to another browser. */

import type { SeatWish, State } from "./protocol";

export interface Parcel {
  record: string;
  seats: SeatWish[];
  title?: string;
}

/** The seats of a table as they are wanted at another one. */
export const seatsOf = ({ seats }: State): SeatWish[] =>
  seats.map((seat) =>
    seat.kind === "bot" && seat.bot
      ? { kind: "bot", bot: seat.bot }
      : { kind: "human", ...(seat.name !== seat.colour && { name: seat.name }) },
  );

export async function pack(parcel: Parcel): Promise<string> {
  const bytes = new Uint8Array(
    await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(parcel))),
  );
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** What was packed; fails if the link is not whole. */
export async function unpack(text: string): Promise<Parcel> {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
  const plain = await through(new DecompressionStream("deflate-raw"), bytes);
  return JSON.parse(new TextDecoder().decode(plain)) as Parcel;
}

function through(stream: GenericTransformStream, bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  return new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer();
}
