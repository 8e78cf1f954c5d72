// SPDX-License-Identifier: MIT
// The current position, and playback. This file does not depend on the page.

import { firstDeathTick, matchAt, TICK_SECONDS, type Game } from "./log/game";

export const SPEEDS = [1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8] as const;
export const JUMP_TICKS = 60;

/** A pause of the browser must not skip a match. */
const FRAME_SECONDS_MAX = 0.25;

export abstract class Position {
  /** An integer unless playing. */
  protected position = 0;
  private speedIndex: number;
  playing = false;
  /** Replaces playback, as during driving. */
  live: (() => void) | null = null;

  constructor(protected readonly changed: () => void, speed = 1) {
    this.speedIndex = Math.max(0, SPEEDS.findIndex((known) => known === speed));
  }

  abstract get first(): number;
  abstract get last(): number;
  protected abstract get stepSeconds(): number;
  get index(): number {
    return Math.floor(this.position);
  }
  get speed(): number {
    return SPEEDS[this.speedIndex];
  }

  play(): void {
    if (this.position >= this.last) this.position = this.first;
    this.playing = true;
    this.changed();
  }

  pause(): void {
    this.playing = false;
    this.position = this.index;
    this.changed();
  }

  toggle(): void {
    if (this.live !== null) return this.live();
    if (this.playing) this.pause();
    else this.play();
  }

  advance(seconds: number): void {
    const ticks = (Math.min(seconds, FRAME_SECONDS_MAX) * this.speed) / this.stepSeconds;
    this.position = Math.min(this.last, this.position + ticks);
    if (this.position >= this.last) this.playing = false;
    this.changed();
  }

  /** Goes to the end of a game that has grown. */
  follow(): void {
    this.position = this.last;
    this.changed();
  }

  seek(index: number): void {
    this.position = Math.min(this.last, Math.max(this.first, Math.round(index)));
    this.changed();
  }

  step(ticks: number): void {
    this.playing = false;
    this.seek(this.index + ticks);
  }

  jump(ticks: number): void {
    this.seek(this.index + ticks);
  }

  changeSpeed(direction: 1 | -1): void {
    this.setSpeedIndex(this.speedIndex + direction);
  }

  setSpeedIndex(index: number): void {
    this.speedIndex = Math.min(SPEEDS.length - 1, Math.max(0, index));
    this.changed();
  }
}

export class Playback extends Position {
  readonly first = 0;
  protected readonly stepSeconds = TICK_SECONDS;

  constructor(readonly game: Game, changed: () => void, speed = 1) {
    super(changed, speed);
  }

  get last(): number {
    return this.game.tickCount - 1;
  }
  get matchIndex(): number {
    return matchAt(this.game, this.index);
  }
  get tick(): number {
    return this.index - this.game.matches[this.matchIndex].first;
  }

  /** Returns the fraction of the way to the next tick; 0 if that is in another match. */
  get share(): number {
    const match = this.game.matches[this.matchIndex];
    return this.tick + 1 < match.ticks ? this.position - this.index : 0;
  }

  seekMatch(matchIndex: number, tick = 0): void {
    const match = this.game.matches[Math.min(this.game.matches.length - 1, Math.max(0, matchIndex))];
    this.seek(match.first + Math.min(Math.max(0, match.ticks - 1), Math.max(0, tick)));
  }

  /** Goes to the start of the match. From there, or with `direction` 1, goes to the next start in that direction. */
  skipMatch(direction: 1 | -1): void {
    const back = direction < 0 && this.tick > 0 ? 0 : direction;
    let m = this.matchIndex + back;
    while (this.game.matches[m]?.ticks === 0) m += direction;
    if (this.game.matches[m] !== undefined) this.seekMatch(m);
  }

  skipDeath(direction: 1 | -1): void {
    const deaths = this.game.matches.flatMap((match) => {
      const tick = firstDeathTick(match);
      return tick === null ? [] : [match.first + tick];
    });
    const target = direction > 0
      ? deaths.find((index) => index > this.index)
      : deaths.reverse().find((index) => index < this.index);
    if (target === undefined) return;
    this.playing = false;
    this.seek(target);
  }
}
