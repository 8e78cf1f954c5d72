// SPDX-License-Identifier: MIT
#include <forkmunk/base/check.h>
#include <forkmunk/chipmunk/chipmunk_layout.h>
#include <forkmunk/chipmunk/clonable_space.h>

namespace forkmunk::FORKMUNK_CHIPMUNK {
namespace {

using arena_alloc::Arena;
using arena_alloc::Zone;

// The values that outlive a space's content, because they can affect later bits.
struct Inheritance {
  cpHashValue shape_id_counter = 0;  // shape ids order the leaves and name the contacts
  cpTimestamp stamp = 0;
  cpFloat last_time_step = 0;  // scales the first warm start
  cpTimestamp tree_stamp = 0;
  unsigned int dynamic_bucket_count = 0;  // orders the leaves
  unsigned int static_bucket_count = 0;
};

Inheritance inheritance_of(const cpSpace& space) {
  const layout::Tree& dynamic_tree = layout::tree_of(space.dynamicShapes);
  const layout::Tree& static_tree = layout::tree_of(space.staticShapes);
  return {space.shapeIDCounter,
          space.stamp,
          space.curr_dt,
          dynamic_tree.stamp,
          dynamic_tree.leaves->bucket_count,
          static_tree.leaves->bucket_count};
}

void set_bucket_count(Arena& arena, layout::HashSet& set, unsigned int bucket_count) {
  if (set.bucket_count == bucket_count) return;
  FORKMUNK_CHECK(set.entry_count == 0, "a table with %u entries cannot be resized", set.entry_count);
  arena.deallocate(set.buckets);
  set.buckets = static_cast<layout::HashSetBin**>(
      arena.allocate(bucket_count * sizeof(layout::HashSetBin*), FORKMUNK_KIND_POINTERS));
  set.bucket_count = bucket_count;
}

}  // namespace

ClonableSpace::ClonableSpace(const ChipmunkApi& api, std::size_t capacity_bytes) : api_(&api), arena_(capacity_bytes) {}

void ClonableSpace::renew(std::size_t root_bytes, void (*show_pointers)(void*, PointerVisitor&)) {
  const bool first = space_ == nullptr;
  const Inheritance inheritance = first ? Inheritance{} : inheritance_of(*space_);
  arena_.reset();
  const auto scope = enter();
  root_ = nullptr;
  if (root_bytes != 0) {
    auto* header = static_cast<TypedHeader*>(arena_.allocate(sizeof(TypedHeader) + root_bytes, FORKMUNK_KIND_TYPED));
    header->visit = show_pointers;
    root_ = header + 1;
  }
  space_ = api_->cpSpaceNew();
  if (first) return;
  space_->shapeIDCounter = inheritance.shape_id_counter;
  space_->stamp = inheritance.stamp;
  space_->curr_dt = inheritance.last_time_step;
  layout::tree_of(space_->dynamicShapes).stamp = inheritance.tree_stamp;
  set_bucket_count(arena_, *layout::tree_of(space_->dynamicShapes).leaves, inheritance.dynamic_bucket_count);
  arena_.set_zone(Zone::constant);
  set_bucket_count(arena_, *layout::tree_of(space_->staticShapes).leaves, inheritance.static_bucket_count);
  arena_.set_zone(Zone::live);
}

void ClonableSpace::begin_static_shapes(std::size_t shape_count) {
  layout::Tree& tree = layout::tree_of(space_->staticShapes);
  FORKMUNK_CHECK(tree.root == nullptr, "static shapes can be reserved only in an empty space");
  if (shape_count == 0) return;
  auto* leaves =
      static_cast<layout::Node*>(arena_.allocate(shape_count * sizeof(layout::Node), FORKMUNK_KIND_TREE_NODES));
  arena_.set_zone(Zone::constant);
  auto* inner =
      static_cast<layout::Node*>(arena_.allocate((shape_count - 1) * sizeof(layout::Node), FORKMUNK_KIND_TREE_NODES));
  // An insertion allocates its leaf and then, except for the first shape, the inner node above it.
  for (std::size_t i = shape_count; i-- > 0;) {
    if (i > 0) {
      inner[i - 1].parent = tree.pooled_nodes;
      tree.pooled_nodes = &inner[i - 1];
    }
    leaves[i].parent = tree.pooled_nodes;
    tree.pooled_nodes = &leaves[i];
  }
}

void ClonableSpace::end_static_shapes() {
  FORKMUNK_CHECK(layout::tree_of(space_->staticShapes).pooled_nodes == nullptr, "fewer static shapes than reserved");
  arena_.set_zone(Zone::live);
}

void ClonableSpace::fork_from(const ClonableSpace& other) {
  arena_.copy_from(other.arena_);
  space_ = other.space_;
  root_ = other.root_;
  relocate(space_, other);
  relocate(root_, other);
  chipmunk::relocate(arena_, other.arena_.base(), other.arena_.capacity_bytes());
}

}  // namespace forkmunk::FORKMUNK_CHIPMUNK
