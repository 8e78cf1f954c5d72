// SPDX-License-Identifier: MIT
// Batches and rollouts: forkmunk::space::Batch, on one thread, without handlers of collisions.

#include "exports.h"

#include <forkmunk/space/batch.h>
#include <forkmunk/space/rollout.h>

#include <span>
#include <vector>

using forkmunk::space::Batch;
using forkmunk::space::Field;
using forkmunk::space::guarded;
using forkmunk::space::guarded_value;
using namespace forkmunk::js;

namespace {

forkmunk::space::Rollout rollout;  // the last one, for JavaScript to copy

/// Reads numbers in the order in which batch.mjs writes them.
class Numbers {
 public:
  explicit Numbers(const double* at) : at_(at) {}
  double number() { return *at_++; }
  cpFloat scalar() { return static_cast<cpFloat>(number()); }
  std::size_t size() { return static_cast<std::size_t>(number()); }
  template <typename Object>
  Object* object() {
    return reinterpret_cast<Object*>(size());
  }
  template <typename Channel>
  Channel channel() {
    Channel channel{};
    channel.field = static_cast<Field>(size());
    if (channel.field < Field::motor_rate) {
      channel.body = object<cpBody>();
    } else {
      channel.motor = object<cpConstraint>();
    }
    return channel;
  }
  forkmunk::space::ShapePair pair() {
    cpShape* const a = object<cpShape>();
    return {a, object<cpShape>()};
  }
  [[nodiscard]] const double* rest() const { return at_; }

 private:
  const double* at_;
};

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE int fm_batch_field(forkmunk_batch* handle, Field field, bool writes, void** objects,
                                        int object_count, double* values) {
  Batch& batch = handle->batch;
  return guarded([&] {
    const auto count = static_cast<std::size_t>(object_count);
    const std::span all(values, batch.size() * count * width_of(field));
    const auto transfer = [&]<typename Object>(Object* const* of) {
      writes ? batch.write(field, std::span(of, count), all) : batch.read(field, std::span(of, count), all);
    };
    if (field < Field::motor_rate) return transfer(reinterpret_cast<cpBody* const*>(objects));
    transfer(reinterpret_cast<cpConstraint* const*>(objects));
  });
}

EMSCRIPTEN_KEEPALIVE forkmunk_space* fm_batch_world(forkmunk_batch* batch, int index) {
  return guarded_value<forkmunk_space*>(
      nullptr, [&] { return new forkmunk_space{batch->batch.world(static_cast<std::size_t>(index)).fork()}; });
}

EMSCRIPTEN_KEEPALIVE int fm_batch_restore(forkmunk_batch* batch, const forkmunk_snapshot* const* snapshots,
                                          const std::size_t* worlds, int count) {
  return guarded([&] {
    std::vector<const forkmunk::space::Snapshot*> all;
    for (int i = 0; i < count; ++i) all.push_back(&snapshots[i]->snapshot);
    batch->batch.restore(all, std::span(worlds, all.size()));
  });
}

/// Writes the addresses of final states, states, contacts, events and steps to `results`. \return the number of plans;
/// -1 on failure
EMSCRIPTEN_KEEPALIVE int fm_batch_rollout(forkmunk_batch* batch, const forkmunk_snapshot* from, const double* values,
                                          int value_count, const void** results) {
  return guarded_value(-1, [&] {
    Numbers in(values);
    forkmunk::space::RolloutOptions options;
    options.dt = in.number();
    options.substeps = in.size();
    options.action_count = in.size();
    options.plan_count = in.size();
    options.every = in.size();
    std::vector<forkmunk::space::Control> controls(in.size());
    std::vector<forkmunk::space::Observed> observed(in.size());
    std::vector<forkmunk::space::ShapePair> contacts(in.size());
    std::vector<forkmunk::space::Event> events(in.size());
    for (auto& control : controls) {
      control = in.channel<forkmunk::space::Control>();
      control.stiffness = in.number();
      control.damping = in.number();
      control.is_local = in.number() != 0;
      control.point = {in.scalar(), in.scalar()};
    }
    for (auto& each : observed) each = in.channel<forkmunk::space::Observed>();
    for (auto& pair : contacts) pair = in.pair();
    for (auto& event : events) {
      event.touching = in.pair();
      event.body = in.object<cpBody>();
      event.box = {in.scalar(), in.scalar(), in.scalar(), in.scalar()};
    }
    options.controls = controls;
    options.observed = observed;
    options.contacts = contacts;
    options.events = events;
    options.actions = {in.rest(), values + value_count};
    batch->batch.rollout(from->snapshot, options, rollout);
    *results++ = rollout.final_states.data();
    *results++ = rollout.states.data();
    *results++ = rollout.contacts.data();
    *results++ = rollout.event_steps.data();
    *results++ = rollout.step_counts.data();
    return static_cast<int>(rollout.plan_count);
  });
}

}  // extern "C"
