// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>

namespace forkmunk {

/// Bad input from outside: a file, a message or an option. what() is one line: where the input is wrong, what is wrong,
/// and what was expected. An Error is thrown before anything is built or changed.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace forkmunk
