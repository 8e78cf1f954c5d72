// SPDX-License-Identifier: MIT
// The demo: two players on one page, or with #tab=0 and #tab=1 in two tabs, over a line as bad as wanted.

import { debugDraw, load } from "../src/index.mjs";
import { RollbackSession } from "../src/rollback.mjs";
import { advance, build, DT, HEIGHT, JUMP, LEFT, RIGHT, WIDTH } from "./game.mjs";
import { BadLine, overBroadcastChannel, random } from "./line.mjs";

const HISTORY = 320;
const KEYS = [{ KeyA: LEFT, KeyD: RIGHT, KeyW: JUMP }, { ArrowLeft: LEFT, ArrowRight: RIGHT, ArrowUp: JUMP }];
const NOTICES = { joined: "Joined: player", left: "Left: player", loaded: "The state has arrived at player", seatTaken: "Two programs are player" };
const isDark = matchMedia("(prefers-color-scheme: dark)");
const CHART = 60; // height in pixels; a frame that is rolled back takes 3
const element = (id) => document.getElementById(id);
const show = (text) => (element("desync").textContent = text);
const settings = { delay: 100, jitter: 30, loss: 0.05 };
const tab = /tab=([01])/.exec(location.hash)?.[1];
addEventListener("hashchange", () => location.reload()); // an edited address
const local = tab === undefined ? [0, 1] : [Number(tab)];
let clock = 0, isRunning = true, fm;

function drawScene(context, space) {
  const [first, second] = space.bodies;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, WIDTH, HEIGHT);
  context.setTransform(1, 0, 0, -1, 0, HEIGHT);
  debugDraw(context, space, { stroke: isDark.matches ? "#ccc" : "#333", fill: ({ body }) => (body === first ? "#d9730d" : body === second ? "#2f6fde" : "#b9b2a3") });
}

/** @param history {rolledBack, microseconds} of the last frames */
function drawChart(context, history) {
  context.clearRect(0, 0, WIDTH, CHART);
  history.forEach(({ rolledBack, microseconds }, i) => {
    context.fillStyle = "#d9730d";
    context.fillRect(2 * i, CHART - 3 * rolledBack, 2, 3 * rolledBack);
    context.fillStyle = "#2f6fde";
    context.fillRect(2 * i, CHART - Math.min(CHART - 1, microseconds / 50), 2, 1);
  });
}

class Seat {
  constructor(player) {
    this.player = player;
    this.keys = 0;
    this.line = new BadLine(random(player + 7), settings);
    this.pilot = random(player + 99);
    this.piloted = 0;
    this.history = [];
    this.spoilAt = -1; // a frame in which this player's simulation differs
    this.space = build(fm);
    this.session = new RollbackSession(this.space, {
      players: 2, local: player, prediction: 16, delay: 2,
      advance: (space, inputs, frame) => {
        if (frame === this.spoilAt) space.bodies[5].velocity = { x: 30, y: 30 };
        advance(space, inputs);
      },
      send: (message) => this.send(message),
      onDesync: ({ frame, difference }) => {
        const [first, ...others] = difference.split("\n");
        show(`Desync before frame ${frame}: ${first}${others.length > 0 ? `, and ${others.length} more` : ""}`);
      },
      onNotice: ({ kind, player: other, frame }) => NOTICES[kind] && show(`${NOTICES[kind]} ${(other ?? player) + 1}, frame ${frame}`),
    });
    this.figure = element(`player${player}`);
    this.figure.hidden = false;
  }
  input() {
    if (!element("pilot").checked) return this.keys;
    if (this.pilot() < 0.06) this.piloted = Math.floor(this.pilot() * 8) & (LEFT | RIGHT | (this.pilot() < 0.3 ? JUMP : 0));
    return this.piloted;
  }
  tick() {
    for (const message of this.line.due(clock)) this.session.receive(message);
    const start = performance.now();
    this.session.tick(this.input());
    const { rolledBack } = this.session.stats;
    this.history.push({ rolledBack, microseconds: 1000 * (performance.now() - start) });
    if (this.history.length > HISTORY) this.history.shift();
  }
  draw() {
    drawScene(this.figure.querySelector(".scene").getContext("2d"), this.space);
    drawChart(this.figure.querySelector(".chart").getContext("2d"), this.history);
    const { frame, stats, wait, waitingFor } = this.session, last = this.history.slice(-60);
    const cost = last.reduce((sum, each) => sum + each.microseconds, 0) / Math.max(1, last.length);
    this.figure.querySelector(".numbers").textContent =
      `frame ${frame} · ${stats.rollbacks} rollbacks of ${stats.framesRolledBack} frames, longest ${stats.longest} · ${stats.stalls} waits · ${cost.toFixed(0)} µs a frame`
      + (wait === null || wait === "pace" ? "" : ` · waits for ${waitingFor.map((player) => `player ${player + 1}`).join(", ") || "others"}`);
  }
}

fm = await load();
const seats = local.map((player) => new Seat(player));
if (tab === undefined) seats.forEach((seat, i) => (seat.send = (message) => seats[1 - i].line.push(message, clock)));
else seats[0].send = overBroadcastChannel("forkmunk demo", (message) => seats[0].line.push(message, clock));

function tick() {
  clock += 1000 * DT;
  for (const seat of seats) seat.tick();
}
function draw() {
  for (const seat of seats) seat.draw();
}

for (const name of ["delay", "jitter", "loss"]) {
  const onInput = () => {
    const value = Number(element(name).value);
    settings[name] = name === "loss" ? value / 100 : value;
    element(`${name}-value`).textContent = `${value} ${name === "loss" ? "%" : "ms"}`;
  };
  element(name).addEventListener("input", onInput);
  onInput();
}
/** Presses or releases a key of a seat, whose player then has no autopilot. */
function press(seat, bit, isDown) {
  if (isDown) element("pilot").checked = false;
  seat.keys = isDown ? seat.keys | bit : seat.keys & ~bit;
}
const onKey = (isDown) => (event) => {
  const isOther = event.ctrlKey || event.metaKey || event.altKey || event.target.type === "range"; // arrows move a slider
  if (isDown && isOther) return;
  KEYS.forEach((keys, i) => {
    const bit = keys[event.code];
    if (bit === undefined) return;
    press(seats[i] ?? seats[0], bit, isDown);
    event.preventDefault();
  });
};
addEventListener("keydown", onKey(true));
addEventListener("keyup", onKey(false));
addEventListener("blur", () => seats.forEach((seat) => (seat.keys = 0))); // the page gets no keyup then
element("spoil").addEventListener("click", () => (seats[0].spoilAt = seats[0].session.frame + 1));

for (const button of document.querySelectorAll("[data-key]")) {
  const seat = seats.find(({ player }) => player === Number(button.closest("figure").id.slice(-1)));
  const bit = { left: LEFT, right: RIGHT, jump: JUMP }[button.dataset.key];
  const onPointer = (isDown) => (event) => {
    press(seat, bit, isDown);
    event.preventDefault();
  };
  button.addEventListener("pointerdown", onPointer(true));
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) button.addEventListener(name, onPointer(false));
}

// A hidden tab has no animation frames, and its own timers are slow: a worker's are not.
let before = performance.now(), due = 0;
function onTimer() {
  const now = performance.now();
  due = Math.min(due + (now - before) / 1000, 0.25);
  before = now;
  for (; isRunning && due >= DT; due -= DT) tick();
}
const timer = new Worker(URL.createObjectURL(new Blob(["setInterval(() => postMessage(0), 1000 / 120)"], { type: "text/javascript" })));
timer.onmessage = onTimer;
function onFrame() {
  draw();
  requestAnimationFrame(onFrame);
}
requestAnimationFrame(onFrame);

/** For tests: plays up to a frame as fast as possible. */
window.forkmunk = {
  async run(frame) {
    isRunning = false;
    for (let i = 0; seats.some(({ session }) => session.frame < frame); ++i) {
      tick();
      if (i % 10 === 9 || tab !== undefined) await new Promise((done) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = done; port2.postMessage(0); });
    }
    draw();
    return this.state();
  },
  state: () => seats.map(({ session, space, player, keys }) => ({
    keys, x: space.bodies[player].position.x, frame: session.frame, confirmedFrame: session.confirmedFrame, isPlaying: session.isPlaying, stats: session.stats,
    desync: session.desync && { ...session.desync, ours: String(session.desync.ours), theirs: String(session.desync.theirs) },
  })),
  tick,
};
element("ready").hidden = false;
