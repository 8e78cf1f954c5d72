// SPDX-License-Identifier: MIT
#include "fast/stale_contacts.h"

#include <algorithm>
#include <cstddef>

namespace forkmunk::FORKMUNK_CHIPMUNK::fast {
namespace {

static_assert(sizeof(layout::ContactSlots) == sizeof(cpContactSlots) &&
              offsetof(layout::ContactSlots, contact_count) == offsetof(cpContactSlots, contact_count));
static_assert(sizeof(layout::ContactArbiter) == sizeof(cpContactArbiter) &&
              offsetof(layout::ContactArbiter, contacts) == offsetof(cpContactArbiter, contacts));

std::uint64_t slot_of(const layout::ContactArbiter& arbiter) noexcept {
  return std::uint64_t{arbiter.buffer()} << 32 | arbiter.slot();
}

// Copies the fields that an arbiter reads of its old contacts.
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
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.slot < b.slot; });
}

void StaleContacts::write(const layout::ContactArbiter& by) const {
  const std::uint64_t first = slot_of(by);
  auto entry = std::lower_bound(entries_.begin(), entries_.end(), first == 0 ? 0 : first - 1,
                                [](const Entry& each, std::uint64_t slot) { return each.slot < slot; });
  for (; entry != entries_.end() && entry->slot <= first + 1; ++entry) {
    layout::ContactArbiter& stale = *entry->arbiter;
    // The arbiter may have new contacts by now, or no contacts.
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

}  // namespace forkmunk::FORKMUNK_CHIPMUNK::fast

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
