#include "evaluators/evaluators.h"

#include <forkmunk/base/error.h>

#include <algorithm>
#include <array>
#include <string>

namespace forkmunk::search {
namespace {

struct Entry {
  EvaluatorInfo info;
  std::unique_ptr<Evaluator> (*make)(const Weights& weights);
};

constexpr std::array<Entry, 5> kEvaluators{{
    {{"normalised", "attack, ram and tilt by geometry, speed, height"}, make_normalised},
    {{"mirrored", "angles, reach and speed of both sides, height"}, make_mirrored},
    {{"distance", "room around both buttons, height"}, make_distance},
    {{"combined", "attack, room, tilt and the deadline: our own"}, make_combined},
    {{"learned", "combined, and the chance to win by a value network trained on self-play"}, make_learned},
}};

}  // namespace

std::span<const EvaluatorInfo> evaluators() noexcept {
  static constexpr auto kInfos = [] {
    std::array<EvaluatorInfo, kEvaluators.size()> infos;
    for (std::size_t i = 0; i < infos.size(); ++i) infos[i] = kEvaluators[i].info;
    return infos;
  }();
  return kInfos;
}

std::unique_ptr<Evaluator> make_evaluator(std::string_view name, const Weights& weights) {
  const auto* const found = std::ranges::find(kEvaluators, name, [](const Entry& entry) { return entry.info.name; });
  if (found != kEvaluators.end()) return found->make(weights);
  std::string names;
  for (const Entry& entry : kEvaluators) names += (names.empty() ? "" : ", ") + std::string(entry.info.name);
  throw Error("evaluator " + std::string(name) + ": expected one of " + names);
}

}  // namespace forkmunk::search
