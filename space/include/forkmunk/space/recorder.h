// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/error.h>
#include <forkmunk/chipmunk/precision.h>
#include <forkmunk/space/space.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <iosfwd>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Records a Space while a program steps it: any step can be drawn, and is a Space again.
///
///   state      the Space after some number of recorded steps, from 0 on
///   keyframe   a Snapshot of a state, with all changes before the next step
///   segment    a keyframe and the steps after it, up to the next keyframe
///   edit       the program's change of a body or a motor between two steps, which a replay makes again
///   scene      what is drawn: bodies, shapes and joints, without the poses of moving bodies
namespace forkmunk::FORKMUNK_SPACE {

/// The bodies, shapes and joints of some steps. An id is an object's number in the order of creation; 0 is the Space's
/// own static body.
struct Scene {
  struct Body {
    std::uint32_t id;
    cpBodyType type;
    float x, y, angle_rad;  ///< The first pose; static bodies stay there.
  };
  struct Shape {
    std::uint32_t id;
    std::uint32_t body;  ///< Its index in `bodies`.
    std::uint32_t kind;  ///< 0 circle, 1 segment, 2 polygon.
    bool is_sensor;
    float radius;
    std::vector<float> points;  ///< x and y in the body's frame: the centre, the ends, or the corners.
  };
  struct Joint {
    std::uint32_t id;
    std::uint32_t a, b;              ///< Indices in `bodies`.
    std::uint32_t kind;              ///< The index in FORKMUNK_EACH_JOINT.
    float anchor_a[2], anchor_b[2];  ///< In the frames of the bodies; `anchor_a` of a groove is its first end.
  };
  std::vector<Body> bodies;  ///< First all that can move, then static ones, each by id.
  std::size_t moving_count = 0;
  std::vector<Shape> shapes;
  std::vector<Joint> joints;
};

struct RecordedStep {
  double dt;                                ///< Seconds; 0 for the first state.
  std::uint64_t checksum;                   ///< Covers position, velocity, force, angle and so on of moving bodies.
  std::uint32_t scene;                      ///< For Recording::scene().
  std::span<const std::uint32_t> edits;     ///< Just before the step.
  std::span<const float> poses;             ///< Shape (moving_count, 3): x, y and angle.
  std::span<const float> contacts;          ///< Shape (count, 4): the point, and the impulse on the second body.
  std::span<const std::uint32_t> sleeping;  ///< A bit for each body that moves.
};

struct RecordedEvent {
  enum class Kind : std::uint32_t { mark, number, text, input };
  std::uint64_t step;  ///< The state of the event.
  Kind kind;
  std::string name;
  double number = 0;
  std::string text;
};

struct Verdict {
  enum class Kind : std::uint8_t {
    exact,          ///< Every step has the recorded bits, and the last state the next keyframe's hash.
    differs,        ///< A step differs: something outside of the Space took part.
    not_replayable  ///< The keyframe could not be written or read.
  };
  std::uint64_t first, last;  ///< The segment: from its keyframe to the next, or to the end.
  Kind kind;
  std::uint64_t step = 0;  ///< The first state that differs.
  std::string reason;      ///< Empty if it is exact.
};

/// A change that is no edit: of objects or settings, or a restore().
struct Intervention {
  std::uint64_t step;  ///< The changed state.
  std::string what;
};

/// A replay for a program whose Space needs more than Space::step().
struct ReplayHost {
  Space& space;
  std::function<void(std::uint64_t keyframe)> restore;  ///< Restores Recording::keyframe().
  std::function<void(double dt)> step;                  ///< Steps `space`.
};

/// The steps of a Space. References to parts of a Recorder's recording are valid until the next step. Thread: one at a
/// time.
class Recording {
 public:
  Recording();
  Recording(Recording&&) noexcept;
  Recording& operator=(Recording&&) noexcept;
  ~Recording();

  /// All other functions need at least one state.
  [[nodiscard]] bool empty() const noexcept { return segments_.empty(); }
  /// Return the first state that is left, and the last one.
  [[nodiscard]] std::uint64_t first() const;
  [[nodiscard]] std::uint64_t last() const;
  /// Returns the bytes of states, keyframes and events.
  [[nodiscard]] std::size_t memory_bytes() const noexcept { return memory_bytes_; }

  /// Returns what was recorded of a state. Its contacts are valid until the next call of step() or write(). \throws
  /// Error for a state that is not in the recording. Cost: contacts are read from up to 16 states.
  [[nodiscard]] RecordedStep step(std::uint64_t state) const;
  [[nodiscard]] Scene scene(std::uint32_t number) const;
  /// Returns a scene in the words of the file format.
  [[nodiscard]] std::span<const std::uint32_t> scene_words(std::uint32_t number) const;
  [[nodiscard]] const std::deque<RecordedEvent>& events() const noexcept { return events_; }
  [[nodiscard]] const std::deque<Intervention>& interventions() const noexcept { return interventions_; }
  /// Return names, and colours (0xrrggbbaa), by id.
  [[nodiscard]] const std::map<std::uint32_t, std::string>& names() const noexcept { return names_; }
  [[nodiscard]] const std::map<std::uint32_t, std::uint32_t>& colors() const noexcept { return colors_; }
  [[nodiscard]] std::vector<std::uint64_t> keyframes() const;
  /// Returns the last keyframe up to a state. \throws Error if it cannot be read.
  [[nodiscard]] Snapshot keyframe(std::uint64_t state) const;
  /// Returns nothing for a state without a keyframe, or whose keyframe cannot be read.
  [[nodiscard]] std::optional<std::uint64_t> keyframe_hash(std::uint64_t state) const;

  /// Returns a Space in a state, just before the next step: the nearest keyframe, then steps, with callbacks and edits.
  /// verify() tells whether the result is exact. \throws Error for a state that is not in the recording, and where the
  /// keyframe cannot be read.
  [[nodiscard]] Space at(std::uint64_t state) const;
  /// Bring a Space into a state.
  void restore(Space& space, std::uint64_t state) const;
  void restore(const ReplayHost& host, std::uint64_t state) const;
  /// Replays the segment of a state and compares. Cost: its steps and a hash.
  [[nodiscard]] Verdict verify(std::uint64_t state) const;
  [[nodiscard]] Verdict verify(const ReplayHost& host, std::uint64_t state) const;
  [[nodiscard]] std::vector<Verdict> verify() const;

  /// Writes the recording (docs/reference/file_formats.md). A keyframe that cannot be written, for example because of a
  /// function without a name, is replaced by the reason. \throws Error if `out` fails.
  void write(std::ostream& out, bool with_contacts = true) const;
  /// Reads what write() wrote. Damage is detected, malice is not. \throws Error that names the damage.
  [[nodiscard]] static Recording read(std::istream& in);
  [[nodiscard]] std::vector<std::byte> to_bytes(bool with_contacts = true) const;
  [[nodiscard]] static Recording from_bytes(std::span<const std::byte> bytes);

  /// Return the id by which recordings name an object.
  [[nodiscard]] static std::uint32_t id_of(const cpBody* body);
  [[nodiscard]] static std::uint32_t id_of(const cpShape* shape);
  [[nodiscard]] static std::uint32_t id_of(const cpConstraint* joint);

 private:
  friend class Recorder;
  struct Block;
  struct Segment {
    std::uint64_t first = 0;
    std::span<const std::byte> whole;        // a state of an arena in `blocks`; or `image` or `problem`
    std::span<const std::uint32_t> changes;  // of pack_changes(), since `whole`; or empty
    std::size_t state_bytes = 0;
    const std::byte* arena_base = nullptr;
    std::size_t arena_capacity_bytes = 0;
    std::vector<std::byte> image;     // of a file
    const Segment* origin = nullptr;  // to whose image `image` is a difference; null: it is whole
    std::optional<std::uint64_t> hash;
    std::string problem;
    std::shared_ptr<const void> companion;
    std::vector<const std::uint32_t*> states;  // in `blocks`, from the keyframe's on
    std::vector<std::uint32_t> end_edits;      // before the next keyframe
    bool ends_in_intervention = false;
    std::vector<std::shared_ptr<Block>> blocks;
    std::size_t block_bytes = 0;  // without the block of `whole`
  };
  [[nodiscard]] std::uint32_t* allocate(Segment& segment, std::size_t words);
  /// Frees `bytes` of unused blocks. \return the unused bytes that are left.
  std::size_t free_unused(std::size_t bytes);
  [[nodiscard]] const Segment& segment_of(std::uint64_t state) const;
  [[nodiscard]] std::span<const float> contacts_of(const Segment& segment, std::size_t i) const;
  [[nodiscard]] static Snapshot key_of(const Segment& segment);
  [[nodiscard]] static std::uint64_t hash_of(const Segment& segment);
  [[nodiscard]] ReplayHost host_of(Space& space) const;
  /// Each replay replaces `space`.
  [[nodiscard]] ReplayHost host_of_new(Space& space) const;
  /// Takes the bytes of a recording. A call with 0 bytes ends the recording.
  using Sink = std::function<void(const void* data, std::size_t bytes)>;
  using Source = std::function<void(void* data, std::size_t bytes)>;
  static void write_head(const Sink& out);
  static void write_scene(const Sink& out, std::uint32_t number, const std::vector<std::uint32_t>& words);
  /// \param whole  the last whole image of the file
  void write_segment(const Sink& out, const Segment& segment, bool with_contacts, std::vector<std::byte>& whole) const;
  void write_end(const Sink& out) const;
  void write_all(const Sink& out, bool with_contacts) const;
  [[nodiscard]] static Sink sink_of(std::ostream& out);
  class ChunkReader;
  void read_scene(ChunkReader& chunk);
  void read_keyframe(ChunkReader& chunk);
  void read_states(ChunkReader& chunk);
  void read_events(ChunkReader& chunk);
  [[nodiscard]] static Recording read_all(const Source& read);

  std::deque<std::unique_ptr<Segment>> segments_;
  std::vector<std::shared_ptr<Block>> blocks_;  // the last one is filled; used again when no segment has them
  std::size_t block_bytes_ = std::size_t{1} << 16;
  std::map<std::uint32_t, std::vector<std::uint32_t>> scenes_;
  std::deque<RecordedEvent> events_;
  std::deque<Intervention> interventions_;
  std::map<std::uint32_t, std::string> names_;
  std::map<std::uint32_t, std::uint32_t> colors_;
  std::size_t memory_bytes_ = 0;
  mutable std::vector<float> contacts_;  // of the state that was read last
};

struct RecorderOptions {
  /// The number of last steps that the ring keeps at least, memory permitting.
  std::uint64_t steps_max = std::numeric_limits<std::uint64_t>::max();
  /// The oldest segments make room for new ones.
  std::size_t memory_bytes_max = std::size_t{256} << 20;
  /// The steps between keyframes, and the most that at() computes.
  std::uint32_t keyframe_steps = 120;
  /// Contacts take up to 16 bytes each, and a quarter of a byte while they stay the same.
  bool contacts = true;
};

struct StepFailure {
  std::uint64_t step;                    ///< The last good state.
  std::string culprit;                   ///< The object that became non-finite first, or changed most.
  std::optional<double> dt_that_passes;  ///< The largest dt / 2^n whose 2^n steps pass; n is at most 10.
};

class Recorder;

/// Virtual, so that a program without a Recorder does not contain its code.
class StepObserver {
 public:
  /// Returns null for an observer that is no Recorder.
  virtual Recorder* recorder() noexcept { return nullptr; }
  virtual void begin_step(double dt) = 0;
  virtual void end_step() = 0;
  /// Addresses of objects become invalid.
  virtual void note_restore() noexcept = 0;
  /// A function reindexes shapes of the Space, or may have changed one.
  virtual void note_shape_call(bool reindexes) noexcept = 0;
  virtual void detach() noexcept = 0;

 protected:
  ~StepObserver() = default;
};

/// Records every step of space() from construction on, but no steps of forks and copies. The Space may be moved, or
/// destroyed first. Thread: the Space's.
class Recorder final : public StepObserver {
 public:
  /// \throws Error in a callback, and if the Space has a recorder or was moved from.
  explicit Recorder(Space& space, const RecorderOptions& options = {});
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Returns the recorder of a Space, or null.
  [[nodiscard]] static Recorder* of(const Space& space);

  [[nodiscard]] const Recording& recording() const noexcept { return recording_; }

  /// Add a mark, a named value or an input to the present state. Allowed in callbacks.
  void mark(std::string name);
  void log(std::string name, double value);
  void log(std::string name, std::string value);
  void input(std::string name, std::string value);
  /// Names an object in pages and reports. \throws Error for an object that is not in the recorded Space.
  void name(const cpBody* body, std::string name);
  void name(const cpShape* shape, std::string name);
  void name(const cpConstraint* joint, std::string name);
  void name(std::uint32_t id, std::string name);
  /// \param rgba  0xrrggbbaa
  void color(const cpShape* shape, std::uint32_t rgba);

  /// Returns whether the last step threw, or left a non-finite body.
  [[nodiscard]] bool has_failed() const noexcept { return failure().has_value(); }
  /// Returns the last good state before a failed step.
  [[nodiscard]] std::optional<std::uint64_t> failure() const noexcept;
  /// Tries the failed step again in forks. \throws Error if no step failed.
  [[nodiscard]] StepFailure describe_failure() const;
  /// Brings host.space into the last good state, with the edits before the failed step. For bindings. \pre
  /// has_failed().
  void restore_before_failure(const ReplayHost& host) const;
  /// Restores the last good state. \return nothing, with nothing changed, if no step failed. \throws Error if `space`
  /// is not the recorded one.
  std::optional<StepFailure> recover(Space& space);

  /// Writes every segment to `out` when it is complete, and the rest at close() or destruction, for recordings longer
  /// than the ring. `out` must outlive the recorder or close().
  void write_to(std::ostream& out);
  void close();

  /// Sets what is called with each keyframe, and returns what is kept with it. For bindings.
  void on_keyframe(std::function<std::shared_ptr<const void>()> companion) { companion_ = std::move(companion); }
  [[nodiscard]] std::shared_ptr<const void> companion(std::uint64_t state) const;

  void begin_step(double dt) override;
  void end_step() override;
  Recorder* recorder() noexcept override { return this; }
  void note_restore() noexcept override;
  void note_shape_call(bool reindexes) noexcept override;
  void detach() noexcept override { arena_ = nullptr; }
  void note_failure();            // bindings keep exceptions of callbacks until a step ends
  void note_handlers() noexcept;  // bindings keep functions of their own for handlers

 private:
  struct Watch;
  void add_event(RecordedEvent::Kind kind, std::string name, double number, std::string text);
  void add_keyframe(std::string intervention);
  std::span<const std::uint32_t> keep_staged(Recording::Segment& segment, const std::uint32_t* end);
  void save_state(Recording::Segment& segment);
  void add_state(double dt, std::span<const std::uint32_t> edits);
  void make_room();
  void write_segment(const Recording::Sink& out, const Recording::Segment& segment);
  std::uint32_t enter_scene();
  [[nodiscard]] std::uint64_t state() const;
  [[nodiscard]] Space before_failure() const;

  Recording recording_;
  RecorderOptions options_;
  arena_alloc::Arena* arena_;
  std::unique_ptr<Watch> watch_;
  std::function<std::shared_ptr<const void>()> companion_;
  Recording::Sink out_;
};

}  // namespace forkmunk::FORKMUNK_SPACE
