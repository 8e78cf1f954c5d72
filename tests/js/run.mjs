// Runs tests, {name: function}, in order.
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

/** The package under test. */
export const folder = process.env.FORKMUNK_JS_PACKAGE;
export const load = async (options) => (await import(`${folder}/node.mjs`)).load(options);
export const DT = 1 / 60;

/** A seeded generator (mulberry32): numbers below 1. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
