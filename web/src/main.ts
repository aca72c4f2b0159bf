import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { reloadFor } from "./lib/reload";
import { fileAt, HOME } from "./lib/site";

mount(App, { target: document.getElementById("app")! });

if ("serviceWorker" in navigator && import.meta.env.PROD)
  navigator.serviceWorker
    .register(fileAt("sw.js"))
    .then(renew)
    .catch((refused: unknown) => console.info(`without a network this page will not work: ${String(refused)}`));

/** A newer site has been kept since the last visit: this page becomes it at once if no other one is open. */
function renew({ waiting }: ServiceWorkerRegistration) {
  if (!waiting) return;
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  waiting.postMessage("opened");
}

// A part of the page that is loaded when it is wanted is gone: there is a newer page, unless nobody answers at all.
addEventListener("vite:preloadError", () => {
  const answer = fetch(HOME, { method: "HEAD", cache: "no-store" });
  void answer.then(({ ok }) => ok && reloadFor("a part of it is gone")).catch(() => undefined);
});
