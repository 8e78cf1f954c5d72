// Whether our physics plays the game as it was recorded: asked of the engine in the worker, or told by the program that
// wrote the page.

import type { EngineClient } from "../engine/client";
import type { NativeVerdict } from "../engine/carried";
import type { Difference, Verdict } from "../engine/module";
import type { Game } from "../log/game";
import { byId, grouped } from "../page/dom";

const IN_REFEREE = "in the referee's fast arithmetic, which browsers lack: checked by the program that wrote the page";

function differs(first: Difference | null): string {
  return first === null ? "differs" : `differs from match ${first.match + 1}, tick ${first.tick} on: ${first.value}`;
}

function valuesOf(first: Difference | null): string {
  if (first === null || (first.expected === null && first.found === null)) return "";
  return `; recorded ${first.expected ?? "nothing"}, played ${first.found ?? "nothing"}`;
}

export class VerdictLine {
  private readonly line = byId("verdict");
  private shown: Game | null = null;

  /** Returns the verdict of the worker on that line; null if it has none. */
  async show(game: Game, engine: EngineClient, line: number, native: NativeVerdict | null): Promise<Verdict | null> {
    this.shown = game;
    if (native?.arithmetic === "referee") {
      this.tellNative(native);
      return null;
    }
    this.write("checking…", "The game is played again by the engine in this page", "");
    const start = performance.now();
    try {
      const verdict = await engine.call("verify", line);
      if (this.shown !== game) return null;
      this.tell(verdict, performance.now() - start);
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

  private tell(verdict: Verdict, ms: number): void {
    const how = `The engine in this page has played the game again by ${verdict.inferred ? "commands that it found" : "its commands"}, in ${ms.toFixed(0)} ms`;
    if (verdict.exact) this.write("exact", `${how}: all numbers of ${grouped(verdict.ticks)} ticks are equal to the last bit`, "exact");
    else this.write(differs(verdict.first), `${how}: ${grouped(verdict.mismatching)} of ${grouped(verdict.ticks)} ticks differ${valuesOf(verdict.first)}`, "differs");
    this.line.dataset.ms = ms.toFixed(1);
  }

  private tellNative({ mismatching, first }: NativeVerdict): void {
    if (mismatching === 0) this.write("exact (referee arithmetic)", `Equal to the last bit, ${IN_REFEREE}`, "exact");
    else this.write(differs(first), `${grouped(mismatching)} ticks differ, ${IN_REFEREE}${valuesOf(first)}`, "differs");
  }

  private write(text: string, title: string, kind: string): void {
    this.line.textContent = text;
    this.line.title = title;
    this.line.dataset.kind = kind;
    this.line.hidden = text === "";
  }
}
