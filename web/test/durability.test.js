// The studio from its start to a kill: the time until it is usable, and durability of confirmed edits.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch } from "./chromium.js";
import { binary, open, start } from "./studio.js";

/** How often the studio is killed. */
const KILLS = 8;

let browser;
const folder = mkdtempSync(join(tmpdir(), "marey-durability-"));
const corpus = join(folder, "walks.marey");

/** Runs the command; returns its output. */
const marey = (...args) => {
  const { status, stdout, stderr } = spawnSync(binary, args, { encoding: "utf8" });
  assert.equal(status, 0, `marey ${args.join(" ")}: ${stderr}`);
  return stdout;
};

before(async () => {
  browser = await launch();
  const walk = join(folder, "walk.bvh");
  marey("examples", "walk", walk, "--secs", "8");
  marey("corpus", "new", corpus);
  marey("corpus", "add", corpus, walk);
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("the time until the studio is usable is printed", async () => {
  const studio = await start(corpus);
  const listening = performance.now() - studio.started;
  const context = await browser.newContext();
  const page = await context.newPage();
  const files = [];
  page.on("response", (response) => /\/$|\/assets\//.test(new URL(response.url()).pathname) && response.ok() && files.push(response.body()));
  await page.goto(studio.url);
  await page.waitForFunction(() => document.body.dataset.ready !== undefined && marey.shown.length > 0);
  const usable = performance.now() - studio.started;
  const bytes = (await Promise.all(files)).reduce((sum, body) => sum + body.length, 0);
  assert.ok(bytes > 100_000, `${files.length} files, ${bytes} bytes`);
  console.log(`studio: listens after ${listening.toFixed(0)} ms, a character is on the page after ${usable.toFixed(0)} ms (drawn without a GPU)`);
  console.log(`studio: the page is ${(bytes / 1000).toFixed(0)} kB in ${files.length} files`);
  await context.close();
  await studio.stop();
});

test(`confirmed edits survive kill -9, ${KILLS} times`, async () => {
  for (let done = 1; done <= KILLS; done++) {
    const studio = await start(corpus);
    const { page, context, errors } = await open(browser, studio.url);
    await page.waitForFunction(() => marey.lead?.about.name === "walk");
    await page.evaluate((secs) => marey.clock.seek(secs), done * 0.5);
    await page.keyboard.press("t");
    await page.waitForFunction((done) => document.querySelectorAll(".mark.tag[data-name=tag]").length === done, done);
    // Errors after the end of the server are not counted.
    assert.deepEqual(errors, []);
    await studio.stop("SIGKILL");
    await context.close();
    const [take] = JSON.parse(marey("corpus", "show", corpus, "walk", "--json"));
    assert.equal(take.said.filter(({ name }) => name === "tag").length, done);
    marey("corpus", "check", corpus);
  }
});
