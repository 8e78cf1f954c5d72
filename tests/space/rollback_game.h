// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/error.h>
#include <forkmunk/base/hasher.h>
#include <forkmunk/base/random.h>
#include <forkmunk/space/rollback_session.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace forkmunk::space {

/// Returns how many of so many random games to play: fewer where sanitizers make them slow.
constexpr int random_games(int count) {
#ifdef FORKMUNK_SANITIZED
  count /= 6;
#endif
  return count;
}

/// The number depends on all inputs.
class NumberGame : public RollbackGame {
 public:
  explicit NumberGame(std::size_t padding = 0) : padding_(padding) {}
  void save(int slot) override { slots_[slot] = number; }
  void restore(int slot) override {
    if (before_restore) before_restore();
    number = slots_.at(slot);
  }
  void advance(const FrameInputs& inputs, int frame) override {
    if (before) before(frame);
    Hasher hasher;
    hasher.add(number);
    applied.clear();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      hasher.add_bytes(std::as_bytes(std::span(inputs[i])));
      hasher.add(inputs.is_present(i) ? 1 : 0);
      applied.emplace_back(inputs[i]);
    }
    number = hasher.value();
    hashes[frame] = number;
    inputs_at[frame] = applied;
    ++advances;
    if (after) after(frame);
  }
  std::uint64_t hash() override {
    if (cannot_hash) throw Error("this state has no hash");
    return number;
  }
  std::vector<std::byte> write(int slot) override {
    ++writes;
    if (cannot_write) throw Error("this state cannot travel");
    std::vector<std::byte> bytes(sizeof number + padding_);
    Random random(7);
    for (std::byte& each : bytes) each = static_cast<std::byte>(random.next() & 0xff);
    std::memcpy(bytes.data(), &slots_.at(slot), sizeof number);
    return bytes;
  }
  void read(int slot, std::span<const std::byte> bytes) override {
    if (bytes.size() != sizeof number + padding_) throw Error("not a state");
    std::memcpy(&slots_[slot], bytes.data(), sizeof number);
  }
  std::string differences(int one, int other) override {
    return "number: " + std::to_string(slots_.at(one)) + ", " + std::to_string(slots_.at(other));
  }

  std::uint64_t number = 1;
  std::map<int, std::uint64_t> hashes;  // by frame, from its last simulation
  std::map<int, std::vector<std::string>> inputs_at;
  std::vector<std::string> applied;
  std::function<void(int)> before, after;
  std::function<void()> before_restore;
  int advances = 0, writes = 0;
  bool cannot_write = false, cannot_hash = false;

 private:
  std::size_t padding_;
  std::map<int, std::uint64_t> slots_;
};

struct LineSettings {
  int delay = 0, jitter = 0;  // ticks
  double loss = 0, doubled = 0;
};

/// Lines between programs that delay, lose, double and reorder messages.
class Network {
 public:
  struct Program {
    std::unique_ptr<NumberGame> game;
    std::unique_ptr<RollbackSession> session;
    std::vector<Notice> notices;
    std::function<void(const Notice&)> react;
    std::string input;
    bool is_running = true;
    bool is_silent = false;
    std::size_t memory_bytes = 0;
  };

  explicit Network(LineSettings line = {}, std::uint64_t seed = 1) : line_(line), random_(seed) {}

  Program& add(RollbackOptions options, std::size_t state_padding = 0) {
    programs.push_back(std::make_unique<Program>());
    Program& program = *programs.back();
    const std::size_t index = programs.size() - 1;
    program.game = std::make_unique<NumberGame>(state_padding);
    program.session = std::make_unique<RollbackSession>(
        *program.game, options,
        [this, index](std::span<const std::byte> message, std::uint32_t) { send(index, message); },
        [&program](const Notice& notice) {
          program.notices.push_back(notice);
          if (notice.kind == Notice::Kind::loaded) program.game->hashes.clear();
          if (program.react) program.react(notice);
        });
    return program;
  }

  void tick() {
    ++now;
    for (std::size_t i = 0; i < programs.size(); ++i) {
      Program& program = *programs[i];
      if (!program.is_running) continue;
      deliver(i);
      if (choose) program.input = choose(i);
      program.session->tick(program.input);
      program.memory_bytes = std::max(program.memory_bytes, program.session->memory_bytes());
    }
  }
  void run(int ticks) {
    for (int i = 0; i < ticks; ++i) tick();
  }
  void deliver(std::size_t to) {
    std::erase_if(queue_, [&](const Sent& sent) {
      if (sent.to != to || sent.at > now) return false;
      if (programs[to]->is_running) due_.push_back(sent.bytes);
      return true;
    });
    for (const std::vector<std::byte>& bytes : std::exchange(due_, {})) programs[to]->session->receive(bytes);
  }
  double uniform() { return static_cast<double>(random_.next() >> 11) * 0x1p-53; }

  /// Returns the first confirmed frame before `end` whose states differ, or -1.
  int first_disagreement(int end) const {
    for (int frame = 0; frame < end; ++frame) {
      const std::uint64_t* expected = nullptr;
      for (const auto& program : programs) {
        if (!program->is_running) continue;
        const auto found = program->game->hashes.find(frame);
        if (found == program->game->hashes.end() || frame >= program->session->confirmed_frame()) continue;
        if (expected != nullptr && *expected != found->second) return frame;
        expected = &found->second;
      }
    }
    return -1;
  }

  std::vector<std::unique_ptr<Program>> programs;
  std::function<std::string(std::size_t)> choose;
  std::function<bool(std::size_t, std::size_t, std::vector<std::byte>&)> change;  // false loses the message
  int now = 0;

 private:
  struct Sent {
    std::size_t to;
    int at;
    std::vector<std::byte> bytes;
  };
  void send(std::size_t from, std::span<const std::byte> message) {
    if (programs[from]->is_silent) return;
    for (std::size_t to = 0; to < programs.size(); ++to) {
      if (to == from || uniform() < line_.loss) continue;
      std::vector<std::byte> bytes(message.begin(), message.end());
      if (change && !change(from, to, bytes)) continue;
      for (int copies = uniform() < line_.doubled ? 2 : 1; copies > 0; --copies) {
        queue_.push_back({to, now + 1 + line_.delay + static_cast<int>(uniform() * (line_.jitter + 1)), bytes});
      }
    }
  }
  LineSettings line_;
  Random random_;
  std::vector<Sent> queue_;
  std::vector<std::vector<std::byte>> due_;
};

inline std::string notices_of(const Network::Program& program) {
  constexpr const char* kNames[] = {"predicted",       "undone",     "confirmed", "joined", "left",    "desync",
                                    "settings_differ", "seat_taken", "refused",   "loaded", "dropped", "bad_message"};
  std::string text;
  for (const Notice& each : program.notices) {
    text += std::string(kNames[static_cast<int>(each.kind)]) + " player " + std::to_string(each.player) + " frame " +
            std::to_string(each.frame) + ' ' + each.text + '\n';
  }
  return text;
}

inline int count_notices(const Network::Program& program, Notice::Kind kind) {
  return static_cast<int>(std::count_if(program.notices.begin(), program.notices.end(),
                                        [&](const Notice& each) { return each.kind == kind; }));
}

}  // namespace forkmunk::space
