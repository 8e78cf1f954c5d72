// SPDX-License-Identifier: MIT
#include <forkmunk/base/check.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#ifdef __EMSCRIPTEN__
// The C library's vfprintf() without the code for floating-point numbers, which no check of the pages prints.
extern "C" int vfiprintf(std::FILE* stream, const char* format, std::va_list arguments);
#else
#define vfiprintf std::vfprintf
#endif

namespace forkmunk {

void fail_check(const char* file, int line, const char* condition, const char* format, ...) noexcept {
  std::fprintf(stderr, "%s:%d: %s failed: ", file, line, condition);
  std::va_list arguments;
  va_start(arguments, format);
  vfiprintf(stderr, format, arguments);
  va_end(arguments);
  std::fputc('\n', stderr);
  std::abort();
}

}  // namespace forkmunk
