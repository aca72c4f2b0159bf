/** Web Push: the server calls this browser when a turn begins and no page of the table is open. */

import { api } from "./api";

let done: Promise<void> | undefined; // once while this page is open

/** Is this something that the browser can do, and was it allowed? */
const allowed = () => "PushManager" in globalThis && Notification.permission === "granted";

/** Tells the server where this browser can be called, if the server calls anybody. */
export function keepSubscribed(): Promise<void> {
  done ??= subscribe();
  return done;
}

async function subscribe() {
  if (!allowed()) return;
  const { key } = await api.pushKey();
  if (!key) return;
  const { pushManager } = await navigator.serviceWorker.ready;
  const wish = { userVisibleOnly: true, applicationServerKey: key };
  const made = await pushManager.subscribe(wish).catch(async () => {
    await (await pushManager.getSubscription())?.unsubscribe(); // it was for another key of the server
    return pushManager.subscribe(wish);
  });
  const { endpoint, keys } = made.toJSON();
  await api.subscribe({ endpoint: endpoint!, p256dh: keys!.p256dh!, auth: keys!.auth! });
}

/** Nobody calls this browser any more. */
export async function unsubscribe(): Promise<void> {
  done = undefined;
  const worker = await navigator.serviceWorker?.getRegistration();
  const made = await worker?.pushManager?.getSubscription();
  if (!made) return;
  await made.unsubscribe();
  await api.unsubscribe();
}
