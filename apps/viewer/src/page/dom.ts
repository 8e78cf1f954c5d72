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

/** Writes only changes: most texts stay the same from frame to frame. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function fixed(value: number, digits = 0): string {
  const text = value.toFixed(digits);
  return (Number(text) === 0 ? (0).toFixed(digits) : text).replace("-", "−");
}

/** 2026 as 2,026. */
export function grouped(value: number): string {
  return value.toLocaleString("en");
}
