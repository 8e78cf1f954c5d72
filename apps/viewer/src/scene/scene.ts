// SPDX-License-Identifier: MIT
// The picture: two stacked canvases, so that the map is drawn only when it changes.

import type { Future } from "../engine/module";
import { STATE_SIZE, type Game } from "../log/game";
import { interpolate } from "../log/geometry";
import { Camera } from "./camera";
import { readColours, type Colours } from "./colours";
import { drawFutures, drawMap, drawTick } from "./draw";

export class Scene {
  readonly camera = new Camera();
  /** The state that was drawn last. */
  readonly state = new Float64Array(STATE_SIZE);
  drawnIndex = -1;
  framesDrawn = 0;
  private readonly mapContext: CanvasRenderingContext2D;
  private readonly tickContext: CanvasRenderingContext2D;
  private colours: Colours = readColours();
  private mapKey = "";
  private themeVersion = 0;

  constructor(private readonly frame: HTMLElement, mapLayer: HTMLCanvasElement, private readonly tickLayer: HTMLCanvasElement) {
    this.mapContext = mapLayer.getContext("2d")!;
    this.tickContext = tickLayer.getContext("2d")!;
  }

  changeTheme(): void {
    this.colours = readColours();
    ++this.themeVersion;
  }

  /** Adapts to the size of the element and to the pixel ratio of the screen. */
  private fitCanvases(): number {
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth, clientHeight } = this.frame;
    this.camera.resize(clientWidth, clientHeight);
    for (const { canvas } of [this.mapContext, this.tickContext]) {
      const width = Math.round(clientWidth * ratio);
      const height = Math.round(clientHeight * ratio);
      if (canvas.width !== width) canvas.width = width;
      if (canvas.height !== height) canvas.height = height;
    }
    return ratio;
  }

  /** Draws a state. `share`: the fraction of the way to the next tick, which must be in the same match. */
  draw(game: Game, matchIndex: number, index: number, share: number, futures: Future[] = []): void {
    const ratio = this.fitCanvases();
    const match = game.matches[matchIndex];
    const mapKey = [game.fileName, matchIndex, this.camera.version, ratio, this.themeVersion, this.tickLayer.width].join();
    if (mapKey !== this.mapKey) {
      drawMap(this.mapContext, this.camera, ratio, match, this.colours);
      this.mapKey = mapKey;
    }
    interpolate(game, index, share, this.state);
    this.drawnIndex = index;
    const view = {
      context: this.tickContext, camera: this.camera, colours: this.colours, ratio, game, match, index, state: this.state,
    };
    drawTick(view);
    drawFutures(view, futures);
    ++this.framesDrawn;
  }

  /** Forgets the drawn map, because another game has other maps. */
  forget(): void {
    this.mapKey = "";
  }
}
