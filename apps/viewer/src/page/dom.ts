// SPDX-License-Identifier: MIT
// DOM helpers. Text is always set by textContent, so that nothing in a recording is interpreted as HTML.

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

/** Sets a text if it changed. Most texts stay the same from frame to frame. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function fixed(value: number, digits = 0): string {
  const text = value.toFixed(digits);
  return (Number(text) === 0 ? (0).toFixed(digits) : text).replace("-", "−");
}

/** Returns 2026 as 2,026. */
export function grouped(value: number): string {
  return value.toLocaleString("en");
}

// The light or the dark theme. The system chooses until the user does.

const KEY = "forkmunk-theme";

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // a page opened from a file may have no storage
  }
}

export class Theme {
  private readonly system = matchMedia("(prefers-color-scheme: dark)");
  private chosen = stored();

  constructor(private readonly changed: () => void) {
    this.system.addEventListener("change", () => this.apply());
    this.apply();
  }

  get dark(): boolean {
    return this.chosen === null ? this.system.matches : this.chosen === "dark";
  }

  toggle(): void {
    this.chosen = this.dark ? "light" : "dark";
    try {
      localStorage.setItem(KEY, this.chosen);
    } catch {
      // Without storage, the choice applies until the page is closed.
    }
    this.apply();
  }

  private apply(): void {
    document.documentElement.dataset.theme = this.dark ? "dark" : "light";
    this.changed();
  }
}
