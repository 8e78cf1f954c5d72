// SPDX-License-Identifier: MIT
// Replaces parts of the C and C++ libraries by --wrap, which saves 6 KB: output to stderr, and locks, which a module of
// one thread does not need. A long copy becomes one instruction.

#include <cstdarg>
#include <cstddef>
#include <cstdio>

// Appends a character to the text that JavaScript prints at the end of the line.
extern "C" __attribute__((import_module("env"), import_name("fm_put"))) void fm_put(int character);

namespace {

void put_number(unsigned long number, unsigned long base) {
  if (number >= base) put_number(number / base, base);
  fm_put("0123456789abcdef"[number % base]);
}

// Prints %s, %d, %u, %zu and %p, which are all that the messages have.
void put(const char* format, std::va_list arguments) {
  for (; *format != 0; ++format) {
    if (*format != '%') {
      fm_put(*format);
      continue;
    }
    if (*++format == 'z') ++format;
    if (*format == 's') {
      for (const char* text = va_arg(arguments, const char*); *text != 0; ++text) fm_put(*text);
      continue;
    }
    const long number = va_arg(arguments, long);
    const bool is_negative = *format == 'd' && number < 0;
    if (is_negative) fm_put('-');
    const auto digits = static_cast<unsigned long>(number);
    put_number(is_negative ? 0 - digits : digits, *format == 'p' ? 16 : 10);
  }
}

}  // namespace

extern "C" {

int __wrap_vfprintf(std::FILE*, const char* format, std::va_list arguments) {  // NOLINT
  put(format, arguments);
  return 0;
}

int __wrap_fiprintf(std::FILE*, const char* format, ...) {  // NOLINT
  std::va_list arguments;
  va_start(arguments, format);
  put(format, arguments);
  va_end(arguments);
  return 0;
}

int __wrap_fputc(int character, std::FILE*) {  // NOLINT
  fm_put(character);
  return character;
}

std::size_t __wrap_fwrite(const char* text, std::size_t size, std::size_t count, std::FILE*) {  // NOLINT
  for (std::size_t i = 0; i < size * count; ++i) fm_put(text[i]);
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
