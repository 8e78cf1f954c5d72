#pragma once

#include <forkmunk/engine/physics.h>
#include <forkmunk/replay/tracker.h>

#include <memory>
#include <optional>
#include <string_view>

namespace forkmunk::replay {

/// The build of a referee's physics, as inferred from its messages.
enum class RefereeKind : std::uint8_t {
  unknown,  ///< Not yet known: the builds differ from the third tick message of a match on.
  strict,   ///< Strict arithmetic, bit-exact.
  referee,  ///< The contest's fast-math build, bit-exact.
  other,    ///< Neither: tracking is approximate.
};

/// "unknown", "strict", "referee", "other".
[[nodiscard]] std::string_view to_string(RefereeKind kind) noexcept;

/// A Tracker that detects the referee's arithmetic: trackers of both run in parallel until only one of them is exact;
/// then the other is dropped.
class RefereeTracker {
 public:
  /// \param arithmetic  of the referee; nullopt: detect it, among those that this build has.
  /// \throws Error if this build does not have `arithmetic`.
  explicit RefereeTracker(std::optional<Arithmetic> arithmetic = {});

  void receive(const formats::NewMatchMessage& message);
  void receive(const formats::TickMessage& message);
  void answered(engine::Command command);
  /// See Tracker::prepare().
  void prepare();

  /// The result so far, from the messages or from the constructor.
  [[nodiscard]] RefereeKind kind() const noexcept { return kind_; }
  /// The leading tracker: the strict one, until the other is found to be right.
  [[nodiscard]] Tracker& tracker() noexcept { return leads_referee() ? *referee_ : *strict_; }
  [[nodiscard]] const Tracker& tracker() const noexcept { return leads_referee() ? *referee_ : *strict_; }

 private:
  [[nodiscard]] bool leads_referee() const noexcept { return strict_ == nullptr; }
  void find_out();

  std::unique_ptr<Tracker> strict_;  // at least one of them is not null
  std::unique_ptr<Tracker> referee_;
  RefereeKind kind_ = RefereeKind::unknown;
};

}  // namespace forkmunk::replay
