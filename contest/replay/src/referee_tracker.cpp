#include <forkmunk/replay/referee_tracker.h>

namespace forkmunk::replay {
namespace {

bool is_exact(const std::unique_ptr<Tracker>& tracker) {
  return tracker != nullptr && tracker->status() == Tracker::Status::exact;
}

// Whether the tracker follows the physics of another build.
bool follows(const std::unique_ptr<Tracker>& tracker) {
  return tracker == nullptr || tracker->status() == Tracker::Status::following ||
         tracker->status() == Tracker::Status::approximate;
}

}  // namespace

std::string_view to_string(RefereeKind kind) noexcept {
  switch (kind) {
    case RefereeKind::strict: return "strict";
    case RefereeKind::referee: return "referee";
    case RefereeKind::other: return "other";
    case RefereeKind::unknown: break;
  }
  return "unknown";
}

RefereeTracker::RefereeTracker(std::optional<Arithmetic> arithmetic) {
  if (arithmetic == Arithmetic::referee) {
    referee_ = std::make_unique<Tracker>(engine::Physics::chipmunk_fast_math);
    kind_ = RefereeKind::referee;
    return;
  }
  strict_ = std::make_unique<Tracker>(engine::Physics::flat);
  if (arithmetic == Arithmetic::strict) {
    kind_ = RefereeKind::strict;
  } else if (is_available(Arithmetic::referee)) {
    referee_ = std::make_unique<Tracker>(engine::Physics::chipmunk_fast_math);
  }
}

void RefereeTracker::receive(const formats::NewMatchMessage& message) {
  for (Tracker* tracker : {strict_.get(), referee_.get()}) {
    if (tracker != nullptr) tracker->receive(message);
  }
}

void RefereeTracker::receive(const formats::TickMessage& message) {
  for (Tracker* tracker : {strict_.get(), referee_.get()}) {
    if (tracker != nullptr) tracker->receive(message);
  }
  if (kind_ == RefereeKind::unknown) find_out();
}

void RefereeTracker::answered(engine::Command command) {
  for (Tracker* tracker : {strict_.get(), referee_.get()}) {
    if (tracker != nullptr) tracker->answered(command);
  }
}

void RefereeTracker::prepare() {
  for (Tracker* tracker : {strict_.get(), referee_.get()}) {
    if (tracker != nullptr) tracker->prepare();
  }
}

void RefereeTracker::find_out() {
  constexpr int kDecisiveTick = 2;  // the third tick: its numbers are the first that differ between arithmetics
  if (tracker().tick() < kDecisiveTick) return;
  if (is_exact(strict_) && !is_exact(referee_)) {
    kind_ = RefereeKind::strict;
    referee_ = nullptr;
  } else if (is_exact(referee_) && !is_exact(strict_)) {
    kind_ = RefereeKind::referee;
    strict_ = nullptr;
  } else if (follows(strict_) && follows(referee_)) {
    kind_ = RefereeKind::other;
    referee_ = nullptr;
  }
}

}  // namespace forkmunk::replay
