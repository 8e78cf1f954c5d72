// SPDX-License-Identifier: MIT
// Plays the demo's game over an RTCDataChannel in two pages of browser_test.mjs.

import { load, RollbackSession } from "/index.mjs";
import { advance, build } from "/demo/game.mjs";
import { overDataChannel, random } from "/demo/line.mjs";

const connection = new RTCPeerConnection();
const fm = await load();
let channel, session, isSpoilt = false;

/** Returns the local description with all candidates. */
async function describe(description) {
  await connection.setLocalDescription(description);
  while (connection.iceGatheringState !== "complete") await new Promise((done) => connection.addEventListener("icegatheringstatechange", done, { once: true }));
  return JSON.stringify(connection.localDescription);
}
export async function offer() {
  channel = connection.createDataChannel("game", { ordered: false, maxRetransmits: 0 });
  return describe(await connection.createOffer());
}
export async function answer(description) {
  connection.ondatachannel = (event) => (channel = event.channel);
  await connection.setRemoteDescription(JSON.parse(description));
  return describe(await connection.createAnswer());
}
export const connect = (description) => connection.setRemoteDescription(JSON.parse(description));

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Plays to a frame, waits up to 10 s for an expected difference, and goes on for the other page's sake. */
export async function playGame(local, frames, { spoils = false, differs = false } = {}) {
  while (channel?.readyState !== "open") await pause(5);
  const next = random(local + 1);
  if (session === undefined) {
    const send = overDataChannel(channel, (message) => session.receive(message));
    session = new RollbackSession(build(fm), {
      players: 2, local, prediction: 16, delay: 2, send,
      advance(space, inputs, frame) {
        if (isSpoilt && frame % 10 === 0) space.bodies[5].velocity = { x: 30, y: 30 };
        advance(space, inputs);
      },
    });
  }
  isSpoilt = spoils;
  for (let i = 0; session.frame < frames || i % 100 !== 0; ++i) {
    session.tick(Math.floor(next() * 8));
    await (i % 4 === 0 ? pause(1) : undefined);
  }
  for (let i = 0; differs && !session.desync?.difference && i < 2000; ++i) {
    session.tick(0);
    await pause(5);
  }
  for (let i = 0; i < 60; ++i) {
    session.tick(0);
    await pause(2);
  }
  const { frame, stats, desync } = session;
  return { frame, stats, desync: desync && { ...desync, ours: String(desync.ours), theirs: String(desync.theirs) } };
}
