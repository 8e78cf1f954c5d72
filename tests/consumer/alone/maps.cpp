// SPDX-License-Identifier: MIT
#include <forkmunk/maps/catalogue.h>

int main() { return forkmunk::maps::find("PillMap") != nullptr ? 0 : 1; }
