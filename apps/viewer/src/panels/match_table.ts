// SPDX-License-Identifier: MIT
// The table of matches: map, car, loser and cause of death; a click jumps there.

import { causeInWords, loserOf, SIDES, type Match } from "../log/game";
import { byId, make } from "../page/dom";
import type { Playback } from "../playback";

export class MatchTable {
  private readonly body = byId<HTMLTableSectionElement>("matches");
  private current = -1;

  show(playback: Playback): void {
    this.current = -1;
    this.body.replaceChildren(...playback.game.matches.map((match, m) => this.row(playback, match, m)));
  }

  private row(playback: Playback, match: Match, m: number): HTMLTableRowElement {
    const start = make("button", "jump", String(m + 1));
    start.title = "Go to the match's start";
    start.setAttribute("aria-label", `Match ${m + 1}: go to its start`);
    start.disabled = match.ticks === 0;
    start.addEventListener("click", () => playback.seekMatch(m));
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
    const loser = loserOf(match);
    const cell = make("td");
    for (const side of SIDES) {
      if (match.deaths[side] === null) continue;
      const badge = make("span", `badge side-${side + 1}`, String(side + 1));
      badge.title = `Lost by player ${side + 1}`;
      cell.append(badge);
    }
    if (loser === "neither") cell.append(make("span", "dim", "–"));
    return cell;
  }

  private causeCell(playback: Playback, match: Match, m: number): HTMLTableCellElement {
    const cell = make("td");
    const deaths = match.deaths.filter((death) => death !== null);
    if (deaths.length === 0) return cell;
    const causes = [...new Set(deaths.map((death) => death.cause ?? "?"))].join(", ");
    const jump = make("button", "jump", causes);
    jump.title = `${deaths.map((death) => causeInWords(death.cause)).join("; ")} (from a replay). Go to that tick`;
    jump.setAttribute("aria-label", `Match ${m + 1}: go to the death, cause ${causes}`);
    const tick = Math.min(...deaths.map((death) => death.tick));
    jump.addEventListener("click", () => {
      playback.playing = false;
      playback.seekMatch(m, tick);
    });
    cell.append(jump);
    return cell;
  }

  update(playback: Playback): void {
    if (playback.matchIndex === this.current) return;
    this.body.rows[this.current]?.removeAttribute("aria-current");
    this.current = playback.matchIndex;
    const row = this.body.rows[this.current];
    row.setAttribute("aria-current", "true");
    // The table scrolls, and the page does not.
    const frame = byId("match-frame");
    const above = row.offsetTop - frame.scrollTop;
    if (above < row.offsetHeight || above + row.offsetHeight > frame.clientHeight) {
      frame.scrollTop = row.offsetTop - frame.clientHeight / 2;
    }
  }
}
