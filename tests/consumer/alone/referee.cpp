// SPDX-License-Identifier: MIT
#include <forkmunk/referee/bot_factory.h>

int main() { return forkmunk::referee::make_bot("builtin:chase", 1, {}) != nullptr ? 0 : 1; }
