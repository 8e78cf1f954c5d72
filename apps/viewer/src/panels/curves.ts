// SPDX-License-Identifier: MIT
// The curves of the current match, drawn when the match changes, with a marker of the current tick.

import uPlot from "uplot";
import { SIDES, type Game } from "../log/game";
import { seriesOf, termSeries, type MatchSeries } from "../log/measures";
import { byId, fixed, make, readColours, setText, type Colours } from "../page/dom";
import type { Playback } from "../playback";

export type Column = (number | null)[];

export interface Quantity {
  id: string;
  title: string;
  unit: string;
  what: string;
  digits: number;
  /** One for each side, or for both. */
  columns?: (series: MatchSeries, curves: Curves) => Column[];
  lanes?: boolean;
  /** Clips the scores of wins and losses. */
  clips?: boolean;
  needsSearchTrace?: boolean;
}

const QUANTITIES: Quantity[] = [
  { id: "speed", title: "Speed", unit: "u/s", what: "Speed of the car's body", digits: 0, columns: (s) => s.speed },
  { id: "angle", title: "Angle", unit: "°", what: "Angle of the body: 0 upright, counter-clockwise, not wrapped", digits: 0, columns: (s) => s.angle },
  { id: "button", title: "Button height", unit: "u", what: "Height of the button's lowest corner; dotted: the deadline", digits: 0, columns: (s) => [...s.buttonHeight, s.deadline] },
  { id: "distance", title: "Distance", unit: "u", what: "Distance of the centres of both bodies", digits: 0, columns: (s) => [s.distance] },
  { id: "air", title: "In the air", unit: "", what: "No wheel is within 1 u of anything; commands then turn the body", digits: 0, lanes: true, columns: (s) => s.inAir },
  { id: "score", title: "Score of the plan", unit: "", what: "The planner's score of its plan; win, loss: the plan ends with a death", digits: 1, needsSearchTrace: true, clips: true, columns: (s) => s.score },
  { id: "term", title: "Term", unit: "", what: "Contribution of one evaluator term to the score", digits: 1, needsSearchTrace: true, columns: (_, curves) => curves.termColumns() },
];

const HEIGHT_MIN = 58;
const HEIGHT_MAX = 120;
const HEAD_HEIGHT = 24;
const LANES_HEIGHT = 36;
const AXIS_HEIGHT = 22;
const AXIS_WIDTH = 44;
const WIN_SCORE = 5_000; // plans with larger scores end with a death
const CLIPPED_SHARE = 0.15; // such scores are drawn outside of the other scores' range by this share

export class Chart {
  readonly root: HTMLElement;
  readonly head: HTMLElement;
  private readonly values: HTMLElement;
  private readonly frame: HTMLElement;
  private readonly marker = make("div", "marker");
  private plot: uPlot | null = null;
  private columns: Column[] = [];
  private hovered: number | null = null;
  private ticks = 0;
  private height = HEIGHT_MIN;

  constructor(readonly quantity: Quantity, private readonly isLast: boolean, private readonly seek: (tick: number) => void) {
    const title = make("h2", "", quantity.unit === "" ? quantity.title : `${quantity.title}, ${quantity.unit}`);
    title.title = quantity.what;
    this.values = make("span", "chart-values");
    this.head = make("div", "chart-head", "", title, this.values);
    this.frame = make("div", "chart-frame");
    this.root = make("div", "chart", "", this.head, this.frame);
    this.root.id = `chart-${quantity.id}`;
  }

  draw(columns: Column[], ticks: number[], colours: Colours, height: number): void {
    this.plot?.destroy();
    this.height = height;
    this.columns = columns;
    this.ticks = ticks.length;
    const values = columns.slice(0, 2).map((_, i) => make("span", columns.length === 1 ? "" : `side-${i + 1}`));
    this.values.replaceChildren(...values);
    const { lanes } = this.quantity;
    const shown = lanes
      ? columns.map((column, i) => column.map((value) => (value ?? 0) * 0.8 + (1 - i)))
      : this.quantity.clips ? clipped(columns) : columns;
    this.plot = new uPlot(this.options(columns.length, colours), [ticks, ...shown] as uPlot.AlignedData, this.frame);
    this.plot.over.append(this.marker);
  }

  private options(count: number, colours: Colours): uPlot.Options {
    const { lanes } = this.quantity, last = this.isLast;
    const axis: uPlot.Axis = {
      stroke: colours.dim, font: "11px system-ui, sans-serif", grid: { stroke: colours.line, width: 1 }, ticks: { show: false },
    };
    const lines = Array.from({ length: count }, (_, i): uPlot.Series => {
      const side = count === 1 || i > 1 ? null : i;
      const stroke = side === null ? (count === 1 ? colours.ink : colours.danger) : colours.sides[side as 0 | 1];
      const series: uPlot.Series = { stroke, width: 1.5, dash: side === null && count > 1 ? [2, 3] : undefined, points: { show: false } };
      if (!lanes) return series;
      return { ...series, width: 0, fill: stroke, fillTo: 1 - i, paths: uPlot.paths.stepped!({ align: 1 }) };
    });
    return {
      width: Math.max(120, this.frame.clientWidth), height: (lanes ? LANES_HEIGHT : this.height) + (last ? AXIS_HEIGHT : 0),
      legend: { show: false }, padding: [7, 18, last ? 0 : 3, 0],
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false }, sync: { key: "match" } },
      scales: { x: { time: false }, y: lanes ? { range: [-0.1, 1.9] } : {} },
      series: [{}, ...lines],
      axes: [
        { ...axis, show: last, size: AXIS_HEIGHT, gap: 2, values: (_, splits) => splits.map((tick) => (Number.isInteger(tick) ? String(tick) : "")) },
        lanes
          ? { ...axis, size: AXIS_WIDTH, gap: 4, grid: { show: false }, splits: [0.4, 1.4], values: () => ["2", "1"] }
          : { ...axis, size: AXIS_WIDTH, gap: 4, space: 22, values: (_, splits) => splits.map((value) => compact(value)) },
      ],
      hooks: {
        setCursor: [(plot) => { this.hovered = plot.cursor.idx ?? null; this.showValues(this.present); }],
        ready: [(plot) => {
          this.update(this.present); // positions are unknown before
          plot.over.addEventListener("click", () => {
            if (plot.cursor.idx !== null && plot.cursor.idx !== undefined) this.seek(plot.cursor.idx);
          });
        }],
      },
    };
  }

  private present = 0;

  update(tick: number): void {
    this.present = tick;
    if (this.plot === null || this.ticks === 0) return;
    // While driving, the tick is ahead of the drawn ones.
    this.marker.style.transform = `translateX(${this.plot.valToPos(Math.min(tick, this.ticks - 1), "x")}px)`;
    this.showValues(tick);
  }

  private showValues(tick: number): void {
    const at = this.hovered ?? tick;
    const { lanes, digits } = this.quantity;
    const textOf = (value: number | null | undefined) => {
      if (value === null || value === undefined) return "–";
      if (this.quantity.clips && Math.abs(value) > WIN_SCORE) return value > 0 ? "win" : "loss";
      return lanes ? (value > 0 ? "yes" : "no") : fixed(value, digits);
    };
    [...this.values.children].forEach((span, i) => setText(span, textOf(this.columns[i][at])));
  }

  destroy(): void {
    this.plot?.destroy();
    this.plot = null;
  }
}

function clipped(columns: Column[]): Column[] {
  const others = columns.flat().filter((value) => value !== null && Math.abs(value) <= WIN_SCORE) as number[];
  const low = others.reduce((a, b) => Math.min(a, b), 0);
  const high = others.reduce((a, b) => Math.max(a, b), 0);
  const edge = CLIPPED_SHARE * Math.max(1, high - low);
  return columns.map((column) =>
    column.map((value) => (value === null ? null : value > WIN_SCORE ? high + edge : value < -WIN_SCORE ? low - edge : value)),
  );
}

/** Returns the term with the largest contributions. */
function loudestTerm(game: Game): string {
  let loudest = "";
  let sum = -1;
  for (const side of SIDES) {
    game.termNames[side].forEach((name, term) => {
      let own = 0;
      for (let i = side; i < game.searchTraces!.length; i += 2) own += Math.abs(game.searchTraces![i]?.terms[term] ?? 0);
      if (own > sum) [loudest, sum] = [name, own];
    });
  }
  return loudest;
}

/** Returns 12500 as 12.5k. */
function compact(value: number): string {
  const size = Math.abs(value), short = (scale: number) => String(Number((value / scale).toPrecision(4)));
  const text = size >= 1e9 ? value.toExponential().replace("+", "") : size >= 1e6 ? `${short(1e6)}M` : size >= 1e4 ? `${short(1e3)}k` : short(1);
  return text.replace("-", "−");
}

export class Curves {
  private readonly root = byId("curves");
  private readonly term = byId<HTMLSelectElement>("term");
  private charts: Chart[] = [];
  private drawnMatch = -1;
  private playback: Playback | null = null;

  constructor() {
    this.term.addEventListener("change", () => this.redraw());
  }

  show(playback: Playback): void {
    this.playback = playback;
    const { game } = playback;
    this.drawnMatch = -1;
    for (const chart of this.charts) chart.destroy();
    const quantities = QUANTITIES.filter((quantity) => !quantity.needsSearchTrace || game.searchTraces !== null);
    this.charts = quantities.map((quantity, i) =>
      new Chart(quantity, i === quantities.length - 1, (tick) => playback.seek(game.matches[playback.matchIndex].first + tick)),
    );
    const names = [...new Set(game.termNames.flat())];
    this.term.replaceChildren(...names.map((name) => new Option(name, name)));
    if (game.searchTraces !== null) this.term.value = loudestTerm(game);
    this.charts.find(({ quantity }) => quantity.id === "term")?.head.firstElementChild!.after(this.term);
    this.term.hidden = game.searchTraces === null;
    this.root.replaceChildren(...this.charts.map((chart) => chart.root));
  }

  termColumns(): Column[] {
    const { game } = this.playback!;
    return termSeries(game, game.matches[this.drawnMatch], this.term.value);
  }

  update(playback: Playback): void {
    if (playback.matchIndex !== this.drawnMatch) {
      this.drawnMatch = playback.matchIndex;
      this.redraw();
    }
    for (const chart of this.charts) chart.update(playback.tick);
  }

  /** The smallest in a page of one column. */
  private chartHeight(): number {
    const panel = byId("numbers");
    if (getComputedStyle(panel).overflowY === "visible") return HEIGHT_MIN;
    const taken = byId("match-frame").offsetHeight + this.charts.length * HEAD_HEIGHT + LANES_HEIGHT + AXIS_HEIGHT + 12;
    const tall = this.charts.filter(({ quantity }) => !quantity.lanes).length;
    return Math.min(HEIGHT_MAX, Math.max(HEIGHT_MIN, Math.floor((panel.clientHeight - taken) / tall)));
  }

  redraw(): void {
    if (this.playback === null || this.drawnMatch < 0) return;
    const { game, tick } = this.playback;
    const series = seriesOf(game, game.matches[this.drawnMatch]);
    const colours = readColours();
    const height = this.chartHeight();
    for (const chart of this.charts) {
      chart.draw(chart.quantity.columns!(series, this), series.ticks, colours, height);
      chart.update(tick);
    }
  }
}
