// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import { DT, folder, load, refusals, run } from "./run.mjs";

const fm = await load();
const { Space, Recorder, Recording, differences, preview } = fm;
const refused = refusals(fm), refusal = (call, words) => assert.throws(call, refused(words));

function scene() {
  const space = new Space();
  space.gravity = { x: 0, y: -100 };
  const ground = space.createBody({ type: "static", shapes: [{ a: { x: -90, y: 0 }, b: { x: 90, y: 0 }, radius: 1, friction: 1 }] });
  for (let i = 0; i < 6; ++i) space.createBody({ position: { x: 2 * i, y: 6 + 12 * i }, shapes: [{ width: 10, height: 10, friction: 0.6 }] });
  const ball = space.createBody({ position: { x: 40, y: 30 }, shapes: [{ radius: 4 }] });
  return { space, ground, ball };
}

await run({
  "verify() refuses a state that is not there"() {
    const { space } = scene();
    const { recording } = new Recorder(space);
    refusal(() => recording.verify(0), /the recording is empty/);
    space.step(DT);
    for (const state of [2, -1, 0.5, NaN]) refusal(() => recording.verify(state), /expected/);
  },
  "refuses what was freed, and to be freed in a step"() {
    const { space } = scene(), recorder = new Recorder(space), { recording } = recorder;
    let count = 0;
    space.onCollision({ preSolve: () => (++count, refusal(() => recorder.free(), /callback.*afterStep/)) && true });
    for (let i = 0; i < 60; ++i) space.step(DT);
    assert.ok(count > 0 && recording.last === 60);
    for (const wrong of ["7", -1, NaN, {}]) refusal(() => recording.at(wrong), /^Recording.at\(\): found/);
    recorder.free();
    for (const name of ["first", "last"]) refusal(() => recording[name], /freed/);
    for (const name of ["step", "at", "verify", "describe", "toBytes"]) refusal(() => recording[name](0), /freed/);
    space.free();
    refusal(() => new Recorder(space), /space was freed/);
  },

  "a replay in a callback runs no callback"() {
    const { space } = scene();
    const { recording } = new Recorder(space);
    let depth = 0, calls = 0;
    space.onCollision({
      begin() {
        ++calls;
        assert.equal(depth++, 0);
        recording.at(recording.last).free();
        assert.equal(recording.verify(0).first, 0);
        --depth;
      },
    });
    for (let i = 0; i < 60; ++i) space.step(DT);
    assert.ok(calls > 5);
  },
  "a recording of a space with much memory is replayed"() {
    for (const count of [1100, 1500]) {
      const space = new Space({ capacityBytes: 1 << 24 });
      space.gravity = { x: 0, y: -500 };
      space.createBody({ type: "static", shapes: [{ a: { x: -400, y: 0 }, b: { x: 400, y: 0 }, radius: 1 }] });
      for (let i = 0; i < count; ++i) space.createBody({ position: { x: 12 * (i % 30) - 180, y: 20 + 20 * Math.floor(i / 30) }, shapes: [{ width: 10, height: 10 }] });
      const { recording } = new Recorder(space);
      const before = space.liveBytes;
      for (let i = 0; i < 30; ++i) space.step(DT);
      assert.ok(before < 1 << 20 === (count === 1100) && space.liveBytes > 1 << 20, `${before} and ${space.liveBytes} bytes`);
      assert.equal(recording.at(30).hash(), space.hash());
      assert.deepEqual(recording.verify(0), { first: 0, last: 30, exact: true, step: null, reason: "" });
    }
  },
  "a recorded state is a space again, with the program's changes"() {
    const { space, ball } = scene();
    const recorder = new Recorder(space, { keyframeSteps: 16 }), hashes = [];
    for (let i = 0; i < 50; ++i) {
      if (i % 7 === 3) ball.velocity = { x: i, y: 40 };
      hashes.push(space.hash());
      space.step(DT);
    }
    const { recording } = recorder;
    assert.deepEqual([recording.first, recording.last], [0, 50]);
    hashes.forEach((hash, state) => assert.equal(recording.at(state).hash(), hash, `state ${state}`));
    for (const key of recording.describe().keyframes) assert.equal(recording.verify(key).exact, true);
    const read = Recording.fromBytes(recording.toBytes());
    assert.equal(read.at(33).hash(), hashes[33]);
  },
  "a gravity scale and damping that change are recorded"() {
    const { space, ball } = scene();
    ball.gravityScale = 2;
    const { recording } = new Recorder(space), hashes = [];
    for (const change of [() => (ball.gravityScale = 3), () => (ball.damping = 0.5), () => (ball.userData = 1)]) {
      space.step(DT);
      change();
      hashes.push(space.hash());
    }
    space.step(DT);
    assert.deepEqual(hashes.map((_, i) => recording.at(i + 1).hash()), hashes);
    assert.ok(recording.describe().keyframes.every((key) => recording.verify(key).exact));
  },
  "a recorded state has the classes of the space's objects"() {
    class Ball extends fm.Body {}
    const { space } = scene(), recorder = new Recorder(space);
    space.step(DT);
    const ball = space.add(new Ball(1, 1));
    for (let i = 0; i < 3; ++i) space.step(DT);
    const past = recorder.recording.at(3), twin = past.bodies.at(-1);
    assert.ok(twin instanceof Ball && space.twinOf(twin) === ball && past.twinOf(ball) === twin);
    assert.ok(!(recorder.recording.at(0).bodies.at(-1) instanceof Ball));
    assert.ok(!(Recording.fromBytes(recorder.recording.toBytes()).at(3).bodies.at(-1) instanceof Ball));
    space.free();
    assert.ok(!(recorder.recording.at(3).bodies.at(-1) instanceof Ball));
  },
  "a recording has what the program added"() {
    const { space, ball } = scene();
    const recorder = new Recorder(space);
    space.step(DT);
    recorder.mark('"hit"\\\n\u{1f600}');
    recorder.log("score", 3);
    recorder.log("phase", "é");
    recorder.input("keys", ["left", 1]);
    recorder.name(ball, "Ω");
    recorder.color(space.shapes.at(-1), [255, 128, 0]);
    const { events, names, colors } = recorder.recording.describe();
    assert.deepEqual(events.map(({ step, kind, name, value }) => [step, kind, name, value]), [[1, "mark", '"hit"\\\n\u{1f600}', ""], [1, "number", "score", 3], [1, "text", "phase", "é"], [1, "input", "keys", '["left",1]']]);
    assert.deepEqual(Object.values(names), ["Ω"]);
    assert.deepEqual(Object.values(colors), [0xff8000ff]);
    refusal(() => recorder.color(ball, [0, 0, 0]), /shape/);
    refusal(() => recorder.color(space.shapes[0], [NaN, 0, 0]), /color/);
    refusal(() => new Recorder(space), /recorded already/);
    refusal(() => recorder.recording.at(2), /state 2/);
  },
  "a step that leaves the finite numbers is put back"() {
    const { space, ball } = scene();
    space.gravity = { x: 0, y: 0 };
    ball.mass = 1e-90;
    const recorder = new Recorder(space);
    recorder.name(ball, "Rakete für Ω");
    for (let i = 0; i < 10; ++i) space.step(DT);
    assert.equal(recorder.recover(), null);
    ball.force = { x: 1e100, y: 0 };
    space.step(1e30); // the velocity becomes 1e220
    ball.angularVelocity = 2;
    const before = space.hash();
    space.step(1e100);
    const { step, culprit, dtThatPasses } = recorder.recover();
    assert.equal(step, 11);
    assert.match(culprit, /\(Rakete für Ω\) has numbers that are not finite/);
    assert.equal(dtThatPasses, null); // 2 ** -10 is too large
    assert.equal(space.hash(), before);
    assert.equal(ball.angularVelocity, 2);
    ball.velocity = { x: 0, y: 0 };
    space.step(DT);
    assert.equal(recorder.recording.last, 13);
  },
  "differences() names every field"() {
    const { space, ball } = scene(), twin = space.fork(), names = (list) => list.map(({ object, field, one, other }) => [object, field, one, other]);
    assert.deepEqual(differences(space, twin), []);
    twin.twinOf(ball).angularVelocity = 3;
    twin.damping = 0.5;
    assert.deepEqual(names(differences(space, twin)), [["body 7", "w", "0", "3"], ["space 0", "damping", "1", "0.5"]]);
    for (const each of [space, twin]) for (let i = 0; i < 60; ++i) each.step(DT);
    assert.ok(differences(space, twin).some(({ object, id, otherId }) => object.startsWith("contact of ") && id > 0 && otherId > 0));
    refusal(() => differences(space, null), /a Space/);
    twin.free();
    refusal(() => differences(space, twin), /freed/);
  },
  async "preview() shows paths and contacts, and changes nothing"() {
    const { space, ground, ball } = scene(), before = space.hash(), steps = [];
    const control = (twin, step) => {
      steps.push(step);
      if (step === 5) twin.twinOf(ball).velocity = { x: 0, y: -90 };
    };
    const { paths, contacts, firstContact } = preview(space, [ball], 40, { control });
    assert.equal(space.hash(), before);
    assert.deepEqual(steps, Array.from({ length: 40 }, (_, i) => i));
    let first = null;
    for (let step = 1; step <= 40; ++step) {
      if (step === 6) ball.velocity = { x: 0, y: -90 };
      space.step(DT);
      assert.deepEqual([...paths[0].subarray(3 * step, 3 * step + 3)], [ball.position.x, ball.position.y, ball.angle]);
      if (first === null && space.contacts(ball).length > 0) first = step;
    }
    assert.equal(firstContact, contacts[0]);
    assert.deepEqual([contacts[0].step, contacts[0].body, contacts[0].shape.body, contacts[0].other.body], [first, ball, ball, ground]);
    refusal(() => preview(space, ball, 3), /bodies/);
    refusal(() => preview(space, [ball], 1e9), /steps: found number 1000000000, expected a whole number of 1 to 1000000/);
  },
  "preview() gives the body's own shape first, and null for one that the control made"() {
    const { space, ground } = scene(), box = space.bodies[1], own = space.shapes.find(({ body }) => body === box);
    const control = (twin, step) => {
      if (step === 20) twin.add(new fm.Circle(twin.twinOf(box), 30));
    };
    const found = preview(space, [box], 22, { control }).contacts.map(({ step, shape, other }) => [step, shape, other.body === ground]);
    const early = found.filter(([step]) => step <= 20), late = found.filter(([step]) => step > 20);
    assert.deepEqual(early.map(([step, , isGround]) => [step, isGround]), [[1, true], [3, true], [13, false]]);
    assert.ok(early.every(([, shape]) => shape === own));
    assert.ok(late.length > 1 && late.every(([step, shape]) => step === 21 && shape === null));
    assert.equal(late.filter(([, , isGround]) => isGround).length, 1);
  },
  async "a preview is drawn as ghosts"() {
    const { debugDraw } = await import(`${folder}/index.mjs`), { space, ball } = scene(), before = [], calls = [];
    ball.velocity = { x: 5, y: -90 };
    ball.angularVelocity = 2;
    const seen = preview(space, [ball], 40), [path] = seen.paths, { step } = seen.firstContact;
    assert.deepEqual(seen.bodies, [ball]);
    const drawn = { globalAlpha: 1 }, context = new Proxy(drawn, {
      get: (_, name) => (...given) => calls.push([name, ...given, drawn.globalAlpha, drawn.strokeStyle]),
      set: (_, name, value) => Reflect.set(drawn, name, value),
    });
    debugDraw(context, space);
    before.push(...calls.splice(0));
    const draw = (options) => {
      calls.length = 0;
      drawn.globalAlpha = 1;
      debugDraw(context, space, { stroke: "#123", event: "#f00", ...options });
      return calls.slice(before.length - 1, -1); // omits the scene and the last restore()
    };
    const all = draw({ preview: seen, ghosts: 4 }), of = (name, calls) => calls.filter(([each]) => each === name).map(([, ...given]) => given);
    assert.deepEqual(of("lineTo", all).slice(0, 41), Array.from({ length: 41 }, (_, i) => [path[3 * i], path[3 * i + 1], 0.6, "#123"]));
    const ghost = (at, alpha, color) => [path[3 * at], path[3 * at + 1], alpha, color];
    assert.deepEqual(of("translate", all), [...[40, 30, 20, 10].map((at, i) => ghost(at, (0.6 * (i + 1)) / 4, "#123")), ghost(step, 1, "#f00")]);
    assert.deepEqual(of("rotate", all).map(([angle]) => angle), [40, 30, 20, 10, step].map((at) => path[3 * at + 2]));
    assert.deepEqual(of("arc", all).at(-1).slice(0, 3), [path[3 * step], path[3 * step + 1], 3]);
    assert.deepEqual([of("stroke", all).length, of("fill", all).length], [6, 1]);
    assert.equal(of("translate", draw({ preview: seen, ghosts: 0 })).length, 1);
    assert.equal(of("translate", draw({ preview: preview(space, [ball], 2) })).length, 2);
  },
  async "save() writes a recording, or the page that the program writes"() {
    const { space } = scene(), scratch = mkdtempSync(join(tmpdir(), "forkmunk_js_")), at = (name) => join(scratch, name);
    const path = process.env.PATH, { getBuiltinModule } = process, embedded = /(<script type="application\/json" id="embedded">)(.*?)(<\/script>)/s;
    try {
      const recorder = new Recorder(space);
      space.step(DT);
      recorder.mark("</script><!-- é");
      await recorder.save(at("run.fmrec"));
      assert.equal(Recording.fromBytes(readFileSync(at("run.fmrec"))).at(1).hash(), space.hash());
      process.env.PATH = scratch;
      for (const entry of ["index.mjs", "index.cjs", "separate.mjs"]) {
        process.getBuiltinModule = entry === "index.mjs" ? getBuiltinModule : undefined; // node 18 has none
        const own = await (await import(`${folder}/${entry}`)).load({ recorder: true }), twin = own.Space.fromBytes(space.toBytes());
        const other = new own.Recorder(twin);
        twin.step(DT);
        await other.save(at(`${entry}.html`));
        assert.match(readFileSync(at(`${entry}.html`), "utf8"), embedded);
      }
      await recorder.save(at("run.html"));
      await assert.rejects(recorder.save(at("none/run.html")), /ENOENT/);
      execFileSync(process.env.FORKMUNK_PROGRAM, ["scene", at("run.fmrec"), "-o", at("programs.html")]);
      const [ours, theirs] = ["run.html", "programs.html"].map((name) => readFileSync(at(name), "utf8"));
      const [one, other] = [ours, theirs].map((page) => {
        const { bytes, ...rest } = JSON.parse(embedded.exec(page)[2]);
        return { ...rest, bytes: gunzipSync(Buffer.from(bytes, "base64")) };
      });
      assert.deepEqual(one, other);
      assert.equal(ours.replace(embedded, "$1$3"), theirs.replace(embedded, "$1$3"));
      space.gravity = { x: 0, y: 10 };
      space.step(DT);
      space.free();
      await recorder.save(at("down.htm"));
      assert.equal(JSON.parse(embedded.exec(readFileSync(at("down.htm"), "utf8"))[2]).yDown, true);
    } finally {
      Object.assign(process, { getBuiltinModule }).env.PATH = path;
      rmSync(scratch, { recursive: true, force: true });
    }
  },
});
