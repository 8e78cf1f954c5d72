// SPDX-License-Identifier: MIT
// DOM helpers and colours. Text is set by textContent only: nothing in a recording may become HTML.

import type { Pair } from "../log/game";

export function byId<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found as Kind;
}

export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag, className = "", text = "", ...children: Node[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  if (className !== "") element.className = className;
  if (text !== "") element.textContent = text;
  element.append(...children);
  return element;
}

export function makeButton(className: string, text: string, run: () => void): HTMLButtonElement {
  const button = make("button", className, text);
  button.addEventListener("click", run);
  return button;
}

/** Most texts stay the same from frame to frame. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Returns an input's integer within its limits; `otherwise` if it has none. */
export function numberIn(id: string, otherwise: number): number {
  const { value, min, max } = byId<HTMLInputElement>(id), number = Math.trunc(Number(value));
  return value.trim() === "" || !Number.isFinite(number) ? otherwise : Math.min(Number(max), Math.max(Number(min), number));
}

/** Scrolls a list, and nothing around it, until a row is in sight. The list is the row's offset parent. */
export function scrollTo(list: HTMLElement, row: HTMLElement): void {
  list.scrollTop = Math.min(row.offsetTop, Math.max(list.scrollTop, row.offsetTop + row.offsetHeight - list.clientHeight));
}

export function fixed(value: number, digits = 0): string {
  const text = value.toFixed(digits);
  return (Number(text) === 0 ? (0).toFixed(digits) : text).replace("-", "−");
}

/** Returns 2026 as 2,026. */
export function grouped(value: number): string {
  return value.toLocaleString("en");
}

// The system chooses the theme until the user does.

const KEY = "forkmunk-theme";

/** Undefined in a page that may not store: the choice then applies until the page is closed. */
function storage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

export class Theme {
  private readonly system = matchMedia("(prefers-color-scheme: dark)");
  private chosen = storage()?.getItem(KEY) ?? null;

  constructor(private readonly changed: () => void) {
    this.system.addEventListener("change", () => this.apply());
    this.apply();
  }

  get dark(): boolean {
    return this.chosen === null ? this.system.matches : this.chosen === "dark";
  }

  toggle(): void {
    this.chosen = this.dark ? "light" : "dark";
    this.apply();
    storage()?.setItem(KEY, this.chosen); // throws if the storage is full
  }

  private apply(): void {
    document.documentElement.dataset.theme = this.dark ? "dark" : "light";
    this.changed();
  }
}

export interface Key {
  /** The names in KeyboardEvent.key, with a prefix "Shift+" where it matters. */
  keys: string[];
  shown: string;
  what: string;
  /** The id of a button that does the same, if the page has the button. */
  button?: string;
  run: () => void;
}

function nameOf(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return event.shiftKey && /^(Arrow|[a-z]$)/.test(key) ? `Shift+${key}` : key;
}

function belongsToControl(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  if (event.key === "Escape") return false;
  if (target.closest("input:not([type='checkbox']), select, textarea") !== null) return true;
  return target.closest("button, input, summary, a") !== null && (event.key === " " || event.key === "Enter");
}

export function listen(keys: Key[], isOpen: () => boolean): void {
  // After a click, the space key must not press the control again.
  document.addEventListener("click", (event) => {
    if (event.detail > 0) (event.target as Element).closest<HTMLElement>("button, [type='checkbox']")?.blur();
  });
  document.addEventListener("change", (event) => {
    if (event.target instanceof HTMLSelectElement) event.target.blur();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || belongsToControl(event)) return;
    const name = nameOf(event);
    const key = keys.find((entry) => entry.keys.includes(name));
    if (key === undefined || (isOpen() && name !== "?")) return;
    event.preventDefault();
    key.run();
  });
}

export function takeFiles(input: HTMLInputElement, overlay: HTMLElement, take: (files: File[]) => void): void {
  input.addEventListener("change", () => {
    take([...input.files!]);
    input.value = ""; // allows choosing the same file again
  });
  document.addEventListener("dragenter", (event) => {
    overlay.hidden = !event.dataTransfer!.types.includes("Files");
    if (!overlay.hidden) event.preventDefault();
  });
  overlay.addEventListener("dragleave", () => (overlay.hidden = true));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    overlay.hidden = true;
    take([...event.dataTransfer!.files]);
  });
}

const COLOURS = ["ink", "dim", "line", "panel", "map", "field", "danger", "exact"] as const;

/** The colours of colours.css, for canvases. */
export interface Colours extends Record<(typeof COLOURS)[number], string> {
  sides: Pair<string>;
  /** Red, green and blue, from the worst score to the best. */
  scores: number[][];
}

function rgbOf(colour: string): number[] {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
}

/** @param relative  0 for the worst, 1 for the best */
export function scoreColour({ scores }: Colours, relative: number): string {
  const at = Math.min(scores.length - 2, Math.floor(relative * (scores.length - 1)));
  const share = relative * (scores.length - 1) - at;
  return `rgb(${scores[at].map((value, i) => Math.round(value + share * (scores[at + 1][i] - value))).join(" ")})`;
}

export function readColours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    ...(Object.fromEntries(COLOURS.map((name) => [name, read(`--${name}`)])) as Record<(typeof COLOURS)[number], string>),
    sides: [read("--side-1"), read("--side-2")],
    scores: [0, 1, 2].map((i) => rgbOf(read(`--score-${i}`))),
  };
}
