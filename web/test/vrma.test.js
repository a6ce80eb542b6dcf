// VRM animations play on a VRM character in a real browser with three-vrm, and its bones are where Marey's retargeting puts them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "./chromium.js";
import { openPage } from "./local_page.js";
import * as samples from "./samples.js";

// Made on the character's own body, the motion is the same; made on another body, three-vrm copies rotations and scales the hips, and
// Marey also keeps feet and hands in their places.
const BOUNDS_M = { "own.vrma": 0.0001, "other.vrma": 0.06 };

let browser;
let page;
const faults = [];

before(async () => {
  browser = await launch();
  page = await openPage(browser, "vrma_page.js", faults);
});
after(() => browser?.close());

for (const [name, bound] of Object.entries(BOUNDS_M)) {
  test(name, async () => {
    const [character, animation] = await Promise.all([samples.original("hero-vrm1.glb"), samples.bytes(`vrma/${name}`)]);
    const about = await page.evaluate(([vrm, vrma]) => globalThis.loadAnimation(vrm, vrma), [[...character], [...animation]]);
    const { frames } = await samples.truth(`vrma/${name}`);
    assert.equal(about.animations, 1);
    assert.ok(Math.abs(about.secs - frames.at(-1).secs) < 1e-3, `${about.secs} s`);
    let worst = [0, ""];
    for (const { secs, bones } of frames) {
      const names = Object.keys(bones);
      assert.ok(names.length >= 15 && names.every((bone) => about.bones.includes(bone)), about.bones.join(" "));
      const found = await page.evaluate(([secs, names]) => globalThis.bonesAt(secs, names), [secs, names]);
      for (const [index, bone] of names.entries()) {
        const distance = Math.hypot(...bones[bone].map((value, axis) => value - found[index][axis]));
        if (distance > worst[0]) worst = [distance, bone];
      }
    }
    console.log(`${name}: the farthest bone is ${worst[1]}, ${(1000 * worst[0]).toFixed(2)} mm from Marey's`);
    assert.ok(worst[0] <= bound, `${worst[1]} is ${worst[0]} m off`);
    assert.deepEqual(faults.splice(0), []);
  });
}
