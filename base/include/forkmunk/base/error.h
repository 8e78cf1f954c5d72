// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/concat.h>

#include <stdexcept>

namespace forkmunk {

/// Bad input: a file, a message or an option. what() is one line: where the input is wrong, what is wrong, and what was
/// expected. Thrown before anything is built or changed.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  /// Joins the parts as concat() does, as in Error("found ", count, " worlds, expected 1").
  template <typename First, typename Second, typename... More>
  Error(const First& first, const Second& second, const More&... more)
      : Error({TextPart(first), TextPart(second), TextPart(more)...}) {}

 private:
  explicit Error(std::initializer_list<TextPart> parts);
};

}  // namespace forkmunk
