// SPDX-License-Identifier: MIT
// The chart page: draws the results of `forkmunk arena` that the program embedded. uPlot redraws a chart when the theme
// or the width changes.

import uPlot from "uplot";
import { byId, fixed, make, setText, Theme } from "./page/dom";

// A chart of rows with stacked bars, or dots with intervals. uPlot draws axes, cursor and legend; this file
// draws the rows.

export interface Mark {
  value: number;
  /** Null if unbounded on that side. */
  interval?: [number | null, number | null];
  /** The label next to the mark and in the legend. */
  text: string;
}

export interface Rows {
  title: string;
  /** A sentence below the title. */
  note: string;
  /** The label of the axis, with its unit. */
  axis: string;
  kind: "stacked" | "dots";
  series: string[];
  rows: { label: string; marks: Mark[] }[];
  /** A dashed line. */
  reference?: number;
  /** The range of the axis. The default is the range of the values. */
  range?: [number, number];
}

interface Colours {
  ink: string;
  dim: string;
  line: string;
  series: string[];
}

const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
// Lengths are CSS pixels.
const BAR_HEIGHT = 12;
const ROW_HEIGHT = 23;
const TOP = 8;
const AXIS_HEIGHT = 52;
const LABEL_SHARE_MAX = 0.42; // share of the width
const TEXT_GAP = 6;
const DOT_RADIUS = 5;
const COUNT_STEPS = [0, 1, 2, 3, 4, 5, 6].flatMap((power) => [1, 2, 5].map((factor) => factor * 10 ** power));
const STACK_COLOURS = [0, 2, 1]; // won, drawn, lost; the middle one is grey

function readColours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return { ink: read("--ink"), dim: read("--dim"), line: read("--line"), series: [0, 1, 2, 3, 4].map((i) => read(`--series-${i}`)) };
}

/** Returns three digits: 0.0312, 2.21, 8,170. */
export function compact(value: number): string {
  return Number(value.toPrecision(Math.abs(value) >= 1000 ? 4 : 3)).toLocaleString("en", { maximumSignificantDigits: 4 }).replace("-", "−");
}

const measuring = document.createElement("canvas").getContext("2d")!;

function textWidth(text: string): number {
  measuring.font = FONT;
  return Math.ceil(measuring.measureText(text).width);
}

function shortened(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let length = text.length;
  while (length > 1 && textWidth(`${text.slice(0, length)}…`) > width) --length;
  return `${text.slice(0, length)}…`;
}

function colourOf(colours: Colours, { kind }: Rows, series: number): string {
  return colours.series[kind === "stacked" ? STACK_COLOURS[series] : series % colours.series.length];
}

/** Returns the text right of a row's last mark. */
const stackText = (marks: Mark[]) => marks.map((mark) => mark.text).join(" – ");

/** Returns the text in the legend, with the interval. */
function valueText({ text, interval }: Mark): string {
  if (interval === undefined) return text;
  const [low, high] = interval;
  return `${text} (${low === null ? "−∞" : compact(low)} to ${high === null ? "∞" : compact(high)})`;
}

function rangeOf({ kind, rows, reference, range }: Rows): [number, number] {
  if (range !== undefined) return range;
  if (kind === "stacked") return [0, Math.max(1, ...rows.map(({ marks }) => marks.reduce((sum, mark) => sum + mark.value, 0)))];
  const values = rows.flatMap(({ marks }) => marks.flatMap(({ value, interval }) => [value, ...(interval ?? [])])).filter((value) => value !== null);
  const all = reference === undefined ? values : [...values, reference];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const edge = 0.05 * (high - low || 1);
  return [low - edge, high + edge];
}

function draw(plot: uPlot, chart: Rows, colours: Colours): void {
  const { ctx, bbox } = plot;
  const ratio = uPlot.pxRatio;
  const right = bbox.left + bbox.width;
  const x = (value: number) => Math.min(right, Math.max(bbox.left, plot.valToPos(value, "y", true)));
  const line = (x1: number, y1: number, x2: number, y2: number) => {
    ctx.beginPath();
    ctx.moveTo(x1, y1);
    ctx.lineTo(x2, y2);
    ctx.stroke();
  };
  const write = (text: string, at: number, y: number) => {
    ctx.fillStyle = colours.dim;
    ctx.fillText(text, at + TEXT_GAP * ratio, y);
  };
  ctx.save();
  ctx.font = FONT.replace("12px", `${12 * ratio}px`);
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  if (chart.reference !== undefined) {
    ctx.strokeStyle = colours.dim;
    ctx.lineWidth = ratio;
    ctx.setLineDash([4 * ratio, 3 * ratio]);
    line(x(chart.reference), bbox.top, x(chart.reference), bbox.top + bbox.height);
    ctx.setLineDash([]);
  }
  chart.rows.forEach(({ marks }, row) => {
    const middle = plot.valToPos(row, "x", true);
    let sum = 0;
    marks.forEach((mark, series) => {
      if (!plot.series[series + 1].show) return;
      const [from, to] = [x(sum), x(sum + mark.value)];
      ctx.fillStyle = colourOf(colours, chart, series);
      if (chart.kind === "dots") {
        ctx.strokeStyle = colours.ink;
        ctx.lineWidth = 1.5 * ratio;
        const [low, high] = mark.interval ?? [mark.value, mark.value];
        const ends = [low === null ? bbox.left : x(low), high === null ? right : x(high)];
        line(ends[0], middle, ends[1], middle);
        for (const end of ends) line(end, middle - 4 * ratio, end, middle + 4 * ratio);
        ctx.beginPath();
        ctx.arc(to, middle, DOT_RADIUS * ratio, 0, 2 * Math.PI);
        ctx.fill();
        write(mark.text, right + DOT_RADIUS * ratio, middle);
      } else {
        ctx.fillRect(from, middle - 0.5 * BAR_HEIGHT * ratio, to - from, BAR_HEIGHT * ratio);
        sum += mark.value;
      }
    });
    if (chart.kind === "stacked") write(stackText(marks), x(sum), middle);
  });
  ctx.restore();
}

function options(chart: Rows, width: number, colours: Colours): uPlot.Options {
  const { rows, kind } = chart;
  const labelWidth = Math.min(LABEL_SHARE_MAX * width, Math.max(...rows.map(({ label }) => textWidth(label))));
  const texts = rows.flatMap(({ marks }) => (kind === "stacked" ? [stackText(marks)] : marks.map((mark) => mark.text)));
  const axis: uPlot.Axis = { stroke: colours.dim, font: FONT, labelFont: FONT, ticks: { show: false } };
  const band = make("div", "band");
  return {
    width, height: TOP + rows.length * ROW_HEIGHT + AXIS_HEIGHT,
    padding: [TOP, Math.max(...texts.map(textWidth)) + TEXT_GAP + DOT_RADIUS + 4, 0, 0],
    scales: {
      x: { time: false, ori: 1, dir: -1, range: [-0.5, rows.length - 0.5] },
      y: { ori: 0, dir: 1, range: rangeOf(chart) },
    },
    axes: [
      {
        ...axis, stroke: colours.ink, side: 3, size: labelWidth + 10, gap: 8, grid: { show: false },
        splits: () => rows.map((_, i) => i), values: () => rows.map(({ label }) => shortened(label, labelWidth)),
      },
      {
        ...axis, side: 2, size: 30, gap: 6, space: 60, grid: { stroke: colours.line, width: 1 }, label: chart.axis, labelSize: 22,
        values: (_, splits) => splits.map(compact), ...(kind === "stacked" ? { incrs: COUNT_STEPS } : {}),
      },
    ],
    series: [
      { label: "", value: (_, __, ___, row) => (row === null ? "" : rows[row].label) },
      ...chart.series.map((label, series): uPlot.Series => ({
        label, paths: () => null, points: { show: false },
        stroke: colourOf(colours, chart, series),
        value: (_, __, ___, row) => (row === null ? "" : valueText(rows[row].marks[series])),
      })),
    ],
    legend: { markers: { width: 0, fill: (_, series) => colourOf(colours, chart, series - 1) } },
    cursor: { x: false, y: false, points: { show: false }, drag: { x: false, y: false } },
    hooks: {
      ready: [(plot) => plot.under.append(band)],
      draw: [(plot) => draw(plot, chart, colours)],
      setCursor: [(plot) => {
        const row = plot.cursor.idx;
        const away = row === null || row === undefined || (plot.cursor.left ?? -1) < 0;
        band.hidden = away;
        if (away) return;
        band.style.top = `${plot.valToPos(row - 0.5, "x")}px`;
        band.style.height = `${ROW_HEIGHT}px`;
      }],
    },
  };
}

export function plotOf(chart: Rows, frame: HTMLElement): uPlot {
  const values = chart.series.map((_, series) => chart.rows.map(({ marks }) => marks[series].value));
  return new uPlot(options(chart, frame.clientWidth, readColours()), [chart.rows.map((_, i) => i), ...values], frame);
}

// The charts of a report.

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
  document.title = "Arena results – Forkmunk";
  setText(byId("subtitle"), embedded.subtitle ?? "");
  // Charts without rows are skipped.
  panels = chartsOf(embedded.report).filter(({ rows }) => rows.length > 0).map((chart) => new Panel(chart));
  byId("charts").replaceChildren(...panels.map((panel) => panel.root));
}
