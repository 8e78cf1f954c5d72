// SPDX-License-Identifier: MIT

import { byId, make, makeButton, scrollTo } from "../page/dom";

const INDENT = 10; // pixels per level
const DEPTH_SHOWN_MAX = 6;

export interface Twig<Branch> {
  branch: Branch;
  parent: Branch | null;
  name: string;
  title: string;
  /** The branch's own ticks. */
  from: number;
  last: number;
  /** Marks on the branch, with their ticks. */
  marks?: [HTMLElement, number][];
  badge?: HTMLElement;
  button?: HTMLElement;
}

/** Returns each twig with its depth, followed by its own twigs. */
function inOrder<Branch>(twigs: Twig<Branch>[], parent: Branch | null = null, depth = 0): [Twig<Branch>, number][] {
  return twigs.filter((twig) => twig.parent === parent).flatMap((twig): [Twig<Branch>, number][] => [[twig, depth], ...inOrder(twigs, twig.branch, depth + 1)]);
}

export class BranchTree<Branch> {
  private readonly root = byId("branches");

  constructor(private readonly choose: (branch: Branch, index?: number) => void) {}

  show(twigs: Twig<Branch>[], current: Branch | null): void {
    this.root.hidden = twigs.length < 2;
    const first = Math.min(...twigs.map(({ from }) => from)), length = Math.max(1, ...twigs.map(({ last }) => last - first));
    const hadFocus = this.root.contains(document.activeElement);
    this.root.replaceChildren(...inOrder(twigs).map(([twig, depth]) => this.row(twig, depth, twig.branch === current, first, length)));
    const shown = this.root.querySelector<HTMLElement>("[aria-current]");
    if (shown === null) return;
    scrollTo(this.root, shown);
    if (hadFocus) shown.querySelector("button")!.focus({ preventScroll: true });
  }

  private row({ branch, name, title, from, last, marks = [], badge, button }: Twig<Branch>, depth: number, isCurrent: boolean, first: number, length: number): HTMLElement {
    const label = makeButton("branch-name", name, () => this.choose(branch));
    label.style.paddingLeft = `${6 + INDENT * Math.min(DEPTH_SHOWN_MAX, depth)}px`;
    label.title = title;
    if (badge !== undefined) label.append(badge);
    const track = make("div", "branch-track"), piece = make("span", "branch-piece");
    const place = (element: HTMLElement, index: number) => {
      element.style.left = `${(100 * (index - first)) / length}%`;
      track.append(element);
    };
    piece.addEventListener("click", () => this.choose(branch, from));
    place(piece, from);
    piece.style.width = `${Math.max(0.5, (100 * (last - from)) / length)}%`;
    for (const [mark, index] of marks) place(mark, index);
    const row = make("div", "branch", "", label, track);
    if (button !== undefined) row.append(button);
    if (isCurrent) row.setAttribute("aria-current", "true");
    return row;
  }
}
