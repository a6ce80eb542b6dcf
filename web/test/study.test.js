// A rating study as raters see it: three at once, a kill in the middle, keys, and the size of a phone.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { launch } from "./chromium.js";
import { binary, shot } from "./studio.js";

const folder = mkdtempSync(join(tmpdir(), "marey-study-"));
let browser;

/** Runs the command; returns its output. */
const marey = (...args) => {
  const { status, stdout, stderr } = spawnSync(binary, args, { encoding: "utf8", cwd: folder });
  assert.equal(status, 0, `marey ${args.join(" ")}: ${stderr}`);
  return stdout;
};

const CONDITIONS = `
[[condition]]
name = "captured"
recorded = true
clips = ["human/"]

[[condition]]
name = "interpolated"
make = { verb = "slerp", of = "captured" }
`;
const SCALES = [["awkwardness", "awkward", "natural"], ["plausibility", "impossible", "possible"], ["appeal", "unpleasing", "pleasing"]]
  .map(([name, low, high]) => `[[scale]]\nname = "${name}"\nquestion = "How is its ${name}?"\nlow = "${low}"\nhigh = "${high}"\n`)
  .join("");

before(async () => {
  mkdirSync(join(folder, "human"));
  for (const seed of ["1", "2"]) marey("examples", "walk", `human/walk-${seed}.bvh`, "--secs", "6", "--seed", seed);
  writeFileSync(join(folder, "rated.toml"), `title = "Walks"\nwelcome = "You will see short movements."\ndesign = "ratings"\nsecs = 3\n${SCALES}${CONDITIONS}`);
  writeFileSync(join(folder, "pairs.toml"), `title = "Which one?"\ndesign = "recorded"\nsecs = 3\n${CONDITIONS}`);
  for (const name of ["rated", "pairs"]) marey("study", "new", `${name}.toml`);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the server of a study; returns the link to join and functions. */
const serve = async (study, port = "0") => {
  const child = spawn(binary, ["study", "serve", study, "--port", port], { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  const url = value.trim().split(/\s+/).at(-1);
  return { url, port: new URL(url).port, kill: () => (child.kill("SIGKILL"), ended) };
};

/** A rater in a browser of their own. */
const enter = async (url, viewport) => {
  const context = await browser.newContext({ viewport });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(url);
  await page.getByRole("button", { name: "Take part" }).click();
  await page.getByRole("button", { name: "Begin" }).click();
  await trial(page, 0);
  return { page, context, errors };
};

/** Waits until the movement at a position is shown. */
const trial = (page, position) => page.waitForFunction((position) => document.body.dataset.state === "trial" && document.body.dataset.position === String(position), position);
const done = (page) => page.waitForFunction(() => document.body.dataset.state === "done");
const results = (study) => JSON.parse(marey("study", "results", study, "--json"))[0];

test("three raters at once, with a kill in the middle", async () => {
  let server = await serve("rated.marey");
  const { port } = server;
  const desktop = { width: 1000, height: 640 };
  const raters = await Promise.all([enter(server.url, desktop), enter(server.url, { width: 390, height: 844 }), enter(server.url, desktop)]);
  const [keys, phone, mouse] = raters.map(({ page }) => page);
  await keys.screenshot({ path: shot("study-desktop") });
  await phone.screenshot({ path: shot("study-phone") });
  // By keyboard: a rating is changed with the arrows.
  const byKeys = async () => {
    for (const key of ["4", "2", "ArrowRight", "ArrowDown", "5", "Enter"]) await keys.keyboard.press(key);
  };
  // By thumb: every question, then the button.
  const byTouch = async (page) => {
    for (const index of [0, 1, 2]) await page.getByRole("radiogroup").nth(index).getByRole("radio").nth(2).click();
    await page.getByRole("button", { name: "Next" }).click();
  };
  await Promise.all([byKeys(), byTouch(phone), byTouch(mouse)]);
  await Promise.all([keys, phone, mouse].map((page) => trial(page, 1)));
  await byKeys();
  await trial(keys, 2);
  await server.kill();
  assert.equal(results("rated.marey").answers, 4, "acknowledged answers are stored");
  // Nothing is lost while the server is away: the page says so, and sends again.
  await byTouch(phone);
  await phone.waitForFunction(() => document.body.dataset.state === "waiting");
  assert.match(await phone.locator(".message").textContent(), /not stored yet/);
  await phone.screenshot({ path: shot("study-waiting") });
  server = await serve("rated.marey", port);
  await trial(phone, 2);
  // A reload resumes, with what was chosen but not sent.
  await mouse.getByRole("radiogroup").nth(0).getByRole("radio").nth(4).click();
  await mouse.reload();
  await trial(mouse, 1);
  assert.equal(await mouse.getByRole("radiogroup").nth(0).getByRole("radio").nth(4).getAttribute("aria-checked"), "true");
  for (const [page, from] of [[phone, 2], [mouse, 1]]) {
    for (let position = from; position < 4; position++) {
      await trial(page, position);
      await byTouch(page);
    }
    await done(page);
  }
  for (const position of [2, 3]) {
    await trial(keys, position);
    await byKeys();
  }
  await done(keys);
  await keys.screenshot({ path: shot("study-done") });
  for (const { errors, context } of raters) {
    assert.deepEqual(errors, []);
    await context.close();
  }
  const found = results("rated.marey");
  assert.deepEqual([found.raters, found.complete, found.answers], [3, 3, 12]);
  marey("study", "results", "rated.marey", "-o", "answers.csv", "-o", "report.html");
  await server.kill();
});

test("pairs are shown beside each other, and below each other on a phone", async () => {
  const server = await serve("pairs.marey");
  const { page: desktop } = await enter(server.url, { width: 1280, height: 720 });
  const { page: phone } = await enter(server.url, { width: 390, height: 844 });
  for (const [page, name, layout] of [[desktop, "study-pairs", "columns"], [phone, "study-pairs-phone", "rows"]]) {
    assert.equal(await page.locator(".stage").getAttribute("class"), `stage ${layout}`);
    await page.waitForTimeout(500);
    await page.screenshot({ path: shot(name) });
    // Everything fits: the page does not scroll sideways, and the last button can be seen.
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    const { y, height } = await page.getByRole("button", { name: "Next" }).boundingBox();
    assert.ok(y + height <= page.viewportSize().height, name);
  }
  for (const position of [0, 1]) {
    await trial(desktop, position);
    await desktop.keyboard.press("2");
    await desktop.keyboard.press("Enter");
  }
  await done(desktop);
  assert.equal(results("pairs.marey").answers, 2);
  await server.kill();
});

test("the report is a page of its own", async () => {
  marey("study", "results", "rated.marey", "--simulate", "24", "--better", "-1", "-o", "simulated.html");
  const page = await browser.newPage({ viewport: { width: 900, height: 1200 } });
  await page.goto(`file://${join(folder, "simulated.html")}`);
  assert.equal(await page.locator("svg").count(), 6);
  await page.screenshot({ path: shot("study-report") });
  await page.close();
});
