// SPDX-License-Identifier: MIT
// The scenes of `forkmunk bench --scenes` in Rapier's npm package. scripts/bench_rivals runs it with the package's path
// and the numbers of bodies. Prints JSON.
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";

const [packagePath, ...counts] = process.argv.slice(2);
const repetitions = 9;
const imported = await import(pathToFileURL(packagePath).href);
const RAPIER = imported.default ?? imported;
await RAPIER.init();

const scale = 1 / 30; // Rapier is made for metres, so a box of 30 becomes one metre
const box = 30;

class Builder {
  constructor() {
    this.world = new RAPIER.World({ x: 0, y: -300 * scale });
    this.world.timestep = 1 / 60;
    this.bodies = [];
  }
  segment(body, ax, ay, bx, by, radius) {
    const length = Math.hypot(bx - ax, by - ay);
    // A flat box replaces the segment.
    const shape = RAPIER.ColliderDesc.cuboid((length / 2) * scale, Math.max(radius, 2) * scale)
      .setTranslation(((ax + bx) / 2) * scale, ((ay + by) / 2 - (body ? 0 : 2)) * scale)
      .setRotation(Math.atan2(by - ay, bx - ax))
      .setFriction(0.6);
    this.world.createCollider(shape, body);
  }
  ground(halfWidth) {
    this.segment(undefined, -halfWidth - 100, 0, halfWidth + 100, 0, 0);
  }
  box(x, y, side) {
    const body = this.world.createRigidBody(
      RAPIER.RigidBodyDesc.dynamic().setTranslation(x * scale, y * scale).setCanSleep(false));
    this.bodies.push(body);
    this.world.createCollider(RAPIER.ColliderDesc.cuboid((side / 2) * scale, (side / 2) * scale).setFriction(0.6), body);
    return body;
  }
}

const scenes = {
  pyramid(count) {
    const b = new Builder();
    let base = 1;
    while ((base * (base + 1)) / 2 < count) ++base;
    b.ground(base * box);
    for (let row = 0; b.bodies.length < count; ++row) {
      for (let i = 0; i < base - row && b.bodies.length < count; ++i) {
        b.box((i - 0.5 * (base - row - 1)) * (box + 1), (row + 0.5) * box, box);
      }
    }
    return b;
  },
  tumbler(count) {
    const b = new Builder();
    const pitch = 12;
    const columns = Math.max(2, Math.ceil(Math.sqrt(count)));
    const half = 0.5 * pitch * columns + 4 * pitch;
    const drum = b.world.createRigidBody(RAPIER.RigidBodyDesc.kinematicVelocityBased().setAngvel(0.4));
    const corners = [[-half, -half], [-half, half], [half, half], [half, -half]];
    for (let i = 0; i < 4; ++i) b.segment(drum, ...corners[i], ...corners[(i + 1) % 4], 2);
    for (let i = 0; b.bodies.length < count; ++i) {
      const row = Math.floor(i / columns);
      b.box(((i % columns) - 0.5 * (columns - 1)) * pitch, (row - 0.5 * (columns - 1)) * pitch, 10);
    }
    return b;
  },
  chains(count) {
    const b = new Builder();
    const links = 10;
    const length = 20;
    const ceiling = b.world.createRigidBody(RAPIER.RigidBodyDesc.fixed());
    for (let i = 0; b.bodies.length < count; ++i) {
      const x = Math.floor(i / links) * 2 * length;
      const y = -(i % links) * length;
      const first = i % links === 0;
      const above = first ? ceiling : b.bodies[b.bodies.length - 1];
      const link = b.box(x, y - 0.5 * length, 0.5 * length);
      if (first) link.setLinvel({ x: 50 * ((Math.floor(i / links) % 5) + 1) * scale, y: 0 }, true);
      const anchor = first ? { x: x * scale, y: 0 } : { x: 0, y: -0.5 * length * scale };
      const joint = b.world.createImpulseJoint(
        RAPIER.JointData.revolute(anchor, { x: 0, y: 0.5 * length * scale }), above, link, true);
      joint.setContactsEnabled(false);
    }
    return b;
  },
};

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

function timeUs(work) {
  const start = performance.now();
  const result = work();
  return [(performance.now() - start) * 1000, result];
}

function measure(scene, count) {
  const { world } = scenes[scene](count);
  for (let i = 0; i < 120; ++i) world.step();
  const times = { snapshot: [], restore: [], step: [] };
  let bytes = 0;
  const batch = Math.max(3, Math.min(100, Math.floor(2000 / count)));
  for (let repetition = 0; repetition < repetitions; ++repetition) {
    for (let i = 0; i < batch; ++i) {
      const [us, state] = timeUs(() => world.takeSnapshot());
      const [backUs, twin] = timeUs(() => RAPIER.World.restoreSnapshot(state));
      times.snapshot.push(us);
      times.restore.push(backUs);
      bytes = state.length;
      twin.free();
    }
    for (let i = 0; i < batch; ++i) times.step.push(timeUs(() => world.step())[0]);
  }
  world.free();
  return {
    scene, bodies: count, bytes,
    save_us: median(times.snapshot), restore_us: median(times.restore), step_us: median(times.step),
  };
}

const rows = Object.keys(scenes).flatMap((scene) => counts.map((count) => measure(scene, Number(count))));
console.log(JSON.stringify({ rows }));
