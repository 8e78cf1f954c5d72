// SPDX-License-Identifier: MIT
#include <forkmunk/base/arithmetic.h>
#include <forkmunk/base/excerpt.h>

int main() { return forkmunk::parse_arithmetic("strict") && forkmunk::excerpt("\n") == "?" ? 0 : 1; }
