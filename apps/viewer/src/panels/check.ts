// Checks a shown recording in the background: verifies it, adds the results of the replay, and enables take-over if it is
// possible.

import { statesOf, type Extras } from "../engine/carried";
import type { EngineClient } from "../engine/client";
import type { Verdict } from "../engine/module";
import type { Game } from "../log/game";
import { grow, takeMatches } from "../log/lines";
import type { TakeOver } from "./take_over";
import { VerdictLine } from "./verdict";

const ONLY_EXACT = "Not exact in this page: cannot be taken over";

export class Check {
  /** Of the shown game, by the engine in this page. */
  verdict: Verdict | null = null;
  private readonly line = new VerdictLine();

  constructor(
    private readonly takeOver: TakeOver, private readonly stage: { isShown(game: Game): boolean; refresh(): void },
  ) {}

  /** For a shown game that is not a recording. */
  forget(): void {
    this.verdict = null;
    this.line.forget();
  }

  async run(engine: EngineClient, game: Game, line: number, extras: Extras): Promise<void> {
    this.verdict = null;
    this.takeOver.forget("The game is being checked");
    const verdict = await this.line.show(game, engine, line, extras.verdict ?? null);
    if (this.stage.isShown(game)) this.verdict = verdict;
    const isExact = verdict?.exact === true;
    const carried = verdict === null ? extras.states : undefined;
    try {
      if (isExact) await this.takeFound(engine, game, line, verdict.inferred);
      else if (carried !== undefined) await engine.call("mark", line, await statesOf(carried));
      else if (this.stage.isShown(game)) this.takeOver.refuse(ONLY_EXACT);
      if (!isExact && extras.causes === undefined) takeMatches(game, game.matches, await engine.call("findCauses", line));
      if (this.stage.isShown(game)) {
        this.stage.refresh();
        if (isExact || carried !== undefined) return await this.takeOver.offer(engine, game, line, game.matches, carried?.every);
      }
    } catch (error) {
      if (this.stage.isShown(game)) this.takeOver.refuse(`${ONLY_EXACT}: ${(error as Error).message}`);
    }
    void engine.call("free", line);
  }

  /** Copies causes of death, and commands if the recording had none. */
  private async takeFound(engine: EngineClient, game: Game, line: number, inferred: boolean): Promise<void> {
    const state = await engine.call("describe", line);
    if (!inferred) return takeMatches(game, game.matches, state);
    grow(game, game.matches, await engine.call("ticks", line, 0), state);
    game.commandsFrom = "replay";
  }
}
