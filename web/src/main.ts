import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { fileAt } from "./lib/site";

mount(App, { target: document.getElementById("app")! });

if ("serviceWorker" in navigator && import.meta.env.PROD)
  navigator.serviceWorker
    .register(fileAt("sw.js"))
    .catch((refused: unknown) => console.info(`without a network this page will not work: ${String(refused)}`));
