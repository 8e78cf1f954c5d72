#include "structure_check.h"

#include <cmath>

namespace forkmunk::chipmunk {
namespace {

using layout::Node;
using layout::Pair;
using layout::Tree;

/// Far from the largest, so that it does not wrap for a long time: leaves are compared with it.
constexpr cpTimestamp kStampMax = cpTimestamp{1} << 31;
/// Cells that a shape may cover: a step visits each.
constexpr double kCellsMax = 1 << 20;

/// Two trees, of what is still and of what moves, and the pairs of leaves that hang between and in them.
class TreesCheck {
 public:
  TreesCheck(StructureMemory& memory, const cpSpace& space) : memory_(memory), space_(space) {}

  IndexedShapes check() {
    const Tree& still = tree_at(space_.staticShapes);
    const Tree& moving = tree_at(space_.dynamicShapes);
    memory_.require(still.dynamic_tree == &moving && still.static_tree == nullptr && moving.static_tree == &still &&
                        moving.dynamic_tree == nullptr,
                    "two trees do not know each other", &moving);
    memory_.require(moving.stamp < kStampMax, "a tree's stamp is too large", &moving);
    stamp_ = moving.stamp;
    for (const Tree* tree : {&still, &moving}) memory_.check_pools(*tree, "a tree's pools");
    check_tree(still, true);
    check_tree(moving, false);
    for (const Node* leaf : leaves_) check_pairs(*leaf);
    for (const auto& [pair, count] : pair_ends_) memory_.require(count == 2, "a pair hangs in one leaf", pair);
    return std::move(shapes_);
  }

 private:
  void claim(const Node* node, const Tree* owner) {
    memory_.claim(&memory_.pooled(node, FORKMUNK_KIND_POOLED_NODES, owner, "a tree's node"),
                  "a tree's node is used twice");
  }
  // All pairs are of the tree of what moves.
  void claim(const Pair* pair) {
    memory_.claim(&memory_.pooled(pair, FORKMUNK_KIND_POOLED_PAIRS, space_.dynamicShapes, "a tree's pair"),
                  "a tree's pair is used twice");
  }

  const Tree& tree_at(const cpSpatialIndex* index) {
    const Tree& tree = memory_.whole(reinterpret_cast<const Tree*>(index), FORKMUNK_KIND_TREE, "a tree");
    memory_.claim(&tree, "a tree is used twice");
    memory_.require(memory_.is_named(tree.klass, "tree") &&
                        memory_.is_named(reinterpret_cast<const void*>(tree.bb_function), "box of a shape"),
                    "a tree's functions", &tree);
    const auto* velocity = reinterpret_cast<const void*>(tree.velocity_function);
    memory_.require(velocity == nullptr || memory_.is_named(velocity, "velocity of a shape"), "a tree's functions",
                    &tree);
    return tree;
  }

  void check_tree(const Tree& tree, bool is_static) {
    std::unordered_set<const Node*> leaves;
    std::vector<std::pair<const Node*, const Node*>> rest;  // node, parent
    if (tree.root != nullptr) rest.emplace_back(tree.root, nullptr);
    while (!rest.empty()) {
      const auto [node, parent] = rest.back();
      rest.pop_back();
      claim(node, &tree);
      memory_.require(node->parent == parent, "a tree's node has another parent", node);
      if (!node->is_leaf()) {
        rest.emplace_back(node->children.b, node);
        rest.emplace_back(node->children.a, node);
        continue;
      }
      memory_.require(node->leaf.stamp < stamp_, "a leaf has a stamp of the future", node);
      memory_.require(shapes_.emplace(node->shape, is_static).second, "a shape has two leaves", node);
      leaves.insert(node);
      leaves_.insert(node);
    }
    std::size_t found = 0;
    memory_.hash_set<Node>(tree.leaves, "leaves' equality", [&](const Node* leaf, const layout::HashSetBin& bin) {
      memory_.require(leaves.contains(leaf), "a set of leaves has what is not in its tree", &bin);
      hash_of_.emplace(leaf->shape, bin.hash);
      ++found;
    });
    memory_.require(found == leaves.size() && found == hash_of_.size() - hashed_,
                    "a tree has other leaves than its set", &tree);
    hashed_ = hash_of_.size();
    for (const Node* leaf : leaves) {
      const auto* found_shape = memory_.find(leaf->shape);
      memory_.require(found_shape != nullptr && found_shape->bytes >= sizeof(cpShape) &&
                          found_shape->begin == reinterpret_cast<const std::byte*>(leaf->shape) &&
                          leaf->shape->hashid == hash_of_[leaf->shape],
                      "a leaf's shape", leaf);
    }
  }

  void check_pairs(const Node& leaf) {
    std::unordered_set<const Node*> others;
    const Pair* previous = nullptr;
    for (const Pair* pair = leaf.leaf.pairs; pair != nullptr;) {
      int& count = pair_ends_[pair];
      if (count++ == 0) claim(pair);
      memory_.require(pair->a.leaf == &leaf || pair->b.leaf == &leaf, "a pair of other leaves", pair);
      const layout::PairEnd& end = pair->end_at(&leaf);
      const Node* other = pair->end_beyond(&leaf).leaf;
      memory_.require(end.previous == previous && other != &leaf && leaves_.contains(other), "a broken list of pairs",
                      pair);
      memory_.require(others.insert(other).second, "two leaves have several pairs", pair);
      previous = pair;
      pair = end.next;
    }
  }

  StructureMemory& memory_;
  const cpSpace& space_;
  cpTimestamp stamp_ = 0;
  IndexedShapes shapes_{};
  std::unordered_set<const Node*> leaves_{};
  std::unordered_map<const Pair*, int> pair_ends_{};
  std::unordered_map<const cpShape*, cpHashValue> hash_of_{};
  std::size_t hashed_ = 0;
};

/// Two spatial hashes.
class SpaceHashesCheck {
 public:
  SpaceHashesCheck(StructureMemory& memory, const cpSpace& space) : memory_(memory), space_(space) {}

  IndexedShapes check() {
    const layout::SpaceHash& still = hash_at(space_.staticShapes);
    const layout::SpaceHash& moving = hash_at(space_.dynamicShapes);
    memory_.require(still.dynamic_index == &moving && still.static_index == nullptr && moving.static_index == &still &&
                        moving.dynamic_index == nullptr,
                    "two spatial hashes do not know each other", &moving);
    check_hash(still, true);
    check_hash(moving, false);
    return std::move(shapes_);
  }

 private:
  const layout::SpaceHash& hash_at(const cpSpatialIndex* index) {
    const auto& hash =
        memory_.whole(reinterpret_cast<const layout::SpaceHash*>(index), FORKMUNK_KIND_SPACE_HASH, "a spatial hash");
    memory_.claim(&hash, "a spatial hash is used twice");
    memory_.require(memory_.is_named(hash.klass, "spatial hash") &&
                        memory_.is_named(reinterpret_cast<const void*>(hash.bb_function), "box of a shape"),
                    "a spatial hash's functions", &hash);
    memory_.require(hash.cell_count > 0 && hash.cell_size > 0 && std::isfinite(hash.cell_size),
                    "a spatial hash's cells", &hash);
    return hash;
  }

  void check_hash(const layout::SpaceHash& hash, bool is_static) {
    std::unordered_map<const layout::SpaceHashHandle*, int> uses;
    const auto claim_handle = [&](const layout::SpaceHashHandle* handle) {
      const char* const what = "a spatial hash's handle";
      memory_.claim(&memory_.element(handle, FORKMUNK_KIND_SPACE_HASH_HANDLES, what), what);
    };
    memory_.hash_set<layout::SpaceHashHandle>(
        hash.handles, "handles' equality", [&](const layout::SpaceHashHandle* handle, const layout::HashSetBin& bin) {
          claim_handle(handle);
          uses[handle] = 1;
          check_shape(hash, static_cast<const cpShape*>(handle->object), is_static, bin);
        });
    const auto cell_count = static_cast<std::size_t>(hash.cell_count);
    memory_.claim(&memory_.whole(hash.cells, FORKMUNK_KIND_POINTERS, "cells", cell_count * sizeof(void*)), "cells");
    for (std::size_t i = 0; i < cell_count; ++i) {
      for (const layout::SpaceHashBin* bin = hash.cells[i]; bin != nullptr; bin = bin->next) {
        claim(bin);
        // One that is in no set is of a shape that was removed.
        if (uses.emplace(bin->handle, 0).second) {
          claim_handle(bin->handle);
          memory_.require(bin->handle->object == nullptr, "a handle that is in no set", bin->handle);
        }
        ++uses[bin->handle];
      }
    }
    for (const auto& [handle, count] : uses) {
      memory_.require(handle->use_count == count, "a handle's count of uses", handle);
    }
    for (const layout::SpaceHashBin* bin = hash.pooled_bins; bin != nullptr; bin = bin->next) claim(bin);
    for (const void* handle : memory_.array(hash.pooled_handles, "a spatial hash's pool")) {
      claim_handle(static_cast<const layout::SpaceHashHandle*>(handle));
    }
    memory_.buffers(hash.buffers, {FORKMUNK_KIND_SPACE_HASH_BINS, FORKMUNK_KIND_SPACE_HASH_HANDLES},
                    "a spatial hash's buffers");
  }

  void claim(const layout::SpaceHashBin* bin) {
    const char* const what = "a spatial hash's bin";
    memory_.claim(&memory_.element(bin, FORKMUNK_KIND_SPACE_HASH_BINS, what), what);
  }

  void check_shape(const layout::SpaceHash& hash, const cpShape* shape, bool is_static, const layout::HashSetBin& bin) {
    const auto* found = memory_.find(shape);
    memory_.require(found != nullptr && found->bytes >= sizeof(cpShape) &&
                        found->begin == reinterpret_cast<const std::byte*>(shape) && shape->hashid == bin.hash,
                    "a handle's shape", &bin);
    memory_.require(shapes_.emplace(shape, is_static).second, "a shape has two handles", &bin);
    const double width = (shape->bb.r - shape->bb.l) / hash.cell_size;
    const double height = (shape->bb.t - shape->bb.b) / hash.cell_size;
    memory_.require(width < kCellsMax && height < kCellsMax && width * height < kCellsMax,
                    "a shape covers too many cells", shape);
  }

  StructureMemory& memory_;
  const cpSpace& space_;
  IndexedShapes shapes_{};
};

}  // namespace

IndexedShapes check_indices(StructureMemory& memory, const cpSpace& space) {
  const auto* index = memory.find(space.dynamicShapes);
  if (index != nullptr && index->kind == FORKMUNK_KIND_SPACE_HASH) return SpaceHashesCheck(memory, space).check();
  return TreesCheck(memory, space).check();
}

}  // namespace forkmunk::chipmunk
