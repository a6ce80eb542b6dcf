// The studio's page is built to where the server embeds it from.
import { defineConfig } from "vite";

export default defineConfig({
  root: "studio",
  base: "/",
  build: {
    outDir: "../../crates/studio/page/dist",
    emptyOutDir: true,
    target: "es2023",
    // Nothing inline: the content security policy forbids it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
  },
});
