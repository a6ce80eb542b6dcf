// Every verb that writes motion puts it on characters: the Khronos validator finds no more in the output than in the character's own
// file, and three.js and three-vrm put its joints where Marey has them.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { validateBytes } from "gltf-validator";
import { launch } from "./chromium.js";
import { openPage } from "./local_page.js";
import * as samples from "./samples.js";

const binary = process.env.MAREY_BINARY;
if (!binary) throw new Error("MAREY_BINARY is not set; `cargo xtask test` sets it");

// A tenth of a millimetre.
const NEAR_M = 1e-4;
// The characters of every verb, and more for one.
const CHARACTERS = ["hero-armature.glb", "hero-vrm1.glb"];
const MORE = ["hero.glb", "hero-vrm0.glb"];
const TERRAIN = { pieces: [[[0, 0], [2, 0], [2, 0.08], [5, 0.1]]] };
const WORLD = `[[feature]]\nname = "ground"\nlike = "floor"\ngeometry = { plane = { at = [0, 0, 0] } }\nmotion = "walk"\n`;

// The verbs, and their arguments without the output.
const VERBS = {
  convert: ["walk.bvh"],
  follow: ["walks.marey", "path.csv", "--plan", "plan.json"],
  realise: ["walks.marey", "plan.json"],
  traverse: ["walks.marey", "ground.json"],
  vary: ["walk.bvh"],
  tween: ["walks.marey", "walk@100", "walk@400"],
  wander: ["walks.marey", "--secs", "3"],
  perform: ["world.toml", "--input", "performer.bvh"],
};

let folder;
let browser;
let page;
const faults = [];

/** Runs the command in the folder. */
const marey = (...args) => {
  const { status, stderr } = spawnSync(binary, args, { cwd: folder, encoding: "utf8" });
  assert.equal(status, 0, `marey ${args.join(" ")}\n${stderr}`);
};
const output = (verb, out) => (verb === "convert" ? [out] : ["-o", out]);
const bytes = (name) => readFile(join(folder, name));

/** The errors and warnings of the validator. */
const findings = async (bytes) => {
  const { issues } = await validateBytes(new Uint8Array(bytes), { maxIssues: 0 });
  const counted = issues.messages.filter(({ severity }) => severity < 2);
  return counted.map(({ code, pointer, message }) => `${code} ${pointer}: ${message}`).sort();
};

/** The largest distance between joints of a GLB and those of a BVH of the same motion, in metres. */
const offBvh = async (glb, bvh) => {
  const about = await page.evaluate((glb) => globalThis.load(glb), [...(await bytes(glb))]);
  const secs = await page.evaluate((bvh) => globalThis.loadBvh(bvh), (await bytes(bvh)).toString());
  let worst = 0;
  for (const at of [0, 0.3, 0.8].map((part) => part * secs)) {
    const [[found], wanted] = await page.evaluate((at) => [globalThis.positionsAt(at), globalThis.bvhPositionsAt(at)], at);
    for (const [index, name] of about.names[0].entries()) {
      assert.ok(wanted[name], `${bvh} has no joint ${name}`);
      worst = Math.max(worst, Math.hypot(...wanted[name].map((value, axis) => 0.01 * value - found[index][axis])));
    }
  }
  return { ...about, worst };
};

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "marey-engines-"));
  for (const name of [...CHARACTERS, ...MORE]) await writeFile(join(folder, name), await samples.original(name));
  await writeFile(join(folder, "path.csv"), "t,x,z\n0,0,0\n2,0,2\n4,1,4\n");
  await writeFile(join(folder, "ground.json"), JSON.stringify(TERRAIN));
  await writeFile(join(folder, "world.toml"), WORLD);
  marey("examples", "walk", "walk.bvh", "--secs", "20", "--rate", "30");
  marey("examples", "playground", "play");
  marey("convert", "play/performer-3.bvh", "performer.bvh", "--frames", "..400");
  marey("corpus", "new", "walks.marey");
  marey("corpus", "add", "walks.marey", "walk.bvh");
  marey("corpus", "segment", "walks.marey", "--by", "steps");
  browser = await launch();
  page = await openPage(browser, "page.js", faults);
});
after(async () => {
  await browser?.close();
  await rm(folder, { recursive: true });
});

for (const [verb, args] of Object.entries(VERBS)) {
  for (const character of verb === "follow" ? [...CHARACTERS, ...MORE] : CHARACTERS) {
    test(`${verb} on ${character}`, async () => {
      marey(verb, ...args, ...output(verb, "out.glb"), "--character", character, "--force");
      assert.deepEqual(await findings(await bytes("out.glb")), await findings(await bytes(character)));
      marey("convert", "out.glb", "out.bvh", "--force");
      const { animations, vrm, worst } = await offBvh("out.glb", "out.bvh");
      assert.ok(worst < NEAR_M, `a joint is ${worst} m off`);
      assert.deepEqual([animations, vrm.length >= 15], [1, character.includes("vrm")]);
      assert.deepEqual(faults.splice(0), []);
    });
  }
}

test("two characters of a bout share a file", async () => {
  marey("examples", "taekwondo", "bout.glb", "--secs", "40", "--rate", "30", "--seed", "4");
  marey("corpus", "new", "bouts.marey");
  marey("corpus", "add", "bouts.marey", "bout.glb");
  marey("duet", "label", "bouts.marey", "--iterations", "30");
  marey("duet", "train", "bouts.marey");
  const characters = ["--character", "red=hero.glb", "--character", "blue=hero-vrm1.glb"];
  marey("duet", "run", "bouts.marey", "-o", "new.glb", "--secs", "4", ...characters);
  assert.deepEqual(await findings(await bytes("new.glb")), []);
  const about = await page.evaluate((glb) => globalThis.load(glb), [...(await bytes("new.glb"))]);
  assert.deepEqual([about.animations, about.joints.length, about.vrm.length >= 15], [1, 2, true]);
  const [start, later] = await page.evaluate(() => [0, 2].map((secs) => globalThis.positionsAt(secs)));
  for (const actor of [0, 1]) {
    const moved = start[actor].map((place, joint) => Math.hypot(...place.map((value, axis) => value - later[actor][joint][axis])));
    assert.ok(Math.max(...moved) > 0.1, `actor ${actor} moves by ${Math.max(...moved)} m`);
  }
  assert.deepEqual(faults.splice(0), []);
});

test("an FBX character becomes a GLB with its names", async () => {
  marey("convert", "walk.bvh", "hero.fbx", "--character", "hero.glb");
  marey("follow", ...VERBS.follow, "-o", "out.glb", "--character", "hero.fbx", "--force");
  assert.deepEqual(await findings(await bytes("out.glb")), []);
  marey("convert", "out.glb", "out.bvh", "--force");
  const { names, worst } = await offBvh("out.glb", "out.bvh");
  assert.ok(worst < NEAR_M && names[0].includes("UpperChest"), `a joint is ${worst} m off; ${names[0].join(" ")}`);
  assert.deepEqual(faults.splice(0), []);
});
