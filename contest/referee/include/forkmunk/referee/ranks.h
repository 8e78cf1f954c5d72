// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/error.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// Processes (ranks) of one job, on one or more machines, that share the games of a tournament.
///
/// Rank 0, the leader, owns the files, prints, and distributes pieces of work. Each thread of the followers requests a
/// piece, and returns the result with the next request.
namespace forkmunk::referee {

class RankLink {
 public:
  virtual ~RankLink() = default;
  [[nodiscard]] virtual std::size_t rank() const noexcept = 0;
  [[nodiscard]] virtual std::size_t count() const noexcept = 0;

  /// Sends a request from a follower to the leader, and waits for the reply. Thread: any, each with its own `slot`.
  virtual std::string ask(std::size_t slot, const std::string& text) = 0;

  struct Question {
    std::size_t rank = 0;
    std::size_t slot = 0;
    std::string text;
  };
  /// Returns the next request on the leader; waits about a millisecond for one. Thread: one at a time.
  virtual std::optional<Question> next_question() = 0;
  virtual void answer(const Question& question, const std::string& text) = 0;
};

class Ranks {
 public:
  explicit Ranks(RankLink& link) : link_(link) {}
  [[nodiscard]] bool lead() const noexcept { return link_.rank() == 0; }

  /// Distributes pieces on the leader until `next` has no more and all are done. After `stop` it only waits for
  /// distributed pieces. May be called again, with other work. \param next  is called by this thread only. \throws
  /// Error if a follower failed, after setting `stop`.
  using Next = std::function<std::optional<std::string>()>;
  using Take = std::function<void(const std::string& result)>;
  void serve(const Next& next, const Take& take, std::atomic<bool>& stop);

  /// Does pieces on a follower until the leader has no more. Sends exceptions of `work` to the leader.
  using Work = std::function<std::string(const std::string& piece)>;
  void follow(std::size_t thread_count, const Work& work);

  void fail(const std::string& why);

  /// Ends the job, as the last call of all ranks. The leader waits until all followers have left.
  void end();

 private:
  void give(const RankLink::Question& question, const Next& next, bool stopped);
  void hear(const RankLink::Question& question, const Take& take, std::string& failure);

  RankLink& link_;
  std::set<std::pair<std::size_t, std::size_t>> busy_;  // ranks and slots with a piece
  std::vector<RankLink::Question> waiting_;             // requests without a reply until the next call of serve()
  std::size_t gone_ = 0;
};

}  // namespace forkmunk::referee
