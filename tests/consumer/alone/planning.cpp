// SPDX-License-Identifier: MIT
#include <forkmunk/planning/planner.h>

int main() { return forkmunk::planning::make_planner("best", {}) != nullptr ? 0 : 1; }
