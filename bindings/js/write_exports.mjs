// SPDX-License-Identifier: MIT
// Writes Emscripten's lists of exported functions from the description of the API: node write_exports.mjs FILE RECORDER_FILE SINGLE_FILE
// The first list leaves out the recorder. The third has the names of single precision (cmake/chipmunk/single_names.h.in).
import { writeFileSync } from "node:fs";

import { exportedFunctions } from "./src/api.mjs";

const [, , file, recorderFile, singleFile] = process.argv, names = exportedFunctions().map((name) => `_${name}`);
const write = (path, list) => writeFileSync(path, JSON.stringify(list));
write(file, names.filter((name) => !/^_forkmunk_(record|space_scene|space_differences)/.test(name)));
write(recorderFile, names);
write(singleFile, names.map((name) => name.replace(/^_(cp|forkmunk_)/, (_, start) => `_forkmunk_single_${start === "cp" ? "cp" : ""}`)));
