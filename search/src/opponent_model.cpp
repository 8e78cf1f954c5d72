#include <forkmunk/search/opponent_model.h>

#include <algorithm>
#include <array>

namespace forkmunk::search {
namespace {

constexpr std::array<OpponentModelInfo, 6> kModels{{
    {OpponentModel::still, "still", "it stops"},
    {OpponentModel::repeat, "repeat", "it repeats its last command"},
    {OpponentModel::constant3, "constant3", "the worst of left, stop and right, held for the whole horizon"},
    {OpponentModel::planned, "planned", "its best plan against my last one"},
    {OpponentModel::robust, "robust", "the worst of that plan, that plan 4 ticks late, and the plan expected before"},
    {OpponentModel::coevolve, "coevolve", "both plans improve in turns, each against the other"},
}};

}  // namespace

std::span<const OpponentModelInfo> opponent_models() noexcept { return kModels; }

std::string_view to_string(OpponentModel model) noexcept { return kModels[static_cast<std::size_t>(model)].name; }

std::optional<OpponentModel> parse_opponent_model(std::string_view name) noexcept {
  const auto* const found = std::ranges::find(kModels, name, &OpponentModelInfo::name);
  if (found == kModels.end()) return std::nullopt;
  return found->model;
}

}  // namespace forkmunk::search
