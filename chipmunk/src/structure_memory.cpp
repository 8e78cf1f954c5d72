#include "field_names.h"
#include "structure_check.h"

#include <forkmunk/base/error.h>

#include <algorithm>
#include <cstring>

namespace forkmunk::chipmunk {

StructureMemory::StructureMemory(const arena_alloc::Arena& arena, const NamedCode& code) : arena_(arena), code_(code) {
  arena.for_each_allocation([&](std::byte* payload, std::size_t bytes, int kind) {
    allocations_.push_back({payload, bytes, kind, nullptr});
  });
}

void StructureMemory::fail(const char* what, const void* address) const {
  std::string text("a state that cannot be stepped: ");
  text += what;
  const auto add = [&](const char* word, std::ptrdiff_t number) { text.append(word).append(std::to_string(number)); };
  if (const Allocation* found = find(address)) {
    add(", at offset ", static_cast<const std::byte*>(address) - arena_.base());
    text.append(" (").append(name_of_kind(found->kind));
    add(" ",
        std::count_if(allocations_.data(), found, [&](const Allocation& each) { return each.kind == found->kind; }));
    text += ')';
  } else {
    text += address == nullptr         ? ", a null pointer"
            : arena_.contains(address) ? ", in memory that was freed"
                                       : ", outside of the space's memory";
  }
  throw Error(text);
}

const StructureMemory::Allocation* StructureMemory::find(const void* address) const {
  const auto* position = static_cast<const std::byte*>(address);
  auto next = std::upper_bound(allocations_.begin(), allocations_.end(), position,
                               [](const std::byte* p, const Allocation& a) { return p < a.begin; });
  if (next == allocations_.begin()) return nullptr;
  --next;
  return static_cast<std::size_t>(position - next->begin) < next->bytes ? &*next : nullptr;
}

std::size_t StructureMemory::count_of(int kind) const {
  return static_cast<std::size_t>(
      std::count_if(allocations_.begin(), allocations_.end(), [&](const Allocation& a) { return a.kind == kind; }));
}

bool StructureMemory::is_named(const void* code, const char* name) const {
  constexpr std::size_t kPrefix = std::char_traits<char>::length("chipmunk ");
  const std::string* found = code_.name_of(code);
  return found != nullptr && found->starts_with("chipmunk ") && found->compare(kPrefix, std::string::npos, name) == 0;
}

bool StructureMemory::is_callable_at(const void* code, CodeType type) const {
  const std::string* name = code_.name_of(code);
  if (name == nullptr) return false;
  const CodeType found = code_.type_of(code);
  return found == type || (found == CodeType::unknown && !name->starts_with("chipmunk "));
}

bool StructureMemory::asks_wildcards(const cpCollisionHandler& handler) const {
  const auto asks = [&](const auto function) {
    const std::string* name = code_.name_of(reinterpret_cast<const void*>(function));
    return name != nullptr && (name->starts_with("chipmunk pair ") || name->starts_with("chipmunk wildcard "));
  };
  return asks(handler.beginFunc) || asks(handler.preSolveFunc) || asks(handler.postSolveFunc) ||
         asks(handler.separateFunc);
}

std::span<void* const> StructureMemory::array(const cpArray* address, const char* what) {
  const cpArray& array = whole(address, FORKMUNK_KIND_ARRAY, what);
  claim(&array, what);
  require(array.max > 0 && array.num >= 0 && array.num <= array.max, what, &array);
  const std::span<void* const> elements{array.arr, static_cast<std::size_t>(array.num)};
  if (array.arr == reinterpret_cast<void* const*>(&array + 1)) {
    require(array.max == 1 && find(&array)->bytes >= sizeof array + sizeof(void*), what, &array);
    return elements;
  }
  const auto count = static_cast<std::size_t>(array.max);
  claim(&whole(array.arr, FORKMUNK_KIND_POINTERS, what, count * sizeof(void*)), what);
  return elements;
}

std::size_t StructureMemory::own_buffer(const void* buffer, std::initializer_list<int> kinds, const void* owner,
                                        const char* what) {
  const Allocation* found = find(buffer);
  require(found != nullptr && found->begin == buffer && found->owner == nullptr &&
              std::ranges::find(kinds, found->kind) != kinds.end(),
          what, buffer);
  allocations_[static_cast<std::size_t>(found - allocations_.data())].owner = owner;
  return found->bytes;
}

void StructureMemory::buffers(const cpArray* address, std::initializer_list<int> kinds, const char* what) {
  for (void* buffer : array(address, what)) own_buffer(buffer, kinds, address, what);
}

void StructureMemory::pool(const cpArray* last, std::initializer_list<int> kinds, const void* owner, const char* what) {
  const auto* buffer = reinterpret_cast<const layout::PoolBuffer*>(last);
  for (; buffer != nullptr; buffer = buffer->before) {
    const std::size_t bytes = own_buffer(buffer, kinds, owner, what);
    const layout::PoolLayout layout = layout::pool_layout(find(buffer)->kind);
    require(bytes >= layout.head && (bytes - layout.head) % layout.stride == 0, what, buffer);
  }
}

void StructureMemory::require_pooled(const void* address, int kind, const void* owner, const char* what) const {
  const Allocation* found = find(address);
  require(found != nullptr && found->kind == kind && found->owner == owner, what, address);
  const layout::PoolLayout layout = layout::pool_layout(kind);
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) - found->begin);
  require(offset >= layout.head && (offset - layout.head) % layout.stride == 0, what, address);
}

void StructureMemory::free_list(const void* first, std::size_t next_offset, int kind, const void* owner,
                                const char* what) {
  for (const void* element = first; element != nullptr;) {
    require_pooled(element, kind, owner, what);
    claim(element, what);
    std::memcpy(&element, static_cast<const std::byte*>(element) + next_offset, sizeof element);
  }
}

void StructureMemory::check_other_pools() {
  const char* const what = "a pool of what is in no space";
  for (const Allocation& each : allocations_) {
    if (claimed_.contains(each.begin)) continue;
    if (each.kind == FORKMUNK_KIND_TREE) {
      check_pools(*reinterpret_cast<const layout::Tree*>(each.begin), what);
    } else if (each.kind == FORKMUNK_KIND_HASH_SET) {
      check_pool(*reinterpret_cast<const layout::HashSet*>(each.begin), what);
    }
  }
}

void StructureMemory::check_pools(const layout::Tree& tree, const char* what) {
  pool(tree.buffers, {FORKMUNK_KIND_POOLED_NODES, FORKMUNK_KIND_POOLED_PAIRS}, &tree, what);
  free_list(tree.pooled_nodes, offsetof(layout::Node, parent), FORKMUNK_KIND_POOLED_NODES, &tree, what);
  free_list(tree.pooled_pairs, offsetof(layout::Pair, a.next), FORKMUNK_KIND_POOLED_PAIRS, &tree, what);
}

void StructureMemory::check_pool(const layout::HashSet& set, const char* what) {
  pool(set.buffers, {FORKMUNK_KIND_POOLED_BINS}, &set, what);
  free_list(set.pooled_bins, offsetof(layout::HashSetBin, next), FORKMUNK_KIND_POOLED_BINS, &set, what);
}

void StructureMemory::check_hash_set(const layout::HashSet* address, const char* equality) {
  const char* const what = "a hash set is broken";
  const layout::HashSet& set = whole(address, FORKMUNK_KIND_HASH_SET, what);
  claim(&set, what);
  require(is_named(set.equal, equality) && set.default_value == nullptr && set.bucket_count > 0, what, &set);
  claim(&whole(set.buckets, FORKMUNK_KIND_POINTERS, what, set.bucket_count * sizeof(void*)), what);
  check_pool(set, what);
  std::size_t entry_count = 0;
  const auto claim_bin = [&](const layout::HashSetBin* bin) {
    claim(&pooled(bin, FORKMUNK_KIND_POOLED_BINS, &set, what), what);
  };
  for (unsigned int i = 0; i < set.bucket_count; ++i) {
    for (const layout::HashSetBin* bin = set.buckets[i]; bin != nullptr; bin = bin->next, ++entry_count) {
      claim_bin(bin);
      require(bin->hash % set.bucket_count == i && bin->element != nullptr, what, bin);
    }
  }
  require(entry_count == set.entry_count, what, &set);
}

void check_structure(const arena_alloc::Arena& arena, const NamedCode& code) {
  StructureMemory memory(arena, code);
  const std::vector<cpSpace*> spaces = spaces_of(arena);
  const ArenaRoot* root = root_of(arena);
  const std::string* resource = code.name_of(root->resource);
  memory.require(resource != nullptr && *resource == "forkmunk memory resource", "its memory resource is none", root);
  memory.require(memory.count_of(FORKMUNK_KIND_ROOT) == 1, "it has several roots", root);
  memory.require(memory.count_of(FORKMUNK_KIND_SPACE) == spaces.size(), "a space is in no list", root);
  StructureObjects(memory).check(spaces);
  memory.check_other_pools();
}

}  // namespace forkmunk::chipmunk
