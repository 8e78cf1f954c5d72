// The buttons under the picture.

import { TICK_SECONDS } from "../log/game";
import { JUMP_TICKS, SPEEDS, type Playback } from "../playback";
import { byId, fixed, setText } from "../page/dom";

const SPEED_NAMES = ["1/8", "1/4", "1/2", "1", "2", "4", "8"];

export class Controls {
  private readonly play = byId<HTMLButtonElement>("play");
  private readonly speed = byId<HTMLSelectElement>("speed");
  private readonly match = byId("clock-match");
  private readonly tick = byId("clock-tick");

  constructor(get: () => Playback | null) {
    const on = (id: string, run: (playback: Playback) => void) => {
      byId(id).addEventListener("click", () => {
        const playback = get();
        if (playback !== null) run(playback);
      });
    };
    on("previous-match", (playback) => playback.skipMatch(-1));
    on("back-jump", (playback) => playback.jump(-JUMP_TICKS));
    on("back-step", (playback) => playback.step(-1));
    on("play", (playback) => playback.toggle());
    on("step", (playback) => playback.step(1));
    on("jump", (playback) => playback.jump(JUMP_TICKS));
    on("next-match", (playback) => playback.skipMatch(1));
    on("next-death", (playback) => playback.skipDeath(1));
    SPEEDS.forEach((speed, i) => this.speed.add(new Option(`× ${SPEED_NAMES[i]}`, String(i), speed === 1, speed === 1)));
    this.speed.addEventListener("change", () => get()?.setSpeedIndex(Number(this.speed.value)));
  }

  update(playback: Playback): void {
    const { game, matchIndex, tick } = playback;
    const match = game.matches[matchIndex];
    // The button also stops driving.
    const action = playback.live !== null ? "Stop driving" : playback.playing ? "Pause" : "Play";
    if (this.play.getAttribute("aria-label") !== action) {
      this.play.classList.toggle("playing", action !== "Play");
      this.play.setAttribute("aria-label", action);
      this.play.title = `${action} (space)`;
    }
    this.speed.value = String(SPEEDS.findIndex((speed) => speed === playback.speed));
    setText(this.match, `match ${matchIndex + 1}/${game.matches.length}`);
    setText(this.tick, `tick ${tick}/${Math.max(0, match.ticks - 1)} · ${fixed(tick * TICK_SECONDS, 2)} s`);
  }
}
