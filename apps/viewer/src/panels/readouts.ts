// SPDX-License-Identifier: MIT

import { commandAt, SIDES, type Game, type Side } from "../log/game";
import { measuresAt } from "../log/measures";
import { byId, fixed, grouped, make, setText } from "../page/dom";
import type { Playback } from "../playback";

const COMMAND_SIGNS = { none: "–", left: "◀ left", stop: "■ stop", right: "▶ right" } as const;

/** Returns an angle from -180 to 180. */
function wrapped(degrees: number): number {
  const turned = degrees % 360;
  return turned > 180 ? turned - 360 : turned < -180 ? turned + 360 : turned;
}

class Readout {
  private readonly cells = new Map<string, HTMLElement>();
  private readonly said: HTMLElement;

  constructor(root: HTMLElement, private readonly side: Side) {
    for (const element of root.querySelectorAll<HTMLElement>("[data-value]")) {
      this.cells.set(element.dataset.value!, element);
    }
    this.said = root.querySelector<HTMLElement>(".said")!;
  }

  private set(name: string, text: string): void {
    setText(this.cells.get(name)!, text);
  }

  show(game: Game): void {
    this.set("name", game.players[this.side]);
    this.cells.get("name")!.title = game.players[this.side];
    this.said.hidden = game.said === null;
    this.cells.get("command")!.title = game.commandsFrom === "nowhere" ? "The recording has no commands; forkmunk view infers them" : "";
  }

  update({ game, index, matchIndex, live, last }: Playback): void {
    const match = game.matches[matchIndex];
    const measures = measuresAt(game, match, index, this.side);
    this.set("lives", `♥ ${(index === last ? game.finalLives : null)?.[this.side] ?? match.lives[this.side]}`);
    // The tick being played has no command yet.
    const decided = live !== null && index === last && index > match.first ? index - 1 : index;
    this.set("command", game.commandsFrom === "nowhere" ? "unknown" : COMMAND_SIGNS[commandAt(game, decided, this.side)]);
    this.set("speed", `${fixed(measures.speed)} u/s`);
    this.set("angle", `${fixed(wrapped(measures.angle))}°`);
    this.set("button", `${fixed(measures.buttonHeight)} u`);
    this.set("air", measures.inAir ? "in the air" : "on the ground");
    const text = game.said?.[2 * index + this.side] ?? "";
    setText(this.said, text === "" ? "no debug text" : `“${text}”`);
    this.said.classList.toggle("dim", text === "");
  }
}

export class Readouts {
  private readonly readouts = SIDES.map((side) => new Readout(byId(`readout-${side + 1}`), side));
  private readonly note = byId("commands-note");

  show(game: Game): void {
    for (const readout of this.readouts) readout.show(game);
    this.note.hidden = game.commandsFrom !== "replay";
  }

  update(playback: Playback): void {
    for (const readout of this.readouts) readout.update(playback);
  }
}

export class SearchTraces {
  private readonly panel = byId("search-traces");
  private readonly columns = SIDES.map((side) => byId(`search-trace-${side + 1}`));
  private shownIndex = -1;

  show(game: Game): void {
    this.panel.hidden = game.searchTraces === null;
    this.shownIndex = -1;
  }

  update({ game, index }: Playback): void {
    if (game.searchTraces === null || index === this.shownIndex) return;
    this.shownIndex = index;
    for (const side of SIDES) this.columns[side].replaceChildren(...this.describe(game, index, side));
  }

  private describe(game: Game, index: number, side: Side): Node[] {
    const name = make("h3", `side-${side + 1}`, game.players[side]);
    const trace = game.searchTraces![2 * index + side];
    if (trace === null) {
      const none = game.termNames[side].length === 0 ? "this bot has no search trace" : "no decision at this tick";
      return [name, make("p", "dim", none)];
    }
    const worth = trace.score === null ? "no plan" : `score ${fixed(trace.score, 1)}`;
    const score = make("p", "", `${worth} from ${grouped(trace.simulatedTicks)} ticks`);
    const plan = make("p", "plan", trace.plan);
    plan.title = "The plan as runs of commands: L left, S stop, R right, each with a number of ticks";
    const largest = Math.max(1e-9, ...trace.terms.map(Math.abs));
    const bars = make("div", "terms");
    // The evaluator's order lets terms keep their rows.
    trace.terms.forEach((value, term) => {
      const bar = make("span", value < 0 ? "bar negative" : "bar");
      bar.style.width = `${(50 * Math.abs(value)) / largest}%`;
      const label = make("span", "term", game.termNames[side][term] ?? `term ${term + 1}`);
      bars.append(label, make("span", "track", "", bar), make("span", "number", fixed(value, 1)));
    });
    return [name, score, plan, bars];
  }
}
