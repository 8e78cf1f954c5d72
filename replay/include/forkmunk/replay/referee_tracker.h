#pragma once

#include <forkmunk/engine/physics.h>
#include <forkmunk/replay/tracker.h>

#include <memory>
#include <optional>
#include <string_view>

namespace forkmunk::replay {

/// Which build of the physics a referee has, as far as a bot can tell.
enum class RefereeKind : std::uint8_t {
  unknown,  ///< Nothing has shown it yet: it shows in a match's third tick message.
  strict,   ///< Strict arithmetic, to the bit.
  referee,  ///< The contest's own fast-math build, to the bit.
  other,    ///< Neither: what follows is near, not exact.
};

/// "unknown", "strict", "referee", "other".
[[nodiscard]] std::string_view to_string(RefereeKind kind) noexcept;

/// A Tracker that finds out which referee it has: trackers of both arithmetics run side by side until one of them alone
/// stays exact; then the other one ends.
class RefereeTracker {
 public:
  /// \param arithmetic  of the referee; none: to be found out, among those that this build has.
  /// \param chipmunk  whether Chipmunk tracks strict arithmetic; else the flat engine does.
  /// \throws Error if this build does not have `arithmetic`.
  explicit RefereeTracker(std::optional<Arithmetic> arithmetic = {}, bool chipmunk = false);

  void receive(const formats::NewMatchMessage& message);
  void receive(const formats::TickMessage& message);
  void answered(engine::Command command);

  /// What is known by now, from messages or because it was told.
  [[nodiscard]] RefereeKind kind() const noexcept { return kind_; }
  /// The tracker that leads: the strict one until the other has turned out to be right.
  [[nodiscard]] Tracker& tracker() noexcept { return leads_referee() ? *referee_ : *strict_; }
  [[nodiscard]] const Tracker& tracker() const noexcept { return leads_referee() ? *referee_ : *strict_; }

 private:
  [[nodiscard]] bool leads_referee() const noexcept { return strict_ == nullptr; }
  void find_out();

  std::unique_ptr<Tracker> strict_;  // one of them at least
  std::unique_ptr<Tracker> referee_;
  RefereeKind kind_ = RefereeKind::unknown;
};

}  // namespace forkmunk::replay
