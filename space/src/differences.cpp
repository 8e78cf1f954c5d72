// SPDX-License-Identifier: MIT
#include "code_names.h"

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/base/error.h>
#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/space/differences.h>

#include <algorithm>

namespace forkmunk::FORKMUNK_SPACE {

std::vector<Difference> differences(const Space& one, const Space& other, std::size_t count_max) {
  for (const Space* space : {&one, &other}) {
    if (space->is_overflowed()) throw Error("differences(): a space has outgrown its memory; restore() a snapshot");
    if (space->space() == nullptr) throw Error("differences(): a space() was freed");
  }
  return chipmunk::differences(*arena_alloc::Arena::containing(one.space()),
                               *arena_alloc::Arena::containing(other.space()), code_names(), count_max);
}

RecordingDifference differences(const Recording& one, const Recording& other) {
  const std::uint64_t first = std::max(one.first(), other.first()), last = std::min(one.last(), other.last());
  if (first > last) throw Error("differences(): the recordings have no step in common");
  RecordingDifference result;
  // at() includes the changes after the state.
  const auto look_at = [&](std::uint64_t step) {
    result.reason.clear();
    try {
      result.found = differences(one.at(step), other.at(step));
      for (const Recording* const each : {&one, &other}) {
        const Verdict verdict = each->verify(step);
        if (verdict.kind != Verdict::Kind::exact && verdict.step <= step) result.reason = verdict.reason;
      }
    } catch (const Error& error) {
      result.reason = error.what();
    }
    if (!result.found.empty()) result.step = step;
    return result.step.has_value();
  };
  for (std::uint64_t step = first; step <= last; ++step) {
    const RecordedStep ours = one.step(step), theirs = other.step(step);
    const bool is_same = ours.checksum == theirs.checksum;
    // A step can round a change before it away.
    const bool has_same_edits =
        std::equal(ours.edits.begin(), ours.edits.end(), theirs.edits.begin(), theirs.edits.end());
    if ((!is_same || !has_same_edits) && step > first && look_at(step - 1)) return result;
    const auto our_hash = one.keyframe_hash(step), their_hash = other.keyframe_hash(step);
    if (is_same && our_hash == their_hash) continue;
    if (look_at(step)) return result;
    if (is_same && (result.reason.empty() || !our_hash || !their_hash)) continue;
    result.step = step;
    return result;
  }
  if (!look_at(last)) result.reason.clear();  // finds differences that no checksum covers
  return result;
}

}  // namespace forkmunk::FORKMUNK_SPACE
