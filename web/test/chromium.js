// The browser that pages are tested in: Debian's, drawing without a GPU, and going nowhere by itself.
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

/** Starts it. */
export const launch = () => chromium.launch({ executablePath, args });
