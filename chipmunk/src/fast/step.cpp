// SPDX-License-Identifier: MIT

#include "fast/step.h"

#include <forkmunk/base/per_thread.h>
#include <forkmunk/chipmunk/defects.h>
#include <forkmunk/chipmunk/step_together.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

/// cpSpaceStep() of the strict build, in Chipmunk's order and with its bits.
namespace forkmunk::FORKMUNK_CHIPMUNK {
namespace fast {
namespace {

static_assert(sizeof(layout::ContactSlots) == sizeof(cpContactSlots) &&
              offsetof(layout::ContactSlots, contact_count) == offsetof(cpContactSlots, contact_count));
static_assert(sizeof(layout::ContactArbiter) == sizeof(cpContactArbiter) &&
              offsetof(layout::ContactArbiter, contacts) == offsetof(cpContactArbiter, contacts));

std::uint64_t slot_of(const layout::ContactArbiter& arbiter) noexcept {
  return std::uint64_t{arbiter.buffer()} << 32 | arbiter.slot();
}

void copy_warm_start(const cpContact& from, cpContact& to) noexcept {
  to.hash = from.hash;
  to.jnAcc = from.jnAcc;
  to.jtAcc = from.jtAcc;
}

}  // namespace

void StaleContacts::collect(const cpSpace& space) {
  entries_.clear();
  persistence_ = space.collisionPersistence;
  const auto* const head = reinterpret_cast<const cpContactSlots*>(space.contactBuffersHead);
  if (head == nullptr || head->has_stale == 0) return;
  stamps_.assign(1, 0);
  const cpContactSlots* each = head;
  do {
    if (stamps_.size() <= each->number) stamps_.resize(each->number + 1);
    stamps_[each->number] = each->stamp;
    each = each->next;
  } while (each != head);
  layout::for_each<layout::ContactArbiter>(
      layout::set_of(space.cachedArbiters), [&](layout::ContactArbiter& kept, const layout::HashSetBin&) {
        const cpArbiter& arbiter = kept.arbiter;
        if (arbiter.count == 0 || arbiter.contacts == nullptr || arbiter.stamp == space.stamp) return;
        const bool is_stale = space.stamp - arbiter.stamp > persistence_;
        if (is_stale || kept.buffer() >= stamps_.size() || stamps_[kept.buffer()] != arbiter.stamp) {
          entries_.push_back({slot_of(kept), &kept});
        }
      });
  // Few spaces have any, so the smaller code in WebAssembly counts more than the speed of std::sort().
  const auto by_slot = [](const Entry& a, const Entry& b) { return a.slot < b.slot; };
  std::make_heap(entries_.begin(), entries_.end(), by_slot);
  std::sort_heap(entries_.begin(), entries_.end(), by_slot);
}

void StaleContacts::write(const layout::ContactArbiter& by) const {
  const std::uint64_t first = slot_of(by);
  auto entry = std::lower_bound(entries_.begin(), entries_.end(), first == 0 ? 0 : first - 1,
                                [](const Entry& each, std::uint64_t slot) { return each.slot < slot; });
  for (; entry != entries_.end() && entry->slot <= first + 1; ++entry) {
    layout::ContactArbiter& stale = *entry->arbiter;
    // The arbiter may have new contacts by now, or none.
    if (&stale == &by || slot_of(stale) != entry->slot || stale.arbiter.contacts == nullptr) continue;
    for (int i = 0; i < by.arbiter.count; ++i) {
      const std::uint64_t k = first + static_cast<std::uint64_t>(i) - entry->slot;
      if (k < static_cast<std::uint64_t>(stale.arbiter.count)) copy_warm_start(by.contacts[i], stale.contacts[k]);
    }
  }
}

void NewContacts::overlay(layout::ContactArbiter& stale, const cpContactSlots& slots, int count) {
  cpArbiter& arbiter = stale.arbiter;
  if (arbiter.count == 0 || stale.buffer() != slots.number) return;
  const auto offset = std::int64_t{stale.slot()} - std::int64_t{slots.contact_count};
  if (offset < -1 || offset > 1) return;
  cpContact* const old = data() + offset;
  for (int i = 0; i < arbiter.count; ++i) {
    const bool is_overwritten = offset + i >= 0 && offset + i < count;
    const cpHashValue hash = is_overwritten ? old[i].hash : stale.contacts[i].hash;
    copy_warm_start(stale.contacts[i], old[i]);
    old[i].hash = hash;
  }
  arbiter.contacts = old;
}

namespace {

template <typename T>
std::span<T* const> items_of(const cpArray* array) noexcept {
  return {reinterpret_cast<T* const*>(array->arr), static_cast<std::size_t>(array->num)};
}

// Returns whether the bodies' lists of contacts hold space->arbiters and no others: no body sleeps or can fall asleep,
// and no space in memory of the game's own (docs/guide/space.md) shares bodies.
bool has_all_contacts(const cpSpace* space) noexcept {
  return space->sleepTimeThreshold == INFINITY && space->sleepingComponents->num == 0 &&
         forkmunk_chipmunk_is_alone(space);
}

// Reads ahead in a loop over arbiters that changes them and their bodies' lists.
void prefetch(std::span<cpArbiter* const> arbiters, std::size_t i) noexcept {
  constexpr std::size_t kLine = 64;
  if (i + 8 < arbiters.size()) {
    const char* const arbiter = reinterpret_cast<const char*>(arbiters[i + 8]);
    for (std::size_t at = offsetof(cpArbiter, body_a); at < sizeof(cpArbiter); at += kLine) {
      __builtin_prefetch(arbiter + at, 1);
    }
  }
  if (i + 4 < arbiters.size()) {
    __builtin_prefetch(&arbiters[i + 4]->body_a->arbiterList, 1);
    __builtin_prefetch(&arbiters[i + 4]->body_b->arbiterList, 1);
  }
}

void clear_contacts(cpSpace* space) {
  const bool at_once = has_all_contacts(space);
  const auto arbiters = items_of<cpArbiter>(space->arbiters);
  for (std::size_t i = 0; i < arbiters.size(); ++i) {
    prefetch(arbiters, i);
    cpArbiter* const arbiter = arbiters[i];
    arbiter->state = CP_ARBITER_STATE_NORMAL;
    if (at_once) {
      arbiter->body_a->arbiterList = arbiter->body_b->arbiterList = nullptr;
      arbiter->thread_a = arbiter->thread_b = {nullptr, nullptr};
    } else if (!cpBodyIsSleeping(arbiter->body_a) && !cpBodyIsSleeping(arbiter->body_b)) {
      cpArbiterUnthread(arbiter);
    }
  }
  space->arbiters->num = 0;
}

cpArbiterThread& thread_of(cpArbiter* arbiter, const cpBody* body) noexcept {
  return arbiter->body_a == body ? arbiter->thread_a : arbiter->thread_b;
}

void push_contact(cpBody* body, cpArbiter* arbiter) noexcept {
  cpArbiter* const next = body->arbiterList;
  thread_of(arbiter, body).next = next;
  if (next != nullptr) thread_of(next, body).prev = arbiter;
  body->arbiterList = arbiter;
}

bool has_broken_lists(const cpSpace* space) noexcept {
  return (forkmunk_defects(space) & FORKMUNK_DEFECT_BROKEN_LISTS) != 0;
}

// The dynamic bodies are in no space, but their shapes or joints are in this one.
template <typename Visit>
void for_each_removed_body(const cpSpace* space, Visit visit) {
  const auto visit_removed = [&](cpBody* body) {
    if (body->space == nullptr && cpBodyGetType(body) == CP_BODY_TYPE_DYNAMIC) visit(*body);
  };
  for (cpArbiter* const arbiter : items_of<cpArbiter>(space->arbiters)) {
    visit_removed(arbiter->body_a);
    visit_removed(arbiter->body_b);
  }
  for (cpConstraint* const joint : items_of<cpConstraint>(space->constraints)) {
    visit_removed(joint->a);
    visit_removed(joint->b);
  }
}

// A repeated contact stays once in the bodies' lists, of which Chipmunk makes rings.
bool is_listed(cpBody* body, cpArbiter* arbiter) noexcept {
  const cpArbiterThread& thread = thread_of(arbiter, body);
  return body->arbiterList == arbiter || thread.prev != nullptr || thread.next != nullptr;
}

// Leaves out repetitions in space->arbiters, on which cpSpaceProcessComponents() never returns.
void process_repeated_pairs(cpSpace* space, cpFloat dt) {
  const auto contains = [space](int count, const void* arbiter) {
    return std::find(space->arbiters->arr, space->arbiters->arr + count, arbiter) != space->arbiters->arr + count;
  };
  std::vector<void*> repeated;
  int count = 0;
  for (int i = 0; i < space->arbiters->num; ++i) {
    void* const arbiter = space->arbiters->arr[i];
    if (contains(count, arbiter)) {
      repeated.push_back(arbiter);
    } else {
      space->arbiters->arr[count++] = arbiter;
    }
  }
  space->arbiters->num = count;
  cpSpaceProcessComponents(space, dt);
  for (void* const arbiter : repeated) {
    if (contains(space->arbiters->num, arbiter)) cpArrayPush(space->arbiters, arbiter);
  }
}

// With a threshold of 0, Chipmunk puts moving bodies to sleep, too, and aborts at a kinematic one; 1e-30 s keeps both
// awake. Chipmunk also leaves bodies that are in no space in the list of an island, which then has no end.
void process_sleeping_components(cpSpace* space, cpFloat dt, bool has_repeated_pairs) {
  if (has_repeated_pairs) return process_repeated_pairs(space, dt);
  if (has_broken_lists(space)) return cpSpaceProcessComponents(space, dt);
  const cpFloat threshold = space->sleepTimeThreshold;
  const auto keep_awake = [space](cpBody& body) {
    body.sleeping.idleTime = 0;
    space->sleepTimeThreshold = 1e-30F;
  };
  if (threshold <= 0) {
    layout::for_each<cpBody>(*space->dynamicBodies, [&](cpBody& body) {
      if (cpBodyGetType(&body) == CP_BODY_TYPE_KINEMATIC) keep_awake(body);
    });
    for_each_removed_body(space, keep_awake);
  }
  cpSpaceProcessComponents(space, dt);
  space->sleepTimeThreshold = threshold;
  for_each_removed_body(space, [](cpBody& body) {
    body.sleeping.root = nullptr;
    body.sleeping.next = nullptr;
  });
}

// Chipmunk wakes touched bodies only where bodies can fall asleep.
void wake_touched(cpSpace* space) {
  for (int i = 0, count = space->arbiters->num; i < count; ++i) {
    const auto* const arbiter = static_cast<const cpArbiter*>(space->arbiters->arr[i]);
    for (cpBody* const body : {arbiter->body_a, arbiter->body_b}) {
      if (cpBodyIsSleeping(body) != 0) cpBodyActivate(body);
    }
  }
}

void process_components(cpSpace* space, cpFloat dt, bool has_repeated_pairs) {
  if (space->sleepTimeThreshold != INFINITY) return process_sleeping_components(space, dt, has_repeated_pairs);
  const auto count = static_cast<std::size_t>(space->arbiters->num);
  const bool has_sleepers = space->sleepingComponents->num != 0;
  if (has_sleepers && !has_broken_lists(space)) wake_touched(space);
  const auto arbiters = items_of<cpArbiter>(space->arbiters).first(count);
  for (std::size_t i = 0; i < arbiters.size(); ++i) {
    prefetch(arbiters, i);
    for (cpBody* const body : {arbiters[i]->body_a, arbiters[i]->body_b}) {
      if ((has_repeated_pairs || has_sleepers) && is_listed(body, arbiters[i])) continue;
      push_contact(body, arbiters[i]);
    }
  }
}

void move_bodies(cpSpace* space, cpFloat dt) {
  layout::for_each<cpBody>(*space->dynamicBodies, [&](cpBody& body) { body.position_func(&body, dt); });
}

cpBool filter_cached_arbiter(void* element, void* of) {
  auto* arbiter = static_cast<cpArbiter*>(element);
  auto* space = static_cast<cpSpace*>(of);
  const bool is_used = arbiter->stamp == space->stamp && (space->collisionPersistence > 0 || !has_broken_lists(space));
  if (is_used) return cpTrue;
  if (!cpSpaceArbiterSetFilter(arbiter, space)) return cpFalse;
  if (arbiter->count > 0 && space->stamp - arbiter->stamp >= space->collisionPersistence) {
    cpSpaceSetHasStale(space, cpTrue);
  }
  return cpTrue;
}

void drop_arbiters(cpSpace* space) {
  if (reinterpret_cast<const cpContactSlots*>(space->contactBuffersHead)->has_stale != 0)
    cpSpaceSetHasStale(space, cpFalse);
  if (layout::set_of(space->cachedArbiters).entry_count == 0) return;  // if all bodies sleep, there are none
  const int pooled_count = space->pooledArbiters->num;
  cpHashSetFilter(space->cachedArbiters, &filter_cached_arbiter, space);
  // Without persistence the contacts at work are pooled too.
  if (space->collisionPersistence > 0 || !has_broken_lists(space)) cpSpaceClearPooledArbiters(space, pooled_count);
}

// With a persistence of 0 no contact has the impulses of the step before.
void forget_impulses(cpSpace* space) {
  if (space->collisionPersistence > 0 || has_broken_lists(space)) return;
  for (cpArbiter* const arbiter : items_of<cpArbiter>(space->arbiters)) {
    for (int i = 0; i < arbiter->count; ++i) arbiter->contacts[i].jnAcc = arbiter->contacts[i].jtAcc = 0;
  }
}

// Bodies that a callback woke bring the contacts that they fell asleep with into the bodies' lists, to which all
// contacts are added next.
void unlock_for_solver(cpSpace* space) {
  const int count = space->arbiters->num;
  cpSpaceUnlock(space, cpFalse);
  for (int i = count; i < space->arbiters->num; ++i) {
    cpArbiterUnthread(static_cast<cpArbiter*>(space->arbiters->arr[i]));
  }
}

void update_stale(const cpSpace* space, const StaleContacts& stale) {
  if (!stale.any()) return;
  for (cpArbiter* const arbiter : items_of<cpArbiter>(space->arbiters)) {
    stale.write(*reinterpret_cast<layout::ContactArbiter*>(arbiter));
  }
}

void call_post_solve(cpSpace* space) {
  layout::for_each<cpConstraint>(*space->constraints, [&](cpConstraint& joint) {
    if (joint.postSolve != nullptr) joint.postSolve(&joint, space);
  });
  const bool has_handlers = cpHashSetCount(space->collisionHandlers) != 0;
  if (!has_handlers && space->defaultHandler.postSolveFunc == cpCollisionHandlerDoNothing.postSolveFunc) return;
  layout::for_each<cpArbiter>(*space->arbiters, [&](cpArbiter& arbiter) {
    arbiter.handler->postSolveFunc(&arbiter, space, arbiter.handler->userData);
  });
}

SolverSpace begin_step(cpSpace* space, cpFloat dt, StaleContacts& stale) {
  ++space->stamp;
  const cpFloat previous_dt = space->curr_dt;
  space->curr_dt = dt;
  stale.collect(*space);
  forget_impulses(space);
  clear_contacts(space);
  cpSpaceLock(space);
  move_bodies(space, dt);
  const bool has_repeated_pairs = find_collisions(space, stale);
  unlock_for_solver(space);
  process_components(space, dt, has_repeated_pairs);
  cpSpaceLock(space);
  drop_arbiters(space);
  const StepTimes times{dt, previous_dt == 0 ? 0 : dt / previous_dt, space->collisionSlop,
                        static_cast<cpFloat>(1.0 - cpSpacePower(space->collisionBias, dt))};
  return {space, times, has_repeated_pairs};
}

void end_step(cpSpace* space, const StaleContacts& stale) {
  update_stale(space, stale);
  call_post_solve(space);
  cpSpaceUnlock(space, cpTrue);
}

}  // namespace
}  // namespace fast

struct StepTogether::State {
  cpFloat dt = 0;
  std::array<cpSpace*, kSpacesMax> spaces{};  // that began
  std::array<fast::StaleContacts, kSpacesMax> stale{};
  std::array<fast::SolverSpace, kSpacesMax> unsolved{};
  std::size_t count = 0, unsolved_count = 0;
};

StepTogether::StepTogether() : state_(std::make_unique<State>()) {}
StepTogether::~StepTogether() = default;

void StepTogether::reset(cpFloat dt) noexcept {
  state_->dt = dt;
  state_->count = state_->unsolved_count = 0;
}

void StepTogether::begin(cpSpace* space) {
  fast::SolverSpace begun = fast::begin_step(space, state_->dt, state_->stale[state_->count]);
  if (!fast::solve_alone(begun)) state_->unsolved[state_->unsolved_count++] = begun;
  state_->spaces[state_->count++] = space;
}

void StepTogether::solve() { fast::solve_together(std::span(state_->unsolved).first(state_->unsolved_count)); }

void StepTogether::end(cpSpace* space) {
  const auto* const begun = std::find(state_->spaces.begin(), state_->spaces.end(), space);
  fast::end_step(space, state_->stale[static_cast<std::size_t>(begun - state_->spaces.begin())]);
}

}  // namespace forkmunk::FORKMUNK_CHIPMUNK

extern "C" void cpSpaceStep(cpSpace* space, cpFloat dt) {
  using namespace forkmunk;
  if (dt == 0) return;
  const Scratch<chipmunk::fast::StaleContacts> stale;
  chipmunk::fast::SolverSpace begun = chipmunk::fast::begin_step(space, dt, *stale);
  if (!chipmunk::fast::solve_alone(begun)) chipmunk::fast::solve_together({&begun, 1});
  chipmunk::fast::end_step(space, *stale);
}

extern "C" void cpSpaceWriteContacts(cpSpace* space, cpArbiter* arbiter) {
  using namespace forkmunk::chipmunk;
  cpContactSlots& slots = *cpSpaceContactSlots(space);
  auto& written = *reinterpret_cast<layout::ContactArbiter*>(arbiter);
  written.set_slot(slots.number, slots.contact_count);
  slots.contact_count += static_cast<unsigned int>(arbiter->count);
  if (slots.has_stale == 0) return;
  fast::StaleContacts stale;
  stale.collect(*space);
  stale.write(written);
}
