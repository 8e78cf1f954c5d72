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

function positions(count) {
  const found = [];
  for (let row = 0, width = Math.ceil(Math.sqrt(2 * count)); found.length < count; ++row, --width) {
    for (let i = 0; i < width && found.length < count; ++i) found.push({ x: (i - width / 2) * (BOX + 1), y: BOX / 2 + 2 + row * (BOX + 0.5) });
  }
  return found;
}

/** Return what a library does with a pyramid, by name. */
function ours(count, { Space }) {
  const space = new Space();
  space.gravity = { x: 0, y: -300 };
  const floor = { a: { x: -3000, y: 0 }, b: { x: 3000, y: 0 }, radius: 2, friction: 0.7 };
  space.createBody({ type: "static", shapes: [floor] });
  for (const position of positions(count)) {
    space.createBody({ position, mass: 1, shapes: [{ width: BOX, height: BOX, friction: 0.7 }] });
  }
  for (let i = 0; i < 120; ++i) space.step(DT);
  const saved = space.save(), scratch = space.save();
  return {
    bytes: saved.sizeBytes,
    save: () => space.save(scratch), restore: () => space.restore(saved), step: () => space.step(DT),
    "checked step": () => (space.checked = true, space.step(DT), space.checked = false),
    hash: () => space.hash(), "fork and free": () => space.fork().free(),
  };
}
function rapiers(count, RAPIER) {
  let world = new RAPIER.World({ x: 0, y: -300 });
  world.timestep = DT;
  world.lengthUnit = BOX;
  world.createCollider(RAPIER.ColliderDesc.cuboid(3000, 2).setFriction(0.7));
  for (const { x, y } of positions(count)) {
    const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(x, y).setCanSleep(false));
    world.createCollider(RAPIER.ColliderDesc.cuboid(BOX / 2, BOX / 2).setFriction(0.7), body);
  }
  for (let i = 0; i < 120; ++i) world.step();
  const bytes = world.takeSnapshot();
  const restore = () => {
    const next = RAPIER.World.restoreSnapshot(bytes);
    world.free();
    world = next;
  };
  return { bytes: bytes.length, save: () => world.takeSnapshot(), restore, step: () => world.step() };
}
async function rapier() {
  const path = createRequire(resolve(rapierDir, "package.json")).resolve("@dimforge/rapier2d-compat");
  const { default: RAPIER } = await import(pathToFileURL(path));
  await RAPIER.init();
  return (count) => rapiers(count, RAPIER);
}

function time(run, calls) {
  const before = process.cpuUsage();
  for (let i = 0; i < calls; ++i) run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}
/** Returns the medians of {name: function}, whose rounds are interleaved. */
function measure(runs, calls) {
  const rounds = Array.from({ length: ROUNDS + 1 }, () => Object.values(runs).map((run) => time(run, calls)));
  rounds.shift(); // the first one warms up
  const medianOf = (i) => rounds.map((each) => each[i]).sort((a, b) => a - b)[ROUNDS >> 1];
  return Object.fromEntries(Object.keys(runs).map((name, i) => [name, medianOf(i)]));
}

const single = rapierDir === undefined ? await load({ precision: "single" }) : null;
const other = single === null ? { Rapier: await rapier() } : { single: (count) => ours(count, single) };
const rivals = Object.entries({ double: (count) => ours(count, fm), ...other });
const made = (count) => rivals.map(([name, make]) => [name, make(count)]);
// The engine compiles what is measured in other threads.
for (const [, { bytes, ...runs }] of made(50)) for (const run of Object.values(runs)) time(run, 1000);
await new Promise((done) => setTimeout(done, 1000));

for (const count of [50, 100, 200, 800]) {
  const all = made(count);
  for (const what of Object.keys(all[0][1])) {
    const able = Object.fromEntries(all.filter(([, each]) => what in each).map(([name, each]) => [name, each[what]]));
    const values = what === "bytes" ? able : measure(able, what === "save" || what === "restore" ? 200 : 60);
    const [first, second] = Object.values(values);
    if (second !== undefined) values.ratio = second / first;
    const shown = Object.entries(values).map(([name, value]) => `${name} ${value.toFixed(2)}`);
    console.log(`${count} boxes, ${what}`.padEnd(28), shown.join("   "));
  }
}
