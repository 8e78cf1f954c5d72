// SPDX-License-Identifier: MIT
// The branches of a game as a tree below the scrub bar, on a common scale of ticks, with their deaths.

import { depthOf, nameOf, type Branch } from "../branches/branch";
import { firstDeathTick, SIDES } from "../log/game";
import { byId, grouped, make } from "../page/dom";

const INDENT = 10; // pixels per level
const DEPTH_SHOWN_MAX = 6;

function inOrder(branches: Branch[], parent: Branch | null = null): Branch[] {
  return branches.filter((branch) => branch.parent === parent).flatMap((branch) => [branch, ...inOrder(branches, branch)]);
}

export class BranchTree {
  private readonly root = byId("branches");

  constructor(
    private readonly choose: (branch: Branch, index?: number) => void, private readonly save: (branch: Branch) => void,
  ) {}

  show(branches: Branch[], current: Branch | null): void {
    this.root.hidden = branches.length < 2;
    const ticksMax = Math.max(1, ...branches.map(({ game }) => game.tickCount - 1));
    this.root.replaceChildren(...inOrder(branches).map((branch) => this.row(branch, branch === current, ticksMax)));
    const shown = this.root.querySelector<HTMLElement>("[aria-current]");
    if (shown === null) return;
    // Only the list scrolls, not the page.
    const top = shown.offsetTop - this.root.offsetTop;
    this.root.scrollTop = Math.min(top, Math.max(this.root.scrollTop, top + shown.offsetHeight - this.root.clientHeight));
  }

  private row(branch: Branch, isCurrent: boolean, ticksMax: number): HTMLElement {
    const name = make("button", "branch-name", nameOf(branch));
    name.style.paddingLeft = `${6 + INDENT * Math.min(DEPTH_SHOWN_MAX, depthOf(branch))}px`;
    const from = branch.parent === null ? "" : `, from tick ${grouped(branch.from)} of ${nameOf(branch.parent)}`;
    const strict = branch.parent === null || branch.ownFrom === 0 ? "" : `; strict arithmetic from tick ${grouped(branch.ownFrom)} on`;
    name.title = `${branch.drivers.join(" against ")}; ${grouped(branch.game.tickCount)} ticks${from}${strict}`;
    if (strict !== "") name.append(make("span", "branch-strict", "strict"));
    name.addEventListener("click", () => this.choose(branch));
    const save = make("button", "branch-save", "↓");
    save.title = branch.ownFrom > 0 && branch.id > 0 ? "Why it cannot be downloaded" : "Download as visio.gz";
    save.setAttribute("aria-label", `Download ${nameOf(branch)}`);
    save.addEventListener("click", () => this.save(branch));
    save.style.visibility = branch.game.tickCount > 1 ? "" : "hidden"; // nothing was played yet
    const row = make("div", "branch", "", name, this.track(branch, ticksMax), save);
    if (isCurrent) row.setAttribute("aria-current", "true");
    return row;
  }

  private track(branch: Branch, ticksMax: number): HTMLElement {
    const { game, from } = branch;
    const track = make("div", "branch-track");
    const setPosition = (element: HTMLElement, index: number, length = 0) => {
      element.style.left = `${(100 * index) / ticksMax}%`;
      if (length > 0) element.style.width = `${(100 * length) / ticksMax}%`;
      track.append(element);
    };
    const piece = make("span", "branch-piece");
    piece.addEventListener("click", () => this.choose(branch, from));
    setPosition(piece, from, Math.max(ticksMax / 200, game.tickCount - 1 - from));
    for (const match of game.matches) {
      const tick = firstDeathTick(match);
      if (tick === null || match.first + tick < from) continue;
      for (const side of SIDES) {
        const death = match.deaths[side];
        if (death !== null) setPosition(make("span", `scrub-death side-${side + 1}`), match.first + death.tick);
      }
    }
    return track;
  }
}
