// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";

/** Runs {name: function} in order. */
export async function run(tests) {
  let failures = 0;
  for (const [name, test] of Object.entries(tests)) {
    const start = Date.now();
    try {
      await test();
      console.log(`ok      ${name} (${Date.now() - start} ms)`);
    } catch (error) {
      ++failures;
      console.log(`FAILED  ${name}\n${error.stack}`);
    }
  }
  process.exitCode = failures === 0 ? 0 : 1;
}

export const folder = process.env.FORKMUNK_JS_PACKAGE;
export const load = async (options) => (await import(`${folder}/index.mjs`)).load(options);
export const DT = 1 / 60;

/** Returns a check for assert.throws(): the package's error with `words`. */
export const refusals = ({ ForkmunkError }) => (words) => (error) => {
  assert.ok(error instanceof ForkmunkError || error instanceof TypeError, error.stack);
  assert.match(error.message, words);
  return true;
};

export { random } from "../../bindings/js/demo/line.mjs";
