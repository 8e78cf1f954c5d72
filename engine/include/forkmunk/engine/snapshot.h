#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>

namespace forkmunk::engine {

/// The bytes of a world at a tick, kept outside of it.
///
/// A flat world's is good for every flat world in a match of the same setup, in any thread or process. A Chipmunk
/// world's is good only for the world and the match that it was taken from. World::restore() refuses any other. Keep
/// snapshots and save into them again: a buffer that is large enough is reused, and saving then asks the system for
/// nothing.
class Snapshot {
 public:
  Snapshot() = default;

  /// Bytes held; 0 before the first save, and once it was moved from.
  [[nodiscard]] std::size_t size_bytes() const noexcept { return bytes_ == nullptr ? 0 : size_; }
  [[nodiscard]] bool empty() const noexcept { return size_bytes() == 0; }
  /// Whether it may leave this process: a flat world's may.
  [[nodiscard]] bool is_portable() const noexcept { return !empty() && portable_; }

  /// Writes it with a header that names format, version, layout and match. \throws Error if it is not portable, or if
  /// `out` fails.
  void write(std::ostream& out) const;
  /// Reads what write() wrote. \throws Error, saying what was found and what was expected, on anything else; on a
  /// layout of another version of this library; and on bytes that do not have the checksum they were written with.
  /// Whether they are a state that the match can step from is looked at by the first World::restore(), which refuses
  /// them otherwise: a file from a stranger does no harm.
  [[nodiscard]] static Snapshot read(std::istream& in);

 private:
  friend class WorldImplementation;

  // Gives memory back to where allocate() took it; a block that was just released comes back warm.
  struct Release {
    Release() noexcept : size_bytes(0) {}
    explicit Release(std::size_t size) noexcept : size_bytes(size) {}
    void operator()(std::byte* block) const noexcept;
    std::size_t size_bytes;
  };
  void allocate(std::size_t capacity);

  // Worlds of several threads may restore one snapshot: the first to look at its bytes says so to all.
  class Flag {
   public:
    Flag() = default;
    Flag(Flag&& other) noexcept : value_(other.get()) {}
    Flag& operator=(Flag&& other) noexcept {
      set(other.get());
      return *this;
    }
    [[nodiscard]] bool get() const noexcept { return value_.load(std::memory_order_relaxed); }
    void set(bool value) noexcept { value_.store(value, std::memory_order_relaxed); }

   private:
    std::atomic<bool> value_{true};
  };

  std::unique_ptr<std::byte, Release> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  bool portable_ = false;
  mutable Flag trusted_;
  std::uint64_t origin_ = 0;  // of Chipmunk the world, each fork of which has one of its own; of flat the layout
  std::uint64_t match_ = 0;   // of Chipmunk the match within the world; of flat the setup's key
};

}  // namespace forkmunk::engine
