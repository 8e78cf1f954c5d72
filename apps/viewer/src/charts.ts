// SPDX-License-Identifier: MIT
// The page of `forkmunk arena`: rows of stacked bars, or of dots and intervals. Places are shares of a row's width.

import { byId, fixed, make, setText, Theme } from "./page/dom";

type Interval = [number | null, number | null];

interface Mark {
  value: number;
  /** Null if unbounded on that side. */
  interval?: Interval;
  text: string;
}

interface Rows {
  title: string;
  /** Below the title. */
  note: string;
  /** The label of the axis, with its unit. */
  axis: string;
  /** One is drawn as dots, several are stacked. */
  series: string[];
  rows: { label: string; marks: Mark[] }[];
  /** A dashed line. */
  reference?: number;
  /** Default: the range of the values. */
  range?: [number, number];
}

const TICKS_MAX = 6;

/** Returns three digits: 0.0312, 2.21, 8,170. */
function compact(value: number): string {
  return Number(value.toPrecision(Math.abs(value) >= 1000 ? 4 : 3)).toLocaleString("en", { maximumSignificantDigits: 4 }).replace("-", "−");
}

function valueText({ text, interval }: Mark): string {
  if (interval === undefined) return text;
  const [low, high] = interval;
  return `${text} (${low === null ? "−∞" : compact(low)} to ${high === null ? "∞" : compact(high)})`;
}

function rangeOf({ series, rows, reference, range }: Rows): [number, number] {
  if (range !== undefined) return range;
  if (series.length > 1) return [0, Math.max(1, ...rows.map(({ marks }) => marks.reduce((sum, mark) => sum + mark.value, 0)))];
  const values = rows.flatMap(({ marks }) => marks.flatMap(({ value, interval }) => [value, ...(interval ?? [])])).filter((value) => value !== null);
  const all = reference === undefined ? values : [...values, reference];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const edge = 0.05 * (high - low || 1);
  return [low - edge, high + edge];
}

/** Returns round numbers within a range. */
function ticksOf(low: number, high: number, stepMin: number): number[] {
  const power = 10 ** Math.floor(Math.log10((high - low) / TICKS_MAX));
  const step = Math.max(stepMin, power * [1, 2, 5, 10].find((factor) => (high - low) / (factor * power) <= TICKS_MAX)!);
  return Array.from({ length: Math.floor(high / step) - Math.ceil(low / step) + 1 }, (_, i) => (Math.ceil(low / step) + i) * step);
}

function placed(element: HTMLElement, from: number, to = from): HTMLElement {
  element.style.left = `${100 * from}%`;
  element.style.width = `${100 * (to - from)}%`;
  return element;
}

function sectionOf(chart: Rows): HTMLElement {
  const [low, high] = rangeOf(chart);
  const share = (value: number) => Math.min(1, Math.max(0, (value - low) / (high - low)));
  const isStacked = chart.series.length > 1;
  const scale = make("div", "scale", "", ...ticksOf(low, high, isStacked ? 1 : 0).map((tick) => placed(make("span", "tick", compact(tick)), share(tick))));
  if (chart.reference !== undefined) scale.append(placed(make("span", "reference"), share(chart.reference)));
  const rows = chart.rows.map(({ label, marks }) => {
    let sum = 0;
    const drawn = marks.flatMap((mark, i) => {
      if (isStacked) return [placed(make("span", `bar ${chart.series[i]}`), share(sum), share((sum += mark.value)))];
      const [from, to] = mark.interval ?? [mark.value, mark.value];
      return [placed(make("span", "interval"), share(from ?? low), share(to ?? high)), placed(make("span", `dot ${chart.series[i]}`), share(mark.value))];
    });
    const name = make("span", "label", label), text = make("span", "text", marks.map((mark) => mark.text).join(" – "));
    name.title = label;
    text.title = marks.map(valueText).join(" – ");
    return make("div", "row", "", name, make("div", "track", "", ...drawn), text);
  });
  const legend = make("p", "legend", "", ...chart.series.map((name) => make("span", "", "", make("i", name), make("span", "", name))));
  return make("section", "", "", make("h2", "", chart.title), make("p", "dim", chart.note), legend,
    make("div", "rows", "", scale, ...rows), make("p", "axis dim", chart.axis));
}

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
  return [{
    title: "Score of each pairing", note: `Score of the first bot with its 95 % interval; above 0.5 it is better.${verdict}`,
    axis: "(wins + draws / 2) / games", series: ["score"], reference: 0.5, range: [0, 1],
    rows: report.pairings.filter(({ score }) => score !== null).map(({ first, second, score, score_ci95, elo }) => ({
      label: `${first} – ${second}`,
      marks: [{ value: score!, interval: score_ci95!, text: fixed(score!, 3) + (elo === null ? "" : `, Elo ${signed(elo)}`) }],
    })),
  }, {
    title: "Ratings", note: "Bradley-Terry ratings from all games, with 95 % intervals; the mean of all bots is 0.",
    axis: "Elo", series: ["rating"], reference: 0,
    rows: report.bots.filter(({ rating }) => rating !== undefined).map(({ bot, rating }) => ({
      label: bot, marks: [{ value: rating!.elo, interval: rating!.ci95, text: signed(rating!.elo) }],
    })),
  }, {
    title: `Matches of ${report.bots[0].bot}`, note: "By map and car: won – drawn – lost.",
    axis: "matches", series: ["won", "drawn", "lost"],
    rows: report.by_map_car.map(({ map, car, wins, draws, losses }) => ({
      label: `${map} ${car}`, marks: [wins, draws, losses].map((value) => ({ value, text: String(value) })),
    })),
  }];
}

const embedded = JSON.parse(byId("embedded").textContent!) as { subtitle?: string; report?: ArenaReport };
const theme = new Theme(() => undefined);
byId("theme").addEventListener("click", () => theme.toggle());

if (embedded.report !== undefined) {
  setText(byId("title"), "Arena results");
  document.title = "Arena results – Forkmunk";
  setText(byId("subtitle"), embedded.subtitle ?? "");
  byId("charts").replaceChildren(...chartsOf(embedded.report).filter(({ rows }) => rows.length > 0).map(sectionOf));
}
