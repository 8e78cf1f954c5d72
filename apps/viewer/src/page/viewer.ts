// SPDX-License-Identifier: MIT
// The common part of the pages.

import { byId, listen, make, setText, Theme, type Key } from "./dom";
import { JUMP_TICKS, SPEEDS, type Position } from "../playback";
import type { Camera } from "../scene/camera";

const ZOOM_STEP = 1.3;

export abstract class Viewer<At extends Position> {
  playback: At | null = null;
  protected readonly theme = new Theme(() => this.changeTheme());
  protected readonly stage = byId("scene");
  private readonly help = byId<HTMLDialogElement>("help");
  private readonly play = byId<HTMLButtonElement>("play");
  private readonly speed = byId<HTMLSelectElement>("speed");
  private frameWanted = false;
  private lastFrame = 0;

  protected abstract get camera(): Camera;
  protected abstract draw(playback: At, time: number): void;
  /** Called before the page's own fields exist. */
  protected abstract changeTheme(): void;

  /** @param unit  the word for a step of playback */
  protected connect(unit: string, keys: Key[]): void {
    this.click("help-close", () => this.help.close());
    this.click("message-close", () => this.hideMessage());
    SPEEDS.forEach((speed, i) => this.speed.add(new Option(`× ${speed < 1 ? `1/${1 / speed}` : speed}`, String(i), speed === 1, speed === 1)));
    this.speed.addEventListener("change", this.on((at) => at.setSpeedIndex(Number(this.speed.value))));
    new ResizeObserver(() => this.wantFrame()).observe(this.stage);
    const all: Key[] = [
      { keys: [" ", "k"], shown: "Space", what: "play or pause", button: "play", run: this.on((at) => at.toggle()) },
      { keys: ["ArrowLeft"], shown: "←", what: `one ${unit} back`, button: "back-step", run: this.on((at) => at.step(-1)) },
      { keys: ["ArrowRight"], shown: "→", what: `one ${unit} forward`, button: "step", run: this.on((at) => at.step(1)) },
      { keys: ["Shift+ArrowLeft", "j"], shown: "Shift ←", what: `${JUMP_TICKS} ${unit}s back`, button: "back-jump", run: this.on((at) => at.jump(-JUMP_TICKS)) },
      { keys: ["Shift+ArrowRight", "l"], shown: "Shift →", what: `${JUMP_TICKS} ${unit}s forward`, button: "jump", run: this.on((at) => at.jump(JUMP_TICKS)) },
      { keys: ["ArrowUp"], shown: "↑", what: "faster", run: this.on((at) => at.changeSpeed(1)) },
      { keys: ["ArrowDown"], shown: "↓", what: "slower", run: this.on((at) => at.changeSpeed(-1)) },
      { keys: ["Home"], shown: "Home", what: `first ${unit}`, button: "first", run: this.on((at) => at.seek(at.first)) },
      { keys: ["End"], shown: "End", what: `last ${unit}`, run: this.on((at) => at.seek(at.last)) },
      ...keys,
      { keys: ["+", "="], shown: "+", what: "zoom in (or the wheel)", button: "zoom-in", run: () => this.zoom(ZOOM_STEP) },
      { keys: ["-"], shown: "−", what: "zoom out", button: "zoom-out", run: () => this.zoom(1 / ZOOM_STEP) },
      { keys: ["0", "f"], shown: "F", what: "show the whole field (or double-click)", button: "fit", run: () => this.fit() },
      { keys: ["t"], shown: "T", what: "light or dark theme", button: "theme", run: () => this.theme.toggle() },
      { keys: ["?"], shown: "?", what: "this help", button: "help-button", run: () => this.toggleHelp() },
    ];
    listen(all, () => this.help.open);
    for (const { button, run } of all) document.getElementById(button ?? "")?.addEventListener("click", run);
    byId("help-keys").append(...all.flatMap(({ shown, what }) => [make("dt", "", "", make("kbd", "", shown)), make("dd", "", what)]));
  }

  protected click(id: string, run: () => void): void {
    byId(id).addEventListener("click", run);
  }
  /** Runs while something is shown. */
  protected on(run: (playback: At) => void): () => void {
    return () => this.playback !== null && run(this.playback);
  }

  private toggleHelp(): void {
    if (this.help.open) this.help.close();
    else this.help.showModal();
  }
  private zoom(factor: number): void {
    this.camera.zoomBy(factor);
    this.moved();
  }
  protected fit(): void {
    this.camera.fit();
    this.moved();
  }
  protected pan(x: number, y: number): void {
    this.camera.panBy(x, y);
    this.moved();
  }
  protected moved(): void {
    // A touch scrolls the page unless the picture is zoomed in.
    this.stage.classList.toggle("zoomed", !this.camera.isFitted);
    this.wantFrame();
  }

  protected showProgress(text: string): void {
    setText(byId("progress"), text);
  }
  showMessage(text: string): void {
    setText(byId("message-text"), text);
    byId("message").hidden = false;
  }
  hideMessage(): void {
    byId("message").hidden = true;
  }

  /** An empty text hides the verdict. Returns its element. */
  showVerdict(text: string, title: string, kind: string): HTMLElement {
    const line = byId("verdict");
    setText(line, text);
    line.title = title;
    line.dataset.kind = kind;
    line.hidden = text === "";
    return line;
  }

  /** Draws while something changes. */
  wantFrame(): void {
    if (this.frameWanted) return;
    this.frameWanted = true;
    requestAnimationFrame((time) => this.runFrame(time));
  }

  private runFrame(time: number): void {
    this.frameWanted = false;
    const { playback } = this;
    if (playback === null) return;
    if (playback.playing && this.lastFrame > 0) playback.advance((time - this.lastFrame) / 1000);
    this.lastFrame = playback.playing ? time : 0;
    this.draw(playback, time);
    // The button also stops driving.
    const action = playback.live !== null ? "Stop driving" : playback.playing ? "Pause" : "Play";
    if (this.play.getAttribute("aria-label") !== action) {
      this.play.classList.toggle("playing", action !== "Play");
      this.play.setAttribute("aria-label", action);
      this.play.title = `${action} (space)`;
    }
    this.speed.value = String(SPEEDS.findIndex((speed) => speed === playback.speed));
    if (playback.playing) this.wantFrame();
  }

  seek(index: number): void {
    this.playback?.seek(index);
  }
}
