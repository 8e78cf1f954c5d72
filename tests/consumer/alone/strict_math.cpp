// SPDX-License-Identifier: MIT
#include <forkmunk/strict_math/strict_math.h>

int main() { return forkmunk::strict_math::cos(0) == 1 ? 0 : 1; }
