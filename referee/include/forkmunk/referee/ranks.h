#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// Processes of one job, on one machine or many, that share the games of one arena, or of self-play.
///
/// Rank 0, the leader, has the files, prints, and hands out pieces of work; the others follow: each of their threads
/// asks for a piece, does it, and asks again, with the result. Questions and answers are text.
namespace forkmunk::referee {

/// How ranks reach one another.
class RankLink {
 public:
  virtual ~RankLink() = default;
  [[nodiscard]] virtual std::size_t rank() const noexcept = 0;
  [[nodiscard]] virtual std::size_t count() const noexcept = 0;

  /// A follower's: asks the leader and waits for its answer. Any number of threads at once, each with its own `slot`.
  virtual std::string ask(std::size_t slot, const std::string& text) = 0;

  struct Question {
    std::size_t rank = 0;
    std::size_t slot = 0;
    std::string text;
  };
  /// The leader's: a question that has come; waits about a millisecond for one. One thread at a time.
  virtual std::optional<Question> next_question() = 0;
  virtual void answer(const Question& question, const std::string& text) = 0;
};

class Ranks {
 public:
  explicit Ranks(RankLink& link) : link_(link) {}
  [[nodiscard]] bool lead() const noexcept { return link_.rank() == 0; }

  /// The leader's: gives pieces to the followers until `next` has none and all that were given are done, or until
  /// `stop`: then it only waits for those. May be called again, with other work. \param next  called by this thread
  /// only.   \param take  gets a piece's result.   \throws Error if a follower failed, having set `stop`.
  using Next = std::function<std::optional<std::string>()>;
  using Take = std::function<void(const std::string& result)>;
  void serve(const Next& next, const Take& take, std::atomic<bool>& stop);

  /// A follower's: does pieces on so many threads until the leader has none. What `work` throws reaches the leader.
  using Work = std::function<std::string(const std::string& piece)>;
  void follow(std::size_t thread_count, const Work& work);

  /// A follower's: tells the leader that there is no going on.
  void fail(const std::string& why);

  /// To be called last, by all: the leader sends the followers home and waits until they have gone.
  void end();

 private:
  void give(const RankLink::Question& question, const Next& next, bool stopped);
  void hear(const RankLink::Question& question, const Take& take, std::string& failure);

  RankLink& link_;
  std::set<std::pair<std::size_t, std::size_t>> busy_;  // ranks and slots that have a piece
  std::vector<RankLink::Question> waiting_;             // for the next call of serve()
  std::size_t gone_ = 0;
};

}  // namespace forkmunk::referee
