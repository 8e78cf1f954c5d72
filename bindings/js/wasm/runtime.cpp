// SPDX-License-Identifier: MIT
// Replaces parts of the C and C++ libraries by --wrap, which saves 6 KB: output to stderr, and locks, which a module of
// one thread does not need. A long copy becomes one instruction.

#include <cstdarg>
#include <cstddef>
#include <cstdio>

// Prints what %s, %c, %d, %u, %zu and %p show, which are all that the messages have. JavaScript writes whole lines.
extern "C" __attribute__((import_module("env"), import_name("fm_print"))) void fm_print(const char* format,
                                                                                        std::va_list arguments);

extern "C" {

int __wrap_vfprintf(std::FILE*, const char* format, std::va_list arguments) {  // NOLINT
  fm_print(format, arguments);
  return 0;
}

int __wrap_fiprintf(std::FILE*, const char* format, ...) {  // NOLINT
  std::va_list arguments;
  va_start(arguments, format);
  fm_print(format, arguments);
  va_end(arguments);
  return 0;
}

int __wrap_fputc(int character, std::FILE* file) {  // NOLINT
  return __wrap_fiprintf(file, "%c", character);
}

std::size_t __wrap_fwrite(const char* text, std::size_t size, std::size_t count, std::FILE* file) {  // NOLINT
  for (std::size_t i = 0; i < size * count; ++i) __wrap_fputc(text[i], file);
  return count;
}

// No file is there: all output is JavaScript's.
#undef stderr
extern std::FILE* const stderr;
std::FILE* const stderr = nullptr;

// NOLINTBEGIN
void* __real_memcpy(void* to, const void* from, std::size_t size);
// Copies images of states in a third of the time of the C library's loop.
__attribute__((target("bulk-memory"))) void* __wrap_memcpy(void* to, const void* from, std::size_t size) {
  return size < 512 ? __real_memcpy(to, from, size) : __builtin_memcpy(to, from, size);
}
// NOLINTEND

void __wrap__ZNSt3__25mutex4lockEv(void*) {}    // NOLINT: std::mutex::lock()
void __wrap__ZNSt3__25mutex6unlockEv(void*) {}  // NOLINT

}  // extern "C"
