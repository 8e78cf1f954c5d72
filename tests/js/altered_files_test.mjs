// SPDX-License-Identifier: MIT
// Snapshots altered by fields, bits and rows, with a valid checksum, work or are refused with an error of the package.
// FORKMUNK_ALTERED_FILES=200000 sets their number.

import assert from "node:assert/strict";

import { DT, load, random, run } from "./run.mjs";

const fm = await load();
const { Space, Body, Circle, Segment, Poly, PinJoint, PivotJoint, DampedSpring, SimpleMotor, ForkmunkError } = fm;
const count = Number(process.env.FORKMUNK_ALTERED_FILES ?? 1500);
const v = (x, y) => ({ x, y });
const HEADER = 32, BLOCK = 64, STEPS = 100, MASK = (1n << 64n) - 1n;

// 0: awake; 1: asleep; 2: joints and user data
function scene(kind) {
  const space = new Space();
  space.gravity = v(0, -90);
  if (kind === 1) space.sleepTimeThreshold = 0.2;
  space.add(new Segment(space.staticBody, v(-200, -20), v(200, -20), 2));
  const bodies = [0, 1, 2, 3].map((i) => {
    const body = new Body(1 + i, 50);
    body.position = v(-30 + 14 * (i % 3) + (kind === 1 ? 0 : i), -12 + 12 * Math.floor(i / 3));
    space.add(body);
    space.add([new Circle(body, 5), new Segment(body, v(-6, 0), v(6, 1), 2), Poly.box(body, 9, 9), Poly.box(body, 8, 8, 1)][i]);
    return body;
  });
  if (kind === 2) {
    space.add(new PinJoint(bodies[0], bodies[1], v(0, 0), v(0, 0)));
    space.add(new PivotJoint(bodies[2], space.staticBody, v(0, 0), v(0, 40)));
    space.add(new DampedSpring(bodies[0], bodies[2], v(0, 0), v(0, 0), 20, 5, 1));
    space.add(new SimpleMotor(bodies[1], bodies[3], 1));
    bodies[0].userData = { hp: 3 };
    bodies[1].userData = 2.5;
  }
  for (let i = 0; i < (kind === 1 ? 90 : 12); ++i) space.step(DT);
  const bytes = space.toBytes();
  space.free();
  return bytes;
}

/** Finds a file's tables by its schema (docs/reference/file_formats.md). */
function tablesOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = HEADER;
  const number = () => view.getUint32((at += 4) - 4, true);
  const text = () => { const length = number(); at += length; return String.fromCharCode(...bytes.subarray(at - length, at)); };
  text();
  const tables = Array.from({ length: number() }, () => {
    const table = { name: text(), fields: [], width: 0 };
    for (let fields = number(); fields > 0; --fields) {
      const name = text(), letter = String.fromCharCode(bytes[at]), size = ({ f: 8, b: 1, w: 9 }[letter] ?? 4) * bytes[at + 1];
      at += 2;
      table.fields.push({ name, letter, size, offset: table.width });
      table.width += size;
    }
    return table;
  });
  for (let names = number(); names > 0; --names) text();
  const objects = { count: number(), begin: at };
  at += objects.count;
  for (const table of tables) {
    table.count = number();
    table.begin = at;
    at += table.count * table.width;
  }
  return { bytes, objects, tables: tables.filter((table) => table.count > 0 && table.width > 0) };
}

function hash(words) {
  const mix = (x) => {
    x = ((x ^ (x >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
    x = ((x ^ (x >> 27n)) * 0x94d049bb133111ebn) & MASK;
    return x ^ (x >> 31n);
  };
  return mix(words.reduce((state, word) => (mix(state ^ word) + 0x9e3779b97f4a7c15n) & MASK, 0n));
}
/** Sets the checksum (docs/reference/file_formats.md). `prefix` has the first sums; `stop` returns the prefix there. */
function mend(bytes, prefix = { end: HEADER, sums: Array(8).fill(0n), weighted: Array(8).fill(0n) }, stop = bytes.length) {
  const sums = [...prefix.sums], weighted = [...prefix.weighted];
  const add = (view, at) => {
    for (let i = 0; i < 8; ++i) {
      const x = view.getBigUint64(at + 8 * i, true);
      sums[i] = (sums[i] + (x ^ (x >> 29n))) & MASK;
      weighted[i] = (weighted[i] + sums[i]) & MASK;
    }
  };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = prefix.end;
  for (; at + BLOCK <= stop; at += BLOCK) add(view, at);
  if (stop < bytes.length) return { end: at, sums, weighted };
  const last = new Uint8Array(BLOCK);
  last.set(bytes.subarray(at));
  add(new DataView(last.buffer), 0);
  view.setBigUint64(24, hash([BigInt(bytes.length - HEADER), ...sums, ...weighted]), true);
  return undefined;
}

const NUMBERS = [0, -0, 1, -1, 1e-6, 1e-300, 5e-324, 1000, 1e5, -1e9, 1e154, 1e300, Infinity, -Infinity, NaN];
function alter(file, altered, below) {
  const view = new DataView(altered.buffer), pick = (list) => list[below(list.length)];
  const table = pick(file.tables), row = () => table.begin + below(table.count) * table.width, field = pick(table.fields);
  switch (below(8)) {
    case 0: {
      const at = file.objects.begin + below(altered.length - file.objects.begin);
      altered[at] ^= 1 << below(8);
      return;
    }
    case 1: return altered.copyWithin(row(), ...((from) => [from, from + table.width])(row()));
    case 2: altered[file.objects.begin + below(file.objects.count)] = below(40); return;
    default: {
      const at = row() + field.offset;
      if (field.letter === "f") {
        const part = at + 8 * below(field.size / 8), old = view.getFloat64(part, true);
        return view.setFloat64(part, below(2) ? pick(NUMBERS) : old * (below(256) / 64), true);
      }
      if (field.letter === "b") { altered[at] = below(256); return; }
      if (field.letter === "w") { altered[at] = below(6); return view.setUint32(at + 1, below(2) ? below(file.objects.count + 1) : below(2 ** 16), true); }
      const old = view.getUint32(at, true);
      return view.setUint32(at, [below(256), old + below(5) - 2, below(2 ** 32), below(file.objects.count + 1), 2 ** 32 - 1 - below(3), 0][below(6)], true);
    }
  }
}

/** Requires a copy with the space's hash. A number may be an address in a copy by chance, but not in several copies. */
function requireCopy(space, copy, i) {
  const copies = [], hash = space.hash();
  try {
    do copies.push(copy()); while (copies.at(-1).hash() !== hash && copies.length < 4);
    assert.equal(copies.at(-1).hash(), hash, `file ${i}: ${space.firstDifference(copies.at(-1))}`);
  } finally {
    for (const each of copies) each.free();
  }
}

await run({
  anAlteredFileIsRefusedOrPlayed() {
    const files = [0, 1, 2].map((kind) => {
      const file = tablesOf(scene(kind));
      const same = file.bytes.slice();
      mend(same);
      assert.deepEqual(same, file.bytes);
      file.prefix = mend(same, undefined, file.objects.begin);
      return file;
    });
    const next = random(Number(process.env.FORKMUNK_SEED ?? 1)), below = (n) => Math.floor(next() * n);
    let read = 0, slowest = 0;
    for (let i = 0; i < count; ++i) {
      const file = files[below(files.length)], altered = file.bytes.slice();
      for (let k = 1 + below(3); k > 0; --k) alter(file, altered, below);
      mend(altered, file.prefix);
      const start = process.cpuUsage();
      let space;
      try {
        space = Space.fromBytes(altered);
      } catch (error) {
        assert.ok(error instanceof ForkmunkError, `file ${i}: ${error.stack}`);
        continue;
      }
      try {
        ++read;
        requireCopy(space, () => space.fork(), i);
        const steps = Math.min(STEPS, Math.ceil(20000 / space.iterations));
        for (let k = 0; k < steps; ++k) space.step(DT);
        space.hash();
        const bytes = space.toBytes();
        requireCopy(space, () => Space.fromBytes(bytes), i);
      } catch (error) {
        assert.ok(error instanceof ForkmunkError, `file ${i}: ${error.stack}`); // numbers became non-finite
      } finally {
        space.free();
      }
      const { user, system } = process.cpuUsage(start);
      slowest = Math.max(slowest, user + system);
      assert.ok(user + system < 3e6, `file ${i} took ${(user + system) / 1e6} s`);
    }
    console.log(`${count} files, ${read} of them read, the slowest took ${Math.round(slowest / 1e3)} ms`);
    assert.ok(read > count / 5 && read < count);
  },
});
