// SPDX-License-Identifier: MIT
#include <forkmunk/search/planners.h>

int main() { return forkmunk::search::planners().empty() ? 1 : 0; }
