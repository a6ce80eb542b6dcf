// The browser for the page tests: Debian's Chromium, without a GPU and without background network access.
import { chromium } from "playwright-core";

const executablePath = process.env.MAREY_CHROMIUM ?? "/usr/bin/chromium";
const args = [
  "--no-sandbox",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts the browser. */
export const launch = () => chromium.launch({ executablePath, args });
