// Starts the studio by its command and opens its page, for tests.
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before } from "node:test";
import { launch } from "./chromium.js";

export const binary = process.env.MAREY_BINARY;
if (!binary) throw new Error("MAREY_BINARY is not set; `cargo xtask test` sets it");
const shots = process.env.MAREY_SHOTS;
if (!shots) throw new Error("MAREY_SHOTS is not set; `cargo xtask test` sets it");
mkdirSync(shots, { recursive: true });

/** The file of a screenshot, for people to look at. */
export const shot = (name) => join(shots, `${name}.png`);

/** Starts a studio; returns its address with a token, and a function that ends it. */
export const start = async (...args) => {
  const started = performance.now();
  const child = spawn(binary, ["studio", "--no-open", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  child.stderr.on("data", (bytes) => (errors += bytes));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const first = createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  const { value: url } = await Promise.race([first, ended.then((code) => Promise.reject(new Error(`ended with ${code}: ${errors}`)))]);
  const stop = (signal = "SIGINT") => {
    child.kill(signal);
    return ended;
  };
  return { url, stop, started, pid: child.pid, stderr: () => errors };
};

/** Opens a page and collects its errors. */
export const open = async (browser, url, options = {}) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, acceptDownloads: true, ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  // Drawing without a GPU is slow.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !isAboutDrawing(message.text()) && errors.push(message.text()));
  await page.goto(url);
  await page.waitForSelector("body[data-ready]");
  return { page, context, errors };
};

/** Provides one studio with example motion, in one page of one browser, for all tests of a file. */
export const visit = (give) => {
  let browser;
  let studio;
  before(async () => {
    browser = await launch();
    studio = await start();
    const { page, errors } = await open(browser, studio.url);
    await page.waitForFunction(() => marey.takes.length > 0 && marey.shown.length > 0);
    give({ browser, studio, page, errors });
  });
  after(async () => {
    await browser?.close();
    await studio?.stop();
  });
};

/** Messages about drawing without a GPU are not errors of the page. */
const isAboutDrawing = (text) => /GPU stall|GL Driver Message|swiftshader|software WebGL/i.test(text);
