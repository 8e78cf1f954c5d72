// SPDX-License-Identifier: MIT
// Checks any engine; `ask(name, ...parameters)` returns a result or a promise.

const PLAN_TICKS = 3;
const BUDGET_TICKS = 1200;

/** FNV-1a with 64 bits over 8 bytes per command, of which only the lowest is not zero. */
function addPlan(hash, plan) {
  const prime = 0x100000001b3n;
  for (const digit of plan) {
    hash ^= BigInt(digit);
    for (let i = 0; i < 8; ++i) hash = (hash * prime) & 0xffffffffffffffffn;
  }
  return hash;
}

/** Hashes at ticks 0, 60 and 600. */
export async function hashesOf(ask, { map, car, commands }) {
  const { line } = await ask("create", map, car, 1);
  const found = [await ask("hash", line)];
  for (const [from, to] of [[0, 60], [60, commands.length / 2]]) {
    await ask("stepWorld", line, Uint8Array.from(commands.slice(2 * from, 2 * to)));
    found.push(await ask("hash", line));
  }
  await ask("free", line);
  return found;
}

/** As in tests/planning/signature.h. */
export async function signatureOf(ask, { positions }, planner) {
  let [ticks, plans] = [0, 0xcbf29ce484222325n];
  for (const { map, car, commands } of positions) {
    const { line } = await ask("create", map, car, 1);
    await ask("stepWorld", line, Uint8Array.from(commands));
    await ask("seat", line, 0, planner, 1);
    for (let i = 0; i < PLAN_TICKS; ++i) {
      const decision = await ask("decide", line, 0, { ticks: BUDGET_TICKS });
      ticks += decision.ticks;
      plans = addPlan(plans, decision.plan);
      await ask("stepWorld", line, Uint8Array.from([decision.command, 1]));
    }
    await ask("free", line);
  }
  return { planner, ticks, plans: plans.toString(16).padStart(16, "0") };
}
