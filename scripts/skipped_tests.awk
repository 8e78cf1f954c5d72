# SPDX-License-Identifier: MIT
# Of ctest's LastTest.log: the tests that were skipped, each with the reason that it printed.
function finish() {
  if (skipped) lines = lines sprintf("  %s: %s\n", name, reason == "" ? "(prints no reason)" : reason)
  skipped = 0; wants_reason = 0; reason = ""; last = ""
}
/^[0-9]+\/[0-9]+ Testing: / { finish(); name = $0; sub(/^[^:]*: /, "", name) }
wants_reason { reason = $0; wants_reason = 0 }
/: Skipped$/ { skipped = 1; wants_reason = 1 }            # GoogleTest: the reason is on the next line
/^Test Skipped\.|^Test Not Run/ { skipped = 1; if (reason == "") reason = last }  # exit code 77: the last line of the output
/[^ ]/ && !/^<end of output>/ && !/^-+$/ && !/^Test time/ { last = $0 }
END { finish(); if (lines != "") printf "== skipped tests\n%s\n", lines }
