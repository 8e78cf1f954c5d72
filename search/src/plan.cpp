#include <forkmunk/search/plan.h>

#include <string_view>

namespace forkmunk::search {

std::string to_string(const Plan& plan) {
  constexpr std::string_view kLetters = "LSR";
  std::string text;
  for (int from = 0; from < plan.ticks();) {
    int to = from + 1;
    while (to < plan.ticks() && plan.at(to) == plan.at(from)) ++to;
    if (!text.empty()) text += ' ';
    text += kLetters[static_cast<std::size_t>(plan.at(from))];
    text += std::to_string(to - from);
    from = to;
  }
  return text;
}

}  // namespace forkmunk::search
