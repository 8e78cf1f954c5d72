// SPDX-License-Identifier: MIT
#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/chipmunk/defects.h>

extern "C" {
#include <forkmunk/arena_alloc/routing.h>
void* forkmunk_chipmunk_allocate(size_t size_bytes, const void* owner, int kind);
void* forkmunk_chipmunk_reallocate(void* block, size_t size_bytes, const void* owner, int kind);
void forkmunk_chipmunk_free(void* block);
cpBool forkmunk_chipmunk_is_alone(const cpSpace* space);
}

namespace forkmunk::FORKMUNK_CHIPMUNK {

using arena_alloc::Arena;
using arena_alloc::Chunk;
using arena_alloc::kFirstChunkOffset;
using arena_alloc::kStampBytes;

namespace {

void append(ArenaRoot& root, ListedSpace* space) {
  (root.last_space == nullptr ? root.first_space : root.last_space->next) = space;
  root.last_space = space;
}

void remove(ArenaRoot& root, ListedSpace* space) {
  ListedSpace* before = nullptr;
  for (ListedSpace* listed = root.first_space; listed != nullptr; before = listed, listed = listed->next) {
    if (listed != space) continue;
    (before == nullptr ? root.first_space : before->next) = space->next;
    if (root.last_space == space) root.last_space = before;
    if (root.main_space == &space->space) root.main_space = nullptr;
    return;
  }
}

}  // namespace

ArenaRoot& make_root(Arena& arena) noexcept {
  void* const root = arena.allocate(sizeof(ArenaRoot) + kStampBytes, FORKMUNK_KIND_ROOT);
  Chunk::of(root).add_stamp(0);
  return *static_cast<ArenaRoot*>(root);
}

void StateMemory::fail() { throw Error("a damaged state: a pointer leads to unused memory"); }

ArenaRoot* root_of(const StateMemory& memory) noexcept {
  if (memory.bytes.size() <= kFirstChunkOffset) return nullptr;
  auto& first = *reinterpret_cast<Chunk*>(memory.bytes.data() + kFirstChunkOffset);
  return first.used() && first.kind() == FORKMUNK_KIND_ROOT ? reinterpret_cast<ArenaRoot*>(first.payload()) : nullptr;
}

std::vector<cpSpace*> spaces_of(const StateMemory& memory) {
  std::vector<cpSpace*> spaces;
  const ArenaRoot* root = root_of(memory);
  for (ListedSpace* s = root == nullptr ? nullptr : memory(root->first_space); s != nullptr; s = memory(s->next)) {
    spaces.push_back(&s->space);
  }
  return spaces;
}

void stamp(const Arena& arena, void* payload) noexcept {
  if (!arena.contains(payload)) return;
  Chunk& last = Chunk::of(root_of(arena));
  last.set_stamp(last.stamp() + 1);
  Chunk::of(payload).add_stamp(last.stamp());
}

bool is_locked(const ArenaRoot& root) noexcept {
  for (const ListedSpace* s = root.first_space; s != nullptr; s = s->next) {
    if (s->space.locked != 0 || s->space.skipPostStep) return true;
  }
  return false;
}

}  // namespace forkmunk::FORKMUNK_CHIPMUNK

using namespace forkmunk::chipmunk;

void* forkmunk_chipmunk_allocate(size_t size_bytes, const void* owner, int kind) {
  if (is_stamped(kind)) {
    const Arena* const arena = owner == nullptr ? Arena::current() : Arena::containing(owner);
    if (arena == nullptr || root_of(*arena) == nullptr) return forkmunk_arena_allocate(size_bytes, owner, kind);
    void* const object = forkmunk_arena_allocate(size_bytes + kStampBytes, owner, kind);
    stamp(*arena, object);
    return object;
  }
  if (kind != FORKMUNK_KIND_SPACE) return forkmunk_arena_allocate(size_bytes, owner, kind);
  void* space = forkmunk_arena_allocate(sizeof(ListedSpace), owner, kind);
  if (const Arena* arena = Arena::containing(space)) {
    if (ArenaRoot* root = root_of(*arena)) {
      auto* const listed = static_cast<ListedSpace*>(space);
      if (root->first_space != nullptr) {
        forkmunk_set_defects(&listed->space, forkmunk_defects(&root->first_space->space));
      }
      append(*root, listed);
    }
  }
  return space;
}

void* forkmunk_chipmunk_reallocate(void* block, size_t size_bytes, const void* owner, int kind) {
  if (block == nullptr) return forkmunk_chipmunk_allocate(size_bytes, owner, kind);
  const Arena* const arena = Arena::containing(block);
  if (arena == nullptr || root_of(*arena) == nullptr || !is_stamped(Chunk::of(block).kind())) {
    return forkmunk_arena_realloc(block, size_bytes, owner, kind);
  }
  const std::uint32_t stamp = Chunk::of(block).stamp();
  void* const moved = forkmunk_arena_realloc(block, size_bytes + kStampBytes, owner, kind);
  if (arena->contains(moved)) Chunk::of(moved).add_stamp(stamp);
  return moved;
}

cpBool forkmunk_chipmunk_is_alone(const cpSpace* space) {
  const Arena* const arena = Arena::containing(space);
  const ArenaRoot* const root = arena == nullptr ? nullptr : root_of(*arena);
  return static_cast<cpBool>(root != nullptr && root->first_space == root->last_space &&
                             &root->first_space->space == space);
}

void forkmunk_chipmunk_free(void* block) {
  if (block == nullptr) return;
  if (const Arena* arena = Arena::containing(block);
      arena != nullptr && Chunk::of(block).kind() == FORKMUNK_KIND_SPACE) {
    if (ArenaRoot* root = root_of(*arena)) remove(*root, static_cast<ListedSpace*>(block));
  }
  forkmunk_arena_free(block);
}
