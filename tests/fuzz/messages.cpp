// SPDX-License-Identifier: MIT
#include "text_input.h"

#include <forkmunk/base/hasher.h>
#include <forkmunk/formats/message.h>
#include <forkmunk/planning/planner.h>
#include <forkmunk/player/line_player.h>

/// Lines of the contest's protocol. The input selects the planner.
namespace forkmunk {
namespace {

constexpr std::int64_t kBudgetTicks = 12;

std::string_view planner_for(std::string_view text) {
  Hasher hasher;
  for (const char c : text.substr(0, 64)) hasher.add(static_cast<unsigned char>(c));
  hasher.add(text.size());
  return search::planners()[hasher.value() % search::planners().size()].name;
}

void play(std::string_view text, Arithmetic arithmetic) {
  player::PlayerOptions options;
  options.planner = planner_for(text);
  options.ticks = kBudgetTicks;
  options.arithmetic = arithmetic;
  options.search_trace = text.size() % 2 == 0;
  player::PlannerPlayer player(options);
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const player::LineAnswer answer = player::answer_line(player, line);
    tests::require(!answer.line || answer.line->find('\n') == std::string::npos, "an answer has two lines");
  }
}

}  // namespace
}  // namespace forkmunk

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = forkmunk::tests::text_of(data, size);
  for (const forkmunk::Arithmetic arithmetic : {forkmunk::Arithmetic::strict, forkmunk::Arithmetic::referee}) {
    if (is_available(arithmetic)) forkmunk::play(text, arithmetic);
  }
  return 0;
}
