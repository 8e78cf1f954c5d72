#include "bandit_tree.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace forkmunk::search {

using engine::Command;

namespace {

// ln x within 1e-3, the same bits everywhere: ln(m 2^e) = e ln 2 + 2 artanh((m - 1) / (m + 1)).
double log_near(double x) noexcept {
  int exponent = 0;
  const double m = std::frexp(x, &exponent);  // 1/2 to 1
  const double t = (m - 1) / (m + 1);
  const double t2 = t * t;
  return exponent * std::numbers::ln2 + 2 * t * (1 + t2 * (1.0 / 3 + t2 * (1.0 / 5 + t2 / 7)));
}

}  // namespace

BanditTree::BanditTree(Edges edges) : edges_(edges) {
  nodes_.reserve(kNodesMax);
  moved_.reserve(kNodesMax);
  clear();
}

void BanditTree::clear() noexcept {
  nodes_.clear();
  nodes_.emplace_back();
  begin_walk();
}

void BanditTree::fade(double factor) noexcept {
  for (Node& node : nodes_) {
    for (std::size_t i = 0; i < 3; ++i) {
      node.visits[i] *= factor;
      node.sum[i] *= factor;
      node.squares[i] *= factor;
    }
  }
}

void BanditTree::move_root(Command own, Command other) noexcept {
  const std::uint16_t root = nodes_[0].children[edge(own, other)];
  if (root == kNone) return clear();
  // Level by level: what is moved refers to the old places until its turn comes.
  moved_.clear();
  moved_.push_back(nodes_[root]);
  for (std::size_t i = 0; i < moved_.size(); ++i) {
    for (std::uint16_t& child : moved_[i].children) {
      if (child == kNone) continue;
      moved_.push_back(nodes_[child]);
      child = static_cast<std::uint16_t>(moved_.size() - 1);
    }
  }
  std::swap(nodes_, moved_);
  begin_walk();
}

void BanditTree::begin_walk() noexcept {
  node_ = 0;
  beyond_ = grown_ = false;
  last_ = Command::stop;
  choice_count_ = 0;
}

Command BanditTree::choose(Random& random) noexcept {
  if (beyond_) return last_ = random.below(2) == 0 ? last_ : random.pick(engine::kCommands);
  const Node& node = nodes_[node_];
  std::size_t chosen = random.below(3);  // where the search for the best begins: it wins a tie
  double total = 0;
  for (const double visits : node.visits) total += visits;
  double highest = -1;
  for (std::size_t i = 0, first = chosen; i < 3; ++i) {
    const std::size_t command = (first + i) % 3;
    const double n = node.visits[command];
    double bound = 1e300;  // what was hardly tried is tried first
    if (n > 1e-3) {
      const double mean = node.sum[command] / n;
      const double log_part = std::max(log_near(total), 0.0) / n;
      const double variance = std::max(node.squares[command] / n - mean * mean, 0.0) + std::sqrt(2 * log_part);
      bound = mean + std::sqrt(log_part * std::min(0.25, variance));
    }
    if (bound > highest) {
      highest = bound;
      chosen = command;
    }
  }
  choices_[choice_count_++] = {node_, static_cast<std::uint8_t>(chosen)};
  return last_ = engine::kCommands[chosen];
}

Command BanditTree::best(Command otherwise) const noexcept {
  if (beyond_) return otherwise;
  const Node& node = nodes_[node_];
  const auto most = std::max_element(node.visits.begin(), node.visits.end());
  return *most > 0 ? engine::kCommands[static_cast<std::size_t>(most - node.visits.begin())] : otherwise;
}

void BanditTree::descend(Command own, Command other) noexcept {
  if (beyond_) return;
  std::uint16_t next = nodes_[node_].children[edge(own, other)];
  if (next == kNone) {
    beyond_ = grown_ || nodes_.size() == kNodesMax;
    if (beyond_) return;
    grown_ = true;
    next = static_cast<std::uint16_t>(nodes_.size());
    nodes_.emplace_back();
    nodes_[node_].children[edge(own, other)] = next;
  }
  node_ = next;
}

void BanditTree::learn(double reward) noexcept {
  for (std::size_t i = 0; i < choice_count_; ++i) {
    Node& node = nodes_[choices_[i].node];
    node.visits[choices_[i].command] += 1;
    node.sum[choices_[i].command] += reward;
    node.squares[choices_[i].command] += reward * reward;
  }
}

}  // namespace forkmunk::search
