// The pages of the studio and of raters are built to where the server embeds them from.
import { defineConfig } from "vite";

export default defineConfig({
  root: "studio",
  base: "/",
  build: {
    rolldownOptions: { input: { studio: "studio/index.html", rate: "studio/rate.html" } },
    outDir: "../../crates/studio/page/dist",
    emptyOutDir: true,
    target: "es2023",
    // Nothing inline: the content security policy forbids it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
  },
});
