#include <forkmunk/referee/statistics/record.h>

#include <numeric>

namespace forkmunk::referee::statistics {

void Record::add(Result result) noexcept {
  switch (result) {
    case Result::loss: ++losses; break;
    case Result::draw: ++draws; break;
    case Result::win: ++wins; break;
  }
}

void PairRecord::add(Result first, Result second) noexcept {
  ++counts[static_cast<std::size_t>(first) + static_cast<std::size_t>(second)];
}

std::uint64_t PairRecord::pairs() const noexcept {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

}  // namespace forkmunk::referee::statistics
