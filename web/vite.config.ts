import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// The built page lies in the Python package, which serves it. In development a running server answers /api.
const server = process.env.BASTIDE_SERVER ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: "../src/bastide/server/static",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: { index: "index.html", sw: "src/sw.ts" },
      output: { entryFileNames: (chunk) => (chunk.name === "sw" ? "sw.js" : "assets/[name]-[hash].js") },
    },
  },
  worker: { format: "es" },
  // The files find each other wherever the page lies; only index.html does not: a server shows it at many addresses.
  experimental: { renderBuiltUrl: (file, { hostType }) => (hostType === "html" ? `/${file}` : { relative: true }) },
  server: { proxy: { "/api": { target: server, ws: true }, "/engine": { target: server } } },
  test: { include: ["tests/**/*.test.ts"], hookTimeout: 60_000, testTimeout: 30_000 },
});
