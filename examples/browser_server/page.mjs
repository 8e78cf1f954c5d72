// SPDX-License-Identifier: MIT
// The game of server.cpp in JavaScript, with a seat that the server gives.

import { debugDraw, load, RollbackSession } from "./forkmunk/index.mjs";

const SEATS = 5, DT = 1 / 60;
const KEYS = { ArrowLeft: 1, ArrowRight: 2, ArrowUp: 4, ArrowDown: 8 };
const COLOURS = ["#b9b2a3", "#d9730d", "#2f6fde", "#1f8a4c", "#b03a8c"], NAMES = ["", "orange", "blue", "green", "purple"];

function build({ Segment, Space, momentForCircle }) {
  const space = new Space();
  space.damping = 0.5;
  const corners = [[0, 0], [640, 0], [640, 360], [0, 360], [0, 0]].map(([x, y]) => ({ x, y }));
  for (let i = 0; i < 4; ++i) {
    const wall = new Segment(space.staticBody, corners[i], corners[i + 1], 6);
    wall.elasticity = 1;
    space.add(wall);
  }
  const addDisc = (mass, radius, x, y, collisionType = 0) => {
    const shapes = [{ radius, elasticity: 0.9, collisionType }];
    return space.createBody({ mass, moment: momentForCircle(mass, 0, radius), position: { x, y }, shapes });
  };
  const discs = [];
  for (let seat = 1; seat < SEATS; ++seat) {
    discs[seat] = addDisc(2, 18, seat % 2 !== 0 ? 120 : 520, seat < 3 ? 120 : 240, seat);
  }
  for (let i = 0; i < 3; ++i) addDisc(0.5, 11, 320, 100 + 80 * i);
  return { space, discs };
}

const advance = (discs) => (space, inputs) => {
  for (let seat = 1; seat < SEATS; ++seat) {
    const [input] = inputs[seat], x = ((input >> 1) & 1) - (input & 1), y = ((input >> 2) & 1) - ((input >> 3) & 1);
    if (x !== 0 || y !== 0) discs[seat].force = { x: 2400 * x, y: 2400 * y };
  }
  space.step(DT);
};

const fm = await load(), context = document.querySelector("canvas").getContext("2d"), status = document.querySelector("#status");
const socket = new WebSocket(new URL("play", location.href.replace(/^http/, "ws")));
socket.binaryType = "arraybuffer";
let session = null, input = 0;

socket.onmessage = ({ data }) => {
  if (typeof data !== "string") return session?.receive(data);
  const { seat } = JSON.parse(data), { space, discs } = build(fm);
  session = new RollbackSession(space, {
    players: SEATS, local: seat, input: new Uint8Array(1), advance: advance(discs), delay: seat === null ? 6 : 2,
    send: (message) => socket.readyState === WebSocket.OPEN && socket.send(message),
  });
  window.game = { session, space, seat, press: (bits) => (input = bits) }; // for the console, and for tests
};
socket.onclose = () => (status.textContent = "The server has gone. Reload the page when it is back.");

for (const [name, pressed] of [["keydown", true], ["keyup", false]]) {
  addEventListener(name, (event) => {
    const bit = KEYS[event.key];
    if (bit === undefined) return;
    event.preventDefault();
    input = pressed ? input | bit : input & ~bit;
  });
}
addEventListener("blur", () => (input = 0)); // the page gets no keyup then

let due = performance.now();
setInterval(() => { // requestAnimationFrame() stops in a hidden tab
  const now = performance.now();
  for (due = Math.max(due, now - 250); session !== null && due <= now; due += 1000 * DT) session.tick(Uint8Array.of(input));
}, 5);
function draw() {
  requestAnimationFrame(draw);
  if (session === null || socket.readyState !== WebSocket.OPEN) return;
  const { frame, isPlaying, wait, stats, desync } = session, { seat, space } = window.game;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, 640, 360);
  context.setTransform(1, 0, 0, -1, 0, 360);
  debugDraw(context, space, { stroke: "#888", fill: ({ collisionType }) => COLOURS[collisionType] });
  const role = seat === null ? "You watch" : isPlaying ? `You are player ${seat}, the ${NAMES[seat]} disc` : `Seat ${seat} is being prepared`;
  status.textContent = `${role}. Frame ${frame}, ${stats.rollbacks} rollbacks${wait === null ? "" : `, waits (${wait})`}${desync === null ? "" : `. DESYNC: ${desync.difference}`}`;
}
draw();
