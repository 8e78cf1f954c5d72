// SPDX-License-Identifier: MIT
// The description of the package's classes, by objects.json: for the types, the list of exports and the accessors. A
// property that can be set has a check (checks.mjs) and its value in a new object.

import { readFileSync } from "node:fs";

const texts = JSON.parse(readFileSync(new URL("../python/forkmunk/objects.json", import.meta.url), "utf8"));
/** By range, or by "javascript_range" where Python accepts useless values. */
const CHECKS = {
  "any finite number": "number", "any finite number other than 0": "notZero", "0 or more": "notNegative", "0 or more, or infinity": "notNegativeOrInfinite",
  "above 0": "positive", "above 0, or infinity": "positiveOrInfinite", "a pair of finite numbers": "vector", "true or false": "boolean",
  "a group, categories and a mask": "filter", "a whole number from 0 to 65535": "small", "a whole number from 1 to 10000": "iterations",
  "a whole number from 1 to 1000000": "steps",
};
const TYPES = { vector: "Vector", boolean: "boolean", filter: "Filter", box: "BoundingBox" };
const NAMES = { rotation_vector: "rotation", distance: "dist", restitution: "elasticity", total_ke: "totalKineticEnergy" };

const camelCase = (text) => text.replace(/(?<=[a-z])_([a-z])/g, (_, letter) => letter.toUpperCase());
const pascalCase = (name) => camelCase(name).replace(/^./, (letter) => letter.toUpperCase());
function valueOf(value) {
  if (value === "infinity") return Infinity;
  return Array.isArray(value) ? { x: value[0], y: value[1] } : value;
}
function shownValue(value) {
  return typeof value === "object" ? `{ ${Object.entries(value).map(([name, each]) => `${name}: ${each}`).join(", ")} }` : String(value);
}
const docOf = ({ doc, javascript = [] }) => camelCase([...doc, ...javascript].join("\n")).split("\n");

function property(key, text, className) {
  const name = NAMES[key] ?? camelCase(key), part = text.chipmunk ?? pascalCase(key);
  const range = text.javascript_range ?? text.range, check = CHECKS[range];
  const get = part.startsWith("cp") ? part : `cp${className}Get${part}`;
  const initial = check && text.default !== undefined ? valueOf(text.default) : undefined;
  const facts = Object.entries({ Unit: text.unit, Range: check && range.replace("infinity", "Infinity").replace("a group, categories and a mask", "a filter"), Default: initial === undefined ? undefined : shownValue(initial) });
  const table = facts.filter(([, fact]) => fact !== undefined).map(([title, fact]) => `${title}: ${fact}.`).join(" ");
  const [first, ...others] = docOf(text);
  return { name, type: TYPES[check ?? text.type], get, check, initial, doc: [first, table, ...others].filter(Boolean).join("\n") };
}
const propertiesOf = (owner, className = owner) =>
  Object.entries(texts[owner]).filter(([, text]) => !text.private && text.only !== "python").map(([key, text]) => property(key, text, className));
/** All parameters are vectors. */
const methodsOf = (owner) => Object.entries(texts.methods[owner]).filter(([, text]) => text.only !== "python").map(([key, text]) => {
  const names = (text.javascript_parameters ?? text.parameters).split(", ").filter(Boolean);
  return {
    name: camelCase(key), parameters: Object.fromEntries(names.map((name) => [name, "Vector"])), returns: TYPES[text.returns] ?? "void",
    doc: docOf(text).join("\n"), call: text.chipmunk ?? `cp${owner}${pascalCase(key)}`,
  };
});

export const space = propertiesOf("Space");

export const body = { name: "Body", properties: propertiesOf("Body"), methods: methodsOf("Body") };

export const shape = { name: "Shape", properties: propertiesOf("Shape"), methods: [] };

export const shapes = [
  { name: "Circle", doc: "new Circle(body, radius, offset = {x: 0, y: 0})", parameters: { radius: "number", "offset?": "Vector" } },
  { name: "Segment", doc: "new Segment(body, a, b, radius = 0)", parameters: { a: "Vector", b: "Vector", "radius?": "number" } },
  { name: "Poly", doc: "new Poly(body, vertices, radius = 0): the convex hull of the vertices", parameters: { vertices: "readonly Vector[]", "radius?": "number" } },
].map((each) => ({ ...each, properties: propertiesOf(each.name, `${each.name}Shape`) }));

export const constraint = { name: "Constraint", properties: propertiesOf("Constraint"), methods: [] };

/** `parameters` has the check of each, in the order of Chipmunk's constructor `make`. */
export const joints = Object.entries(texts.joints).map(([name, text]) => {
  const keys = text.parameters.split(", ").map((each) => each.split("=")[0]).filter((each) => /^\w+$/.test(each));
  const described = Object.fromEntries(keys.filter((key) => key in texts.Joint).map((key) => [key, texts.Joint[key]]));
  const all = Object.entries({ ...described, ...texts[name] }).map(([key, own]) => ({ ...property(key, own, name), initial: undefined }));
  const checkOf = (key) => all.find((each) => each.name === camelCase(key)).check;
  return { name, make: text.chipmunk ?? `cp${name}New`, doc: docOf(text).join("\n"), parameters: Object.fromEntries(keys.map((key) => [camelCase(key), checkOf(key)])), properties: all };
});

export const arbiter = { name: "Arbiter", properties: propertiesOf("Arbiter"), methods: methodsOf("Arbiter") };
