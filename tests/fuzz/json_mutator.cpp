// SPDX-License-Identifier: MIT
#include <forkmunk/base/random.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

/// Half of the mutations change numbers and whole elements, which reaches the code behind the parser.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t size_max);

namespace {

using forkmunk::Random;

struct Span {
  std::size_t begin = 0;
  std::size_t size = 0;
};

template <class EndOf>
Span find_span(const std::string& text, Random& random, std::string_view starts, EndOf&& end_of) {
  if (text.empty()) return {};
  std::size_t begin = text.find_first_of(starts, random.below(text.size()));
  if (begin == std::string::npos) begin = text.find_first_of(starts);
  if (begin == std::string::npos) return {};
  return {begin, end_of(begin) - begin};
}

Span find_number(const std::string& text, Random& random) {
  return find_span(text, random, "-0123456789", [&](std::size_t begin) {
    return std::min(text.find_first_not_of("-+0123456789.eE", begin), text.size());
  });
}

Span find_element(const std::string& text, Random& random) {
  return find_span(text, random, "[{", [&](std::size_t begin) {
    int depth = 0;
    for (std::size_t i = begin; i < text.size(); ++i) {
      depth += text[i] == '[' || text[i] == '{' ? 1 : text[i] == ']' || text[i] == '}' ? -1 : 0;
      if (depth == 0) return i + 1;
    }
    return text.size();
  });
}

void change_number(std::string& text, Random& random) {
  static constexpr std::array<std::string_view, 20> kNumbers{
      "0",    "-0",    "1",     "-1",     "0.5", "1e-300",     "1e300", "-1e300", "1e9",  "1e15",
      "1000", "32767", "65536", "-32768", "4e9", "2147483647", "1e5",   "-1e5",   "true", "9223372036854775807"};
  const Span span = find_number(text, random);
  if (span.size == 0) return;
  if (random.below(3) > 0) {
    text.replace(span.begin, span.size, kNumbers[random.below(kNumbers.size())]);
  } else {
    const Span other = find_number(text, random);
    text.replace(span.begin, span.size, text.substr(other.begin, other.size));
  }
}

void change_element(std::string& text, Random& random) {
  const Span span = find_element(text, random);
  const Span other = find_element(text, random);
  if (span.size == 0) return;
  const std::string element = text.substr(other.begin, other.size);
  switch (random.below(4)) {
    case 0: text.erase(span.begin, span.size + (text.substr(span.begin + span.size, 1) == "," ? 1 : 0)); break;
    case 1: text.replace(span.begin, span.size, element); break;
    case 2: text.insert(span.begin, element + ","); break;
    default: text.insert(span.begin + span.size, text.substr(span.begin, span.size)); break;
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t size_max,
                                               unsigned seed) {
  Random random(seed);
  if (random.below(2) == 0) return LLVMFuzzerMutate(data, size, size_max);
  std::string text(reinterpret_cast<const char*>(data), size);
  for (std::uint32_t i = 0; i <= random.below(3); ++i) {
    random.below(3) > 0 ? change_number(text, random) : change_element(text, random);
  }
  if (text.empty() || text.size() > size_max) return LLVMFuzzerMutate(data, size, size_max);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}
