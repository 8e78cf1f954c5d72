// Converts a report, as printed by --json, to charts.

import { fixed, grouped } from "../page/dom";
import { compact, type Mark, type Rows } from "./rows";

export interface Page {
  title: string;
  charts: Rows[];
}

type Interval = [number | null, number | null];

interface ArenaReport {
  bots: { bot: string; rating?: { elo: number; ci95: Interval } }[];
  pairings: { first: string; second: string; score: number | null; score_ci95: Interval | null; elo: number | null }[];
  by_map_car: { map: string; car: string; wins: number; draws: number; losses: number }[];
  sprt?: { elo0: number; elo1: number; llr: number; lower: number; upper: number; decision: string };
}

const signed = (value: number) => (Math.round(value) > 0 ? `+${fixed(value)}` : fixed(value));

function arena(report: ArenaReport): Page {
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
  return { title: "Arena results", charts };
}

interface BenchRow {
  map: string; car: string; engine: string; arithmetic: string;
  step_us: number; stock_step_us: number; playouts60_per_s: number; save_us: number; restore_us: number; memcpy_us: number;
}

function bench({ rows }: { rows: BenchRow[] }): Page {
  const engineOf = ({ engine, arithmetic }: BenchRow) => (engine === "flat" ? "flat engine" : `Chipmunk in the arena, ${arithmetic} arithmetic`);
  const engines = [...new Set(rows.map(engineOf))];
  const bars = (title: string, note: string, axis: string, columns: [string, keyof BenchRow][]) => engines.map((engine): Rows => ({
    title: `${title}: ${engine}`, note, axis, kind: "bars", series: columns.map(([label]) => label),
    rows: rows.filter((row) => engineOf(row) === engine).map((row) => ({
      label: `${row.map} ${row.car}`,
      marks: columns.map(([, key]) => ({ value: row[key] as number, text: compact(row[key] as number) })),
    })),
  }));
  return {
    title: "Simulations per second",
    charts: [
      ...bars("One step", "Microseconds, medians; shorter is better.", "µs", [["this engine", "step_us"], ["stock Chipmunk", "stock_step_us"]]),
      ...bars("Playouts", "One restore and 60 steps each; longer is better.", "playouts per second", [["playouts", "playouts60_per_s"]]),
      ...bars("Saving and restoring a world", "Microseconds, medians, compared with a memcpy of the same size; shorter is better.", "µs",
        [["save", "save_us"], ["restore", "restore_us"], ["memcpy", "memcpy_us"]]),
    ],
  };
}

interface BatchRow { worlds: number; threads: number; ticks_per_s: number; stock_ticks_per_s: number; bytes: number; cache: string }

function batch({ rows }: { rows: BatchRow[] }): Page {
  const threads = [...new Set(rows.map((row) => row.threads))];
  const bars = (title: string, note: string, axis: string, columns: [string, number, (row: BatchRow) => number][]): Rows => ({
    title, note, axis, kind: "bars", series: columns.map(([label]) => label),
    rows: rows.filter((row) => row.threads === columns[0][1]).map(({ worlds, bytes, cache }) => ({
      label: `${grouped(worlds)} ${worlds === 1 ? "world" : "worlds"}: ${compact((worlds * bytes) / 1024)} KiB, ${cache}`,
      marks: columns.map(([, count, value]) => {
        const shown = value(rows.find((row) => row.worlds === worlds && row.threads === count)!);
        return { value: shown, text: compact(shown) };
      }),
    })),
  });
  const charts = [
    bars("Ticks of all worlds", "Longer is better.", "million ticks per second",
      threads.map((count) => [`${count} thread${count === 1 ? "" : "s"}`, count, (row) => row.ticks_per_s / 1e6])),
    bars("One world's tick on one thread", "Shorter is better.", "µs",
      [["batch", 1, (row) => 1e6 / row.ticks_per_s], ["stock Chipmunk", 1, (row) => 1e6 / row.stock_ticks_per_s]]),
  ];
  return { title: "Batches of worlds", charts };
}

const REPORTS: Record<string, (report: never) => Page> = { arena, bench, batch };

export function pageOf(kind: string, report: unknown): Page {
  return REPORTS[kind](report as never);
}
