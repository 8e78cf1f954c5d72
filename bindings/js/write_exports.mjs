// SPDX-License-Identifier: MIT
// Writes Emscripten's lists of exported functions from the description of the API: node write_exports.mjs FILE RECORDER_FILE
// The first list leaves out the recorder.
import { writeFileSync } from "node:fs";

import { exportedFunctions } from "./src/api.mjs";

const [, , file, recorderFile] = process.argv, names = exportedFunctions().map((name) => `_${name}`);
const write = (path, list) => writeFileSync(path, JSON.stringify(list));
write(file, names.filter((name) => !/^_forkmunk_(record|space_scene|space_differences)/.test(name)));
write(recorderFile, names);
