// SPDX-License-Identifier: MIT
/* A stub of all functions of Chipmunk that the engine calls. */
int other_chipmunk_calls = 0;
#define X(function) \
  void function(void) { ++other_chipmunk_calls; }
#include "chipmunk_functions.def"
