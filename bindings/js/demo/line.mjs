// SPDX-License-Identifier: MIT
// Lines that delay and lose messages, and transports.

/** A line whose messages arrive late or not at all, by the receiver's clock. */
export class BadLine {
  /** @param next a generator of numbers below 1; @param settings {delay, jitter, loss}: milliseconds, and a part of 1 */
  constructor(next, settings) {
    this.next = next;
    this.settings = settings;
    this.queue = [];
  }
  push(message, now) {
    const { delay, jitter, loss } = this.settings;
    if (this.next() >= loss) this.queue.push({ at: now + delay + this.next() * jitter, message });
  }
  due(now) {
    const due = this.queue.filter(({ at }) => at <= now).map(({ message }) => message);
    if (due.length > 0) this.queue = this.queue.filter(({ at }) => at > now);
    return due;
  }
}

/** Returns a transport between tabs of one browser. */
export function overBroadcastChannel(name, receive) {
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }) => receive(data);
  return (message) => channel.postMessage(message);
}

/** Returns a transport between browsers: an open RTCDataChannel, made with {ordered: false, maxRetransmits: 0}. */
export function overDataChannel(channel, receive) {
  channel.binaryType = "arraybuffer";
  channel.onmessage = ({ data }) => receive(new Uint8Array(data));
  return (message) => channel.readyState === "open" && channel.send(message);
}

/** Returns a seeded generator (mulberry32) of numbers below 1. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
