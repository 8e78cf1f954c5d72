#pragma once

#include <forkmunk/engine/command.h>
#include <forkmunk/base/random.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace forkmunk::search {

/// One side's tree of bandits over its next actions: which action to try at a node is the bandit's choice, by
/// UCB1-tuned (Auer, Cesa-Bianchi, Fischer 2002): mean + sqrt(ln N / n * min(1/4, variance + sqrt(2 ln N / n))) of
/// rewards from 0 to 1.
///
/// Edges are what both sides did (decoupled UCT) or what this side did alone (Smitsimax). A walk goes down from the
/// root and adds one node at most; beyond the tree actions are random, each the last one again with chance 1/2 and a
/// third more. Asks the system for memory when it is made only.
class BanditTree {
 public:
  enum class Edges : std::uint8_t { joint, own };
  static constexpr std::size_t kNodesMax = 2048;
  static constexpr std::size_t kDepthMax = 128;

  explicit BanditTree(Edges edges);

  /// Forgets everything.
  void clear() noexcept;
  /// What was learnt counts for `factor` of what it did.
  void fade(double factor) noexcept;
  /// The root is where these actions led; the rest of the tree is forgotten.
  void move_root(engine::Command own, engine::Command other) noexcept;

  /// Back to the root, to choose.
  void begin_walk() noexcept;
  [[nodiscard]] engine::Command choose(Random& random) noexcept;
  /// What was learnt to be best here: tried most often. \param otherwise  beyond the tree.
  [[nodiscard]] engine::Command best(engine::Command otherwise) const noexcept;
  void descend(engine::Command own, engine::Command other) noexcept;
  /// All that was chosen on this walk led to that. \param reward  0 to 1.
  void learn(double reward) noexcept;

  /// How much an action counts at the root: the number of walks that chose it, faded.
  [[nodiscard]] double visits(engine::Command command) const noexcept {
    return nodes_[0].visits[static_cast<std::size_t>(command)];
  }
  [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }

 private:
  static constexpr std::uint16_t kNone = 0;  // the root is nobody's child
  struct Node {
    std::array<double, 3> visits{}, sum{}, squares{};  // by command
    std::array<std::uint16_t, 9> children{};
  };
  struct Choice {
    std::uint16_t node;
    std::uint8_t command;
  };

  [[nodiscard]] std::size_t edge(engine::Command own, engine::Command other) const noexcept {
    return edges_ == Edges::own ? static_cast<std::size_t>(own)
                                : 3 * static_cast<std::size_t>(own) + static_cast<std::size_t>(other);
  }

  Edges edges_;
  std::vector<Node> nodes_, moved_;
  // Of the walk:
  std::uint16_t node_ = 0;
  bool beyond_ = false;  // the tree
  bool grown_ = false;
  engine::Command last_ = engine::Command::stop;
  std::array<Choice, kDepthMax> choices_{};
  std::size_t choice_count_ = 0;
};

}  // namespace forkmunk::search
