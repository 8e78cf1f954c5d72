// SPDX-License-Identifier: MIT
// Programs of a game (see peer.cpp) in C++, Python and node.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

import { folder, load } from "../js/run.mjs";
import { Peer } from "./peer.mjs";

const { FORKMUNK_PYTHON: python, FORKMUNK_PEER: peer } = process.env;
const { RollbackSession } = await import(`${folder}/index.mjs`);
const fm = await load();
export const here = (name) => new URL(name, import.meta.url).pathname;

/** A process, which plays one game after the other. */
class Child {
  static idle = new Map();
  constructor(command, given, start) {
    const free = Child.idle.get(command)?.pop();
    this.command = command;
    this.process = free?.process ?? spawn(command, given, { stdio: ["pipe", "pipe", "inherit"] });
    this.answers = free?.answers ?? createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
    this.process.stdin.write(`${["start", ...start].join(" ")}\n`);
  }
  async do(line) {
    this.process.stdin.write(`${line}\n`);
    if (!line.startsWith("tick")) return undefined;
    const { value, done } = await this.answers.next();
    assert.ok(!done, "a program has ended");
    return value;
  }
  end() {
    Child.idle.set(this.command, [...(Child.idle.get(this.command) ?? []), this]);
  }
}
export function endAll() {
  for (const each of [...Child.idle.values()].flat()) each.process.stdin.end();
}

export const MAKE = {
  "C++": (given) => new Child(peer, [], given),
  Python: (given) => new Child(python, [here("peer.py")], given),
  node: (given) => new Peer(fm, RollbackSession, ...given),
};

export function read(answer) {
  const words = answer.split(" "), bar = words.indexOf("|"), [frame, confirmed, isPlaying, isHost, rollbacks, memory, problem] = words;
  const given = words.slice(7, bar);
  return {
    frame: Number(frame), confirmed: Number(confirmed), isPlaying: isPlaying === "1", isHost: isHost === "1", rollbacks: Number(rollbacks), memory: Number(memory),
    problem: problem === "-" ? null : Buffer.from(problem, "hex").toString(), hashes: given.filter((each) => each.includes(":")).map((each) => each.split(":")),
    notices: given.filter((each) => each.includes("/")).map((each) => {
      const [kind, at, event, data] = each.split("/");
      return { kind: Number(kind), frame: Number(at), event: Number(event), data };
    }),
    messages: words.slice(bar + 1).filter(Boolean),
  };
}
