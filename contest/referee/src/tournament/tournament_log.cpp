#include "tournament_log.h"

#include "tournament_line.h"

#include <forkmunk/base/error.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <set>
#include <tuple>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace forkmunk::referee {
namespace {

/// The content of a regular file. \return nullopt on errors, with errno.
std::optional<std::string> read_whole(int descriptor) {
  std::string text;
  std::array<char, 64 * 1024> chunk;
  while (true) {
    const ssize_t size = pread(descriptor, chunk.data(), chunk.size(), static_cast<off_t>(text.size()));
    if (size == 0) return text;
    if (size > 0) text.append(chunk.data(), static_cast<std::size_t>(size));
    if (size < 0 && errno != EINTR) return std::nullopt;
  }
}

constexpr std::string_view kLineBegin = R"({"game":)";  // of to_line()

// Whether a text without line end may be the beginning of one.
bool begins_a_line(std::string_view text) {
  return text.substr(0, kLineBegin.size()) == kLineBegin.substr(0, text.size());
}

}  // namespace

TournamentLog::TournamentLog(const std::string& path, const Tournament& tournament)
    : path_(path), tournament_(tournament) {
  // O_NONBLOCK: opening a pipe must not wait for its other end.
  descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0644);
  if (descriptor_ < 0) {
    throw Error("--resume: cannot write " + path + ": " + std::strerror(errno));
  }
  try {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
      throw Error("--resume: " + path + ": not a regular file; give another file name");
    }
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      throw Error("--resume: " + path + ": " +
                  (errno == EWOULDBLOCK ? "another arena is writing this log"
                                        : std::string("cannot lock it: ") + std::strerror(errno)));
    }
    const std::optional<std::string> text = read_whole(descriptor_);
    if (!text) throw Error("--resume: cannot read " + path + ": " + std::strerror(errno));
    const std::size_t whole = text->rfind('\n') == std::string::npos ? 0 : text->rfind('\n') + 1;
    read(text->substr(0, whole));
    if (!begins_a_line(std::string_view(*text).substr(whole))) {
      throw Error("--resume: " + path + ": its last line is not of a game; give another file name");
    }
    // Drops an incomplete last line; its game is played again.
    if (whole < text->size() && ftruncate(descriptor_, static_cast<off_t>(whole)) != 0) {
      throw Error("--resume: cannot write " + path + ": " + std::strerror(errno));
    }
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

TournamentLog::~TournamentLog() { close(descriptor_); }

void TournamentLog::read(const std::string& text) {
  std::set<std::size_t> seen;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const std::string where = fmt::format("--resume: {}: line {}", path_, ++number);
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    try {
      const std::optional<TournamentResult> result = parse_line(line, tournament_);
      if (result && seen.insert(result->index).second) results_.push_back(*result);
    } catch (const Error& error) {
      // A killed shard leaves a part of a line, to which cat appends the next shard's first.
      const bool is_cut = line.find(kLineBegin, 1) != std::string_view::npos;
      throw Error(fmt::format("{}: {}", where,
                              is_cut ? "a game that was cut off, and another; delete the first, or continue the killed "
                                       "arena with its own log before joining the logs"
                                     : error.what()));
    }
  }
}

void TournamentLog::append(const TournamentResult& result) {
  const std::string line = to_line(tournament_, result) + '\n';
  const off_t size = lseek(descriptor_, 0, SEEK_END);
  for (std::size_t written = 0; written < line.size();) {
    const ssize_t count = ::write(descriptor_, line.data() + written, line.size() - written);
    if (count < 0 && errno != EINTR) {
      const std::string why = std::strerror(errno);
      // Other games that end now must not be appended to a part of a line.
      if (size >= 0) std::ignore = ftruncate(descriptor_, size);
      throw Error("--resume: cannot write " + path_ + ": " + why);
    }
    if (count > 0) written += static_cast<std::size_t>(count);
  }
}

}  // namespace forkmunk::referee
