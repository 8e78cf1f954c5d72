// SPDX-License-Identifier: MIT
// Writes the TypeScript types: the description in api.mjs, in the frame of types.d.ts.

import { readFileSync } from "node:fs";

import * as api from "./api.mjs";

const comment = (doc) => (doc.includes("\n") ? `  /**\n${doc.split("\n").map((line) => `   * ${line}\n`).join("")}   */` : `  /** ${doc} */`);

function members({ properties = [], methods = [] }) {
  const lines = [];
  for (const { name, type = "number", check, doc } of properties) {
    lines.push(comment(doc), `  get ${name}(): ${type};`);
    if (check) lines.push(`  set ${name}(value: ${type === "Filter" ? "Partial<Filter>" : type});`);
  }
  for (const { name, parameters, returns, doc } of methods) {
    const list = Object.entries(parameters).map(([each, type]) => `${each}: ${type}`);
    lines.push(comment(doc), `  ${name}(${list.join(", ")}): ${returns};`);
  }
  return lines.join("\n");
}

const typeOf = (check) => (check === "vector" ? "Vector" : "number");
const shape = ({ name, doc, parameters, ...own }) => `/** ${doc} */
declare class ${name} extends Shape {
  constructor(body: Body, ${Object.entries(parameters).map(([each, type]) => `${each}: ${type}`).join(", ")});
${members(own)}
${name === "Segment" ? `  /** The far ends of the segments before and after it in a chain, in the body's coordinates: no collision catches on an inner end. Default: null. */
  get neighbors(): { readonly previous: Vector; readonly next: Vector } | null;
  set neighbors(value: { readonly previous: Vector; readonly next: Vector } | null);
` : name === "Poly" ? `  /** A rectangle around the body's origin. */
  static box(body: Body, width: number, height: number, radius?: number): Poly;
  /** The corners, in the body's coordinates. */
  get vertices(): readonly Vector[];
` : ""}}`;
const joint = ({ name, doc, parameters, ...own }) => `${comment(doc).replace(/^  /gm, "")}
declare class ${name} extends Constraint {
  constructor(a: Body, b: Body, ${Object.entries(parameters).map(([each, type]) => `${each}: ${typeOf(type)}`).join(", ")});
${members(own)}
${name === "PivotJoint" ? `  /** At a point in the space's coordinates. */
  static at(a: Body, b: Body, point: Vector): PivotJoint;
` : ""}}`;

export function declarations() {
  const frame = readFileSync(new URL("./types.d.ts", import.meta.url), "utf8");
  const fill = (text, parts) => text.replace(/^ *\/\/ \{\{(\w+)\}\}$/gm, (place, name) => parts[name] ?? place);
  const text = fill(frame, {
    space: members({ properties: api.space }),
    body: members(api.body),
    shape: members(api.shape),
    shapes: api.shapes.map(shape).join("\n"),
    constraint: members(api.constraint),
    joints: api.joints.map(joint).join("\n"),
    arbiter: members(api.arbiter),
  });
  const all = [...text.matchAll(/^declare (?:abstract )?class (\w+)/gm)].map(([, name]) => name);
  const names = all.filter((name) => name !== "SpaceObject");
  return fill(text, {
    classes: names.map((name) => `  ${name}: typeof ${name};`).join("\n"),
    exports: `export type { ${names.join(", ")} };`,
  });
}
