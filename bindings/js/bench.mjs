// SPDX-License-Identifier: MIT
// Measures the package against Rapier: node bench.mjs PACKAGE_DIR RAPIER_DIR, a folder in which npm
// installed @dimforge/rapier2d-compat; without RAPIER_DIR, single precision against doubles. Times are CPU time of the
// process, which counts garbage collection; medians of interleaved rounds.

import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [packageDir, rapierDir] = process.argv.slice(2);
const ROUNDS = 9, DT = 1 / 60, BOX = 20;
const { load } = await import(pathToFileURL(resolve(packageDir, "index.mjs")));
const fm = await load();
if (rapierDir === undefined) {
  await comparePrecisions(await load({ precision: "single" }));
  process.exit();
}
const RAPIER = await import(pathToFileURL(createRequire(resolve(rapierDir, "package.json")).resolve("@dimforge/rapier2d-compat"))).then(({ default: r }) => r);
await RAPIER.init();

function positions(count) {
  const found = [];
  for (let row = 0, width = Math.ceil(Math.sqrt(2 * count)); found.length < count; ++row, --width) {
    for (let i = 0; i < width && found.length < count; ++i) found.push({ x: (i - width / 2) * (BOX + 1), y: BOX / 2 + 2 + row * (BOX + 0.5) });
  }
  return found;
}

function ours(count, { Space } = fm) {
  const space = new Space();
  space.gravity = { x: 0, y: -300 };
  const floor = { a: { x: -3000, y: 0 }, b: { x: 3000, y: 0 }, radius: 2, friction: 0.7 };
  space.createBody({ type: "static", shapes: [floor] });
  for (const position of positions(count)) {
    space.createBody({ position, mass: 1, shapes: [{ width: BOX, height: BOX, friction: 0.7 }] });
  }
  return space;
}

function rapiers(count) {
  const world = new RAPIER.World({ x: 0, y: -300 });
  world.timestep = DT;
  world.lengthUnit = BOX;
  world.createCollider(RAPIER.ColliderDesc.cuboid(3000, 2).setFriction(0.7));
  for (const { x, y } of positions(count)) {
    const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(x, y).setCanSleep(false));
    world.createCollider(RAPIER.ColliderDesc.cuboid(BOX / 2, BOX / 2).setFriction(0.7), body);
  }
  return world;
}

function time(run, calls) {
  const before = process.cpuUsage();
  for (let i = 0; i < calls; ++i) run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}
function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}
/** Returns the medians of {name: function}, whose rounds are interleaved. */
function measure(runs, calls) {
  const found = Object.fromEntries(Object.keys(runs).map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; ++round) {
    for (const [name, run] of Object.entries(runs)) {
      const each = time(run, calls);
      if (round > 0) found[name].push(each); // the first one warms up
    }
  }
  return Object.fromEntries(Object.entries(found).map(([name, values]) => [name, median(values)]));
}
function show(name, values) {
  console.log(name.padEnd(28), Object.entries(values).map(([key, value]) => `${key} ${value.toFixed(value < 20 ? 2 : 1)}`).join("   "));
}

/** Runs what is measured until the engine, in other threads, has compiled it. */
async function warmUp(run) {
  for (let i = 0; i < 1000; ++i) run();
  await new Promise((done) => setTimeout(done, 1000));
}

async function comparePrecisions(single) {
  const warmed = [fm, single].map((module) => ours(50, module));
  await warmUp(() => warmed.forEach((space) => (space.step(DT), space.restore(space.save()))));
  for (const count of [100, 200, 800]) {
    const spaces = [ours(count), ours(count, single)];
    for (const space of spaces) for (let i = 0; i < 120; ++i) space.step(DT);
    const states = spaces.map((space) => space.save());
    const pairs = {};
    for (const [name, calls, run] of [
      ["step", 60, (i) => spaces[i].step(DT)], ["save", 200, (i) => spaces[i].save(states[i])], ["restore", 200, (i) => spaces[i].restore(states[i])],
    ]) {
      pairs[name] = Object.values(measure({ double: () => run(0), single: () => run(1) }, calls));
    }
    pairs["bytes a box"] = states.map(({ sizeBytes }) => sizeBytes / count);
    for (const [name, [double, single]] of Object.entries(pairs)) show(`${count} boxes, ${name}`, { double, single, ratio: single / double });
  }
}

{
  const space = ours(50), world = rapiers(50), saved = space.save();
  await warmUp(() => (space.step(DT), space.restore(space.save(saved)), space.hash(), world.step(), world.takeSnapshot()));
}

for (const count of [50, 200, 800]) {
  const space = ours(count);
  let world = rapiers(count);
  for (let i = 0; i < 120; ++i) space.step(DT), world.step();
  const saved = space.save(), scratch = new fm.Snapshot();
  const bytes = world.takeSnapshot();
  const result = measure({
    "save": () => space.save(scratch),
    "restore": () => space.restore(saved),
    "Rapier's take": () => world.takeSnapshot(),
    "Rapier's restore": () => { const next = RAPIER.World.restoreSnapshot(bytes); world.free(); world = next; },
  }, 200);
  const steps = measure({ "step": () => space.step(DT), "checked step": () => (space.checked = true, space.step(DT), space.checked = false), "Rapier's step": () => world.step(), "hash": () => space.hash() }, 60);
  const { fork } = measure({ "fork": () => space.fork().free() }, 60);
  show(`${count} boxes, us`, { ...result, ...steps, "fork and free": fork });
  const ratio = (result["Rapier's take"] + result["Rapier's restore"]) / (result.save + result.restore);
  console.log(`  ${saved.sizeBytes} and ${bytes.length} bytes; save and restore ${ratio.toFixed(1)} times as fast; step ${(steps["Rapier's step"] / steps.step).toFixed(2)} times as fast`);
  console.log(`  a checked step takes ${(steps["checked step"] / steps.step).toFixed(3)} steps; fork and free ${(fork / result.restore).toFixed(1)} restores`);
}
