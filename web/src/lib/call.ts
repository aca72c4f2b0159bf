/** Calls who is asked something: the title and the icon of the page, a message of the system where that is wanted. */

import { s } from "../texts/table";
import { settings } from "./settings.svelte";
import { fileAt } from "./site";

const canNotify = "Notification" in globalThis;
let shown: Notification | undefined;

/** Puts whose turn it is where it is seen although another page is open. */
export function showTurn(title: string, turn: boolean) {
  document.title = turn ? `● ${s("yourTurnTitle")} – ${title}` : title;
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const file = fileAt(turn ? "icon-turn.svg" : "icon.svg");
  if (icon && icon.getAttribute("href") !== file) icon.href = file; // the browser loads it anew each time it is set
  if (!turn) shown?.close();
}

/** A message of the system, while the page is in the background. A tap on it comes back to the page. */
export function notifyTurn(title: string, table: string) {
  if (!settings.notify || !canNotify || Notification.permission !== "granted" || !document.hidden) return;
  try {
    shown = new Notification(s("yourTurnTitle"), {
      body: s("yourTurnBody", { title }),
      icon: fileAt("icon-turn.svg"),
      tag: `bastide-${table}`,
    });
  } catch {
    return; // some browsers leave messages to the service worker
  }
  shown.onclick = () => {
    window.focus();
    shown?.close();
  };
}

/** Asks the browser whether messages are allowed, once somebody wants them; were they? */
export async function allowNotify(): Promise<boolean> {
  return canNotify && (await Notification.requestPermission()) === "granted";
}
