#pragma once

#include <forkmunk/engine/snapshot.h>
#include <forkmunk/engine/world.h>

#include <cstddef>
#include <vector>

namespace forkmunk::search {

/// Saved states along plans, shared by the plans that go through them. Snapshots are used again, the latest given back
/// first, so that what is written is likely to be in the cache; after the first ticks of a match none is made.
class CheckpointPool {
 public:
  /// A state that is kept as long as any copy of this is.
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

    [[nodiscard]] engine::Snapshot& snapshot() const noexcept { return pool_->snapshots_[index_]; }
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

  /// Makes snapshots for states of `world`'s match until there are `count`, so that none is made later on.
  void reserve(const engine::World& world, std::size_t count) {
    std::vector<Ref> taken;
    while (taken.size() < count) {
      taken.push_back(take());
      world.save(taken.back().snapshot());
    }
  }

  /// A snapshot that nobody uses, with old contents.
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
  std::vector<engine::Snapshot> snapshots_;
  std::vector<int> uses_;
  std::vector<std::size_t> free_;
};

}  // namespace forkmunk::search
