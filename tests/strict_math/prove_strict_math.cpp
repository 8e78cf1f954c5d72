// SPDX-License-Identifier: MIT
// Compares functions with musl's on all cores. Exit codes: 0 equal, 1 different, 2 bad use.

#include "compare.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

namespace {

namespace test = forkmunk::strict_math::test;

constexpr std::uint64_t kChunk = 1'000'000;

struct Options {
  std::uint64_t count = 10'000'000;
  std::uint64_t seed = 1;
};

[[noreturn]] void fail(const char* problem, const char* what) {
  std::fprintf(stderr, "prove_strict_math: %s '%s'; usage: prove_strict_math [--count N] [--seed S]\n", problem, what);
  std::exit(2);
}

Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const bool is_count = std::strcmp(argv[i], "--count") == 0;
    if (!is_count && std::strcmp(argv[i], "--seed") != 0) fail("unknown option", argv[i]);
    if (i + 1 == argc) fail("no number after", argv[i]);
    char* end = nullptr;
    const std::uint64_t number = std::strtoull(argv[i + 1], &end, 10);
    if (end == argv[i + 1] || *end != 0 || *argv[i + 1] == '-') fail("not a whole number:", argv[i + 1]);
    (is_count ? options.count : options.seed) = number;
  }
  return options;
}

/// Each chunk has a seed, so the number of cores does not matter.
test::Comparison compare_on_all_cores(std::string_view function, const Options& options) {
  test::Comparison total = test::compare_edges(function);
  std::atomic<std::uint64_t> next{0};
  std::mutex mutex;
  const auto work = [&] {
    for (;;) {
      const std::uint64_t begin = next.fetch_add(kChunk);
      if (begin >= options.count) return;
      const std::uint64_t count = std::min(kChunk, options.count - begin);
      const auto part = test::compare_random(function, count, options.seed * 0x10001 + begin / kChunk);
      const std::lock_guard lock(mutex);
      total.add(part);
      std::fprintf(stderr, "\r%.*s: %llu million", static_cast<int>(function.size()), function.data(),
                   static_cast<unsigned long long>(total.compared / 1'000'000));
    }
  };
  std::vector<std::jthread> others;
  for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i) others.emplace_back(work);
  work();
  others.clear();  // joins the threads
  std::fprintf(stderr, "\r%30s\r", "");
  return total;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = read_options(argc, argv);
  bool exact = true;
  for (const std::string_view function : test::kFunctions) {
    const auto begin = std::chrono::steady_clock::now();
    const test::Comparison result = compare_on_all_cores(function, options);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    std::printf("%.*s: %llu arguments, %llu differences from musl, %.0f s\n", static_cast<int>(function.size()),
                function.data(), static_cast<unsigned long long>(result.compared),
                static_cast<unsigned long long>(result.different), seconds.count());
    if (result.different != 0) std::printf("  the first: %s\n", result.first_difference.c_str());
    std::fflush(stdout);
    exact = exact && result.different == 0;
  }
  return exact ? 0 : 1;
}
