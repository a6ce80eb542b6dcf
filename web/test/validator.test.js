// Everything that is written passes the Khronos validator without an error or a warning, but for what a character brings with it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { validateBytes } from "gltf-validator";
import * as samples from "./samples.js";

// What the validator may remark on, and why it stays.
const REMARKS = {
  NODE_EMPTY: "the tip of a bone is a node without content",
  UNUSED_OBJECT: "without a mesh, the skin says which nodes are joints",
  UNSUPPORTED_EXTENSION: "the validator does not know VRM, which a character may use",
};

// The one warning that a file may have: VRM 0 names its extension without a vendor.
const VRM_0 = ["hero-vrm0.glb", "heroes.glb"];
const isNameOfVrm0 = ({ code }) => code === "INVALID_EXTENSION_NAME_FORMAT";

test("there are samples", () => assert.ok(samples.names.length >= 10));

for (const name of [...samples.names, ...samples.animations]) {
  test(name, async () => {
    const report = await validateBytes(new Uint8Array(await samples.bytes(name)), { maxIssues: 0 });
    const { numErrors, numWarnings } = report.issues;
    const messages = report.issues.messages.filter((message) => !(VRM_0.includes(name) && isNameOfVrm0(message)));
    const told = messages.slice(0, 5).map(({ code, message, pointer }) => `${code} ${pointer}: ${message}`).join("\n");
    assert.equal(numErrors + numWarnings, VRM_0.includes(name) ? 1 : 0, told);
    const unexplained = messages.filter(({ code }) => !(code in REMARKS));
    assert.deepEqual(unexplained, []);
  });
}

// A character has no more errors and warnings with motion than without.
for (const name of samples.originals) {
  test(`${name} as before`, async () => {
    const count = async (bytes) => {
      const { issues } = await validateBytes(new Uint8Array(await bytes), { maxIssues: 0 });
      return [issues.numErrors, issues.numWarnings];
    };
    assert.deepEqual(await count(samples.bytes(name)), await count(samples.original(name)));
  });
}

test("there are characters", () => assert.ok(samples.originals.length >= 4));
