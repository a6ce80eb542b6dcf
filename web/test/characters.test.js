// The user's own characters: dropped on the page, kept in the corpus, shown with their own skin, and exported.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { test } from "node:test";
import { original, originals } from "./samples.js";
import { binary, shot, visit } from "./studio.js";

let page;
let errors;

visit((given) => ({ page, errors } = given));

/** The names of the characters that can be chosen. */
const choices = () => page.locator("select[aria-label='Shown character'] option").allTextContents();
/** Adds a file by the file dialog, and waits until it is shown. */
const add = async (name) => {
  await page.setInputFiles("input[aria-label='Character file']", { name, mimeType: "application/octet-stream", buffer: await original(name) });
  await page.waitForFunction((name) => document.querySelector("select[aria-label='Shown character']").selectedOptions[0]?.textContent === name && marey.lead?.motion.actors[0].skin, name);
};
/** The description of a GLB. */
const described = (bytes) => JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString());
/** Exports the motion on the stage as a GLB. */
const exported = async () => {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.evaluate(() => {
      document.querySelector(".export").open = true;
      setTimeout(() => document.querySelector(".export a[data-format=glb]").click(), 200);
    }),
  ]);
  return readFile(await download.path());
};
/** The largest distance between joints of the motion and nodes of the model, in metres, at some times. */
const offJoints = () =>
  page.evaluate(() => {
    const [cast] = marey.stage.casts;
    let worst = 0;
    for (const part of [0, 0.3, 0.8]) {
      marey.stage.set(part * marey.clock.secs);
      marey.stage.wake();
      marey.stage.draw();
      for (const figure of cast.figures) {
        for (const { joint, node } of figure.skin.joints) {
          const [x, y, z] = figure.pose.positionOf(joint);
          const at = node.getWorldPosition(node.position.clone());
          worst = Math.max(worst, Math.hypot(at.x - x, at.y - (y - cast.motion.floorM), at.z - z));
        }
      }
    }
    return worst;
  });

test("characters are shown with their own skin, where the motion has its joints", async () => {
  assert.ok(originals.length > 1);
  for (const name of originals) {
    await add(name);
    const off = await offJoints();
    assert.ok(off < 1e-3, `${name}: a node is ${off} m from its joint`);
    await page.screenshot({ path: shot(`60-character-${name}`) });
  }
  assert.deepEqual(await choices(), ["Mannequin", ...originals]);
});

test("a motion is exported on the character", async () => {
  const name = originals.at(-1);
  const [json, ownJson] = [await exported(), await original(name)].map(described);
  assert.deepEqual(json.nodes.map(({ name }) => name), ownJson.nodes.map(({ name }) => name));
  assert.equal(json.animations.length, (ownJson.animations ?? []).length + 1);
});

test("a live performance moves the character", async () => {
  await page.click(".tabs [data-name=perform]");
  await page.click("#perform");
  await page.waitForFunction(() => document.querySelector(".perform").dataset.z !== undefined);
  await page.keyboard.down("ArrowUp");
  const before = await page.evaluate(() => Number(document.querySelector(".perform").dataset.z));
  await page.waitForFunction((z) => Number(document.querySelector(".perform").dataset.z) > z + 1, before);
  const live = await page.evaluate(() => {
    const [cast] = marey.stage.casts;
    marey.stage.wake();
    marey.stage.draw();
    const off = cast.figures.flatMap((figure) =>
      (figure.skin?.joints ?? []).map(({ joint, node }) => {
        const [x, y, z] = figure.pose.positionOf(joint);
        const at = node.getWorldPosition(node.position.clone());
        return Math.hypot(at.x - x, at.y - (y - cast.motion.floorM), at.z - z);
      }),
    );
    return { joints: off.length, worst: Math.max(...off) };
  });
  await page.screenshot({ path: shot("61-character-performs") });
  await page.keyboard.up("ArrowUp");
  assert.ok(live.joints > 15 && live.worst < 1e-3, JSON.stringify(live));
  // The result is kept on the character too.
  await page.click("#perform");
  await page.waitForFunction(() => marey.lead?.about.name === "hero" && marey.lead.motion.actors[0].skin);
  assert.ok((await offJoints()) < 1e-3);
});

test("partners have characters of their own, in exports and in the command", async () => {
  await page.waitForFunction(() => marey.takes.some(({ name }) => name === "taekwondo"));
  await page.selectOption("select[aria-label='Shown character']", { label: "Mannequin" });
  await page.evaluate(() => marey.show([marey.takes.find(({ name }) => name === "taekwondo").id]));
  const chosen = { red: "hero.glb", blue: "hero-vrm1.glb" };
  for (const [actor, label] of Object.entries(chosen)) {
    await page.selectOption(`select[aria-label='Character of ${actor}']`, { label });
    await page.waitForFunction((actor) => marey.lead?.motion.actors.find(({ name }) => name === actor).skin, actor);
  }
  assert.ok((await offJoints()) < 1e-3);
  await page.click(".tabs [data-name=duet]");
  await page.evaluate(() => {
    const duration = [...document.querySelectorAll(".duet .slider")].find(({ textContent }) => textContent.startsWith("Duration")).querySelector("input");
    duration.value = "5";
    duration.dispatchEvent(new Event("input"));
  });
  await page.click("#generate-duet");
  await page.waitForFunction(() => marey.lead?.about.name === "taekwondo continued" && marey.lead.motion.actors.every(({ skin }) => skin));
  assert.ok((await offJoints()) < 1e-3);
  await page.screenshot({ path: shot("62-characters-of-partners") });
  const json = described(await exported());
  const nodes = Object.values(chosen).map(async (name) => described(await original(name)).nodes.map(({ name }) => name));
  assert.deepEqual(json.nodes.map(({ name }) => name), (await Promise.all(nodes)).flat());
  assert.equal(json.skins.length, 2);
  // The command runs as it is pasted, in an empty folder, and makes the same file.
  await page.click("text=Copy command");
  const command = await page.evaluate(() => navigator.clipboard.readText());
  const folder = await mkdtemp(join(tmpdir(), "marey-pasted-"));
  const env = { ...process.env, PATH: dirname(binary) + delimiter + process.env.PATH };
  const { status, stderr } = spawnSync(command, { shell: true, cwd: folder, env, encoding: "utf8" });
  assert.equal(status, 0, `${command}\n${stderr}`);
  const pasted = described(await readFile(join(folder, "duet.glb")));
  await rm(folder, { recursive: true });
  // The animation is named after the file.
  const animation = ({ animations: [{ name, ...rest }] }) => rest;
  assert.deepEqual([animation(pasted), pasted.accessors, pasted.nodes], [animation(json), json.accessors, json.nodes]);
  // A motion without these actors is not concerned.
  await page.evaluate(() => marey.show([marey.takes[0].id]));
  assert.equal(await page.evaluate(() => marey.lead.motion.actors[0].skin), null);
  for (const actor of Object.keys(chosen)) await page.selectOption(`select[aria-label='Character of ${actor}']`, "0");
  await page.waitForFunction(() => document.querySelectorAll(".of-actors select").length === 0);
});

test("a bad file is refused and changes nothing", async () => {
  const before = await choices();
  await page.setInputFiles("input[aria-label='Character file']", { name: "junk.glb", mimeType: "application/octet-stream", buffer: Buffer.from("glTF") });
  await page.locator(".notices").getByText("gltf/").first().waitFor();
  assert.deepEqual(await choices(), before);
  // The browser logs the refusal, and nothing else.
  assert.match(errors.splice(0).join("\n"), /^[^\n]*422[^\n]*$/);
});

test("characters stay after a reload, and can be removed", async () => {
  await page.reload();
  await page.waitForSelector("body[data-ready]");
  await page.waitForFunction(() => marey.shown.length > 0);
  assert.deepEqual(await choices(), ["Mannequin", ...originals]);
  await page.selectOption("select[aria-label='Shown character']", { label: originals[0] });
  await page.waitForFunction(() => marey.lead?.motion.actors[0].skin);
  await page.click("text=Remove >> visible=true");
  await page.waitForFunction((count) => document.querySelectorAll("select[aria-label='Shown character'] option").length === count, originals.length);
  assert.equal(await page.evaluate(() => marey.lead.motion.actors[0].skin), null);
  assert.deepEqual(await choices(), ["Mannequin", ...originals.slice(1)]);
  assert.deepEqual(errors, []);
});
