/** The finished landscape as one picture to share: the land with its pieces on the table, the result below. */

import oak from "../art/oak.svg?raw";
import type { Definitions } from "./definitions";
import { PIECE } from "./geometry";
import type { Land, Standing } from "./scene";

export interface Shown {
  land: Land;
  standing: Standing[];
  drawings: Definitions; // of all that is drawn
  posters: { href: string; x: number; y: number }[];
  title: string; // "Aliénor wins"
  line: string; // "12 points ahead of Bernard"
  players: { name: string; score: number; piece: string; colour: number; scale: number; won: boolean }[];
  foot: string; // where it was played, and when
}

const WIDE = 1600; // pixels of the picture
const LEAST = 7; // tiles across, so that a short game does not become a poster of three tiles
const ROOM = 0.7; // tiles of table around the land
const TITLE = "Palatino Linotype, Book Antiqua, DejaVu Serif, Georgia, serif";
const FONT = "Avenir Next, Segoe UI, Noto Sans, DejaVu Sans, sans-serif";

const safe = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The picture as SVG that needs nothing from outside. */
export function compose(shown: Shown): { svg: string; width: number; height: number } {
  const { land, players } = shown;
  const picture = land.picture(shown.posters);
  const { left, top, right, bottom } = picture.box;
  const across = Math.max(right - left, 100 * LEAST) + 200 * ROOM;
  const zoom = WIDE / across;
  const landHigh = (bottom - top + 200 * ROOM) * zoom;
  const rows = Math.ceil(players.length / 4);
  const high = Math.round(landHigh + 190 + 92 * rows);
  const x = WIDE / 2 - ((left + right) / 2) * zoom;
  const y = (ROOM * 100 - top) * zoom;
  const pieces = shown.standing.map(
    (one) =>
      `<use href="${one.colour < 0 ? `#s-${one.piece}` : `#f-${one.piece}-${one.colour}`}" transform="translate(${one.at[0]} ${one.at[1]})${one.lies ? "rotate(-90)" : ""}scale(${one.scale * PIECE})"/>`,
  );
  const list = players.map((player, n) => {
    const inRow = Math.min(4, players.length - 4 * Math.floor(n / 4));
    const step = Math.min(380, (WIDE - 80) / inRow);
    const at = WIDE / 2 + ((n % 4) - (inRow - 1) / 2) * step;
    return `<g transform="translate(${at} ${landHigh + 190 + 92 * Math.floor(n / 4)})">
<rect x="${-step / 2 + 10}" y="-38" width="${step - 20}" height="76" rx="16" fill="#fcf7eb" stroke="${player.won ? "#c9971c" : "#cfbe9c"}" stroke-width="${player.won ? 4 : 1.5}"/>
<use href="#f-${player.piece}-${player.colour}" transform="translate(${-step / 2 + 52})scale(${player.scale * 2.4})"/>
<text x="${-step / 2 + 90}" y="10" font-size="28">${safe(player.name)}</text><text x="${step / 2 - 32}" y="13" font-size="38" font-weight="700" text-anchor="end">${player.score}</text></g>`;
  });
  const drawn = [picture.body, ...pieces, ...list].join("");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDE} ${high}" width="${WIDE}" height="${high}" font-family="${FONT}" fill="#35261b">
${shown.drawings.for(drawn)}
<defs><pattern id="wood" patternUnits="userSpaceOnUse" width="768" height="384"><image width="768" height="384" href="data:image/svg+xml,${encodeURIComponent(oak)}"/></pattern>
<radialGradient id="lamp" cx=".35" cy=".1" r="1"><stop stop-color="#fff3d8" stop-opacity=".6"/><stop offset=".6" stop-color="#fff3d8" stop-opacity="0"/><stop offset="1" stop-color="#3a1f08" stop-opacity=".4"/></radialGradient></defs>
<rect width="${WIDE}" height="${high}" fill="#a87f55"/><rect width="${WIDE}" height="${landHigh}" fill="url(#wood)"/><rect width="${WIDE}" height="${landHigh}" fill="url(#lamp)"/>
<g transform="translate(${x} ${y})scale(${zoom})">
${[9, 6, 3].map((grow) => `<path d="${land.coast(grow)}" transform="translate(${grow / 2} ${grow})" opacity=".1" fill="#2c1500"/>`).join("")}
<path d="${land.coast(1.4)}" transform="translate(0 3.2)" fill="#9c7d55"/><path d="${land.coast(1.4)}" fill="#8b7454"/>
<svg x="${left}" y="${top}" width="${right - left}" height="${bottom - top}" viewBox="${left} ${top} ${right - left} ${bottom - top}">${picture.body}</svg>
${pieces.join("")}</g>
<path d="M0 ${landHigh}H${WIDE}V${high}H0z" fill="#f4ecd9"/><path d="M0 ${landHigh}H${WIDE}" stroke="#8a3f22" stroke-width="6"/>
<text x="${WIDE / 2}" y="${landHigh + 74}" text-anchor="middle" font-size="56" font-weight="700" font-family="${TITLE}" fill="#8a3f22">${safe(shown.title)}</text>
<text x="${WIDE / 2}" y="${landHigh + 118}" text-anchor="middle" font-size="28" fill="#675341">${safe(shown.line)}</text>
${list.join("\n")}
<text x="${WIDE / 2}" y="${high - 24}" text-anchor="middle" font-size="22" fill="#675341">${safe(shown.foot)}</text>
</svg>`;
  return { svg, width: WIDE, height: high };
}

/** The same in pixels. */
export async function pixels({ svg, width, height }: ReturnType<typeof compose>): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image(width, height);
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width, height];
    canvas.getContext("2d")!.drawImage(image, 0, 0, width, height);
    return await new Promise((done, failed) =>
      canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("the picture could not be drawn"))), "image/png"),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Gives a picture to the system's share sheet where a finger asks for it, else to the downloads. */
export async function give(picture: Blob, name: string, title: string) {
  const file = new File([picture], name, { type: picture.type });
  if (matchMedia("(pointer: coarse)").matches && navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file], title });
    return;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(picture);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
