// Whether our physics plays the game as it was recorded: asked of the engine in the worker, or told by the program that
// wrote the page.

import type { EngineClient } from "../engine/client";
import type { Difference, Verdict } from "../engine/module";
import { recordingNumbers } from "../engine/numbers";
import type { Game } from "../log/game";
import { byId, grouped } from "../page/dom";

/** What `forkmunk view` found out. */
export interface NativeVerdict {
  arithmetic: "strict" | "referee";
  mismatching: number;
  first: Difference | null;
}

const IN_REFEREE = "in the referee's fast arithmetic, which browsers lack: checked by the program that wrote the page";
const WITHOUT_ENGINE = "checked by the program that wrote the page";

function differs(game: Game, first: Difference | null): string {
  if (first === null) return "differs";
  const tick = first.tick - (game.tickNums[game.matches[first.match]?.first] ?? 0);
  return `differs from match ${first.match + 1}, tick ${tick} on: ${first.value}`;
}

function valuesOf(first: Difference | null): string {
  if (first === null || (first.expected === null && first.found === null)) return "";
  return `; recorded ${first.expected ?? "nothing"}, played ${first.found ?? "nothing"}`;
}

export class VerdictLine {
  private readonly line = byId("verdict");
  private shown: Game | null = null;

  /** Returns the verdict of the worker; null if it has none. */
  async show(game: Game, engine: EngineClient | null, native: NativeVerdict | null): Promise<Verdict | null> {
    this.shown = game;
    if (engine === null || native?.arithmetic === "referee") {
      this.tellNative(game, native, engine === null ? WITHOUT_ENGINE : IN_REFEREE);
      return null;
    }
    this.write("checking…", "The game is played again by the engine in this page", "");
    const start = performance.now();
    try {
      const verdict = await engine.call("open", recordingNumbers(game));
      if (this.shown !== game) return null;
      this.tell(game, verdict, performance.now() - start);
      return verdict;
    } catch (error) {
      if (this.shown === game) this.write("not checked", `The engine cannot play this game: ${(error as Error).message}`, "");
      return null;
    }
  }

  /** A game that was not recorded. */
  forget(): void {
    this.shown = null;
    this.write("", "", "");
  }

  private tell(game: Game, verdict: Verdict, ms: number): void {
    const how = `The engine in this page has played the game again by ${verdict.inferred ? "commands that it found" : "its commands"}, in ${ms.toFixed(0)} ms`;
    if (verdict.line !== null) this.write("exact", `${how}: all numbers of ${grouped(verdict.ticks)} ticks are equal to the last bit`, "exact");
    else this.write(differs(game, verdict.first), `${how}: ${grouped(verdict.mismatching)} of ${grouped(verdict.ticks)} ticks differ${valuesOf(verdict.first)}`, "differs");
    this.line.dataset.ms = ms.toFixed(1);
  }

  private tellNative(game: Game, native: NativeVerdict | null, how: string): void {
    if (native === null) this.write("", "", "");
    else if (native.mismatching === 0) this.write(`exact (${native.arithmetic} arithmetic)`, `Equal to the last bit, ${how}`, "exact");
    else this.write(differs(game, native.first), `${grouped(native.mismatching)} ticks differ, ${how}${valuesOf(native.first)}`, "differs");
  }

  private write(text: string, title: string, kind: string): void {
    this.line.textContent = text;
    this.line.title = title;
    this.line.dataset.kind = kind;
    this.line.hidden = text === "";
  }
}
