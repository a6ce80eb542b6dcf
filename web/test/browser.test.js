// Everything that is written plays in a real browser with three.js, and its joints are where they are in Marey.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "./chromium.js";
import { openPage } from "./local_page.js";
import * as samples from "./samples.js";

// A tenth of a millimetre.
const NEAR = 1e-4;
let browser;
let page;
const faults = [];

before(async () => {
  browser = await launch();
  page = await openPage(browser, "page.js", faults);
});
after(() => browser?.close());

const load = async (name) => page.evaluate((bytes) => globalThis.load(bytes), [...(await samples.bytes(name))]);

for (const name of samples.names) {
  test(name, async () => {
    const about = await load(name);
    assert.equal(about.animations, 1);
    const { frames } = await samples.truth(name);
    assert.deepEqual(about.joints, frames[0].actors.map((actor) => actor.length));
    let worst = 0;
    for (const { secs, actors } of frames) {
      const found = await page.evaluate((secs) => globalThis.positionsAt(secs), secs);
      for (const [a, actor] of actors.entries()) {
        for (const [j, place] of actor.entries()) {
          worst = Math.max(worst, Math.hypot(...place.map((value, axis) => value - found[a][j][axis])));
        }
      }
    }
    assert.ok(worst <= NEAR, `a joint is ${worst} m off`);
    assert.deepEqual(faults.splice(0), []);
  });
}

test("a walker is seen, as tall as a person", async () => {
  await load("walk.glb");
  await page.evaluate(() => globalThis.positionsAt(2.1));
  const { fraction, size } = await page.evaluate(() => globalThis.draw(960, 540, [0.8, 0.2, 1], 1.0));
  await page.screenshot({ path: samples.beside("walk.png") });
  assert.ok(fraction > 0.02 && fraction < 0.5, `${fraction} of the picture is drawn`);
  assert.ok(size[1] > 1.5 && size[1] < 1.9, `${size[1]} m tall`);
});

test("characters walk in their own skins", async () => {
  await load("heroes.glb");
  await page.evaluate(() => globalThis.positionsAt(1.1));
  const { fraction, size } = await page.evaluate(() => globalThis.draw(960, 540, [0.6, 0.25, 1], 0.8));
  await page.screenshot({ path: samples.beside("heroes.png") });
  assert.ok(fraction > 0.02 && fraction < 0.5, `${fraction} of the picture is drawn`);
  assert.ok(size[1] > 1.6 && size[1] < 2.0, `${size[1]} m tall`);
});

test("what is not a person is seen too", async () => {
  await load("snake.glb");
  await page.evaluate(() => globalThis.positionsAt(0.5));
  const { fraction } = await page.evaluate(() => globalThis.draw(960, 540, [0.6, 0.8, 0.3], 0.8));
  await page.screenshot({ path: samples.beside("snake.png") });
  assert.ok(fraction > 0.004, `${fraction} of the picture is drawn`);
});

test("two are seen beside each other", async () => {
  await load("pair.glb");
  await page.evaluate(() => globalThis.positionsAt(0.4));
  const { size } = await page.evaluate(() => globalThis.draw(960, 540, [0.6, 0.25, 1], 0.9));
  await page.screenshot({ path: samples.beside("pair.png") });
  assert.ok(size[0] > 1.2, `${size[0]} m wide`);
});
