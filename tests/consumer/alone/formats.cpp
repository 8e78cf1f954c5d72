// SPDX-License-Identifier: MIT
#include <forkmunk/formats/message.h>
#include <forkmunk/formats/recording.h>

int main() { return forkmunk::formats::Recording{}.tick_count() == 0 ? 0 : 1; }
