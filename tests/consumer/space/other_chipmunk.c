// SPDX-License-Identifier: MIT
/* A stub for the user's Chipmunk: defines all functions of Chipmunk that Forkmunk's engine calls. */
int other_chipmunk_calls = 0;
#define X(function) \
  void function(void) { ++other_chipmunk_calls; }
#include "chipmunk_functions.def"
