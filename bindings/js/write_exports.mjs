// SPDX-License-Identifier: MIT
// Writes Emscripten's lists of exported functions, which are those that the sources call:
// node write_exports.mjs FILE RECORDER_FILE SINGLE_FILE
// The first list leaves out the recorder. The third has the names of single precision (cmake/chipmunk/single_names.h.in).
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

import * as api from "./api.mjs";
import { setterOf } from "./src/properties.mjs";

const sources = new URL("./src/", import.meta.url), [, , file, recorderFile, singleFile] = process.argv;
const text = readdirSync(sources).map((name) => readFileSync(new URL(name, sources), "utf8")).join("");
// The functions of wasm/ export themselves.
const called = new Set([...text.matchAll(/\bwasm\._((?:cp|forkmunk_|malloc|free)\w*)/g)].map(([, name]) => name));
for (const kind of ["Body", "Shape", "Constraint"]) {
  for (const name of [`cpSpaceAdd${kind}`, `cpSpaceRemove${kind}`, `cp${kind}Free`]) called.add(name);
}
const { body, shape, shapes, constraint, joints, arbiter } = api, space = { properties: api.space };
for (const { properties = [], methods = [], make } of [space, body, shape, ...shapes, constraint, ...joints, arbiter]) {
  for (const { get, check } of properties) called.add(get), check && called.add(setterOf(get));
  for (const { call } of methods) called.add(call);
  if (make) called.add(make);
}

const names = [...called].sort().map((name) => `_${name}`);
const write = (path, list) => writeFileSync(path, JSON.stringify(list));
write(file, names.filter((name) => !/^_forkmunk_(batch|record|space_scene|space_differences)/.test(name)));
write(recorderFile, names);
write(singleFile, names.map((name) => name.replace(/^_(cp|forkmunk_)/, (_, start) => `_forkmunk_single_${start === "cp" ? "cp" : ""}`)));
