// The chart page: draws the report that the program embedded. uPlot redraws a chart when the theme or the width changes.

import type uPlot from "uplot";

import { byId, make, setText } from "../page/dom";
import { Theme } from "../page/theme";
import { pageOf } from "./reports";
import { plotOf, type Rows } from "./rows";

interface Embedded {
  kind: string;
  subtitle: string;
  report: unknown;
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

if (embedded.kind !== undefined) {
  const { title, charts } = pageOf(embedded.kind, embedded.report);
  document.title = `${title} – Forkmunk`;
  setText(byId("title"), title);
  setText(byId("subtitle"), embedded.subtitle ?? "");
  // Skip charts without rows.
  panels = charts.filter(({ rows }) => rows.length > 0).map((chart) => new Panel(chart));
  byId("charts").replaceChildren(...panels.map((panel) => panel.root));
}
