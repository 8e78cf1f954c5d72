// SPDX-License-Identifier: MIT
#include <forkmunk/base/check.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace forkmunk {

void fail_check(const char* file, int line, const char* condition, const char* format, ...) noexcept {
  std::fprintf(stderr, "%s:%d: %s failed: ", file, line, condition);
  std::va_list arguments;
  va_start(arguments, format);
  std::vfprintf(stderr, format, arguments);
  va_end(arguments);
  std::fputc('\n', stderr);
  std::abort();
}

}  // namespace forkmunk
