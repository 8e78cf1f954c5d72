#include <forkmunk/statistics/elo.h>

int main() { return forkmunk::statistics::elo_from_score(0.5) == 0 ? 0 : 1; }
