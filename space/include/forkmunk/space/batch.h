// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/chipmunk/precision.h>
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

namespace forkmunk::FORKMUNK_SPACE {

struct Rollout;
struct RolloutOptions;

/// A quantity of a body or a motor, in Chipmunk's units. Writing wakes a sleeping body.
enum class Field : std::uint8_t {
  position,          ///< x, y of the origin.
  angle,             ///< In radians.
  velocity,          ///< x, y of the centre of gravity's velocity.
  angular_velocity,  ///< In radians per second.
  force,             ///< x, y. The next step clears the force.
  torque,            ///< The next step clears the torque.
  motor_rate,        ///< The rate of a cpSimpleMotor, in radians per second.
  motor_max_force,   ///< The largest torque of a cpSimpleMotor, 0 or more.
};
[[nodiscard]] constexpr std::size_t width_of(Field field) noexcept {
  return field == Field::position || field == Field::velocity || field == Field::force ? 2 : 1;
}

/// Copies of a Space that are stepped together, on a pool of threads.
///
/// With the same calls, a world has the same states, bit for bit, as a single Space. A step allocates nothing, once the
/// scene and the scratch memory have grown.
///
/// Calls name an object by its address in the origin, the Space that the batch was made of, which may be destroyed. A
/// call refuses an object that a world, or the origin when the batch was made, does not have. If a world frees an
/// object and another object of the same kind gets its memory, the batch cannot tell the two apart, unless the user
/// data of both were different uncounted() handles.
///
/// Callbacks run on the threads of the pool, those of different worlds at the same time. They may use memory outside of
/// their world only if that is safe.
///
/// A call that refuses an unknown object, a wrong size or a number that is not finite throws Error and changes nothing.
/// A failing world (outgrown memory, a body with non-finite numbers, an exception of a callback) does not stop the
/// others; the call then throws the error of the first failing world. An Error has the index of the world. A Batch that
/// was moved from has no worlds and no threads, and every other call throws Error.
///
/// Thread: one at a time.
class Batch {
 public:
  /// Makes `count` forks of `origin`. \param threads  includes the calling thread; 0 means one for each core. \throws
  /// Error for a count of 0 or above 1,048,576, for more than 65,536 threads, and as Space::fork() does;
  /// std::bad_alloc.
  Batch(const Space& origin, std::size_t count, std::size_t threads = 1);
  ~Batch();
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;

  [[nodiscard]] std::size_t size() const noexcept { return worlds_.size(); }
  [[nodiscard]] std::size_t thread_count() const noexcept;
  /// Returns a world, which can be used like any Space between calls of the batch, except compact(), because the batch
  /// finds objects by address. \throws Error for an index out of range.
  [[nodiscard]] Space& world(std::size_t index);
  [[nodiscard]] const Space& world(std::size_t index) const;
  /// Returns the object of world `index` that corresponds to `object` of the origin. \throws Error if `object` was not
  /// in the origin.
  template <typename T>
  [[nodiscard]] T* twin_of(std::size_t index, T* object) const {
    return static_cast<T*>(const_cast<void*>(twin_address(index, object)));
  }

  void step(double dt, std::size_t count = 1);

  /// Reads a field in all worlds into `out`: size() x bodies.size() x width_of(field) numbers.
  void read(Field field, std::span<cpBody* const> bodies, std::span<double> out) const;
  void read(Field field, std::span<cpConstraint* const> motors, std::span<double> out) const;
  /// Writes numbers in the same order.
  void write(Field field, std::span<cpBody* const> bodies, std::span<const double> values);
  void write(Field field, std::span<cpConstraint* const> motors, std::span<const double> values);

  /// Restores `snapshot`, of any Space, in all worlds whose mask (size() elements) is not 0; an empty mask selects all.
  void restore(const Snapshot& snapshot, std::span<const std::uint8_t> mask = {});
  /// Restores `*snapshots[i]`, of any Space, in world `worlds[i]`. \throws Error, with nothing changed, for spans of
  /// different sizes, an empty snapshot, and a world that does not exist or is named twice.
  void restore(std::span<const Snapshot* const> snapshots, std::span<const std::size_t> worlds);
  /// Makes worlds copies of world `from`, by a mask as in restore().
  void fork(std::size_t from, std::span<const std::uint8_t> mask = {});

  /// Writes Space::hash() of every world to `out`, of size() elements.
  void hashes(std::span<std::uint64_t> out) const;

  /// Plays plans from a state (rollout.h), each in a world of its own. The batch's worlds do not change.
  void rollout(const Snapshot& from, const RolloutOptions& options, Rollout& result);

 private:
  friend class RolloutRun;
  struct Objects;  // the objects that the origin has
  [[nodiscard]] const void* twin_address(std::size_t index, const void* object) const;
  template <typename Object>
  void check(const char* function, Field field, std::span<Object* const> objects, std::size_t number_count) const;
  void require_rest(const char* function) const;
  void check_mask(const char* function, std::span<const std::uint8_t> mask) const;
  void run(const char* function, std::span<const std::uint8_t> mask,
           const std::function<void(std::size_t index)>& work) const;
  void run_ranges(const char* function, std::size_t grain,
                  const std::function<void(std::size_t begin, std::size_t end)>& work) const;
  [[nodiscard]] std::size_t together_max(std::size_t count) const;

  std::unique_ptr<ThreadPool> pool_;
  std::unique_ptr<Objects> objects_;
  std::vector<Space> worlds_;
  mutable std::vector<std::exception_ptr> problems_;  // by world, while run() is at work
  mutable bool running_ = false;
  Snapshot moved_;                // of fork()
  std::vector<Space> scratch_;    // for rollouts, together_max() for each thread
  std::vector<Snapshot> starts_;  // their first states
};

}  // namespace forkmunk::FORKMUNK_SPACE
