// The panels of the engines: terrain is edited, dances are varied, poses are connected, a duet and a performance run live.
import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";
import { shot, visit } from "./studio.js";

let page;
let errors;

visit((given) => ({ page, errors } = given));

const wait = (name) => page.waitForFunction((name) => marey.takes.some((take) => take.name === name), name);
const choose = (panel) => page.click(`.tabs [data-name=${panel}]`);
const leadId = () => page.evaluate(() => marey.lead?.about.id);
/** Waits for a new result on the stage. */
const another = (id, part) => page.waitForFunction(([id, part]) => marey.lead && marey.lead.about.id !== id && marey.lead.about.name.includes(part), [id, part]);
/** Waits until the motion over the present ground is on the stage. */
const crossed = () => page.waitForFunction(() => document.querySelector(".traverse").getAttribute("aria-busy") === "false" && marey.lead?.about.name.includes("over the ground"));
/** Shows a take of the library. */
const show = async (name) => {
  await choose("library");
  await page.fill("input[type=search]", name);
  await page.locator(".take .show").first().click();
  await page.waitForFunction((name) => marey.lead?.about.name === name, name);
  await page.fill("input[type=search]", "");
  await page.locator("input[type=search]").blur();
};
/** The lowest height of the root over the ground, and where the motion starts and ends. */
const gapOverGround = () =>
  page.evaluate(() => {
    const { about, motion } = marey.lead;
    const height = (along) => {
      for (const piece of about.overlay.ground.pieces) {
        for (let i = 1; i < piece.length; i++) {
          const [[a, low], [b, high]] = [piece[i - 1], piece[i]];
          if (along >= a && along <= b && b > a) return low + ((along - a) / (b - a)) * (high - low);
        }
      }
      return null;
    };
    const root = motion.actors[0].positions;
    const movers = motion.actors[0].movers;
    let worst = Infinity;
    for (let frame = 0; frame < motion.frames; frame++) {
      const [y, z] = [root[3 * movers * frame + 1], root[3 * movers * frame + 2]];
      const ground = height(z);
      if (ground !== null) worst = Math.min(worst, y - ground);
    }
    return { worst, from: root[2], to: root[3 * movers * (motion.frames - 1) + 2] };
  });

test("the lamp crosses the first terrain", async () => {
  await wait("luxo-2");
  await choose("traverse");
  await page.waitForFunction(() => marey.lead?.about.name === "luxo-2 over the ground");
  const { worst, from, to } = await gapOverGround();
  assert.ok(worst > -0.02, `the lamp is ${worst} m in the ground`);
  assert.ok(to - from > 3, `from ${from} to ${to}`);
  await page.evaluate(() => (marey.clock.isRunning && marey.clock.toggle(), marey.clock.seek(marey.clock.secs * 0.5)));
  await page.screenshot({ path: shot("20-traverse") });
});

test("a point is dragged until the ground cannot be crossed, and the change is undone", async () => {
  const handle = page.locator(".handle").nth(4);
  const before = await handle.getAttribute("aria-label");
  const box = await handle.boundingBox();
  await page.mouse.move(box.x + 9, box.y + 9);
  await page.mouse.down();
  await page.mouse.move(box.x + 9, box.y - 120, { steps: 6 });
  await page.mouse.up();
  assert.notEqual(await handle.getAttribute("aria-label"), before);
  await page.waitForSelector(".traverse[data-reach=blocked]");
  const text = await page.locator(".traverse .status").textContent();
  assert.match(text, /traverse\/unreachable/);
  await page.screenshot({ path: shot("21-unreachable") });
  const id = await leadId();
  await page.keyboard.press("Control+z");
  await page.waitForSelector(".traverse[data-reach=free]");
  assert.equal(await handle.getAttribute("aria-label"), before);
  await another(id, "over the ground");
  await crossed();
});

test("points are moved, added, cut and deleted by keys", async () => {
  const count = () => page.locator(".handle").count();
  const points = await count();
  const handle = page.locator(".handle").nth(1);
  await handle.focus();
  const before = await handle.getAttribute("aria-label");
  await page.keyboard.press("Shift+ArrowLeft");
  assert.notEqual(await handle.getAttribute("aria-label"), before);
  await page.keyboard.press("Enter");
  assert.equal(await count(), points + 1);
  await page.keyboard.press("Delete");
  assert.equal(await count(), points);
  await page.locator(".handle").nth(0).focus();
  await page.keyboard.press("c");
  assert.equal(await count(), points + 2);
  const id = await leadId();
  for (let i = 0; i < 2; i++) await page.keyboard.press("Control+z");
  await another(id, "over the ground");
  await crossed();
});

test("preferred hop lengths change the motion and the command", async () => {
  const hops = async (length) => {
    await page.selectOption("select[aria-label='Hop length']", length);
    await crossed();
    return page.evaluate(() => Number(marey.lead.about.notes.find(([name]) => name === "hops")[1]));
  };
  const [long, short] = [await hops("high"), await hops("low")];
  assert.ok(short > long, `${short} short hops, ${long} long ones`);
  await page.click(".export summary");
  await page.click("text=Copy command");
  const command = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(command, /^marey traverse \S+ ground\.terrain\.json -o traverse\.bvh --take luxo-2 --lookahead 4 --prefer 'length=short'$/);
  await page.keyboard.press("Escape");
});

test("a person walks over stairs", async () => {
  await page.selectOption("select[aria-label='Hop length']", "");
  await crossed();
  const value = await page.evaluate(() => marey.takes.find((take) => take.name === "walk").id);
  await page.selectOption("select[aria-label='Character']", value);
  await page.selectOption("select[aria-label=Ground]", "stairs");
  await page.waitForFunction(() => marey.lead?.about.name === "walk over the ground" && marey.lead.about.overlay.ground.pieces[0].length > 10);
  const { worst, to } = await gapOverGround();
  assert.ok(worst > 0.5 && to > 4, `hips ${worst} m over the ground, as far as ${to} m`);
  // The quality card is shown.
  await page.waitForFunction(() => /foot skate/.test(document.querySelector(".facts .card").textContent));
  await page.evaluate(() => (marey.clock.isRunning && marey.clock.toggle(), marey.clock.seek(marey.clock.secs * 0.5)));
  await page.screenshot({ path: shot("22-stairs") });
});

test("twelve variations are shown, and one is pinned", async () => {
  await wait("ballet-01");
  await show("ballet-01");
  await choose("vary");
  await page.click("#make-variations");
  await page.waitForFunction(() => marey.lead?.about.name === "ballet-01 varied 1");
  assert.equal(await page.locator(".sheet li").count(), 12);
  assert.equal(await page.evaluate(() => marey.shown.length), 2, "the original is shown beside");
  // The attractor shows both trajectories.
  await page.waitForSelector(".inset:not([hidden])");
  const counts = await page.evaluate(() => {
    const { original, variation, played } = marey.lead.about.overlay.attractor;
    return [original.length, variation.length, new Set(played).size];
  });
  assert.ok(counts.every((count) => count > 20), `${counts}`);
  await page.evaluate(() => marey.clock.seek(marey.clock.secs * 0.6));
  await page.locator(".sheet li").nth(3).locator(".show").click();
  await page.waitForFunction(() => marey.lead?.about.name === "ballet-01 varied 4");
  await page.locator(".sheet img").last().scrollIntoViewIfNeeded();
  await page.waitForFunction(() => [...document.querySelectorAll(".sheet img")].every((img) => img.complete && img.naturalWidth > 0));
  await page.evaluate(() => (marey.clock.isRunning && marey.clock.toggle(), marey.clock.seek(marey.clock.secs * 0.6)));
  await page.screenshot({ path: shot("23-vary") });
  await page.locator(".sheet li").nth(3).locator(".pin").click();
  await wait("ballet-01 varied 4");
  const kept = await page.evaluate(() => marey.takes.find((take) => take.name === "ballet-01 varied 4"));
  assert.match(kept.licence, /MIT OR Apache/);
  assert.equal(kept.source, "ballet-01");
  await page.click(".export summary");
  await page.click("text=Copy command");
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^marey vary \S+ --only ballet-01 -o varied\.bvh --seed 4 --system lorenz$/);
  await page.keyboard.press("Escape");
});

/** Shows a take at a time, and adds its pose to the row. */
const addPose = async (name, secs, key) => {
  await show(name);
  await page.evaluate((secs) => marey.clock.seek(secs), secs);
  const before = key === "[" ? 0 : await page.locator(".posture img").count();
  await page.keyboard.press(key);
  await page.waitForFunction((count) => document.querySelectorAll(".posture img").length === count, before + 1);
};
const ballets = () => page.evaluate(() => marey.takes.filter((take) => take.name.startsWith("ballet") && take.actors.length === 1 && !take.name.includes("varied")).map(({ name }) => name));
const commandOf = async () => {
  await page.click(".export summary");
  await page.click("text=Copy command");
  const command = await page.evaluate(() => navigator.clipboard.readText());
  await page.keyboard.press("Escape");
  return command;
};

test("motion goes through a row of poses, at set times, to a place on the floor", async () => {
  const [first, ...others] = await ballets();
  const last = others.at(-1);
  await addPose(first, 1, "[");
  await addPose(last, 2, "]");
  await addPose(first, 3, "]");
  await page.check("text=Set times");
  await page.fill("input[aria-label='Seconds from pose 2 to pose 3']", "1.5");
  await page.click("[aria-label='Place pose 3']");
  const stage = await page.locator(".stage canvas").first().boundingBox();
  const [x, y] = [stage.x + 0.6 * stage.width, stage.y + 0.4 * stage.height];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 60, y, { steps: 4 });
  await page.mouse.up();
  await page.waitForSelector("[aria-label='Free pose 3']");
  await page.screenshot({ path: shot("23-tween-row") });
  const id = await leadId();
  await page.click("#find-path");
  await another(id, " to ");
  const { gaps, secs, end } = await page.evaluate(() => {
    const { about, motion } = marey.lead;
    const { positions, movers } = motion.actors[0];
    const at = 3 * movers * (motion.frames - 1);
    return { gaps: about.overlay.gaps, secs: motion.frames / motion.rateHz, end: [positions[at], positions[at + 2]] };
  });
  assert.equal(gaps.length, 2);
  assert.ok(Math.abs(gaps[0].end_secs - 1) < 0.03 && Math.abs(gaps[1].end_secs - 2.5) < 0.03 && Math.abs(secs - 2.5) < 0.06, JSON.stringify({ gaps, secs }));
  const command = await commandOf();
  const found = command.match(/^marey tween \S+ ballet-\d+@\d+ ballet-\d+@\d+ ballet-\d+@\d+ -o between\.bvh --at '?0,1,2\.5'? --place free --place '?(-?[\d.]+),(-?[\d.]+),(-?[\d.]+)'? --gap-only$/);
  assert.ok(found, command);
  assert.ok(Math.hypot(end[0] - Number(found[1]), end[1] - Number(found[2])) < 0.3, `${end} for ${command}`);
  await page.evaluate(() => (marey.clock.isRunning && marey.clock.toggle(), marey.clock.seek(marey.clock.secs * 0.5)));
  await page.screenshot({ path: shot("24-tween") });
});

test("the row of poses can be changed, and the style searched", async () => {
  await page.uncheck("text=Set times");
  await page.click("[aria-label='Free pose 3']");
  await page.click("[aria-label='Move pose 3 left']");
  await page.click("[aria-label='Remove pose 2']");
  assert.equal(await page.locator(".posture img").count(), 2);
  await page.selectOption("select[aria-label=Mode]", "style");
  await page.click("#find-path");
  await page.waitForFunction(() => marey.lead?.about.overlay?.gaps?.[0].path);
  const rows = await page.evaluate(() => {
    const { joints } = marey.lead.about.overlay.gaps[0].path;
    return { joints: joints.length, steps: joints[0].costs.length, secs: marey.clock.secs };
  });
  assert.ok(rows.joints > 15 && rows.steps >= 1 && rows.secs > 0.05, JSON.stringify(rows));
  assert.ok((await page.locator(".graph-path .joint").count()) > 3);
  assert.match(await commandOf(), /^marey tween \S+ ballet-\d+@\d+ ballet-\d+@\d+ -o between\.bvh --mode style --gap-only --max-expansions 2000$/);
  await page.screenshot({ path: shot("24-tween-style") });
});

test("a duet continues on its own, and along a path", async () => {
  await wait("taekwondo");
  await choose("duet");
  assert.equal(await page.evaluate(() => document.querySelector("select[aria-label=Pair]").selectedOptions[0].textContent), "taekwondo");
  await page.click("#generate-duet");
  await page.waitForFunction(() => marey.lead?.about.name === "taekwondo continued");
  assert.equal(await page.evaluate(() => marey.lead.motion.actors.length), 2);
  await page.evaluate(() => (marey.clock.isRunning && marey.clock.toggle(), marey.clock.seek(6)));
  await page.screenshot({ path: shot("25-duet") });
  const id = await leadId();
  // Even with the maximum number of notices, the floor must stay free for drawing.
  await page.evaluate(() => marey.notices.setWarnings([1, 2, 3, 4].map((line) => ({ code: "page/test", message: "nothing is wrong", hint: "Draw on.", place: { line } }))));
  await page.click("text=Draw the path");
  const places = await page.evaluate(() => {
    const { x: cx, z: cz } = marey.stage.controls.target;
    return Array.from({ length: 30 }, (_, i) => {
      const [x, z] = [cx - 1.5 + i / 10, cz + 0.5 * Math.sin(i / 6)];
      return { at: marey.stage.pageAt(x, z), floor: [x, z] };
    });
  });
  assert.ok(await page.evaluate((places) => places.every(({ at }) => document.elementFromPoint(at.x, at.y) === marey.stage.canvas), places), "something covers the floor");
  for (const [index, { at }] of places.entries()) {
    await page.mouse.move(at.x, at.y);
    if (index === 0) await page.mouse.down();
    await page.waitForTimeout(30);
  }
  await page.mouse.up();
  await another(id, "taekwondo continued");
  // The controlled person stays near the line.
  const off = await page.evaluate((places) => {
    let sum = 0;
    let count = 0;
    for (let secs = 1; secs < marey.clock.secs; secs += 0.1, count++) {
      marey.clock.seek(secs);
      const [x, , z] = marey.stage.casts[0].hipsOf(0);
      sum += Math.min(...places.map(([px, pz]) => Math.hypot(px - x, pz - z)));
    }
    return sum / count;
  }, places.map(({ floor }) => floor));
  assert.ok(off < 0.4, `off the line by ${off} m`);
  assert.ok(!(await page.locator(".notices").textContent()).includes("nothing is wrong"), "the warnings of the last motion are still shown");
  await page.screenshot({ path: shot("26-duet-path") });
});

test("a live duet: keys choose movements, the mouse sets the target, the opponent responds", async () => {
  await page.click("#play-duet");
  await page.waitForSelector(".moves [data-group]");
  await page.waitForFunction(() => Number(document.querySelector(".duet").dataset.fps) > 5);
  const attack = await page.locator(".moves .offensive [data-group]").first().getAttribute("data-group");
  const root = () => page.evaluate(() => [0, 1].map((actor) => marey.stage.casts[0].hipsOf(actor)));
  const before = await root();
  for (let tries = 0; tries < 60; tries++) {
    await page.keyboard.press("q");
    await page.waitForTimeout(250);
    if ((await page.locator(".moves .offensive [aria-pressed=true]").count()) > 0) break;
  }
  assert.ok((await page.locator(".moves .offensive [aria-pressed=true]").count()) > 0, `no attack; there is ${attack}`);
  await page.screenshot({ path: shot("27-duet-played") });
  const canvas = await page.locator(".stage canvas").boundingBox();
  await page.mouse.move(canvas.x + canvas.width * 0.75, canvas.y + canvas.height * 0.7, { steps: 4 });
  await page.waitForTimeout(3000);
  const now = await root();
  const far = Math.max(...now.map(([x, , z], i) => Math.hypot(x - before[i][0], z - before[i][2])));
  assert.ok(far > 0.05, "no character moves");
  assert.ok(Math.hypot(now[0][0] - now[1][0], now[0][2] - now[1][2]) < 4, "the characters are too far apart");
  console.log(`${await page.getAttribute(".duet", "data-fps")} frames per second reach the page (a debug build, drawn without a GPU)`);
  await page.click("#play-duet");
  await page.waitForFunction(() => marey.lead?.about.name === "taekwondo played");
  assert.ok(await page.evaluate(() => marey.lead.motion.secs > 2));
});

test("keys control a performer, and the character walks in the world", async () => {
  await choose("perform");
  await page.click("#perform");
  await page.waitForFunction(() => document.querySelector(".perform").dataset.z !== undefined);
  const along = () => page.evaluate(() => Number(document.querySelector(".perform").dataset.z));
  const before = await along();
  await page.waitForTimeout(1500);
  await page.keyboard.down("ArrowUp");
  await page.waitForFunction((z) => Number(document.querySelector(".perform").dataset.z) > z + 1.5, before);
  assert.match(await page.locator(".perform .state").textContent(), /performerwalkimitateswalk, lawn/);
  await page.screenshot({ path: shot("28-perform") });
  await page.keyboard.up("ArrowUp");
  // Rewinding shows an earlier frame.
  const now = await along();
  await page.locator("input[aria-label='Rewind, in seconds']").fill("-1.5");
  await page.waitForFunction((z) => Number(document.querySelector(".perform").dataset.z) < z, now);
  await page.locator("input[aria-label='Rewind, in seconds']").fill("0");
  await page.click("#perform");
  await page.waitForFunction(() => marey.lead?.about.name === "hero");
  assert.ok(await page.evaluate(() => marey.stage.worldView.isShown && marey.lead.motion.secs > 3));
  await page.click(".export summary");
  await page.click("text=Copy command");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "marey perform adventure --input performer.json -o hero.bvh");
  await page.keyboard.press("Escape");
});

test("the adventure is completed with the keyboard", async () => {
  await choose("perform");
  await page.click("#perform");
  const acts = () => page.locator(".perform .state dd").first().textContent();
  await page.waitForFunction(() => document.querySelector(".perform .state dd")?.textContent === "stand");
  await page.waitForTimeout(1500);
  for (const [key, part] of [["1", "bars"], ["2", "rope"], ["3", "pole"], ["4", "rocks"], ["5", "trampoline"], ["6", "breast-stroke"], ["7", "web"], ["8", "walk"]]) {
    await page.keyboard.down(key);
    const does = (wanted) => page.waitForFunction((name) => document.querySelector(".perform .state dd").textContent === name, wanted, { timeout: 120_000 });
    await does(part);
    await page.waitForTimeout(2500);
    await page.screenshot({ path: shot(`40-adventure-${key}-${part}`) });
    // The performer stands when the part is complete.
    await does("stand");
    await page.keyboard.up(key);
  }
  assert.equal(await acts(), "stand");
  assert.match(await page.locator(".perform .state").textContent(), /finishreached/);
  await page.click("#perform");
  await page.waitForFunction(() => marey.lead?.about.name === "hero");
});

test("a recording performs", async () => {
  await wait("performer");
  await choose("perform");
  const value = await page.evaluate(() => marey.takes.find((take) => take.name === "performer").id);
  await page.selectOption("select[aria-label='Performer']", value);
  await page.click("#perform");
  await page.waitForFunction(() => document.querySelector(".perform .state dd")?.textContent === "recorded");
  await page.waitForTimeout(2500);
  await page.screenshot({ path: shot("29-perform-recorded") });
  await page.click("#perform");
  await page.waitForFunction(() => !document.querySelector("#perform").disabled && marey.lead?.about.name === "hero");
});

test("a performer is received live from a socket", async () => {
  // Markers of a standing performer.
  const points = { Hips: [0, 0.95, 0], LeftHand: [0.3, 0.8, 0.1], RightHand: [-0.3, 0.8, 0.1], LeftFoot: [0.1, 0.08, 0], RightFoot: [-0.1, 0.08, 0] };
  const line = `${JSON.stringify({ secs: 1 / 60, points, closed: [false, false] })}\n`;
  const server = createServer((socket) => {
    const sending = setInterval(() => socket.write(line), 1000 / 60);
    socket.on("close", () => clearInterval(sending));
    socket.on("error", () => clearInterval(sending));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  await page.selectOption("select[aria-label='Performer']", "port");
  await page.fill("input[aria-label=Port]", String(server.address().port));
  await page.click("#perform");
  await page.waitForFunction(() => document.querySelector(".perform .state dd")?.textContent === "live");
  await page.waitForFunction(() => /left foot: lawn/.test(document.querySelector(".perform .state").textContent));
  await page.click("#perform");
  await page.waitForFunction(() => !document.querySelector("#perform").disabled && marey.lead?.about.name === "hero");
  server.close();
  // Without a sender, an error is shown.
  await page.click("#perform");
  await page.waitForSelector(".notice.error");
  assert.match(await page.locator(".notice.error").last().textContent(), /127\.0\.0\.1:\d+/);
  await page.click(".notice.error .close");
});

test("every panel fits a phone", async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  for (const [index, panel] of ["traverse", "duet", "perform", "vary", "tween"].entries()) {
    await choose(panel);
    await page.waitForTimeout(300);
    assert.equal(await page.getAttribute(`.tabs [data-name=${panel}]`, "aria-selected"), "true");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `${panel}: ${wide} px wide`);
    await page.screenshot({ path: shot(`${30 + index}-phone-${panel}`) });
  }
  await page.setViewportSize({ width: 1280, height: 720 });
});

test("the page logged no errors", () => assert.deepEqual(errors, []));
