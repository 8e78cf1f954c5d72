#pragma once

#include <cstddef>
#include <vector>

namespace forkmunk::search {

/// Saved states along plans, shared by the plans that have them in common. Snapshots are reused, the last released one
/// first, because it is likely to be in the CPU's caches; after the first ticks of a match no new ones are made.
template <typename Game>
class CheckpointPool {
 public:
  using World = typename Game::World;
  using State = typename Game::State;

  /// A saved state with shared ownership: it is kept as long as any copy of this exists.
  class Ref {
   public:
    Ref() = default;
    Ref(const Ref& other) noexcept : pool_(other.pool_), index_(other.index_) {
      if (pool_ != nullptr) ++pool_->uses_[index_];
    }
    Ref& operator=(const Ref& other) noexcept {
      if (this == &other) return *this;
      if (other.pool_ != nullptr) ++other.pool_->uses_[other.index_];
      release();
      pool_ = other.pool_;
      index_ = other.index_;
      return *this;
    }
    ~Ref() { release(); }

    [[nodiscard]] State& snapshot() const noexcept { return pool_->snapshots_[index_]; }
    void release() noexcept {
      if (pool_ != nullptr && --pool_->uses_[index_] == 0) pool_->free_.push_back(index_);
      pool_ = nullptr;
    }

   private:
    friend class CheckpointPool;
    Ref(CheckpointPool& pool, std::size_t index) noexcept : pool_(&pool), index_(index) { ++pool.uses_[index]; }
    CheckpointPool* pool_ = nullptr;
    std::size_t index_ = 0;
  };

  CheckpointPool() = default;
  CheckpointPool(const CheckpointPool&) = delete;
  CheckpointPool& operator=(const CheckpointPool&) = delete;

  /// Makes `count` snapshots for states of `world`'s match in advance.
  void reserve(const World& world, std::size_t count) {
    std::vector<Ref> taken;
    while (taken.size() < count) {
      taken.push_back(take());
      Game::save(world, taken.back().snapshot());
    }
  }

  [[nodiscard]] bool empty() const noexcept { return snapshots_.empty(); }

  /// An unused snapshot, with old contents.
  [[nodiscard]] Ref take() {
    if (free_.empty()) {
      free_.reserve(snapshots_.size() + 1);
      free_.push_back(snapshots_.size());
      snapshots_.emplace_back();
      uses_.push_back(0);
    }
    const std::size_t index = free_.back();
    free_.pop_back();
    return Ref(*this, index);
  }

 private:
  friend class Ref;
  std::vector<State> snapshots_;
  std::vector<int> uses_;
  std::vector<std::size_t> free_;
};

}  // namespace forkmunk::search
