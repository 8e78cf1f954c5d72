#pragma once

#include <forkmunk/space/space.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <chipmunk/chipmunk.h>

namespace forkmunk {
class ThreadPool;
}

namespace forkmunk::space {

struct Rollout;
struct RolloutOptions;

/// A quantity of a body or a motor that a Batch reads and writes: in Chipmunk's units, by Chipmunk's functions, so a
/// write wakes a sleeping body.
enum class Field : std::uint8_t {
  position,          ///< Body: x, y of its origin.
  angle,             ///< Body: radians.
  velocity,          ///< Body: x, y of its centre of gravity's.
  angular_velocity,  ///< Body: radians per second.
  force,             ///< Body: x, y; the next step clears it.
  torque,            ///< Body; the next step clears it.
  motor_rate,        ///< cpSimpleMotor: radians per second.
};
/// Doubles of a field: 2 for vectors, else 1.
[[nodiscard]] constexpr std::size_t width_of(Field field) noexcept {
  return field == Field::position || field == Field::velocity || field == Field::force ? 2 : 1;
}

/// N copies of a Space that are stepped together, on a pool of threads.
///
/// For the same calls a world has the same states, bit for bit, as a single Space, whatever the other worlds and the
/// number of threads are. A step allocates nothing, once the scene and the threads' scratch memory have grown to what
/// it needs.
///
/// Objects are named by their addresses in the origin, the Space that the batch was made of; a world keeps its twins at
/// the same offsets. The origin need not live on. An object that a world does not have, because it was removed there or
/// a state without it was restored, is an Error; so is one that the origin got after the batch was made. Chipmunk's
/// objects carry no identity: where a world freed an object and its memory holds a new one of the same kind, the new
/// one is taken for it, unless the user data of the old one was an uncounted() handle and the new one has another.
///
/// Callbacks run on the pool's threads, those of different worlds at the same time: what they touch outside of their
/// world must be safe for that.
///
/// Errors: a call that is refused (a wrong size, an unknown object, a mask of another size, a number that is not
/// finite) changes nothing. A failure in a world, such as memory that it outgrew, a body that left the finite numbers
/// or what a callback threw, does not stop the other worlds; afterwards that of the first such world is thrown, with
/// the world's index if it is an Error.
///
/// Once it was moved from, a Batch has no worlds and no threads, and all else throws Error.
///
/// Thread rule: a Batch belongs to one thread at a time; it has threads of its own.
class Batch {
 public:
  /// `count` forks of `origin`. \param threads  that work, including the calling one; 0: one for each core.
  /// \throws Error for a count of 0 or above 1,048,576, for more than 65,536 threads, and as Space::fork() does;
  /// std::bad_alloc.
  Batch(const Space& origin, std::size_t count, std::size_t threads = 1);
  ~Batch();
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;

  [[nodiscard]] std::size_t size() const noexcept { return worlds_.size(); }
  [[nodiscard]] std::size_t thread_count() const noexcept;
  /// World `index`, to be used between the batch's calls like any Space, but for compact(): it moves the objects, which
  /// the batch then finds no more, or takes others for them. \throws Error if there is none.
  [[nodiscard]] Space& world(std::size_t index);
  [[nodiscard]] const Space& world(std::size_t index) const;
  /// What a body, shape, joint or other object of the origin is in world `index`: Space::twin_of(), also once the
  /// origin is gone. \throws Error if `object` is not in the origin's memory.
  template <typename T>
  [[nodiscard]] T* twin_of(std::size_t index, T* object) const {
    return static_cast<T*>(const_cast<void*>(twin_address(index, object)));
  }

  /// `count` steps of `dt` seconds in every world.
  void step(double dt, std::size_t count = 1);

  /// A field of `bodies`, or of motors, in all worlds: size() x bodies.size() x width_of(field) numbers.
  void read(Field field, std::span<cpBody* const> bodies, std::span<double> out) const;
  void read(Field field, std::span<cpConstraint* const> motors, std::span<double> out) const;
  /// Sets it, from numbers in the same order.
  void write(Field field, std::span<cpBody* const> bodies, std::span<const double> values);
  void write(Field field, std::span<cpConstraint* const> motors, std::span<const double> values);

  /// Restores `snapshot`, of any Space, in all worlds with a mask other than 0 (size() masks; none: all).
  void restore(const Snapshot& snapshot, std::span<const std::uint8_t> mask = {});
  /// Makes all worlds with a mask other than 0 (none: all) copies of world `from`.
  void fork(std::size_t from, std::span<const std::uint8_t> mask = {});

  /// Space::hash() of every world: size() numbers.
  void hashes(std::span<std::uint64_t> out) const;

  /// Plays plans from one state, each in a world of its own: rollout.h. The batch's worlds do not change.
  void rollout(const Snapshot& from, const RolloutOptions& options, Rollout& result);

 private:
  friend class RolloutRun;
  struct Objects;  // which objects the origin has
  [[nodiscard]] const void* twin_address(std::size_t index, const void* object) const;
  template <typename Object>
  void check(const char* function, Field field, std::span<Object* const> objects, std::size_t number_count) const;
  void require_rest(const char* function) const;
  void check_mask(const char* function, std::span<const std::uint8_t> mask) const;
  void run(const char* function, std::span<const std::uint8_t> mask,
           const std::function<void(std::size_t index)>& work) const;

  std::unique_ptr<ThreadPool> pool_;
  std::unique_ptr<Objects> objects_;
  std::vector<Space> worlds_;
  mutable std::vector<std::exception_ptr> problems_;  // by world, while run() is at work
  mutable bool running_ = false;
  Snapshot moved_;                // fork()'s buffer
  std::vector<Space> scratch_;    // by thread, for rollouts
  std::vector<Snapshot> starts_;  // by thread: where its rollouts start
};

}  // namespace forkmunk::space
