/** Loads the page again because the server is newer; once only, so that it never turns in circles. */

const MARK = "bastide.reloaded";
const PAUSE = 60_000; // ms

export function reloadFor(why: string, load: () => void = () => location.reload()) {
  const last = Number(sessionStorage.getItem(MARK) ?? 0);
  if (Date.now() - last < PAUSE) return;
  sessionStorage.setItem(MARK, String(Date.now()));
  console.info(`loading the page again: ${why}`);
  load();
}
