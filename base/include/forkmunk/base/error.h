// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>

namespace forkmunk {

/// Bad input: a file, a message or an option. what() is one line: where the input is wrong, what is wrong, and what was
/// expected. Thrown before anything is built or changed.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace forkmunk
