// The gallery that `marey demo` writes opens from the disk: every picture loads, every link leads to a file, and nothing is
// requested from the network.
import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch } from "./chromium.js";

const folder = process.env.MAREY_GALLERY;
if (!folder) throw new Error("MAREY_GALLERY is not set; `cargo xtask test` sets it");

let browser;
let page;
const requested = [];
const errors = [];

before(async () => {
  browser = await launch();
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.on("request", (request) => requested.push(request.url()));
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && errors.push(message.text()));
  await page.goto(pathToFileURL(join(folder, "index.html")).href);
});
after(() => browser?.close());

test("every picture is visible", async () => {
  const pictures = await page.$$eval("img", (all) =>
    all.map(({ src, alt, complete, naturalWidth, clientWidth }) => ({ src, alt, complete, naturalWidth, clientWidth })),
  );
  assert.ok(pictures.length >= 16, `${pictures.length} pictures`);
  for (const { src, alt, complete, naturalWidth, clientWidth } of pictures) {
    assert.ok(complete && naturalWidth > 100 && clientWidth > 100, `${src} is not visible`);
    assert.ok(alt.length > 5, `${src} has no alternative text`);
  }
  await page.screenshot({ path: join(folder, "page.jpg"), fullPage: true, type: "jpeg", quality: 70 });
});

test("every link leads to a file", async () => {
  const links = await page.$$eval("a", (all) => all.map(({ href }) => href));
  assert.ok(links.length >= 30, `${links.length} links`);
  for (const link of links) {
    assert.ok((await stat(fileURLToPath(link))).size > 0, link);
  }
});

test("an engine shows its input beside its output, each with a card", async () => {
  const captions = await page.$$eval("#realise figure strong", (all) => all.map(({ textContent }) => textContent));
  assert.deepEqual(captions, ["input", "output"]);
  const tops = await page.$$eval("#realise figure", (all) => all.map((figure) => figure.getBoundingClientRect().top));
  assert.equal(tops[0], tops[1]);
  assert.equal(await page.$$eval("#realise table", (all) => all.length), 2);
  // Pieces that are not joined jump.
  assert.ok((await page.$$eval("#realise figure:first-child td.missed", (all) => all.length)) > 0, "the input misses no threshold");
});

test("nothing is requested from the network, and no error is logged", () => {
  assert.deepEqual(requested.filter((url) => !url.startsWith("file://")), []);
  assert.deepEqual(errors, []);
});

test("a narrow window needs no horizontal scrolling", async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `${wide} px wide`);
});
