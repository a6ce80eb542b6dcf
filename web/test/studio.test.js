// The studio as a user sees it: playback, editing, drawing and export.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { open, shot, visit } from "./studio.js";

let browser;
let studio;
let page;
let errors;

visit((given) => ({ browser, studio, page, errors } = given));

const take = (name) => page.locator(".take").filter({ has: page.locator(".name", { hasText: new RegExp(`^${name}$`) }) });
/** Waits for a take of the example motion, which is generated while the page is open. */
const wait = (name) => page.waitForFunction((name) => marey.takes.some((take) => take.name === name), name);
const leadName = () => page.evaluate(() => marey.lead?.about.name);
/** The fraction of bright pixels on the stage. */
const brightFraction = () =>
  page.evaluate(() => {
    marey.stage.wake();
    marey.stage.draw();
    const { canvas } = marey.stage;
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [160, 120];
    const paint = copy.getContext("2d");
    paint.drawImage(canvas, 0, 0, 160, 120);
    const { data } = paint.getImageData(0, 0, 160, 120);
    let drawn = 0;
    for (let i = 0; i < data.length; i += 4) drawn += Math.max(data[i], data[i + 1], data[i + 2]) > 100;
    return drawn / (160 * 120);
  });

test("the page opens with a character on the floor", async () => {
  assert.match(studio.stderr(), /ready after \d+ ms/);
  assert.ok((await brightFraction()) > 0.01, "no character is visible");
  const [x, y, z] = await page.evaluate(() => marey.stage.casts[0].hipsOf(0));
  assert.ok([x, z].every(Number.isFinite) && y > 0.7 && y < 1.2, `hips at ${y} m`);
  await page.screenshot({ path: shot("1-open") });
});

test("playback: play, step, scrub, slow down, loop", async () => {
  const now = () => page.evaluate(() => marey.clock.now);
  await page.keyboard.press("Space");
  await page.waitForFunction(() => marey.clock.now > 0.3);
  await page.keyboard.press("Space");
  const before = await now();
  await page.keyboard.press("ArrowRight");
  const rate = await page.evaluate(() => marey.lead.motion.rateHz);
  assert.ok(Math.abs((await now()) - (Math.round(before * rate) + 1) / rate) < 1e-6, "one frame on");
  await page.selectOption("select[aria-label=Speed]", "0.25");
  assert.equal(await page.evaluate(() => marey.clock.speed), 0.25);
  await page.selectOption("select[aria-label=Speed]", "1");
  const ruler = await page.locator(".ruler").boundingBox();
  await page.mouse.click(ruler.x + ruler.width / 2, ruler.y + 8);
  const secs = await page.evaluate(() => marey.clock.secs);
  assert.ok(Math.abs((await now()) - secs / 2) < 0.1, "half-way");
  await page.keyboard.press("a");
  await page.mouse.click(ruler.x + ruler.width * 0.52, ruler.y + 8);
  await page.keyboard.press("b");
  await page.keyboard.press("Space");
  await page.waitForTimeout(1500);
  const [a, b] = await page.evaluate(() => marey.clock.loop);
  assert.ok((await now()) >= a && (await now()) <= b, "within the loop");
  await page.keyboard.press("Space");
  await page.keyboard.press("\\");
  assert.equal(await page.evaluate(() => marey.clock.loop), null);
});

/** Remembers the picture of the stage. */
const remember = () => page.evaluate(() => (globalThis.remembered = globalThis.picture()));
/** The pixels that differ from the remembered picture: how many, how many columns they span, and how many are of a colour. */
const changes = () =>
  page.evaluate(() => {
    const [before, { data, width }] = [globalThis.remembered.data, globalThis.picture()];
    const found = { pixels: 0, columns: 0, blue: 0, orange: 0, yellow: 0 };
    const columns = new Set();
    for (let i = 0; i < data.length; i += 4) {
      const [red, green, blue] = data.subarray(i, i + 3);
      if ([red, green, blue].every((value, channel) => Math.abs(value - before[i + channel]) <= 12)) continue;
      found.pixels += 1;
      columns.add((i / 4) % width);
      if (blue - red > 30) found.blue += 1;
      else if (red > 220 && green > 190) found.yellow += 1;
      else if (red - blue > 30) found.orange += 1;
    }
    found.columns = columns.size && Math.max(...columns) - Math.min(...columns);
    return found;
  });

test("ghosts, trails, foot marks and the centre of mass are drawn, and can be hidden", async () => {
  await page.evaluate(() => {
    marey.clock.seek(6);
    globalThis.picture = () => {
      marey.stage.wake();
      marey.stage.draw();
      const { canvas } = marey.stage;
      const copy = document.createElement("canvas");
      [copy.width, copy.height] = [canvas.width, canvas.height];
      const paint = copy.getContext("2d");
      paint.drawImage(canvas, 0, 0);
      return paint.getImageData(0, 0, canvas.width, canvas.height);
    };
  });
  const isPressed = (view) => page.getAttribute(`[data-view=${view}]`, "aria-pressed");
  const drawn = {};
  for (const view of ["ghosts", "trails", "feet", "mass"]) {
    // Foot marks are shown from the start.
    if ((await isPressed(view)) === "true") await page.click(`[data-view=${view}]`);
    await remember();
    await page.click(`[data-view=${view}]`);
    assert.equal(await isPressed(view), "true");
    drawn[view] = await changes();
    await page.screenshot({ path: shot(`2-${view}`) });
    await page.click(`[data-view=${view}]`);
    assert.equal(await isPressed(view), "false");
    assert.equal((await changes()).pixels, 0, `${view} are still drawn`);
  }
  // The left side is blue, the right side orange, the centre of mass yellow.
  const { ghosts, trails, feet, mass } = drawn;
  // Poses of 0.9 s before and after now spread along the walk.
  assert.ok(ghosts.pixels > 3000 && ghosts.columns > 100, `ghosts: ${JSON.stringify(ghosts)}`);
  assert.ok(trails.blue > 50 && trails.orange > 50, `trails: ${JSON.stringify(trails)}`);
  assert.ok(feet.blue > 50 && feet.orange > 50, `foot marks: ${JSON.stringify(feet)}`);
  assert.ok(mass.yellow > 30, `centre of mass: ${JSON.stringify(mass)}`);
  await page.click("[data-view=feet]");
});

test("the library is searched, and a second motion is shown beside", async () => {
  await wait("waltz");
  await page.fill("input[type=search]", "waltz");
  assert.equal(await page.locator(".take").count(), 1);
  assert.match(await take("waltz").locator(".licence").textContent(), /MIT OR Apache/);
  await take("waltz").locator(".show").click();
  await page.waitForFunction(() => marey.lead?.about.name === "waltz");
  assert.equal(await page.evaluate(() => marey.stage.casts[0].motion.actors.length), 2);
  await page.fill("input[type=search]", "");
  await take("stroll").locator(".beside").click();
  await page.waitForFunction(() => marey.shown.length === 2);
  await page.click("[data-view=split]");
  await page.evaluate(() => marey.clock.seek(4));
  await page.screenshot({ path: shot("3-side-by-side") });
  await page.click("[data-view=split]");
  await page.screenshot({ path: shot("4-overlaid") });
});

test("a tag is added, renamed and moved, the move is undone, and the tag survives a reload", async () => {
  await take("walk").locator(".show").click();
  await page.waitForFunction(() => marey.lead?.about.name === "walk" && marey.shown.length === 1);
  await page.evaluate(() => marey.clock.seek(10));
  await page.keyboard.press("t");
  const made = page.locator(".mark.tag[data-name=tag]");
  await made.waitFor();
  await made.focus();
  await page.keyboard.press("F2");
  await page.keyboard.type("here it <b>starts</b>");
  await page.keyboard.press("Enter");
  const named = page.locator('.mark.tag[data-name="here it <b>starts</b>"]');
  await named.waitFor();
  assert.equal(await named.locator("b").count(), 0);
  const place = () => page.evaluate(() => marey.lead.about.marks.tags.find((tag) => tag.name.startsWith("here")));
  const before = await place();
  const box = await named.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 90, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  await page.waitForFunction((start) => marey.lead.about.marks.tags.some((tag) => tag.name.startsWith("here") && tag.start > start), before.start);
  await page.keyboard.press("Control+z");
  await page.waitForFunction((start) => marey.lead.about.marks.tags.some((tag) => tag.name.startsWith("here") && tag.start === start), before.start);
  await page.screenshot({ path: shot("5-tag") });
  await page.reload();
  await page.waitForSelector("body[data-ready]");
  await take("walk").locator(".show").click();
  await named.waitFor();
  assert.deepEqual(await place(), before);
});

/** Presses a key on a mark until this number of segments exists; a timeline that is rebuilt meanwhile may miss a key. */
const pressOn = async (locator, key, segments) => {
  for (let attempt = 1; ; attempt += 1) {
    await locator.press(key);
    try {
      await page.waitForFunction((n) => document.querySelectorAll(".mark.segment").length === n, segments, { timeout: 20_000 });
      return;
    } catch (error) {
      if (attempt === 4) throw error;
    }
  }
};

test("a segment is split at the playhead and restored", async () => {
  const count = () => page.locator(".mark.segment").count();
  const before = await count();
  assert.ok(before > 10, `${before} segments`);
  const first = page.locator(".mark.segment").nth(4);
  const { start, end } = await page.evaluate(() => marey.lead.about.marks.segments[4]);
  await page.evaluate((frame) => marey.clock.seek(frame / marey.lead.motion.rateHz), Math.round((start + end) / 2));
  await pressOn(first, "x", before + 1);
  await page.keyboard.press("Control+z");
  await page.waitForFunction((n) => document.querySelectorAll(".mark.segment").length === n, before);
  await pressOn(page.locator(".mark.segment").nth(4), "Delete", before - 1);
  await page.click("button[aria-label=Undo]");
  await page.waitForFunction((n) => document.querySelectorAll(".mark.segment").length === n, before);
});

/** Draws a curve on the floor at the speed of a user. */
const draw = async () => {
  await page.click(".tabs [data-name=follow]");
  await page.click("text=Draw a path");
  const points = Array.from({ length: 40 }, (_, i) => {
    const t = i / 39;
    return [-2.2 + 4.4 * t, 1.1 * Math.sin(t * 4)];
  });
  const places = await page.evaluate((points) => {
    const { x: cx, z: cz } = marey.stage.controls.target;
    return points.map(([x, z]) => ({ at: marey.stage.pageAt(cx + x, cz + z), floor: [cx + x, cz + z] }));
  }, points);
  for (const [index, { at }] of places.entries()) {
    await page.mouse.move(at.x, at.y);
    if (index === 0) await page.mouse.down();
    await page.waitForTimeout(30);
  }
  await page.screenshot({ path: shot("6-drawing") });
  await page.mouse.up();
  return places.map(({ floor }) => floor);
};

test("a character walks along a drawn path", async () => {
  const places = await draw();
  const released = Date.now();
  await page.waitForFunction(() => marey.lead?.about.name === "walk along a path");
  console.log(`walker ${Date.now() - released} ms after release (a debug build, drawn without a GPU)`);
  // The hips follow the drawn line.
  const worst = await page.evaluate((places) => {
    const cast = marey.stage.casts[0];
    let worst = 0;
    for (let secs = 0; secs < marey.clock.secs; secs += 0.1) {
      marey.clock.seek(secs);
      const [x, , z] = cast.hipsOf(0);
      worst = Math.max(worst, Math.min(...places.map(([px, pz]) => Math.hypot(px - x, pz - z))));
    }
    return worst;
  }, places);
  assert.ok(worst < 0.35, `the hips leave the line by ${worst} m`);
  await page.evaluate(() => marey.clock.seek(marey.clock.secs * 0.6));
  await page.screenshot({ path: shot("7-walked") });
});

test("the candidates for a piece are listed, and it is swapped for the next best", async () => {
  assert.ok((await page.locator(".piece").count()) > 2);
  await page.locator(".piece").nth(2).click();
  await page.waitForSelector(".why .candidates li.taken");
  await page.screenshot({ path: shot("8-why") });
  const id = await page.evaluate(() => marey.lead.about.id);
  await page.click("text=Swap for the next best");
  await page.waitForFunction((id) => marey.lead.about.id !== id, id);
  const taken = await page.evaluate(() => marey.lead.about.trace.choices.find((one) => one.placement === 2).taken);
  assert.ok(taken > 0);
  await page.keyboard.press("Escape");
});

test("results are exported, the command is copied, and a file is imported", async () => {
  await page.click(".export summary");
  await page.screenshot({ path: shot("9-export") });
  const files = {};
  for (const [format, magic] of [["bvh", "HIERARCHY"], ["glb", "glTF"], ["plan", "{"]]) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.click(`.export a[data-format=${format}]`)]);
    files[format] = await readFile(await download.path());
    assert.ok(files[format].subarray(0, magic.length).toString() === magic, format);
  }
  await page.click("text=Copy command");
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^marey realise \S+ plan\.json -o motion\.bvh$/);
  await page.keyboard.press("Escape");
  // The plan is realised again from its text.
  await page.click(".tabs [data-name=realise]");
  await page.fill("textarea", files.plan.toString());
  await page.click(".realise button.primary");
  await page.waitForFunction(() => marey.lead?.about.name === "plan");
  await page.screenshot({ path: shot("10-realise") });
  // The exported file is imported.
  const frames = await page.evaluate(() => marey.shown[0].motion.frames);
  await page.click(".tabs [data-name=library]");
  await page.setInputFiles("input[type=file]", { name: "again <i>.bvh", mimeType: "text/plain", buffer: files.bvh });
  await page.waitForSelector(".import .chip");
  await page.waitForFunction(() => marey.lead?.about.id.startsWith("i"));
  assert.equal(await page.evaluate(() => marey.lead.motion.frames), frames);
  await page.screenshot({ path: shot("11-import") });
  await page.selectOption(".chip select[aria-label=unit]", "m");
  await page.waitForFunction(() => document.querySelector(".chip i")?.textContent === "user");
  await page.fill("input[aria-label=Licence]", "CC-BY-4.0");
  await page.click("text=Keep in corpus");
  await page.waitForFunction(() => marey.takes.some((take) => take.name === "again <i>" && take.licence === "CC-BY-4.0"));
});

test("a follower is generated for a leader, beside the recorded pair", async () => {
  await wait("lindy improvised 1");
  await page.click(".tabs [data-name=follow]");
  const value = await page.evaluate(() => `${marey.takes.find((take) => take.name === "lindy improvised 1").id} leader`);
  await page.selectOption("select[aria-label=Leader]", value);
  await page.click("#make-follower");
  await page.waitForFunction(() => marey.lead?.about.name === "follower", null, { timeout: 180_000 });
  assert.equal(await page.evaluate(() => marey.shown.length), 2);
  await page.evaluate(() => marey.clock.seek(5));
  await page.screenshot({ path: shot("12-follower") });
});

test("an error is shown with its code and a hint", async () => {
  await page.click(".tabs [data-name=realise]");
  await page.fill("textarea", "{ nonsense");
  await page.click(".realise button.primary");
  await page.waitForSelector(".notice.error");
  const text = await page.locator(".notice.error").last().textContent();
  assert.match(text, /plan\/json/);
  await page.screenshot({ path: shot("13-error") });
  await page.click(".notice.error .close");
  await page.click(".tabs [data-name=library]");
});

test("all shortcuts are listed, and the page works without a mouse", async () => {
  await page.keyboard.press("?");
  await page.waitForSelector(".shortcuts[open]");
  assert.ok((await page.locator(".shortcuts dt").count()) >= 20);
  await page.screenshot({ path: shot("14-keys") });
  await page.keyboard.press("Escape");
  await page.locator("input[type=search]").focus();
  await page.keyboard.type("hurry");
  for (let i = 0; i < 3; i++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => marey.lead?.about.name === "hurry");
  await page.fill("input[type=search]", "");
});

test("the page fits a phone", async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.waitForTimeout(300);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `${wide} px wide`);
  assert.ok((await brightFraction()) > 0.005, "no character is visible");
  await page.screenshot({ path: shot("15-phone") });
  await page.setViewportSize({ width: 1280, height: 720 });
});

test("users who prefer reduced motion get still pictures", async () => {
  const { url } = await page.evaluate(async () => (await fetch("/api/links", { method: "POST" })).json());
  const other = await open(browser, url, { reducedMotion: "reduce" });
  await other.page.waitForSelector(".take img");
  assert.ok((await other.page.getAttribute(".take img", "src")).endsWith("?still"));
  assert.deepEqual(other.errors, []);
  await other.context.close();
});

test("the page logged no errors", () => assert.deepEqual(errors, []));
