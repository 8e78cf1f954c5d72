// SPDX-License-Identifier: MIT
// printf() for whole numbers in place of the C library's functions (by the linker's --wrap), whose code for
// floating-point numbers would be 2 KB of the package. No message of the module has such a number.

#include <cstdarg>
#include <cstddef>
#include <cstdio>

extern "C" {

int vsniprintf(char* text, std::size_t bytes, const char* format, std::va_list arguments);
int vfiprintf(std::FILE* stream, const char* format, std::va_list arguments);

int __wrap_snprintf(char* text, std::size_t bytes, const char* format, ...) {  // NOLINT
  std::va_list arguments;
  va_start(arguments, format);
  const int written = vsniprintf(text, bytes, format, arguments);
  va_end(arguments);
  return written;
}

int __wrap_vfprintf(std::FILE* stream, const char* format, std::va_list arguments) {  // NOLINT
  return vfiprintf(stream, format, arguments);
}

}  // extern "C"
