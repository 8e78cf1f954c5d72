// SPDX-License-Identifier: MIT
#include <forkmunk/base/arithmetic.h>

namespace forkmunk {

std::string_view to_string(Arithmetic arithmetic) noexcept {
  return arithmetic == Arithmetic::strict ? "strict" : "referee";
}

std::optional<Arithmetic> parse_arithmetic(std::string_view text) noexcept {
  for (const Arithmetic arithmetic : {Arithmetic::strict, Arithmetic::referee}) {
    if (to_string(arithmetic) == text) return arithmetic;
  }
  return std::nullopt;
}

bool is_available(Arithmetic arithmetic) noexcept {
#ifdef FORKMUNK_HAS_REFEREE_ARITHMETIC
  return arithmetic == Arithmetic::strict || arithmetic == Arithmetic::referee;
#else
  return arithmetic == Arithmetic::strict;
#endif
}

}  // namespace forkmunk
