// SPDX-License-Identifier: MIT

import { causeInWords, loserOf, playerName, scoreAt, shortName, SIDES, TICK_SECONDS, type Game, type Match } from "../log/game";
import { byId, fixed, grouped, make, makeButton, setText } from "../page/dom";
import type { Playback } from "../playback";

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
  document.title = `${shortName(game.players[0])} – ${shortName(game.players[1])} · Forkmunk`;
}

function scoreOf({ game, index }: Playback): string {
  if (game.isBranch !== true) return "";
  const [first, second] = scoreAt(game, index);
  return `${shortName(game.players[0])} ${first} : ${second} ${shortName(game.players[1])} · `;
}

export class Captions {
  private readonly caption = byId("caption");
  private readonly outcome = byId("outcome");
  private readonly clockMatch = byId("clock-match");
  private readonly clockTick = byId("clock-tick");

  update(playback: Playback): void {
    const { game, matchIndex, tick } = playback;
    const match = game.matches[matchIndex];
    setText(this.clockMatch, `match ${matchIndex + 1}/${game.matches.length}`);
    setText(this.clockTick, `tick ${tick}/${Math.max(0, match.ticks - 1)} · ${fixed(tick * TICK_SECONDS, 2)} s`);
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

// The scrub bar, with a segment per match and a mark per death.

export class ScrubBar {
  private readonly bar = byId("scrub");
  private readonly pieces = byId("scrub-matches");
  private readonly head = byId("scrub-head");
  private first = 0;
  private length = 0;

  constructor(seek: (position: number) => void) {
    const seekTo = (event: PointerEvent) => {
      const box = this.bar.getBoundingClientRect();
      seek(this.first + this.length * Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)));
    };
    this.bar.addEventListener("pointerdown", (event) => {
      this.bar.setPointerCapture(event.pointerId);
      seekTo(event);
    });
    this.bar.addEventListener("pointermove", (event) => {
      if (this.bar.hasPointerCapture(event.pointerId)) seekTo(event);
    });
  }

  setRange(first: number, last: number): void {
    [this.first, this.length] = [first, last - first];
    this.bar.setAttribute("aria-valuemin", String(first));
    this.bar.setAttribute("aria-valuemax", String(last));
    this.pieces.replaceChildren();
  }

  /** At most 1: while driving, the position is ahead of the range. */
  private shareOf(position: number): number {
    return this.length === 0 ? 0 : Math.min(1, Math.max(0, position - this.first) / this.length);
  }

  /** Adds a mark, or a piece that ends at `end`. */
  add(element: HTMLElement, position: number, end?: number): void {
    element.style.left = `${100 * this.shareOf(position)}%`;
    if (end !== undefined) element.style.width = `${100 * (this.shareOf(end) - this.shareOf(position))}%`;
    this.pieces.append(element);
  }

  move(now: number, text: string): void {
    this.head.style.transform = `translateX(${this.shareOf(now) * this.bar.clientWidth}px)`;
    this.bar.setAttribute("aria-valuenow", String(now));
    this.bar.setAttribute("aria-valuetext", text);
  }
}

/** Returns marks of all deaths, with their indices. */
export function deathMarks(game: Game): [HTMLElement, number][] {
  return game.matches.flatMap(({ first, deaths }) => SIDES.flatMap((side): [HTMLElement, number][] => {
    const death = deaths[side];
    return death === null ? [] : [[make("span", `scrub-death side-${side + 1}`), first + death.tick]];
  }));
}

export class Timeline {
  private readonly scrub = new ScrubBar((index) => this.playback?.seek(index));
  private playback: Playback | null = null;

  show(playback: Playback): void {
    this.playback = playback;
    const { game, last } = playback;
    this.scrub.setRange(0, last);
    game.matches.forEach((match, m) => {
      if (match.ticks === 0) return;
      const piece = make("span", m % 2 === 0 ? "scrub-match" : "scrub-match odd");
      piece.title = `Match ${m + 1}: ${match.map.name}, ${match.car.name}; lost by ${loserOf(match)}`;
      piece.append(make("span", "scrub-number", String(m + 1)));
      this.scrub.add(piece, match.first, match.first + match.ticks);
    });
    for (const [mark, index] of deathMarks(game)) this.scrub.add(mark, index);
  }

  update(playback: Playback): void {
    this.scrub.move(playback.index, `match ${playback.matchIndex + 1}, tick ${playback.tick}`);
  }
}

export class MatchTable {
  private readonly body = byId<HTMLTableSectionElement>("matches");
  private current = -1;

  show(playback: Playback): void {
    this.current = -1;
    this.body.replaceChildren(...playback.game.matches.map((match, m) => this.row(playback, match, m)));
  }

  private row(playback: Playback, match: Match, m: number): HTMLTableRowElement {
    const start = makeButton("jump", String(m + 1), () => playback.seekMatch(m));
    start.title = "Go to the match's start";
    start.setAttribute("aria-label", `Match ${m + 1}: go to its start`);
    start.disabled = match.ticks === 0;
    const row = make("tr", "", "",
      make("td", "", "", start), this.nameCell(match.map.name), this.nameCell(match.car.name),
      make("td", "number", String(match.ticks)), this.loserCell(match), this.causeCell(playback, match, m));
    row.addEventListener("click", (event) => {
      if ((event.target as Element).closest("button") === null && match.ticks > 0) playback.seekMatch(m);
    });
    return row;
  }

  private nameCell(name: string): HTMLTableCellElement {
    const cell = make("td", "", name);
    if (name.startsWith("other(")) cell.title = "Differs from the contest's catalogue entry with this id";
    return cell;
  }

  private loserCell(match: Match): HTMLTableCellElement {
    const cell = make("td");
    for (const side of SIDES) {
      if (match.deaths[side] === null) continue;
      const badge = make("span", `badge side-${side + 1}`, String(side + 1));
      badge.title = `Lost by player ${side + 1}`;
      cell.append(badge);
    }
    if (loserOf(match) === "neither") cell.append(make("span", "dim", "–"));
    return cell;
  }

  private causeCell(playback: Playback, match: Match, m: number): HTMLTableCellElement {
    const cell = make("td");
    const deaths = match.deaths.filter((death) => death !== null);
    if (deaths.length === 0) return cell;
    const causes = [...new Set(deaths.map((death) => death.cause ?? "?"))].join(", ");
    const jump = makeButton("jump", causes, () => {
      playback.playing = false;
      playback.seekMatch(m, Math.min(...deaths.map((death) => death.tick)));
    });
    jump.title = `${deaths.map((death) => causeInWords(death.cause)).join("; ")} (from a replay). Go to that tick`;
    jump.setAttribute("aria-label", `Match ${m + 1}: go to the death, cause ${causes}`);
    cell.append(jump);
    return cell;
  }

  update(playback: Playback): void {
    if (playback.matchIndex === this.current) return;
    this.body.rows[this.current]?.removeAttribute("aria-current");
    this.current = playback.matchIndex;
    const row = this.body.rows[this.current];
    row.setAttribute("aria-current", "true");
    const frame = byId("match-frame");
    frame.scrollTop = row.offsetTop - frame.clientHeight / 2; // the page must not scroll
  }
}
