#include "fast/stock_step.h"

static __thread unsigned int changes;

unsigned int cpShapeChanges(void) { return changes; }
void cpShapeCountChange(void) { ++changes; }
