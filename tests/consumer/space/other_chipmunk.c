/* Stands in for a Chipmunk of the user's own: all names that Forkmunk's engine calls Chipmunk by. */
int other_chipmunk_calls = 0;
#define X(function) \
  void function(void) { ++other_chipmunk_calls; }
#include "chipmunk_functions.def"
