#include "field_names.h"
#include "structure_check.h"

#include <forkmunk/base/error.h>

#include <algorithm>
#include <cstring>

namespace forkmunk::chipmunk {

StructureMemory::StructureMemory(const arena_alloc::Arena& arena, const NamedCode& code) : arena_(arena), code_(code) {
  arena.for_each_allocation([&](std::byte* payload, std::size_t bytes, int kind) {
    allocations_.push_back({payload, bytes, kind});
  });
}

void StructureMemory::fail(const char* what, const void* address) const {
  std::string text = std::string("a state that cannot be stepped: ") + what;
  if (arena_.contains(address)) {
    text += ", at offset " + std::to_string(static_cast<const std::byte*>(address) - arena_.base());
    if (const Allocation* found = find(address)) {
      const auto number = std::count_if(allocations_.data(), found,
                                        [&](const Allocation& before) { return before.kind == found->kind; });
      text += std::string(" (") + name_of_kind(found->kind) + ' ' + std::to_string(number) + ')';
    } else {
      text += " (freed)";
    }
  } else {
    text += address == nullptr ? ", a null pointer" : ", outside of the space's memory";
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

void StructureMemory::buffers(const cpArray* address, std::initializer_list<int> kinds, const char* what) {
  for (void* buffer : array(address, what)) {
    const Allocation* found = find(buffer);
    require(found != nullptr && found->begin == buffer && std::ranges::find(kinds, found->kind) != kinds.end(), what,
            buffer);
    require(buffers_.insert(buffer).second, what, buffer);  // its first element is claimed at the same address
  }
}

void StructureMemory::pool(const cpArray* last, std::initializer_list<int> kinds, const void* owner, const char* what) {
  const auto* buffer = reinterpret_cast<const layout::PoolBuffer*>(last);
  for (; buffer != nullptr; buffer = buffer->before) {
    const Allocation* found = find(buffer);
    require(found != nullptr && std::ranges::find(kinds, found->kind) != kinds.end(), what, buffer);
    const layout::PoolLayout layout = layout::pool_layout(found->kind);
    const auto* begin = &whole(buffer, found->kind, what);
    require((found->bytes - layout.head) % layout.stride == 0, what, begin);
    require(buffer_owners_.emplace(buffer, owner).second, what, buffer);
  }
}

void StructureMemory::check_other_pools() {
  const char* const what = "a pool of what is in no space";
  for (const Allocation& each : allocations_) {
    if (claimed_.contains(each.begin)) continue;
    if (each.kind == FORKMUNK_KIND_TREE) {
      const auto& tree = *reinterpret_cast<const layout::Tree*>(each.begin);
      pool(tree.buffers, {FORKMUNK_KIND_POOLED_NODES, FORKMUNK_KIND_POOLED_PAIRS}, &tree, what);
      for (const auto* node = tree.pooled_nodes; node != nullptr; node = node->parent) {
        claim(&pooled(node, FORKMUNK_KIND_POOLED_NODES, &tree, what), what);
      }
      for (const auto* pair = tree.pooled_pairs; pair != nullptr; pair = pair->a.next) {
        claim(&pooled(pair, FORKMUNK_KIND_POOLED_PAIRS, &tree, what), what);
      }
    } else if (each.kind == FORKMUNK_KIND_HASH_SET) {
      const auto& set = *reinterpret_cast<const layout::HashSet*>(each.begin);
      pool(set.buffers, {FORKMUNK_KIND_POOLED_BINS}, &set, what);
      for (const auto* bin = set.pooled_bins; bin != nullptr; bin = bin->next) {
        claim(&pooled(bin, FORKMUNK_KIND_POOLED_BINS, &set, what), what);
      }
    }
  }
}

void StructureMemory::check_hash_set(const layout::HashSet* address, const char* equality) {
  const char* const what = "a hash set is broken";
  const layout::HashSet& set = whole(address, FORKMUNK_KIND_HASH_SET, what);
  claim(&set, what);
  require(is_named(set.equal, equality) && set.default_value == nullptr && set.bucket_count > 0, what, &set);
  claim(&whole(set.buckets, FORKMUNK_KIND_POINTERS, what, set.bucket_count * sizeof(void*)), what);
  pool(set.buffers, {FORKMUNK_KIND_POOLED_BINS}, &set, what);
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
  for (const layout::HashSetBin* bin = set.pooled_bins; bin != nullptr; bin = bin->next) claim_bin(bin);
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
