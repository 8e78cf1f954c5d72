// The header: players, lives and result; and the picture's captions.

import { causeInWords } from "../log/deaths";
import { playerName, scoreAt, SIDES, type Game } from "../log/game";
import type { Playback } from "../playback";
import { byId, grouped, setText } from "../page/dom";

function resultOf(game: Game): string {
  if (game.finalLives === null) return game.isBranch === true ? "not played to its end" : "the recording ends in mid-game";
  const [first, second] = game.finalLives;
  if (first === second) return `a draw, ${first} : ${second} lives`;
  return `${playerName(game, first > second ? 0 : 1)} won, ${first} : ${second} lives`;
}

export function showHeader({ game, live }: Playback): void {
  setText(byId("file-name"), game.fileName);
  byId("file-name").title = game.fileName;
  const count = (n: number, one: string, many: string) => `${grouped(n)} ${n === 1 ? one : many}`;
  const matches = count(game.matches.length, "match", "matches");
  setText(byId("result"), live !== null ? `being played · ${matches}` : `${resultOf(game)} · ${matches}, ${count(game.tickCount, "tick", "ticks")}`);
  document.title = `${game.players[0]} – ${game.players[1]} · Forkmunk`;
}

/** Of a game that is played in the page. */
function scoreOf({ game, index }: Playback): string {
  if (game.isBranch !== true) return "";
  const [first, second] = scoreAt(game, index);
  return `${game.players[0]} ${first} : ${second} ${game.players[1]} · `;
}

/** Score, map and car; below, the causes of death. */
export class Captions {
  private readonly caption = byId("caption");
  private readonly outcome = byId("outcome");

  update(playback: Playback): void {
    const { game, matchIndex, tick } = playback;
    const match = game.matches[matchIndex];
    setText(this.caption, `${scoreOf(playback)}${match.map.name}, ${match.car.name}`);
    const dead = SIDES.filter((side) => tick >= (match.deaths[side]?.tick ?? Infinity));
    const [first, second] = match.deaths;
    const alike = dead.length === 2 && first?.cause === second?.cause;
    const lines = alike
      ? [`both players lost: ${causeInWords(first!.cause, "each one's")}`]
      : dead.map((side) => `${playerName(game, side)} lost: ${causeInWords(match.deaths[side]!.cause)}`);
    setText(this.outcome, lines.join(" · "));
    this.outcome.hidden = lines.length === 0;
  }
}
