// SPDX-License-Identifier: MIT
// The page of a recorded scene.

import { fromBase64, inflated } from "../engine/bytes";
import { byId, fixed, make, makeButton, numberIn, readColours, scrollTo, setText, type Key } from "../page/dom";
import { Viewer } from "../page/viewer";
import { BranchTree } from "../panels/branch_tree";
import { Chart, type Column } from "../panels/curves";
import { ScrubBar } from "../panels/timeline";
import { Position } from "../playback";
import { Camera, followPointer } from "../scene/camera";
import { drawFrame, LAYERS, type Layer } from "./draw";
import { load, type Body, type Constraint, type Forkmunk, type Recording, type Shape, type Space, type Verdict } from "./forkmunk.mjs"; // the npm package
import { BODY_TYPES, boundsOf, endsOf, Frames, hasAnchors, jointKinds, poseOf, futureOf, shapeAt, SHAPE_KINDS, type Frame, type Future, type Scene, type SceneJoint, type SceneShape } from "./scene";

interface Embedded {
  name: string;
  /** The recording, gzipped, in base64; a second one to compare with. */
  bytes: string;
  yDown?: boolean;
  other?: { name: string; bytes: string };
  differs?: number;
}

/** A recording on the common axis: its state 0 is the step `from`. */
interface Run {
  name: string;
  frames: Frames;
  from: number;
  /** The first step that is shown: a branch begins with its edits. */
  begin: number;
  parent: Run | null;
  /** A branch's space, at its last step. */
  space: Space | null;
  description: ReturnType<Recording["describe"]>;
  verdicts: Verdict[];
}
const LISTS = { body: "bodies", shape: "shapes", joint: "joints" } as const;
type Kind = keyof typeof LISTS;
type Thing = Body | Shape | Constraint;
interface Selection { kind: Kind; id: number }

const ZOOM_MAX = 200, PAN_PIXELS = 60, OBJECTS_MAX = 500, DIFFERENCES_MAX = 200, CLICK_PIXELS = 4;
/** The limit of the program. */
const RECORDING_BYTES_MAX = 2 ** 30;
/** The engine may use a quarter of the time while the step changes. */
const PAUSE_PER_MILLISECOND = 3, PAUSE_MILLISECONDS_PLAYING = 150;

function secondsOf({ from, frames: { recording } }: Run, index: number): number {
  const state = Math.min(recording.last, Math.max(recording.first, index - from) + 1);
  return recording.step(state).dt || 1 / 60;
}

class RunPosition extends Position {
  constructor(readonly run: Run, changed: () => void, speed: number) {
    super(changed, speed);
    this.position = this.first;
  }
  get first(): number {
    return this.run.begin;
  }
  get last(): number {
    return this.run.from + this.run.frames.recording.last;
  }
  protected get stepSeconds(): number {
    return secondsOf(this.run, this.index);
  }
}

function shown(value: unknown): string {
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(9)));
  if (value === null || typeof value !== "object") return String(value);
  return Object.entries(value).map(([name, each]) => `${name} ${shown(each)}`).join(", ");
}

class RecordingPage extends Viewer<RunPosition> {
  private readonly canvas = byId<HTMLCanvasElement>("layer");
  private readonly context = this.canvas.getContext("2d")!;
  private readonly scrub = new ScrubBar((step) => this.at?.seek(step));
  private readonly layers = Object.fromEntries(LAYERS.map((name) => [name, !["boxes", "velocities"].includes(name)])) as Record<Layer, boolean>;
  private readonly tree = new BranchTree<Run>((run, step) => this.show(run, step ?? this.at!.index));
  private readonly others = byId<HTMLSelectElement>("other-run");
  private readonly runs: Run[] = [];
  private colours = readColours();
  private fm: Forkmunk | null = null;
  private jointKinds: string[] = [];
  private selected: Selection | null = null;
  private charts: Chart[] = [];
  private fieldsAt = "";
  private fieldsDue = 0;
  private fieldsTimer = 0;
  private isPreviewing = false;
  private future: Future | null = null;
  private inspected = new Map<Run, { key: string; space: Space }>();
  private listKey = "";
  /** The vector from the pointer to the centre of the dragged body. */
  private dragged: { x: number; y: number } | null = null;
  protected camera = new Camera();
  framesDrawn = 0;

  constructor() {
    super();
    this.connect("step", this.keys());
    this.connectOwn();
  }

  private get at(): RunPosition | null {
    return this.playback;
  }

  async start(): Promise<void> {
    try {
      const embedded = JSON.parse(byId("embedded").textContent || "null") as Embedded | null;
      if (embedded === null) throw new Error("the page has no recording: write it with `forkmunk scene RUN -o page.html`");
      const bytes = (text: string) => inflated(fromBase64(text), RECORDING_BYTES_MAX);
      this.fm = await load({ wasm: await bytes(byId("engine-wasm").textContent!.trim()) });
      this.jointKinds = jointKinds(this.fm);
      this.showProgress(`Reading ${embedded.name}…`);
      this.add(embedded.name, this.fm.Recording.fromBytes(await bytes(embedded.bytes)), 0, null, null);
      if (embedded.other !== undefined) {
        const other = this.fm.Recording.fromBytes(await bytes(embedded.other.bytes));
        this.add(embedded.other.name, other, 0, null, null);
      }
      setText(byId("file-name"), embedded.name);
      document.title = `${embedded.name}, Forkmunk recording`;
      document.body.dataset.view = "game";
      this.camera = new Camera(boundsOf(this.runs[0].frames), ZOOM_MAX);
      this.setDown(embedded.yDown ?? false);
      followPointer(this.stage, this.camera, () => this.moved(), (at, phase) => this.drag(at.x, at.y, phase));
      this.show(this.runs[0], embedded.differs ?? this.runs[0].frames.recording.first);
    } catch (error) {
      this.showMessage((error as Error).message);
      this.showProgress("The recording cannot be shown.");
    }
  }

  private add(name: string, recording: Recording, from: number, parent: Run | null, space: Space | null): Run {
    const run = { name, frames: new Frames(recording), from, begin: from + recording.first, parent, space, description: recording.describe(), verdicts: [] };
    this.runs.push(run);
    return run;
  }

  private connectOwn(): void {
    this.click("run", () => {
      if (this.entered.length > 0) this.setValues();
      if (this.entered.length === 0) this.continueBranch(numberIn("run-steps", 120));
    });
    this.click("first-difference", () => this.findDifference());
    for (const [id, kind] of [["other-run", "change"], ["preview-steps", "input"]]) byId(id).addEventListener(kind, () => this.inspectAgain());
    const addBox = (id: string, text: string, checked: boolean, change: (checked: boolean) => void) => {
      const box = make("input");
      Object.assign(box, { type: "checkbox", id, checked });
      box.addEventListener("change", () => change(box.checked));
      byId("layers").append(make("label", "", "", box, document.createTextNode(text)));
    };
    for (const name of LAYERS) addBox(`layer-${name}`, name, this.layers[name], (checked) => ((this.layers[name] = checked), this.wantFrame()));
    addBox("y-down", "y down", false, (checked) => this.setDown(checked));
    byId("search").addEventListener("input", () => this.listObjects());
    byId("edit").addEventListener("submit", (event) => (event.preventDefault(), this.setValues()));
    let pressed = { x: 0, y: 0 };
    this.stage.addEventListener("pointerdown", ({ clientX: x, clientY: y }) => (pressed = { x, y }));
    this.stage.addEventListener("click", (event) => {
      if ((event.target as Element).closest("button") !== null) return;
      if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > CLICK_PIXELS) return;
      const box = this.stage.getBoundingClientRect();
      this.pick(event.clientX - box.left, event.clientY - box.top);
    });
  }

  private keys(): Key[] {
    const pan = (key: string, what: string, x: number, y: number): Key => ({ keys: [key], shown: key.toUpperCase(), what: `move the picture ${what}`, run: () => this.pan(PAN_PIXELS * x, PAN_PIXELS * y) });
    return [
      { keys: ["n"], shown: "N", what: "next mark", button: "next-mark", run: () => this.nextMark() },
      { keys: ["b"], shown: "B", what: "fork here", button: "fork", run: () => this.fork() },
      { keys: ["g"], shown: "G", what: "show or hide the future of the selected body", button: "preview", run: () => this.togglePreview() },
      pan("w", "up", 0, 1), pan("a", "left", 1, 0), pan("s", "down", 0, -1), pan("d", "right", -1, 0),
    ];
  }

  private setDown(isDown: boolean): void {
    this.camera.up = isDown ? -1 : 1;
    byId<HTMLInputElement>("y-down").checked = isDown;
    this.wantFrame();
  }
  protected changeTheme(): void {
    this.colours = readColours();
    this.drawCurves();
    this.wantFrame();
  }

  /** Leaves time for the page between segments. */
  private async verifyAll(run: Run): Promise<void> {
    const verdicts: Verdict[] = (run.verdicts = []);
    for (const key of run.description.keyframes) {
      if (run.verdicts !== verdicts) return;
      verdicts.push(run.frames.recording.verify(key));
      if (this.at?.run === run) this.showScrub();
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }

  private show(run: Run, step: number): void {
    const wasPlaying = this.at?.playing ?? false;
    const at = (this.playback = new RunPosition(run, () => this.wantFrame(), this.at?.speed ?? 1));
    at.seek(step);
    if (wasPlaying) at.pause();
    this.listKey = "";
    byId("edit").hidden = run.space === null;
    this.stage.classList.toggle("editing", run.space !== null);
    this.showScrub();
    this.showEvents();
    this.showBranches();
    this.drawCurves();
    this.inspectAgain();
    if (run.verdicts.length === 0) void this.verifyAll(run);
  }

  private showScrub(): void {
    if (this.at === null) return;
    const { at, at: { run, first, last } } = this, marks = run.description.events.filter(({ kind }) => kind === "mark");
    const add = (className: string, title: string, step: number, end?: number) => {
      const piece = make("span", className);
      piece.title = title;
      this.scrub.add(piece, run.from + step, end === undefined ? undefined : run.from + end);
    };
    this.scrub.setRange(first, last);
    for (const { exact, reason, first: from, last: to } of run.verdicts) {
      if (exact === true) add("scrub-exact", "exact: computed again with the same bits", from, to);
      else add(`scrub-exact ${exact === false ? "differs" : "unknown"}`, reason, from, to);
    }
    for (const { step, name } of marks) add("scrub-mark", name, step);
    byId<HTMLButtonElement>("next-mark").disabled = marks.length === 0;
    const wrong = run.verdicts.find(({ exact }) => exact !== true);
    const isWhole = run.verdicts.length === run.description.keyframes.length;
    if (wrong !== undefined) this.showVerdict(wrong.exact === null ? "not replayable" : `differs at step ${run.from + (wrong.step ?? 0)}`, wrong.reason, "differs");
    else if (isWhole) this.showVerdict("exact", "The engine in this page has computed all steps again, with the same bits.", "exact");
    else this.showVerdict("verifying…", "The engine in this page is computing all steps again.", "");
    setText(byId("result"), `steps ${first} to ${at.last}`);
  }

  private showEvents(): void {
    const { run } = this.at!;
    const rows = [
      ...run.description.events.filter(({ kind }) => kind !== "number").map(({ step, kind, name, value }) => ({ step, text: kind === "mark" ? name : `${name}: ${value}` })),
      ...run.description.interventions.map(({ step, what }) => ({ step, text: what })),
    ].sort((a, b) => a.step - b.step).slice(0, OBJECTS_MAX);
    byId("events").replaceChildren(...rows.map(({ step, text }) => this.stepButton(run.from + step, text)));
    if (rows.length === 0) byId("events").append(make("p", "dim", "The program added no marks, texts or inputs."));
  }

  private stepButton(step: number, text: string): HTMLButtonElement {
    return makeButton("", `${step}: ${text}`, () => this.at!.seek(step));
  }

  private showBranches(): void {
    const { run } = this.at!, others = this.runs.filter((each) => each !== run);
    this.tree.show(this.runs.map((branch) => {
      const { name, parent, begin, from, frames: { recording } } = branch, last = from + recording.last;
      return { branch, parent, name, title: `steps ${begin} to ${last}`, from: begin, last };
    }), run);
    byId("differing").hidden = others.length === 0;
    this.others.replaceChildren(...others.map((each) => new Option(each.name, String(this.runs.indexOf(each)), each === run.parent, each === run.parent)));
  }

  private nextMark(): void {
    const { at } = this;
    if (at === null) return;
    const marks = at.run.description.events.filter(({ kind }) => kind === "mark").map(({ step }) => at.run.from + step);
    const next = marks.find((step) => step > at.index) ?? marks[0];
    if (next !== undefined) at.seek(next);
  }

  fork(): void {
    const { at, fm } = this;
    if (at === null || fm === null) return;
    at.pause();
    try {
      const space = at.run.frames.recording.at(at.index - at.run.from);
      const recorder = new fm.Recorder(space, { keyframeSteps: 60 });
      space.step(0); // begins the recording
      // Steps of no time show what is edited, so the axis begins as many steps earlier.
      const run = this.add(`branch ${this.runs.length}, from ${at.index}`, recorder.recording, at.index - 1, at.run, space);
      run.begin = at.index;
      run.description = { ...run.description, names: at.run.description.names, colors: at.run.description.colors };
      this.show(run, at.index);
    } catch (error) {
      this.showMessage(`No fork at this step: ${(error as Error).message}`);
    }
  }

  private get branch(): (Run & { space: Space }) | null {
    const run = this.at?.run;
    return run?.space ? (run as Run & { space: Space }) : null;
  }

  /** Returns the time step where the branch left its recording, or after the shown step. */
  private stepSeconds(run: Run, index = this.at!.index): number {
    return run.parent === null ? secondsOf(run, index) : this.stepSeconds(run.parent, run.begin);
  }

  private continueBranch(count: number): void {
    const { branch } = this;
    if (branch === null) return;
    const dt = this.stepSeconds(branch);
    try {
      for (let i = 0; i < count; ++i) branch.space.step(dt);
    } catch (error) {
      this.showMessage((error as Error).message);
    }
    const index = this.at!.index;
    const { names, colors } = branch.description;
    branch.description = { ...branch.frames.recording.describe(), names, colors };
    branch.verdicts = [];
    this.show(branch, index);
    this.at!.play();
  }

  /** The fields with a value to set. */
  private get entered(): HTMLInputElement[] {
    return [...byId("edit").querySelectorAll<HTMLInputElement>("[name]")].filter(({ value }) => value !== "");
  }

  private setValues(): void {
    const { entered } = this, number = (name: string, otherwise: number) => Number(entered.find((field) => field.name === name)?.value ?? otherwise);
    this.edit((space, body) => {
      if (body === null && entered.some(({ name }) => !name.startsWith("g"))) throw new Error("vx, vy and spin belong to a body: select the body in the picture or in the list");
      space.gravity = { x: number("gx", space.gravity.x), y: number("gy", space.gravity.y) };
      if (body !== null) {
        body.velocity = { x: number("vx", body.velocity.x), y: number("vy", body.velocity.y) };
        body.angularVelocity = number("w", body.angularVelocity);
      }
      for (const field of entered) field.value = "";
    });
  }

  /** Shows the change by a step of no time. */
  private edit(change: (space: Space, body: Body | null) => void): void {
    const { branch, selected } = this;
    if (branch === null) return;
    try {
      const { bodies } = this.fm!.Recording.objectsOf(branch.space);
      change(branch.space, bodies[bodyIn(this.frame()!.scene, selected)] ?? null);
      branch.space.step(0);
      --branch.from;
    } catch (error) {
      this.showMessage((error as Error).message);
    }
    this.at!.follow();
    this.showScrub();
    this.inspectAgain();
  }

  private frame(run = this.at!.run, step = this.at!.index): Frame | null {
    const state = step - run.from;
    return step < run.begin || state > run.frames.recording.last ? null : run.frames.at(state);
  }

  private pick(x: number, y: number): void {
    const frame = this.frame()!, shape = shapeAt(frame, this.camera.toMap({ x, y }), 4 / this.camera.scale);
    this.select(shape === null ? null : { kind: "body", id: frame.scene.bodies[shape.body].id });
  }

  private drag(x: number, y: number, phase: "begin" | "move" | "end"): boolean {
    const { branch } = this, point = this.camera.toMap({ x, y });
    if (branch === null || this.at!.index !== this.at!.last) return false;
    if (phase === "begin") {
      const frame = this.frame()!, shape = shapeAt(frame, point, 4 / this.camera.scale);
      if (shape === null || shape.body >= frame.scene.movingCount) return false;
      this.select({ kind: "body", id: frame.scene.bodies[shape.body].id });
      const pose = poseOf(frame, shape.body);
      this.dragged = { x: pose.x - point.x, y: pose.y - point.y };
    } else if (this.dragged !== null) {
      const { dragged } = this;
      if (phase === "move") this.edit((_, body) => body !== null && (body.position = { x: point.x + dragged.x, y: point.y + dragged.y }));
      else this.dragged = null;
    }
    return this.dragged !== null;
  }

  select(selection: Selection | null): void {
    this.selected = selection;
    this.drawCurves();
    this.inspectAgain();
  }

  private inspectAgain(): void {
    this.fieldsAt = "";
    this.fieldsDue = 0;
    this.wantFrame();
  }

  private togglePreview(): void {
    this.isPreviewing = !this.isPreviewing;
    byId("preview").setAttribute("aria-pressed", String(this.isPreviewing));
    this.inspectAgain();
  }

  private nameOf(id: number, otherwise: string): string {
    const name = this.at!.run.description.names[id];
    return name === undefined ? `${otherwise} ${id}` : `${name} (${otherwise} ${id})`;
  }

  private nameIn(scene: Scene, kind: Kind, index: number): string {
    if (kind === "body") return this.nameOf(scene.bodies[index].id, `${BODY_TYPES[scene.bodies[index].type]} body`);
    const object = scene[LISTS[kind]][index] as SceneShape | SceneJoint | undefined; // none outside of the space
    return object === undefined ? `a ${kind}` : this.nameOf(object.id, (kind === "shape" ? SHAPE_KINDS : this.jointKinds)[object.kind]);
  }

  private listObjects(): void {
    const { scene } = this.frame()!, wanted = byId<HTMLInputElement>("search").value.trim().toLowerCase();
    const key = `${this.runs.indexOf(this.at!.run)} ${scene.bodies.length} ${scene.shapes.length} ${scene.joints.length} ${wanted}`, list = byId("objects");
    if (key !== this.listKey) {
      this.listKey = key;
      const all = (Object.keys(LISTS) as Kind[]).flatMap((kind) =>
        scene[LISTS[kind]].map(({ id }, index) => ({ text: this.nameIn(scene, kind, index), selection: { kind, id } })));
      const found = all.filter(({ text }) => text.toLowerCase().includes(wanted));
      list.replaceChildren(...found.slice(0, OBJECTS_MAX).map(({ text, selection }) => {
        const button = makeButton("", text, () => this.select(selection));
        button.value = `${selection.kind} ${selection.id}`;
        return button;
      }));
      if (found.length > OBJECTS_MAX) list.append(make("p", "dim", `${found.length - OBJECTS_MAX} more: search`));
    }
    const chosen = `${this.selected?.kind} ${this.selected?.id}`, marked = list.querySelector<HTMLButtonElement>("[aria-current]");
    if (marked?.value === chosen) return;
    marked?.removeAttribute("aria-current");
    const current = list.querySelector<HTMLElement>(`[value="${chosen}"]`);
    current?.setAttribute("aria-current", "true");
    if (current !== null) scrollTo(list, current);
  }

  private showFields(at: RunPosition): void {
    const { selected } = this, title = byId("selected");
    byId("selected-hint").hidden = selected !== null;
    if (selected === null) {
      setText(title, "Nothing is selected");
      return byId("fields").replaceChildren();
    }
    const frame = this.frame()!, { scene } = frame, list = LISTS[selected.kind], index = scene[list].findIndex(({ id }) => id === selected.id);
    setText(title, index < 0 ? this.nameOf(selected.id, "object") : this.nameIn(scene, selected.kind, index));
    const rows: [string, string][] = [];
    if (index < 0) {
      rows.push(["state", "not in the space in this step"]);
    } else {
      try {
        const objects = this.fm!.Recording.objectsOf(this.spaceAt(at.run, at.index));
        const thing = objects[list][index];
        for (const [name, value] of fieldsOf(thing)) rows.push([name, shown(value)]);
        if (selected.kind !== "joint") rows.push(...this.contactsOf(thing, selected.kind, objects.shapes, scene));
      } catch (error) { // this engine cannot read the keyframe
        if (selected.kind === "body") {
          const { x, y, angle } = poseOf(frame, index);
          rows.push(...Object.entries({ x, y, angle }).map(([name, value]): [string, string] => [name, shown(value)]));
        }
        rows.push(["engine", (error as Error).message]);
      }
    }
    byId("fields").replaceChildren(...rows.flatMap(([name, value]) => [make("dt", "", name), make("dd", "", value)]));
  }

  private showFuture(at: RunPosition): void {
    this.future = null;
    byId("future").hidden = !this.isPreviewing;
    if (!this.isPreviewing) return;
    const { scene } = this.frame()!, body = bodyIn(scene, this.selected), events = byId("future-events"), text = byId("future-text");
    events.replaceChildren();
    if (body < 0 || body >= scene.movingCount) return setText(text, "Select a body that moves.");
    try {
      const steps = numberIn("preview-steps", 120);
      const future = (this.future = futureOf(this.fm!, this.spaceAt(at.run, at.index), body, steps, this.stepSeconds(at.run)));
      const [x, y] = future.path.slice(-3);
      setText(text, `${this.nameIn(scene, "body", body)} after ${steps} steps: ${fixed(x, 2)}, ${fixed(y, 2)}. ${future.contacts.length === 0 ? "It touches nothing new." : "It begins to touch:"}`);
      events.replaceChildren(...future.contacts.slice(0, OBJECTS_MAX).map(({ after, other }) => this.stepButton(at.index + after, this.nameIn(scene, "shape", other))));
    } catch (error) {
      setText(text, (error as Error).message);
    }
  }

  private contactsOf(thing: Thing, kind: Kind, shapes: Shape[], scene: Scene): [string, string][] {
    const body = kind === "body" ? (thing as Body) : (thing as Shape).body, { at } = this;
    return this.spaceAt(at!.run, at!.index).contacts(body).flatMap(({ shapes: pair, points }): [string, string][] => {
      const own = kind === "shape" ? pair.indexOf(thing as Shape) : pair.findIndex((shape) => shape.body === body);
      if (own < 0) return [];
      const other = shapes.indexOf(pair[1 - own]);
      return [["touches", `${this.nameIn(scene, "shape", other)} at ${points.map(({ pointA }) => `${fixed(pointA.x, 2)}, ${fixed(pointA.y, 2)}`).join(" and ")}`]];
    });
  }

  /** Kept until another step is asked for. */
  private spaceAt(run: Run, step: number): Space {
    const key = `${step} ${run.from} ${run.frames.recording.last}`, known = this.inspected.get(run);
    if (run.space !== null && step === run.from + run.frames.recording.last) return run.space;
    if (known?.key === key) return known.space;
    known?.space.free();
    this.inspected.delete(run);
    const space = run.frames.recording.at(step - run.from);
    this.inspected.set(run, { key, space });
    return space;
  }

  private showDifferences(at: RunPosition): void {
    const list = byId("differences"), other = this.runs[Number(this.others.value)];
    if (byId("differing").hidden || other === undefined) return;
    try {
      if (this.frame(other, at.index) === null) throw new Error(`${other.name} has no step ${at.index}`);
      const found = this.fm!.differences(this.spaceAt(at.run, at.index), this.spaceAt(other, at.index)), { names } = at.run.description;
      const rows = found.slice(0, DIFFERENCES_MAX).flatMap(({ object, id, otherId, field, one, other: theirs }) => {
        const named = [id, otherId].map((each) => names[each]).filter((name) => name !== undefined).join(", ");
        return [make("dt", "", `${object}${named === "" ? "" : ` (${named})`} ${field}`.trim()), make("dd", "", one === "" && theirs === "" ? "" : `${one} here, ${theirs} there`)];
      });
      if (found.length > DIFFERENCES_MAX) rows.push(make("dt", "", `and ${found.length - DIFFERENCES_MAX} more`), make("dd"));
      list.replaceChildren(...(rows.length > 0 ? rows : [make("dt", "", "none in this step"), make("dd")]));
    } catch (error) {
      list.replaceChildren(make("dt", "", (error as Error).message), make("dd"));
    }
  }

  /** Goes to the first step whose drawings differ, and then back to the cause. */
  private findDifference(): void {
    const { at } = this, other = this.runs[Number(this.others.value)];
    if (at === null || other === undefined) return;
    const equal = (step: number) => {
      const one = this.frame(at.run, step), two = this.frame(other, step);
      return one === null || two === null || (one.step.poses.length === two.step.poses.length && one.step.poses.every((value, i) => value === two.step.poses[i]));
    };
    let step = at.first;
    while (step < at.last && equal(step)) ++step;
    try {
      while (step > at.first && this.frame(other, step - 1) !== null && this.fm!.differences(this.spaceAt(at.run, step - 1), this.spaceAt(other, step - 1)).length > 0) --step;
    } catch (error) {
      this.showMessage((error as Error).message);
    }
    at.seek(step);
  }

  private drawCurves(): void {
    const { at, selected } = this;
    for (const chart of this.charts ?? []) chart.destroy();
    this.charts = [];
    if (!at || document.body.dataset.view !== "game") return;
    const begin = at.first - at.run.from, ticks = Array.from({ length: at.last - at.first + 1 }, (_, i) => i);
    const frames = selected === null ? [] : ticks.map((i) => at.run.frames.at(begin + i));
    const quantities: { id: string; title: string; column: Column }[] = [];
    if (selected !== null && selected.kind !== "joint") {
      const poses = frames.map((frame) => {
        const index = bodyIn(frame.scene, selected);
        return index < 0 ? null : { ...poseOf(frame, index), dt: frame.step.dt };
      });
      const speeds = poses.map((pose, i) => {
        const was = i === 0 ? null : poses[i - 1];
        return pose === null || !was || !(pose.dt > 0) ? null : Math.hypot(pose.x - was.x, pose.y - was.y) / pose.dt;
      });
      for (const [id, title] of [["x", "x"], ["y", "y"], ["angle", "Angle, rad"]] as const) {
        quantities.push({ id, title, column: poses.map((pose) => pose?.[id] ?? null) });
      }
      quantities.push({ id: "speed", title: "Speed", column: speeds });
    }
    if (selected !== null && selected.kind === "joint") {
      const column = (value: (frame: Frame, joint: SceneJoint) => number | null): Column => frames.map((frame) => {
        const joint = frame.scene.joints.find(({ id }) => id === selected.id);
        return joint === undefined ? null : value(frame, joint);
      });
      const length = column((frame, joint) => {
        const [a, b] = endsOf(frame, joint);
        return hasAnchors(joint.kind) ? Math.hypot(b.x - a.x, b.y - a.y) : null;
      });
      const turn = column((frame, { a, b }) => poseOf(frame, b).angle - poseOf(frame, a).angle);
      if (length.some((each) => each !== null)) quantities.push({ id: "length", title: "Distance of the anchors", column: length });
      quantities.push({ id: "turn", title: "Angle of b from a, rad", column: turn });
    }
    const logged = at.run.description.events.filter(({ kind }) => kind === "number");
    for (const name of [...new Set(logged.map((event) => event.name))].slice(0, 8)) {
      const column: Column = ticks.map(() => null);
      for (const { name: own, step, value } of logged) if (own === name && typeof value === "number") column[step - begin] = value;
      quantities.push({ id: `log-${name}`, title: name, column });
    }
    this.charts = quantities.map(({ id, title }, i) =>
      new Chart({ id, title, unit: "", what: `${title} over the steps`, digits: 2 }, i === quantities.length - 1, (tick) => this.at?.seek(at.first + tick)));
    byId("curves").replaceChildren(...this.charts.map(({ root }) => root));
    this.charts.forEach((chart, i) => chart.draw([quantities[i].column], ticks, this.colours, 60));
  }

  protected draw(at: RunPosition, time: number): void {
    const ratio = this.camera.fitInto(this.stage, this.canvas);
    this.inspect(at, time);
    const frame = this.frame()!;
    const ghosts = this.runs.filter((run) => run !== at.run).map((run) => this.frame(run)).filter((each) => each !== null);
    drawFrame({
      context: this.context, camera: this.camera, colours: this.colours, own: at.run.description.colors, frame, ghosts, layers: this.layers, selected: this.selected, future: this.future,
      before: at.index > at.first ? this.frame(at.run, at.index - 1) : null,
    }, ratio);
    ++this.framesDrawn;
    this.showPosition(at, frame);
  }

  private showPosition(at: RunPosition, frame: Frame): void {
    const { first, last, index } = at;
    const verdict = at.run.verdicts.find(({ first: begin, last: end }) => begin <= index - at.run.from && index - at.run.from <= end);
    const state = verdict === undefined ? "" : verdict.exact === true ? "exact" : "not verified";
    this.scrub.move(index, `step ${index} of ${last}${state === "" ? "" : `, ${state}`}`);
    setText(byId("clock-tick"), `step ${index}/${last}${state === "" ? "" : ` · ${state}`}`);
    const dt = frame.step.dt > 0 ? ` · dt ${fixed(frame.step.dt, 4)}` : "";
    setText(byId("caption"), `${at.run.name} · ${frame.scene.movingCount} bodies, ${frame.step.contacts.length / 4} contacts${dt}`);
    this.listObjects();
    for (const chart of this.charts) chart.update(index - first);
  }

  private inspectionKey(at: RunPosition): string {
    return `${this.runs.indexOf(at.run)} ${at.index} ${at.last} ${this.selected?.kind} ${this.selected?.id} ${at.playing}`;
  }

  /** Waits for the engine's share of the time. */
  private inspect(at: RunPosition, time: number): void {
    const key = this.inspectionKey(at);
    if (key === this.fieldsAt) return;
    window.clearTimeout(this.fieldsTimer);
    if (time < this.fieldsDue) return void (this.fieldsTimer = window.setTimeout(() => this.wantFrame(), this.fieldsDue - time));
    const begin = performance.now();
    this.fieldsAt = key;
    this.showFields(at);
    if (!at.playing) this.showDifferences(at);
    this.showFuture(at);
    const end = performance.now();
    this.fieldsDue = end + Math.max(PAUSE_PER_MILLISECOND * (end - begin), at.playing ? PAUSE_MILLISECONDS_PLAYING : 0);
  }

  /** For tests and the console. */
  state() {
    const { at } = this;
    if (at === null) return null;
    return {
      step: at.index, first: at.first, last: at.last, playing: at.playing, run: this.runs.indexOf(at.run), runs: this.runs.length,
      verdicts: at.run.verdicts, isVerified: at.run.verdicts.length === at.run.description.keyframes.length, selected: this.selected,
      frame: this.frame(), framesDrawn: this.framesDrawn, zoom: this.camera.zoomed, dark: this.theme.dark, scale: this.camera.scale,
      future: this.future, isInspected: this.fieldsAt !== "" && this.fieldsAt === this.inspectionKey(at), origin: this.camera.toPixel({ x: 0, y: 0 }), up: this.camera.up,
    };
  }
}

/** Returns the selected body or the selected shape's; -1 for none. */
function bodyIn(scene: Scene, selected: Selection | null): number {
  if (selected?.kind === "body") return scene.bodies.findIndex(({ id }) => id === selected.id);
  return scene.shapes.find(({ id }) => selected?.kind === "shape" && selected.id === id)?.body ?? -1;
}

const HIDDEN = ["space", "userData", "body", "shapes", "constraints", "neighbors"];

function fieldsOf(thing: Thing): [string, unknown][] {
  const fields = new Map<string, unknown>();
  for (let type = Object.getPrototypeOf(thing) as object | null; type !== null && type !== Object.prototype; type = Object.getPrototypeOf(type) as object | null) {
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(type))) {
      if (get === undefined || fields.has(name) || HIDDEN.includes(name)) continue;
      try {
        const value = get.call(thing) as unknown;
        if (value !== null && typeof value === "object" && Object.getPrototypeOf(value) !== Object.prototype) continue;
        fields.set(name, value);
      } catch {
        // no value in this state
      }
    }
  }
  return [...fields];
}

const page = new RecordingPage();
Object.assign(window, { forkmunk: { state: () => page.state(), seek: (step: number) => page.seek(step), select: page.select.bind(page), ready: page.start() } });
