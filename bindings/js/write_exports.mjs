// SPDX-License-Identifier: MIT
// Writes Emscripten's list of exported functions from the description of the API: node write_exports.mjs FILE
import { writeFileSync } from "node:fs";

import { exportedFunctions } from "./src/api.mjs";

writeFileSync(process.argv[2], JSON.stringify(exportedFunctions().map((name) => `_${name}`)));
