#include <forkmunk/base/error.h>
#include <forkmunk/base/printable.h>
#include <forkmunk/referee/arena_log.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <set>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace forkmunk::referee {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

ordered_json to_json(const TimeHistogram& times) {
  const TimeHistogram::Data data = times.data();
  ordered_json buckets = ordered_json::array();
  for (const auto& [bucket, count] : data.buckets) buckets.push_back({bucket, count});
  return {{"total_ms", data.total_ms}, {"max_ms", data.max_ms}, {"buckets", buckets}};
}

TimeHistogram times_from(const json& object) {
  TimeHistogram::Data data;
  data.total_ms = object.at("total_ms");
  data.max_ms = object.at("max_ms");
  for (const json& bucket : object.at("buckets")) data.buckets[bucket.at(0)] = bucket.at(1);
  return TimeHistogram::from(data);
}

// What tells a game from those of another arena.
ordered_json identity_of(const ArenaPlan& plan, const ArenaGame& game) {
  return {{"game", game.index},
          {"first", printable(plan.bots[game.seats[0]])},
          {"second", printable(plan.bots[game.seats[1]])},
          {"seed", game.seed},
          {"arithmetic", engine::to_string(plan.physics.arithmetic())},
          {"engine", engine::to_string(plan.physics.engine())}};
}

ordered_json to_json(const ArenaPlan& plan, const ArenaGame& game, const ArenaResult& result) {
  ordered_json line = identity_of(plan, game);
  line["winner"] = result.winner;
  line["lives"] = result.lives;
  line["ticks"] = result.ticks;
  line["matches"] = ordered_json::array();
  for (const ArenaResult::Match& match : result.matches) {
    line["matches"].push_back(
        {{"name", match.name}, {"ticks", match.ticks}, {"died", match.died}, {"causes", match.causes}});
  }
  line["times"] = {to_json(result.times[0]), to_json(result.times[1])};
  line["garbled"] = result.garbled;
  line["verdicts"] = result.verdicts;
  return line;
}

/// All that a regular file holds. \return nothing, with errno, if the system refuses.
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

ArenaResult result_from(const json& line) {
  ArenaResult result;
  result.index = line.at("game");
  result.winner = line.at("winner");
  result.lives = line.at("lives");
  result.ticks = line.at("ticks");
  for (const json& entry : line.at("matches")) {
    result.matches.push_back({entry.at("name"), entry.at("ticks"), entry.at("died"), entry.at("causes")});
  }
  for (std::size_t seat = 0; seat < 2; ++seat) result.times[seat] = times_from(line.at("times").at(seat));
  result.garbled = line.at("garbled");
  result.verdicts = line.at("verdicts");
  return result;
}

}  // namespace

ArenaLog::ArenaLog(const std::string& path, const ArenaPlan& plan, const std::vector<ArenaGame>& games)
    : path_(path), plan_(plan), games_(games) {
  // A pipe is not waited for: it is refused.
  descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0644);
  if (descriptor_ < 0) {
    throw Error("--resume: " + path + ": found no way to write there (" + std::strerror(errno) +
                "), expected a file, or a name for a new one");
  }
  try {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
      throw Error("--resume: " + path + ": found a device or pipe, expected a file, or a name for a new one");
    }
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      throw Error("--resume: " + path + ": another arena is writing this log");
    }
    const std::optional<std::string> text = read_whole(descriptor_);
    if (!text) throw Error("--resume: " + path + ": " + std::strerror(errno));
    const std::size_t whole = text->rfind('\n') == std::string::npos ? 0 : text->rfind('\n') + 1;
    read(text->substr(0, whole));
    // The game whose line was cut off is played again.
    if (whole < text->size() && ftruncate(descriptor_, static_cast<off_t>(whole)) != 0) {
      throw Error("--resume: " + path + ": " + std::strerror(errno));
    }
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

ArenaLog::~ArenaLog() { close(descriptor_); }

void ArenaLog::read(const std::string& text) {
  std::set<std::size_t> seen;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const std::string place = fmt::format("--resume: {}: line {}", path_, ++number);
    try {
      const json line = json::parse(text.substr(begin, end - begin));
      const ArenaResult result = result_from(line);
      begin = end + 1;
      if (result.index >= games_.size()) continue;  // the log of a longer arena
      const json expected = identity_of(plan_, games_[result.index]);
      for (const auto& [key, value] : expected.items()) {
        if (line.at(key) == value) continue;
        throw Error(fmt::format("{}: found {} {}, expected {}: the log is another arena's", place, key,
                                line.at(key).dump(), value.dump()));
      }
      if (seen.insert(result.index).second) results_.push_back(result);
    } catch (const json::parse_error& error) {
      throw Error(fmt::format("{}: found no JSON (at its byte {}), expected a game of an arena: name another file",
                              place, error.byte));
    } catch (const json::exception& error) {
      throw Error(fmt::format("{}: found no game of an arena: {}", place, error.what()));
    }
  }
}

void ArenaLog::append(const ArenaResult& result) {
  const std::string line =
      to_json(plan_, games_[result.index], result).dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
  for (std::size_t written = 0; written < line.size();) {
    const ssize_t count = write(descriptor_, line.data() + written, line.size() - written);
    if (count < 0 && errno != EINTR) throw Error("--resume: " + path_ + ": " + std::strerror(errno));
    if (count > 0) written += static_cast<std::size_t>(count);
  }
}

}  // namespace forkmunk::referee
