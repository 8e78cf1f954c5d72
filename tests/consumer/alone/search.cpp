#include <forkmunk/search/planner.h>

int main() { return forkmunk::search::make_planner("best", {}) != nullptr ? 0 : 1; }
