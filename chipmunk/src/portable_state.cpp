// SPDX-License-Identifier: MIT
#include "field_names.h"
#include "visitors.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/hasher.h>

#include <algorithm>
#include <cstring>

namespace forkmunk::chipmunk {
namespace {

using arena_alloc::Arena;
using arena_alloc::ArenaHeader;
using arena_alloc::Chunk;
using arena_alloc::kFirstChunkOffset;

// Before the bytes: this, then the names of the code, each ended by a 0, padded to 16 bytes in all.
struct FileHeader {
  char magic[8] = {'F', 'M', 'S', 'P', 'A', 'C', 'E', '1'};
  std::uint64_t layout = 0;
  std::uint64_t name_bytes = 0;
  std::uint64_t live_bytes = 0;
  std::uint64_t checksum = 0;  // of all that follows
};

// Pointers into the arena become this plus an offset: no address of a program, no small number and no usual double.
constexpr bool kIsWide = sizeof(void*) == 8;
constexpr std::uint64_t kPointerBase = kIsWide ? 0x7ff7a5c300000000u : 0xb0000000u;
constexpr std::uint64_t kOffsetEnd = kIsWide ? arena_alloc::kCapacityBytesMax : std::uint64_t{1} << 28;
// A user's words that have a name become this plus the name's number.
constexpr std::uint64_t kNameBase = kIsWide ? 0x7ff7a5c400000000u : 0xc0000000u;
constexpr std::uint64_t kNameCountMax = kIsWide ? std::uint64_t{1} << 32 : std::uint64_t{1} << 16;

std::uint64_t layout_hash() {
  Hasher hasher;
  hasher.add(sizeof(void*), sizeof(ArenaHeader), sizeof(Chunk), sizeof(cpBody), sizeof(ListedSpace), sizeof(ArenaRoot),
             sizeof(cpShape), sizeof(cpPolyShape), sizeof(cpConstraint), sizeof(cpDampedSpring), sizeof(cpArbiter),
             sizeof(cpContact), sizeof(layout::ContactArbiter), sizeof(layout::ContactSlots),
             sizeof(layout::PoolBuffer), sizeof(layout::Node), sizeof(layout::Pair), sizeof(layout::SpaceHash),
             sizeof(cpCollisionHandler), int{FORKMUNK_KIND_COUNT});
  return hasher.value();
}

// A spatial hash files shapes under hashes as wide as a C long: a state that has one differs in `layout` by this.
constexpr std::uint64_t kCellMark = sizeof(long) == 8 ? 0 : 1;

std::uint64_t mark_of(const Arena& arena) {
  std::uint64_t mark = 0;
  arena.for_each_allocation([&](const std::byte*, std::size_t, int kind) {
    if (kind == FORKMUNK_KIND_SPACE_HASH) mark = kCellMark;
  });
  return mark;
}

/// What both directions have in common: every pointer, word and piece of code goes through one function.
template <typename Derived>
struct PortableTranslation {
  static constexpr bool kWantsData = false;
  FieldLocation location{};

  template <typename T>
  void pointer(const char* field, T*& p) {
    p = reinterpret_cast<T*>(self().pointer_word(field, reinterpret_cast<std::uint64_t>(p), kinds_of<T>()));
  }
  template <typename T>
  void code(const char* field, T& p) {
    p = reinterpret_cast<T>(self().code_word(field, reinterpret_cast<std::uint64_t>(p)));
  }
  void user(const char* field, void*& p) {
    p = reinterpret_cast<void*>(self().user_word(field, reinterpret_cast<std::uint64_t>(p)));
  }
  void user(const char* field, std::uintptr_t& number) {
    number = static_cast<std::uintptr_t>(self().any_word(field, number));
  }
  void word(void*& w) { w = reinterpret_cast<void*>(self().any_word("value", reinterpret_cast<std::uint64_t>(w))); }
  template <typename T>
  void data(const char*, const T&) {}
  void bytes_at(const std::byte*, std::size_t) {}
  void at(const char* element, std::size_t index) { location.at(element, index); }

  /// The kinds of allocation that a pointer to T may lead to, as bits; 0 for any.
  template <typename T>
  static constexpr std::uint64_t kinds_of() {
    using U = std::remove_cv_t<T>;
    const auto bits = [](auto... kinds) { return ((std::uint64_t{1} << kinds) | ...); };
    if constexpr (std::is_same_v<U, cpBody>) return bits(FORKMUNK_KIND_BODY, FORKMUNK_KIND_SPACE) | kUsers;
    if constexpr (std::is_same_v<U, cpShape>)
      return bits(FORKMUNK_KIND_CIRCLE, FORKMUNK_KIND_SEGMENT, FORKMUNK_KIND_POLY) | kUsers;
    if constexpr (std::is_same_v<U, cpArbiter>) return bits(FORKMUNK_KIND_CONTACT_ARBITERS);
    if constexpr (std::is_same_v<U, cpArray>) return bits(FORKMUNK_KIND_ARRAY, FORKMUNK_KIND_CONTACT_SLOTS) | kPools;
    if constexpr (std::is_same_v<U, void*>) return bits(FORKMUNK_KIND_POINTERS, FORKMUNK_KIND_ARRAY);
    if constexpr (std::is_same_v<U, layout::Node>) return bits(FORKMUNK_KIND_POOLED_NODES);
    if constexpr (std::is_same_v<U, layout::Pair>) return bits(FORKMUNK_KIND_POOLED_PAIRS);
    if constexpr (std::is_same_v<U, layout::HashSetBin>) return bits(FORKMUNK_KIND_POOLED_BINS);
    if constexpr (std::is_same_v<U, cpContact>) return bits(FORKMUNK_KIND_CONTACT_ARBITERS);
    return 0;
  }
  static constexpr std::uint64_t kUsers = std::uint64_t{1} << FORKMUNK_KIND_CONSERVATIVE | std::uint64_t{1}
                                                                                               << FORKMUNK_KIND_TYPED;
  static constexpr std::uint64_t kPools =
      std::uint64_t{1} << FORKMUNK_KIND_CONTACT_ARBITERS | std::uint64_t{1} << FORKMUNK_KIND_POOLED_NODES |
      std::uint64_t{1} << FORKMUNK_KIND_POOLED_PAIRS | std::uint64_t{1} << FORKMUNK_KIND_POOLED_BINS;

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
};

struct Writer : PortableTranslation<Writer> {
  std::uint64_t base;
  std::uint64_t bytes;
  const NamedCode& named;
  std::vector<std::string> names{};

  Writer(std::uint64_t base_, std::uint64_t bytes_, const NamedCode& code) : base(base_), bytes(bytes_), named(code) {}

  [[nodiscard]] bool is_inside(std::uint64_t word) const { return word - base < bytes; }
  std::uint64_t any_word(const char* field, std::uint64_t word) const {
    if (is_inside(word)) return kPointerBase + (word - base);
    if (word - kPointerBase < kNameBase - kPointerBase + kNameCountMax) {
      throw Error(location.of(field) + ": the number " + std::to_string(word) +
                  " is one of those that stand for pointers in a written snapshot; use another");
    }
    return word;
  }
  std::uint64_t user_word(const char* field, std::uint64_t word) {
    const auto* address = reinterpret_cast<const void*>(word);
    if (meaning_of(address, static_cast<std::uintptr_t>(base), static_cast<std::uintptr_t>(bytes), named) !=
        UserWord::name)
      return any_word(field, word);
    return kNameBase + code_word(field, word);
  }
  std::uint64_t pointer_word(const char* field, std::uint64_t word, std::uint64_t) {
    if (word == 0 || is_inside(word)) return any_word(field, word);
    if (named.name_of(reinterpret_cast<const void*>(word)) == nullptr) {
      throw Error(location.of(field) + " leads out of the space's memory; make objects in the scope of enter()");
    }
    return code_word(field, word);
  }
  std::uint64_t code_word(const char* field, std::uint64_t word) {
    if (word == 0) return 0;
    const std::string* name = named.name_of(reinterpret_cast<const void*>(word));
    if (name == nullptr) {
      throw Error(location.of(field) +
                  ": found a function or class without a name, expected one given with name_code()");
    }
    auto found = std::find(names.begin(), names.end(), *name);
    if (found == names.end()) found = names.insert(found, *name);
    return static_cast<std::uint64_t>(found - names.begin()) + 1;
  }
  template <typename Show>
  void typed(void (*)(void*, PointerVisitor&), void*, Show&) {
    throw Error(location.of("visit_pointers") +
                ": found an object whose pointers only code can show, expected none to travel");
  }
};

struct Reader : PortableTranslation<Reader> {
  struct Extent {
    std::uint64_t offset;
    std::uint64_t bytes;
    int kind;
  };
  std::vector<Extent> allocations{};  // by offset
  std::vector<const void*> code_of{};
  std::uint64_t base = 0;

  [[nodiscard]] const Extent* find(std::uint64_t offset) const {
    auto next = std::upper_bound(allocations.begin(), allocations.end(), offset,
                                 [](std::uint64_t o, const Extent& p) { return o < p.offset; });
    if (next == allocations.begin()) return nullptr;
    --next;
    return offset - next->offset <= next->bytes ? &*next : nullptr;
  }
  std::uint64_t any_word(const char* field, std::uint64_t word) const {
    const std::uint64_t offset = word - kPointerBase;
    if (offset < kOffsetEnd) return base + offset;
    if (offset < kNameBase - kPointerBase + kNameCountMax) {
      throw Error("a damaged state: " + location.of(field) + " has a number that no state is written with");
    }
    return word;
  }
  std::uint64_t user_word(const char* field, std::uint64_t word) const {
    return word - kNameBase < kNameCountMax ? code_word(field, word - kNameBase) : any_word(field, word);
  }
  std::uint64_t pointer_word(const char* field, std::uint64_t word, std::uint64_t kinds) {
    const std::uint64_t offset = word - kPointerBase;
    if (offset >= kOffsetEnd) return code_word(field, word);
    // What is stale in a pool may lead to what is free by now, or another's; nothing follows it.
    if ((kPools >> location.kind() & 1) != 0) return base + offset;
    if (const Extent* target = find(offset); target != nullptr && kinds != 0 && (kinds >> target->kind & 1) == 0) {
      throw Error("a damaged state: " + location.of(field) + " leads to a " + name_of_kind(target->kind));
    }
    return base + offset;
  }
  std::uint64_t code_word(const char* field, std::uint64_t word) const {
    if (word == 0) return 0;
    if (word > code_of.size())
      throw Error("a damaged state: " + location.of(field) + " has no entry in its table of names");
    return reinterpret_cast<std::uint64_t>(code_of[static_cast<std::size_t>(word - 1)]);
  }
  template <typename Show>
  void typed(void (*)(void*, PointerVisitor&), void*, Show&) {}
};

// Sizes that a count inside claims, against what is there.
void check_counts(const Reader& reader, std::byte* payload, std::size_t bytes, int kind) {
  const auto need = [&](const void* pointer, std::uint64_t wanted, const char* what) {
    if (wanted == 0) return;
    const Reader::Extent* target = reader.find(reinterpret_cast<std::uint64_t>(pointer) - kPointerBase);
    const std::uint64_t before =
        target == nullptr ? 0 : reinterpret_cast<std::uint64_t>(pointer) - kPointerBase - target->offset;
    if (target == nullptr || wanted > target->bytes - before) {
      throw Error(std::string("a damaged state: ") + what + " claims more than there is");
    }
  };
  if (kind >= FORKMUNK_KIND_COUNT || bytes < least_bytes(kind)) {
    throw Error("a damaged state: an allocation is too small for what it is");
  }
  switch (kind) {
    case FORKMUNK_KIND_POLY: {
      const auto& poly = *reinterpret_cast<const cpPolyShape*>(payload);
      if (poly.count < 0) throw Error("a damaged state: a polygon has a negative count");
      need(poly.planes, 2 * static_cast<std::uint64_t>(poly.count) * sizeof(cpSplittingPlane), "a polygon");
      return;
    }
    case FORKMUNK_KIND_TYPED: throw Error("a damaged state: it has an object whose pointers only code can show");
    default: return;
  }
}

// Every reader of an arena follows the root and its list of spaces.
void check_spaces(const Reader& reader, const Arena& arena) {
  const auto is_space = [&](const void* address) {
    const auto offset = static_cast<std::uint64_t>(static_cast<const std::byte*>(address) - arena.base());
    const Reader::Extent* target = arena.contains(address) ? reader.find(offset) : nullptr;
    return target != nullptr && target->offset == offset && target->kind == FORKMUNK_KIND_SPACE;
  };
  const ArenaRoot* root = root_of(arena);
  if (root == nullptr) throw Error("a damaged state: it has no root");
  const ListedSpace* last = nullptr;
  bool has_main = false;
  std::size_t left = reader.allocations.size();
  for (const ListedSpace* listed = root->first_space; listed != nullptr; last = listed, listed = listed->next) {
    if (!is_space(listed) || left-- == 0) throw Error("a damaged state: its list of spaces is broken");
    if (listed->space.locked != 0 || listed->space.skipPostStep) throw Error("a damaged state: a space is in a step");
    has_main = has_main || &listed->space == root->main_space;
  }
  if (last != root->last_space || !(has_main || root->main_space == nullptr)) {
    throw Error("a damaged state: its list of spaces is broken");
  }
}

// Checks the heap's header and chunks: nothing walks over the heap before they are known to be sound. Lists the
// allocations.
void check_heap(Reader& reader, std::span<const std::byte> live) {
  ArenaHeader header;
  std::memcpy(&header, live.data(), sizeof header);
  if (header.live_end != live.size() || header.zone != arena_alloc::Zone::live) {
    throw Error("a damaged state: its heap has no end");
  }
  const auto chunk_at = [live](std::uint32_t offset) {
    Chunk chunk;
    std::memcpy(&chunk, live.data() + offset, sizeof chunk);
    return chunk;
  };
  std::vector<std::uint32_t> free_chunks;  // by offset
  for (std::uint32_t offset = kFirstChunkOffset; offset < header.live_end;) {
    if (header.live_end - offset < sizeof(Chunk)) throw Error("a damaged state: its heap is cut");
    const Chunk chunk = chunk_at(offset);
    if (chunk.bytes() == 0 || chunk.bytes() % arena_alloc::kGranule != 0 || chunk.bytes() > header.live_end - offset ||
        (chunk.used() && (chunk.requested_bytes() > chunk.payload_bytes() || chunk.kind() >= FORKMUNK_KIND_COUNT))) {
      throw Error("a damaged state: its heap is broken at offset " + std::to_string(offset));
    }
    if (chunk.used()) {
      reader.allocations.push_back({offset + sizeof chunk, chunk.requested_bytes(), chunk.kind()});
    } else {
      free_chunks.push_back(offset);
    }
    offset += chunk.bytes();
  }
  std::size_t left = free_chunks.size();
  for (std::uint32_t offset : header.free_list) {
    for (; offset != 0; offset = chunk_at(offset).link) {
      if (left-- == 0 || !std::binary_search(free_chunks.begin(), free_chunks.end(), offset)) {
        throw Error("a damaged state: its lists of free memory are broken");
      }
    }
  }
}

// What stands before a state; its sizes can be added. \throws Error if it is none.
FileHeader header_of(std::span<const std::byte> bytes) {
  FileHeader header;
  const FileHeader expected;
  if (bytes.size() < sizeof header)
    throw Error("not a state of a space: found " + std::to_string(bytes.size()) + " bytes");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.magic, expected.magic, sizeof header.magic) != 0) {
    throw Error("not a state of a space: it does not begin with FMSPACE1");
  }
  if ((header.layout ^ layout_hash()) > 1) throw Error("a state of a space of another version or kind of machine");
  if (std::max(header.name_bytes, header.live_bytes) > arena_alloc::kCapacityBytesMax) {
    throw Error("a damaged state of a space: its header claims more bytes than a space has");
  }
  return header;
}
static_assert(sizeof(FileHeader) == kPortableHeaderBytes);

// All offsets that a pointer may have must be written.
void require_offsets(const Arena& arena) {
  if (arena.capacity_bytes() <= kOffsetEnd) return;
  throw Error("a state of a space of " + std::to_string(arena.capacity_bytes()) +
              " bytes cannot be written here: with 32-bit addresses at most " + std::to_string(kOffsetEnd));
}

}  // namespace

std::vector<std::byte> to_portable(const Arena& arena, const NamedCode& code) {
  require_offsets(arena);
  Arena copy(arena.capacity_bytes());
  copy.copy_from(arena);
  Writer writer(reinterpret_cast<std::uint64_t>(arena.base()), arena.capacity_bytes(), code);
  for_each_located(copy, writer.location, [&](std::byte* payload, std::size_t bytes, int kind) {
    visit_allocation(writer, payload, bytes, kind);
  });
  std::string names;
  for (const std::string& name : writer.names) names += name + '\0';
  names.resize((names.size() + 15) / 16 * 16, '\0');
  FileHeader header;
  header.layout = layout_hash() ^ mark_of(copy);
  header.name_bytes = names.size();
  header.live_bytes = copy.live_bytes();
  std::vector<std::byte> result(sizeof header + names.size() + copy.live_bytes());
  std::memcpy(result.data() + sizeof header, names.data(), names.size());
  copy.save_live(result.data() + sizeof header + names.size());
  header.checksum = checksum_of(std::span(result).subspan(sizeof header));
  std::memcpy(result.data(), &header, sizeof header);
  return result;
}

std::size_t portable_bytes(std::span<const std::byte> header) {
  const FileHeader found = header_of(header);
  return static_cast<std::size_t>(sizeof found + found.name_bytes + found.live_bytes);
}

void from_portable(Arena& arena, std::span<const std::byte> bytes, const NamedCode& code) {
  const FileHeader header = header_of(bytes);
  const std::span<const std::byte> rest = bytes.subspan(sizeof header);
  if (header.name_bytes > rest.size() || header.live_bytes != rest.size() - header.name_bytes ||
      header.checksum != checksum_of(rest)) {
    throw Error("a damaged state of a space: its length or its checksum is not what it was written with");
  }
  const auto name_bytes = static_cast<std::size_t>(header.name_bytes);
  const std::span<const std::byte> live = rest.subspan(name_bytes);
  if (live.size() < kFirstChunkOffset || live.size() > arena.capacity_bytes() - arena_alloc::kChunkHeaderBytes) {
    throw Error("a state of a space: found " + std::to_string(live.size()) + " bytes, expected room for them in " +
                std::to_string(arena.capacity_bytes()));
  }

  Reader reader;
  const std::string names(reinterpret_cast<const char*>(rest.data()), name_bytes);
  for (std::size_t begin = 0; begin < names.size() && names[begin] != '\0';) {
    const std::string name = names.c_str() + begin;
    const void* address = code.find(name);
    if (address == nullptr)
      throw Error("a state of a space: found code named \"" + name + "\", expected one given with name_code()");
    reader.code_of.push_back(address);
    begin += name.size() + 1;
  }

  check_heap(reader, live);
  Arena scratch(arena.capacity_bytes());
  if (!scratch.adopt(live)) throw Error("a state of a space: there is no room for it");
  if (const auto problem = scratch.find_corruption()) throw Error("a damaged state: " + *problem);
  scratch.for_each_allocation(
      [&](std::byte* payload, std::size_t size, int kind) { check_counts(reader, payload, size, kind); });
  if (header.layout != (layout_hash() ^ mark_of(scratch))) {
    throw Error("a state of a space with a spatial hash, of a kind of machine with another width of long");
  }
  reader.base = reinterpret_cast<std::uint64_t>(scratch.base());
  for_each_located(scratch, reader.location, [&](std::byte* payload, std::size_t size, int kind) {
    visit_allocation(reader, payload, size, kind);
  });
  check_spaces(reader, scratch);
  check_structure(scratch, code);
  arena.copy_from(scratch);
  relocate(arena, scratch.base(), scratch.capacity_bytes());
}

}  // namespace forkmunk::chipmunk
