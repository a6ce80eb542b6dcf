// Everything that is written passes the Khronos validator without an error or a warning.
import assert from "node:assert/strict";
import { test } from "node:test";
import { validateBytes } from "gltf-validator";
import * as samples from "./samples.js";

// What the validator may remark on, and why it stays.
const REMARKS = {
  NODE_EMPTY: "the tip of a bone is a node without content",
  UNUSED_OBJECT: "without a mesh, the skin says which nodes are joints",
};

test("there are samples", () => assert.ok(samples.names.length >= 10));

for (const name of samples.names) {
  test(name, async () => {
    const report = await validateBytes(new Uint8Array(await samples.bytes(name)), { maxIssues: 0 });
    const { numErrors, numWarnings, messages } = report.issues;
    const told = messages.slice(0, 5).map(({ code, message, pointer }) => `${code} ${pointer}: ${message}`).join("\n");
    assert.equal(numErrors + numWarnings, 0, told);
    const unexplained = messages.filter(({ code }) => !(code in REMARKS));
    assert.deepEqual(unexplained, []);
  });
}
