#include "progress.h"

#include <forkmunk/base/printable.h>

#include <cstdio>

#include <fmt/core.h>
#include <unistd.h>

namespace forkmunk::tools {

using std::chrono::duration;
using std::chrono::steady_clock;

Progress::Progress(std::string label)
    : label_(std::move(label)),
      terminal_(isatty(STDERR_FILENO) == 1),
      start_(steady_clock::now()),
      last_draw_(start_) {}

Progress::~Progress() {
  if (drawn_) std::fputs("\r\033[K", stderr);
}

void Progress::update(std::size_t done, std::size_t total, std::string_view detail) {
  if (!terminal_) return;
  if (!first_done_) first_done_ = done;
  const auto now = steady_clock::now();
  const double elapsed = duration<double>(now - start_).count();
  if (elapsed < 1 || duration<double>(now - last_draw_).count() < 0.1) return;
  last_draw_ = now;
  drawn_ = true;
  const double share = total == 0 ? 1 : static_cast<double>(done) / static_cast<double>(total);
  std::string left;
  if (done > *first_done_ && done <= total) {
    const auto rate = static_cast<double>(done - *first_done_) / elapsed;
    left = fmt::format(", {:.0f} s left", static_cast<double>(total - done) / rate);
  }
  // fmt::print() would throw where the terminal is gone; the work goes on without it.
  std::fputs(fmt::format("\r\033[K{} {}/{} ({:.0f} %{}) {}", label_, done, total, 100 * share, left, printable(detail))
                 .c_str(),
             stderr);
  std::fflush(stderr);
}

}  // namespace forkmunk::tools
