// SPDX-License-Identifier: MIT
// The verdict on a replay, by the worker or by the program that wrote the page.

import { fromBase64, inflated, type Extras } from "../engine/bytes";
import type { EngineClient } from "../engine/client";
import type { Difference, Verdict } from "../engine/module";
import { grow, takeMatches, type Game } from "../log/game";
import type { Page } from "../main";
import { byId, grouped, make } from "../page/dom";
import type { TakeOver } from "./take_over";

const BY_PROGRAM = "The program that wrote the page replayed the game in referee arithmetic, which browsers lack";

function differs(first: Difference | null): string {
  if (first === null) return "differs";
  const { match, match_tick: tick, value, expected } = first;
  const what = value !== "tick_num" ? value : expected === null ? "missing in the recording" : `tick ${expected} is a duplicate, or after the end`;
  return `differs at match ${match + 1}, tick ${tick}: ${what}`;
}

function valuesOf(first: Difference | null): string {
  if (first === null || (first.expected === null && first.found === null)) return "";
  return `; recorded ${first.expected ?? "none"}, replayed ${first.found ?? "none"}`;
}

const ONLY_EXACT = "Not exact in this page: cannot be taken over";

/** Checks a recording in the background, and enables take-over if possible. */
export class Check {
  /** Null without a verdict of the worker. */
  verdict: Verdict | null = null;
  private game: Game | null = null;

  constructor(private readonly page: Page, private readonly takeOver: TakeOver) {}

  forget(): void {
    this.game = null;
    this.verdict = null;
    this.write("", "", "");
  }

  async run(engine: EngineClient, game: Game, line: number, extras: Extras): Promise<void> {
    this.game = game;
    this.verdict = null;
    this.takeOver.forget("The game is being checked");
    const verdict = await this.verify(engine, game, line, extras.verdict);
    const isExact = verdict?.mismatching === 0;
    const carried = verdict === null ? extras.states : undefined;
    try {
      if (isExact) {
        await this.takeFound(engine, game, line, verdict.inferred);
      } else if (carried !== undefined) {
        await engine.call("mark", line, carried.every, await inflated(fromBase64(carried.bytes)));
      } else if (this.game === game) {
        this.takeOver.refuse(ONLY_EXACT);
      }
      if (!isExact && extras.causes === undefined) takeMatches(game, game.matches, await engine.call("findCauses", line));
      if (this.game === game) {
        this.page.refresh();
        if (isExact || carried !== undefined) return await this.takeOver.offer(engine, game, line, game.matches, carried?.every);
      }
    } catch (error) {
      if (this.game === game) this.takeOver.refuse(`${ONLY_EXACT}: ${(error as Error).message}`);
    }
    void engine.call("free", line);
  }

  /** Returns null without a verdict of the worker, and for a game that is no longer shown. */
  private async verify(engine: EngineClient, game: Game, line: number, native?: Verdict): Promise<Verdict | null> {
    if (native?.arithmetic === "referee") {
      this.judge(native, BY_PROGRAM, "exact (referee arithmetic)");
      return null;
    }
    this.write("checking…", "The engine in this page is replaying the game", "");
    const start = performance.now();
    try {
      const verdict = await engine.call("verify", line);
      if (this.game !== game) return null;
      const ms = performance.now() - start, commands = verdict.inferred ? "inferred commands" : "its commands";
      this.verdict = verdict;
      this.judge(verdict, `The engine in this page replayed the game with ${commands} in ${ms.toFixed(0)} ms`, "exact");
      byId("verdict").dataset.ms = ms.toFixed(1);
      return verdict;
    } catch (error) {
      if (this.game === game) this.write("not checked", `The engine cannot replay this game: ${(error as Error).message}`, "");
      return null;
    }
  }

  private async takeFound(engine: EngineClient, game: Game, line: number, inferred: boolean): Promise<void> {
    const state = await engine.call("describe", line);
    if (!inferred) return takeMatches(game, game.matches, state);
    grow(game, game.matches, await engine.call("ticks", line, 0), state);
    game.commandsFrom = "replay";
  }

  /** @param how  the begin of the title */
  private judge({ ticks, mismatching, first, labels }: Verdict, how: string, exact: string): void {
    const differing = `${grouped(mismatching)} of ${grouped(ticks)} ticks differ${valuesOf(first)}`;
    const result = mismatching > 0 ? differing : `all numbers of ${grouped(ticks)} ticks are bit-exact`;
    const wrong = labels.map(({ match, text }) => `; match ${match + 1}: ${text}`).join("");
    const title = `${how}: ${result}${wrong}`;
    if (mismatching > 0) return this.write(differs(first), title, "differs", first);
    if (labels.length === 0) return this.write(exact, title, "exact");
    const [{ match }] = labels;
    this.write(`label differs at match ${match + 1}`, title, "differs", { match, match_tick: 0 });
  }

  private write(text: string, title: string, kind: string, at: Pick<Difference, "match" | "match_tick"> | null = null): void {
    const line = this.page.showVerdict(text, title, kind);
    if (at === null) return;
    const link = make("a", "", text);
    link.href = `#match=${at.match + 1}&tick=${at.match_tick}`;
    link.addEventListener("click", () => this.page.showMessage(title)); // a touch shows no title
    line.replaceChildren(link);
  }
}
