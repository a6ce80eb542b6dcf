// A studio of a test's own: the real command, started and ended, and a page on it that is watched.
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before } from "node:test";
import { launch } from "./chromium.js";

export const binary = process.env.MAREY_BINARY;
if (!binary) throw new Error("MAREY_BINARY names no program; `cargo xtask test` sets it");
const shots = process.env.MAREY_SHOTS;
if (!shots) throw new Error("MAREY_SHOTS names no folder; `cargo xtask test` sets it");
mkdirSync(shots, { recursive: true });

/** Where a picture of the page goes, for people to look at. */
export const shot = (name) => join(shots, `${name}.png`);

/** Starts a studio; its address with a token, and how to end it. */
export const start = async (...args) => {
  const started = performance.now();
  const child = spawn(binary, ["studio", "--no-open", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stderr.on("data", (bytes) => (said += bytes));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const first = createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  const { value: url } = await Promise.race([first, ended.then((code) => Promise.reject(new Error(`ended with ${code}: ${said}`)))]);
  const stop = (signal = "SIGINT") => {
    child.kill(signal);
    return ended;
  };
  return { url, stop, started, pid: child.pid, said: () => said };
};

/** Opens a page on it; everything that goes wrong in it is noted. */
export const open = async (browser, url, options = {}) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, acceptDownloads: true, ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  // Drawn without a GPU, perhaps beside other builds.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !isAboutDrawing(message.text()) && faults.push(message.text()));
  await page.goto(url);
  await page.waitForSelector("body[data-ready]");
  return { page, context, faults };
};

/** Gives all tests of a file one studio with its example motion, in one page of one browser. */
export const visit = (give) => {
  let browser;
  let studio;
  before(async () => {
    browser = await launch();
    studio = await start();
    const { page, faults } = await open(browser, studio.url);
    await page.waitForFunction(() => marey.takes.length > 0 && marey.shown.length > 0);
    give({ browser, studio, page, faults });
  });
  after(async () => {
    await browser?.close();
    await studio?.stop();
  });
};

/** What the browser says about drawing without a GPU is not about the page. */
const isAboutDrawing = (text) => /GPU stall|GL Driver Message|swiftshader|software WebGL/i.test(text);
