// SPDX-License-Identifier: MIT
#include <forkmunk/referee/ranks.h>
#include <forkmunk/referee/workers.h>

#include <exception>
#include <new>

#include <fmt/format.h>

namespace forkmunk::referee {
namespace {

// Requests. A result follows kDone, an error follows kFailed.
constexpr char kReady = 'r', kDone = 'd', kFailed = 'f', kLeaving = 'l';
// Replies. A piece follows kPiece.
constexpr char kPiece = 'p', kOver = 'o';

char kind_of(const std::string& text) { return text.empty() ? '\0' : text.front(); }

}  // namespace

void Ranks::give(const RankLink::Question& question, const Next& next, bool stopped) {
  if (stopped) {
    link_.answer(question, {kOver});
  } else if (const std::optional<std::string> text = next()) {
    busy_.insert({question.rank, question.slot});
    link_.answer(question, kPiece + *text);
  } else {
    waiting_.push_back(question);
  }
}

void Ranks::hear(const RankLink::Question& question, const Take& take, std::string& failure) {
  const char kind = kind_of(question.text);
  busy_.erase({question.rank, question.slot});
  if (kind == kDone) {  // results are kept after a failure too
    try {
      take(question.text.substr(1));
    } catch (const std::exception& error) {
      if (failure.empty()) failure = error.what();
    }
  }
  if (kind == kFailed && failure.empty()) failure = fmt::format("rank {}: {}", question.rank, question.text.substr(1));
  if (kind == kLeaving) ++gone_;
}

void Ranks::serve(const Next& next, const Take& take, std::atomic<bool>& stop) {
  std::string failure;
  for (const RankLink::Question& question : std::exchange(waiting_, {})) give(question, next, stop);
  while (true) {
    // A waiting request means that all pieces are distributed.
    if (busy_.empty() && (stop || !waiting_.empty() || gone_ + 1 >= link_.count())) break;
    const std::optional<RankLink::Question> question = link_.next_question();
    if (!question) continue;
    hear(*question, take, failure);
    if (!failure.empty()) stop = true;
    const char kind = kind_of(question->text);
    give(*question, next, stop || kind == kFailed || kind == kLeaving);
  }
  if (!failure.empty()) throw Error(failure);
}

void Ranks::follow(std::size_t thread_count, const Work& work) {
  std::atomic<std::size_t> next_slot{0};
  run_workers(thread_count, [&](const std::atomic<bool>&) {
    const std::size_t slot = next_slot++;
    std::string question{kReady};
    while (true) {
      const std::string answer = link_.ask(slot, question);
      if (kind_of(answer) != kPiece) return;
      try {
        question = kDone + work(answer.substr(1));
      } catch (const std::bad_alloc&) {
        question = std::string{kFailed} + "out of memory";
      } catch (const std::exception& error) {
        question = std::string{kFailed} + error.what();
      }
    }
  });
}

void Ranks::fail(const std::string& why) { link_.ask(0, kFailed + why); }

void Ranks::end() {
  if (!lead()) {
    link_.ask(0, {kLeaving});
    return;
  }
  for (const RankLink::Question& question : std::exchange(waiting_, {})) link_.answer(question, {kOver});
  while (gone_ + 1 < link_.count()) {
    const std::optional<RankLink::Question> question = link_.next_question();
    if (!question) continue;
    if (kind_of(question->text) == kLeaving) ++gone_;
    link_.answer(*question, {kOver});
  }
}

}  // namespace forkmunk::referee
