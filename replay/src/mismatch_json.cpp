#include <forkmunk/replay/replay.h>

#include <array>
#include <charconv>
#include <cmath>

namespace forkmunk::replay {
namespace {

// The shortest text that reads back as the same number.
std::string number(std::optional<double> value) {
  if (!value || !std::isfinite(*value)) return "null";
  std::array<char, 32> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), *value).ptr};
}

}  // namespace

std::string to_json_text(const std::optional<Mismatch>& mismatch) {
  if (!mismatch) return "null";
  return "{\"match\":" + std::to_string(mismatch->match) + ",\"tick\":" + std::to_string(mismatch->tick) +
         ",\"value\":\"" + mismatch->value + "\",\"expected\":" + number(mismatch->expected) +
         ",\"found\":" + number(mismatch->found) + "}";
}

}  // namespace forkmunk::replay
