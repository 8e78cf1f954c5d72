// SPDX-License-Identifier: MIT
#include "field_names.h"
#include "state_numbers.h"
#include "visitors.h"

#include <forkmunk/arena_alloc/chunk.h>
#include <forkmunk/base/concat.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>

#ifdef __EMSCRIPTEN__
#include <emscripten.h>
// JavaScript formats the digits, because the C library's code for it would be 10 KB of a page.
EM_JS(void, forkmunk_number_text, (double number, char* text), {
  const digits = Object.is(number, -0) ? "-0" : String(number);
  for (let i = 0; i < digits.length; ++i) HEAPU8[text + i] = digits.charCodeAt(i);
  HEAPU8[text + digits.length] = 0;
});
#endif

namespace forkmunk::FORKMUNK_CHIPMUNK {
std::string number_text(double number, [[maybe_unused]] int digits) {
  char text[64];
#ifdef __EMSCRIPTEN__
  forkmunk_number_text(number, text);
#else
  std::snprintf(text, sizeof text, "%.*g", digits, number);
#endif
  return text;
}

namespace {

/// A field's value, comparable between arenas.
struct Value {
  const char* field;
  const char* element;
  std::size_t index;
  enum class Type { number, integer, address, code } type;
  double number;
  std::uint64_t integer;

  [[nodiscard]] bool equals(const Value& other) const {
    if (type != other.type) return false;
    if (type != Type::number) return integer == other.integer;
    return std::bit_cast<std::uint64_t>(number) == std::bit_cast<std::uint64_t>(other.number) ||
           (std::isnan(number) && std::isnan(other.number));
  }
};

struct Recorder : SplitsData<Recorder> {
  static constexpr bool kWantsData = true;
  std::vector<Value> values;
  std::uintptr_t base;
  std::uintptr_t bytes;
  const NamedCode& named;
  const char* element = nullptr;
  std::size_t index = 0;

  Recorder(const arena_alloc::Arena& arena, const NamedCode& code)
      : base(reinterpret_cast<std::uintptr_t>(arena.base())), bytes(arena.capacity_bytes()), named(code) {}

  void add(const char* field, Value::Type type, double number, std::uint64_t integer) {
    values.push_back({field, element, index, type, number, integer});
  }
  void address(const char* field, std::uintptr_t word) {
    add(field, Value::Type::address, 0,
        word - base < bytes ? word - base : named.hash_of(reinterpret_cast<void*>(word)));
  }
  template <typename T>
  void pointer(const char* field, T*& p) {
    address(field, reinterpret_cast<std::uintptr_t>(p));
  }
  template <typename T>
  void code(const char* field, T& p) {
    add(field, Value::Type::code, 0, named.hash_of(reinterpret_cast<const void*>(p)));
  }
  void user(const char* field, void*& p) {
    const auto value = reinterpret_cast<std::uintptr_t>(p);
    switch (meaning_of(p, base, bytes, named)) {
      case UserWord::name: return code(field, p);
      case UserWord::uncounted: return address(field, 0);  // counts as no user data, like in hash()
      case UserWord::number:
        if (value != 0) return add(field, Value::Type::integer, 0, value);
        [[fallthrough]];
      case UserWord::offset: return address(field, value);
    }
  }
  void user(const char* field, std::uintptr_t& number) { integer_or_address(field, number); }
  void word(void*& w) { integer_or_address("value", reinterpret_cast<std::uintptr_t>(w)); }
  void integer_or_address(const char* field, std::uintptr_t word) {
    if (word - base < bytes) return address(field, word);
    add(field, Value::Type::integer, 0, word);
  }
  void bytes_at(const std::byte* p, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      at("byte", i);
      add("value", Value::Type::integer, 0, static_cast<std::uint64_t>(p[i]));
    }
    element = nullptr;
  }
  void at(const char* name, std::size_t i) {
    element = name;
    index = i;
  }
  void number(const char* field, double x) { add(field, Value::Type::number, x, 0); }
  void integer(const char* field, std::uint64_t x) { add(field, Value::Type::integer, 0, x); }
};

bool is_number(const Value& value) { return value.type == Value::Type::number || value.type == Value::Type::integer; }

std::string text_of(const Value& value) {
  switch (value.type) {
    case Value::Type::number: return number_text(value.number);
    case Value::Type::code:
      return value.integer == 0 ? "no function" : value.integer == 1 ? "a function" : "a known function";
    case Value::Type::address:
      if (value.integer == 0) return "null";
      return concat("offset ", value.integer);
    default: return std::to_string(value.integer);
  }
}

struct Allocation {
  std::byte* payload;
  std::size_t bytes;
  int kind;
  std::size_t number;          // among those of its kind, by address
  std::uint32_t state_number;  // 0 if it has none
};

std::vector<Allocation> allocations_of(const arena_alloc::Arena& arena) {
  std::size_t counts[FORKMUNK_KIND_COUNT] = {};
  std::vector<Allocation> result;
  arena.for_each_allocation([&](std::byte* payload, std::size_t bytes, int kind) {
    result.push_back({payload, bytes, kind, counts[kind]++, 0});
  });
  return result;
}

// Planes come by their polygon, and objects without an order by address.
void sort_by_state(std::vector<Allocation>& allocations, const arena_alloc::Arena& arena) {
  const StateNumbers numbers(arena);
  std::map<const void*, std::uint32_t> polygons;  // by their planes
  for (Allocation& allocation : allocations) {
    allocation.state_number = numbers.of(allocation.payload);
    if (allocation.kind != FORKMUNK_KIND_POLY) continue;
    polygons[reinterpret_cast<const cpPolyShape*>(allocation.payload)->planes] = allocation.state_number;
  }
  for (Allocation& allocation : allocations) {
    if (allocation.kind == FORKMUNK_KIND_PLANES) allocation.state_number = polygons[allocation.payload];
  }
  SortKeys keys;  // the number, and the index by address
  for (const Allocation& each : allocations) keys.push_back({each.state_number, keys.size(), 0});
  std::sort(keys.begin(), keys.end());
  std::vector<Allocation> sorted;
  for (const auto& key : keys) sorted.push_back(allocations[key[1]]);
  allocations = std::move(sorted);
}

Recorder record(const arena_alloc::Arena& arena, const Allocation& allocation, const NamedCode& code) {
  Recorder recorder(arena, code);
  visit_allocation(recorder, allocation.payload, allocation.bytes, allocation.kind);
  return recorder;
}

// The order of a report: bodies, shapes, joints, the space itself, contacts, and bookkeeping.
constexpr int kRankCount = 6, kContactRank = 4;
constexpr int kObjectRankCount = 3;  // ranks of the objects that users add
int rank_of(int kind) noexcept {
  if (kind == FORKMUNK_KIND_BODY) return 0;
  if (kind >= FORKMUNK_KIND_CIRCLE && kind <= FORKMUNK_KIND_PLANES) return 1;
  if (kind >= FORKMUNK_KIND_PIN_JOINT && kind <= FORKMUNK_KIND_SIMPLE_MOTOR) return 2;
  if (kind == FORKMUNK_KIND_SPACE) return 3;
  return kind == FORKMUNK_KIND_ARBITERS || kind == FORKMUNK_KIND_CONTACT_ARBITERS ? kContactRank : kRankCount - 1;
}

// Returns a text if one state has more objects of a kind of this rank.
std::optional<std::string> count_difference(const std::vector<Allocation>& ours, const std::vector<Allocation>& theirs,
                                            int rank) {
  std::size_t counts[FORKMUNK_KIND_COUNT] = {}, other_counts[FORKMUNK_KIND_COUNT] = {};
  for (const Allocation& allocation : ours) ++counts[allocation.kind];
  for (const Allocation& allocation : theirs) ++other_counts[allocation.kind];
  for (int kind = 0; kind < FORKMUNK_KIND_COUNT; ++kind) {
    if (rank_of(kind) != rank || counts[kind] == other_counts[kind]) continue;
    return concat("the number of objects (", name_of_kind(kind), ") differs: ", counts[kind], ", ", other_counts[kind]);
  }
  return std::nullopt;
}

struct StatePair {
  Allocation one, other;
};

// Pairs allocations of the same kind and number. \pre both arenas have equally many of each kind.
std::vector<StatePair> pairs_of(const std::vector<Allocation>& ours, const std::vector<Allocation>& theirs) {
  std::vector<Allocation> by_kind[FORKMUNK_KIND_COUNT];
  for (const Allocation& allocation : theirs) by_kind[allocation.kind].push_back(allocation);
  std::size_t numbers[FORKMUNK_KIND_COUNT] = {};
  std::vector<StatePair> pairs;
  for (const Allocation& allocation : ours) {
    const std::size_t number = numbers[allocation.kind]++;
    if (number < by_kind[allocation.kind].size()) {
      pairs.push_back({allocation, by_kind[allocation.kind][number]});
    }
  }
  return pairs;
}

class Comparison {
 public:
  Comparison(const arena_alloc::Arena& one, const arena_alloc::Arena& other, const NamedCode& code)
      : one_(one), other_(other), code_(code) {}

  template <typename Counts>
  [[nodiscard]] std::optional<std::string> of(const StatePair& pair, Counts is_counted) const {
    const Recorder a = record(one_, pair.one, code_);
    const Recorder b = record(other_, pair.other, code_);
    for (std::size_t k = 0; k < std::min(a.values.size(), b.values.size()); ++k) {
      const Value &ours = a.values[k], &theirs = b.values[k];
      if (!is_counted(ours) || ours.equals(theirs)) continue;
      FieldLocation location;
      location.enter(pair.one.kind, pair.one.number);
      if (ours.element != nullptr) location.at(ours.element, ours.index);
      return concat(location.of(ours.field), " differs: ", text_of(ours), ", ", text_of(theirs));
    }
    return std::nullopt;
  }

  void collect(const StatePair& pair, std::size_t count_max, std::vector<Difference>& found) const {
    FieldLocation location;
    location.enter(pair.one.kind, pair.one.number);
    const std::uint32_t stamp = is_stamped(pair.one.kind) ? arena_alloc::Chunk::of(pair.one.payload).stamp() : 0;
    const Difference of_object{location.of_object(), stamp, 0, "", "", ""};
    collect(record(one_, pair.one, code_), record(other_, pair.other, code_), of_object, count_max, found);
  }
  static void collect(const Recorder& a, const Recorder& b, const Difference& of_object, std::size_t count_max,
                      std::vector<Difference>& found) {
    for (std::size_t k = 0; k < std::min(a.values.size(), b.values.size()) && found.size() < count_max; ++k) {
      const Value &ours = a.values[k], &theirs = b.values[k];
      if (!is_number(ours) || ours.equals(theirs)) continue;
      Difference& each = found.emplace_back(of_object);
      if (ours.element != nullptr) each.field = concat(ours.element, ' ', ours.index, ": ");
      each.field += ours.field;
      each.one = text_of(ours), each.other = text_of(theirs);
    }
  }

  [[nodiscard]] bool has_moved(const StatePair& pair) const {
    return pair.one.payload - one_.base() != pair.other.payload - other_.base() || pair.one.bytes != pair.other.bytes;
  }
  // Compares the address and the size of an allocation.
  [[nodiscard]] std::optional<std::string> of_memory(const StatePair& pair) const {
    if (!has_moved(pair)) return std::nullopt;
    const auto offset = pair.one.payload - one_.base(), other_offset = pair.other.payload - other_.base();
    FieldLocation location;
    location.enter(pair.one.kind, pair.one.number);
    return concat(location.of("memory"), " differs: ", pair.one.bytes, " bytes at offset ", offset, ", ",
                  pair.other.bytes, " bytes at offset ", other_offset);
  }

 private:
  const arena_alloc::Arena& one_;
  const arena_alloc::Arena& other_;
  const NamedCode& code_;
};

struct Contact {
  std::array<const Allocation*, 2> shapes;
  cpArbiter* arbiter;
};
/// Both shapes' kinds and indices among the shapes of their kinds.
using ContactKey = std::array<std::size_t, 4>;

// Includes contacts that are kept for shapes that no longer touch.
std::map<ContactKey, Contact> contacts_of(const arena_alloc::Arena& arena, const std::vector<Allocation>& allocations) {
  std::map<const void*, std::pair<std::size_t, const Allocation*>> shapes;
  std::size_t counts[FORKMUNK_KIND_COUNT] = {};
  for (const Allocation& each : allocations) shapes.emplace(each.payload, std::pair(counts[each.kind]++, &each));
  std::map<ContactKey, Contact> contacts;
  const StateNumbers numbers(arena);
  for (const StateObject& object : numbers.objects()) {
    if (object.kind != FORKMUNK_KIND_ARBITERS) continue;
    auto* const arbiter = reinterpret_cast<cpArbiter*>(object.payload);
    const auto a = shapes.find(arbiter->a), b = shapes.find(arbiter->b);
    if (a == shapes.end() || b == shapes.end()) continue;
    const auto& [index_a, shape_a] = a->second;
    const auto& [index_b, shape_b] = b->second;
    const ContactKey key{static_cast<std::size_t>(shape_a->kind), index_a, static_cast<std::size_t>(shape_b->kind),
                         index_b};
    contacts.emplace(key, Contact{{shape_a, shape_b}, arbiter});
  }
  return contacts;
}

Difference named_by_shapes(const Contact& contact) {
  FieldLocation a, b;
  a.enter(contact.shapes[0]->kind, contact.shapes[0]->number),
      b.enter(contact.shapes[1]->kind, contact.shapes[1]->number);
  const auto stamp_of = [](const Allocation* shape) { return arena_alloc::Chunk::of(shape->payload).stamp(); };
  return {concat("contact of ", a.of_object(), " and ", b.of_object()),
          stamp_of(contact.shapes[0]),
          stamp_of(contact.shapes[1]),
          "",
          "",
          ""};
}

Recorder record(const arena_alloc::Arena& arena, const Contact& contact, const NamedCode& code) {
  Recorder recorder(arena, code);
  cpArbiter& arbiter = *contact.arbiter;
  visit(recorder, arbiter);
  for (int i = 0; arbiter.contacts != nullptr && i < arbiter.count; ++i) {
    recorder.at("point", static_cast<std::size_t>(i));
    visit(recorder, arbiter.contacts[i]);
  }
  return recorder;
}

bool has_addresses_as_types(const arena_alloc::Arena& arena) {
  const auto base = reinterpret_cast<std::uintptr_t>(arena.base());
  bool found = false;
  arena.for_each_allocation([&](std::byte* payload, std::size_t, int kind) {
    if (kind != FORKMUNK_KIND_SPACE) return;
    layout::for_each<cpCollisionHandler>(layout::set_of(reinterpret_cast<cpSpace*>(payload)->collisionHandlers),
                                         [&](const cpCollisionHandler& handler, const layout::HashSetBin&) {
                                           for (const cpCollisionType type : {handler.typeA, handler.typeB})
                                             found = found || std::uintptr_t{type} - base < arena.capacity_bytes();
                                         });
  });
  return found;
}

// Returns whether types that are addresses give handlers other hashes (relocation.cpp).
bool have_other_hashes(const arena_alloc::Arena& one, const arena_alloc::Arena& other) {
  const auto hashed_part = [](const arena_alloc::Arena& arena) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(arena.base()));
  };
  return hashed_part(one) != hashed_part(other) && has_addresses_as_types(one);
}

}  // namespace

std::optional<std::string> first_difference(const arena_alloc::Arena& one, const arena_alloc::Arena& other,
                                            const NamedCode& code) {
  std::vector<Allocation> ours = allocations_of(one);
  std::vector<Allocation> theirs = allocations_of(other);
  const auto lie_the_same = [&](const Allocation& a, const Allocation& b) {
    return a.payload - one.base() == b.payload - other.base() && a.bytes == b.bytes && a.kind == b.kind;
  };
  if (!std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(), lie_the_same)) {
    sort_by_state(ours, one);
    sort_by_state(theirs, other);
  }
  const std::vector<StatePair> pairs = pairs_of(ours, theirs);
  const Comparison comparison(one, other, code);
  const bool bins_differ = have_other_hashes(one, other);
  const auto may_differ = [&](int kind) {
    return bins_differ &&
           (kind == FORKMUNK_KIND_HASH_SET_BINS || kind == FORKMUNK_KIND_POOLED_BINS || kind == FORKMUNK_KIND_POINTERS);
  };
  for (int rank = 0; rank < kRankCount; ++rank) {
    if (rank < kObjectRankCount) {
      if (auto difference = count_difference(ours, theirs, rank)) return difference;
    }
    for (const StatePair& pair : pairs) {
      if (rank_of(pair.one.kind) != rank || may_differ(pair.one.kind)) continue;
      // The elements of a packed pool or table have moved.
      if (rank > kObjectRankCount && pair.one.state_number == 0 && comparison.has_moved(pair)) continue;
      if (auto difference = comparison.of(pair, is_number)) return difference;
    }
  }
  if (ours.size() != theirs.size() || pairs.size() != ours.size()) {
    return concat("one has ", ours.size(), " allocations, the other ", theirs.size(), ", or of other kinds");
  }
  for (const StatePair& pair : pairs) {
    if (auto difference = comparison.of_memory(pair)) return difference;
    if (may_differ(pair.one.kind)) continue;
    if (auto difference = comparison.of(pair, [](const Value&) { return true; })) return difference;
  }
  if (!std::equal(one.free_lists().begin(), one.free_lists().end(), other.free_lists().begin())) {
    return std::string("the heaps' lists of free memory differ");
  }
  return std::nullopt;
}

std::vector<Difference> differences(const arena_alloc::Arena& one, const arena_alloc::Arena& other,
                                    const NamedCode& code, std::size_t count_max) {
  std::vector<Allocation> ours = allocations_of(one);
  std::vector<Allocation> theirs = allocations_of(other);
  sort_by_state(ours, one);
  sort_by_state(theirs, other);
  const std::vector<StatePair> pairs = pairs_of(ours, theirs);
  const Comparison comparison(one, other, code);
  std::vector<Difference> found;
  for (int rank = 0; rank < kContactRank; ++rank) {
    if (rank < kObjectRankCount) {
      if (const auto counts = count_difference(ours, theirs, rank)) found.push_back({"", 0, 0, *counts, "", ""});
    }
    for (const StatePair& pair : pairs) {
      if (rank_of(pair.one.kind) == rank) comparison.collect(pair, count_max, found);
    }
  }
  // Contacts are compared by their shapes: their place in pools says nothing to a reader.
  const std::map<ContactKey, Contact> contacts = contacts_of(one, ours), others = contacts_of(other, theirs);
  auto a = contacts.begin(), b = others.begin();
  while ((a != contacts.end() || b != others.end()) && found.size() < count_max) {
    const bool is_ours = b == others.end() || (a != contacts.end() && a->first <= b->first);
    const bool is_theirs = a == contacts.end() || (b != others.end() && b->first <= a->first);
    const Difference named = named_by_shapes(is_ours ? a->second : b->second);
    if (is_ours && is_theirs) {
      comparison.collect(record(one, a->second, code), record(other, b->second, code), named, count_max, found);
    } else {
      Difference& each = found.emplace_back(named);
      each.field = "exists", each.one = is_ours ? '1' : '0', each.other = is_theirs ? '1' : '0';
    }
    if (is_ours) ++a;
    if (is_theirs) ++b;
  }
  if (found.empty() && hash(one, code) != hash(other, code)) {
    found.push_back({"", 0, 0, first_difference(one, other, code).value_or("the order of objects differs"), "", ""});
  }
  return found;
}

namespace {

struct OutsideFinder {
  static constexpr bool kWantsData = false;
  std::uintptr_t base;
  std::uintptr_t bytes;
  const NamedCode& named;
  FieldLocation location{};
  std::vector<OutsidePointer> found{};

  void check(const char* field, const void* address, bool is_user_data) {
    const auto word = reinterpret_cast<std::uintptr_t>(address);
    if (word < kNumberMax || word - base < bytes || named.name_of(address) != nullptr) return;
    if (is_user_data && arena_alloc::is_uncounted(address)) return;
    found.push_back({location.of(field), address, is_user_data});
  }
  template <typename T>
  void pointer(const char* field, T*& p) {
    check(field, p, false);
  }
  template <typename T>
  void code(const char*, T&) {}
  void user(const char* field, void*& p) { check(field, p, true); }
  void user(const char*, std::uintptr_t&) {}
  void word(void*&) {}
  template <typename T>
  void data(const char*, const T&) {}
  void bytes_at(const std::byte*, std::size_t) {}
  void at(const char* element, std::size_t index) { location.at(element, index); }
};

}  // namespace

std::vector<OutsidePointer> outside_pointers(const arena_alloc::Arena& arena, const NamedCode& code) {
  OutsideFinder finder{reinterpret_cast<std::uintptr_t>(arena.base()), arena.capacity_bytes(), code};
  for_each_located(arena, finder.location, [&](std::byte* payload, std::size_t bytes, int kind) {
    visit_allocation(finder, payload, bytes, kind);
  });
  return std::move(finder.found);
}

}  // namespace forkmunk::FORKMUNK_CHIPMUNK
