// SPDX-License-Identifier: MIT
// The chart page: draws the results of `forkmunk arena` that the program embedded. uPlot redraws a chart when the theme
// or the width changes.

import type uPlot from "uplot";
import { byId, fixed, make, setText, Theme } from "../page/dom";
import { plotOf, type Mark, type Rows } from "./rows";

type Interval = [number | null, number | null];

interface ArenaReport {
  bots: { bot: string; rating?: { elo: number; ci95: Interval } }[];
  pairings: { first: string; second: string; score: number | null; score_ci95: Interval | null; elo: number | null }[];
  by_map_car: { map: string; car: string; wins: number; draws: number; losses: number }[];
  sprt?: { elo0: number; elo1: number; llr: number; lower: number; upper: number; decision: string };
}

const signed = (value: number) => (Math.round(value) > 0 ? `+${fixed(value)}` : fixed(value));

function chartsOf(report: ArenaReport): Rows[] {
  const { sprt } = report;
  const verdict = sprt === undefined ? ""
    : ` SPRT of Elo ${sprt.elo0} against ${sprt.elo1}: log-likelihood ratio ${fixed(sprt.llr, 2)} between ${fixed(sprt.lower, 2)} and ${fixed(sprt.upper, 2)}, ${sprt.decision}.`;
  const charts: Rows[] = [{
    title: "Score of each pairing", note: `Score of the first bot with its 95 % interval; above 0.5 it is better.${verdict}`,
    axis: "(wins + draws / 2) / games", kind: "dots", series: ["score"], reference: 0.5, range: [0, 1],
    rows: report.pairings.filter(({ score }) => score !== null).map(({ first, second, score, score_ci95, elo }) => ({
      label: `${first} – ${second}`,
      marks: [{ value: score!, interval: score_ci95!, text: fixed(score!, 3) + (elo === null ? "" : `, Elo ${signed(elo)}`) }],
    })),
  }, {
    title: "Ratings", note: "Bradley-Terry ratings from all games, with 95 % intervals; the mean of all bots is 0.",
    axis: "Elo", kind: "dots", series: ["rating"], reference: 0,
    rows: report.bots.filter(({ rating }) => rating !== undefined).map(({ bot, rating }) => ({
      label: bot, marks: [{ value: rating!.elo, interval: rating!.ci95, text: signed(rating!.elo) }],
    })),
  }];
  const count = (value: number): Mark => ({ value, text: String(value) });
  charts.push({
    title: `Matches of ${report.bots[0].bot}`, note: "By map and car: won – drawn – lost.",
    axis: "matches", kind: "stacked", series: ["won", "drawn", "lost"],
    rows: report.by_map_car.map(({ map, car, wins, draws, losses }) => ({ label: `${map} ${car}`, marks: [wins, draws, losses].map(count) })),
  });
  return charts;
}

interface Embedded {
  subtitle: string;
  report: ArenaReport;
}

class Panel {
  readonly root: HTMLElement;
  private readonly frame = make("div", "frame");
  private plot: uPlot | null = null;
  private width = 0;

  constructor(private readonly chart: Rows) {
    this.root = make("section", "", "", make("h2", "", chart.title), make("p", "dim", chart.note), this.frame);
    new ResizeObserver(() => {
      if (this.frame.clientWidth !== this.width) this.draw();
    }).observe(this.frame);
  }

  draw(): void {
    this.width = this.frame.clientWidth;
    this.plot?.destroy();
    this.plot = this.width === 0 ? null : plotOf(this.chart, this.frame);
  }
}

const embedded = JSON.parse(byId("embedded").textContent!) as Partial<Embedded>;
let panels: Panel[] = [];
const theme = new Theme(() => panels.forEach((panel) => panel.draw()));
byId("theme").addEventListener("click", () => theme.toggle());

if (embedded.report !== undefined) {
  setText(byId("title"), "Arena results");
  setText(byId("subtitle"), embedded.subtitle ?? "");
  // Charts without rows are skipped.
  panels = chartsOf(embedded.report).filter(({ rows }) => rows.length > 0).map((chart) => new Panel(chart));
  byId("charts").replaceChildren(...panels.map((panel) => panel.root));
}
