// SPDX-License-Identifier: MIT
/* Chipmunk's own cpBBTree.c, except for the growth of its pools and the insertion of leaves, which limits the depth. */
#include "fast/stock_step.h"

#include <forkmunk/chipmunk/defects.h>
#include <forkmunk/chipmunk/precision.h>

#include <stdlib.h>

/* The first leaf needs one node, each later leaf two. */
static size_t new_node_count(int leaf_count) {
  return leaf_count == 0 ? 1 : leaf_count == 1 ? 2 : cpPoolRoot(leaf_count);
}
static size_t new_pair_count(int leaf_count) { return cpPoolRoot(leaf_count) / 2; }

#define IS_NODE (__builtin_strcmp(__func__, "NodeFromPool") == 0)
#undef CP_BUFFER_BYTES
#define CP_BUFFER_BYTES                                                                                  \
  (IS_NODE ? FORKMUNK_POOL_BYTES(tree, POOLED_NODES, Node, new_node_count(cpHashSetCount(tree->leaves))) \
           : FORKMUNK_POOL_BYTES(tree, POOLED_PAIRS, Pair, new_pair_count(cpHashSetCount(tree->leaves))))
#undef cpcalloc
#define cpcalloc FORKMUNK_POOL_CALLOC
#define cpArrayNew(size) NULL
#define cpArrayPush(buffers, buffer) ((void)(buffer))
#define cpArrayFreeEach(buffers, free) cpPoolFree(buffers)
#define cpArrayFree(buffers) ((void)0)
/* SubtreeInsert() keeps another name for its definition and recursion. Elsewhere insert_leaf() replaces it. */
static struct Node* insert_leaf(struct Node* root, struct Node* leaf, cpBBTree* tree);
#define SubtreeInsert(subtree, leaf, tree) INSERT_AT_##subtree, leaf, tree)
#define INSERT_AT_Node SubtreeInsertStock(Node
#define INSERT_AT_subtree SubtreeInsertStock(subtree
#define INSERT_AT_root insert_leaf(root
#define INSERT_AT_node insert_leaf(node
#include <cpBBTree.c>
#undef SubtreeInsert

typedef struct Parts {
  Node **leaves, **inner;
  size_t leaf_count, inner_count;
} Parts;

/* \param parts  receives the nodes unless null. \return the number of leaves. */
static size_t visit_subtree(Node* top, Parts* parts) {
  size_t count = 0;
  for (Node* node = top;; node = node->parent->B) {
    for (; !NodeIsLeaf(node); node = node->A) {
      if (parts) parts->inner[parts->inner_count++] = node;
    }
    ++count;
    if (parts) parts->leaves[parts->leaf_count++] = node;
    while (node != top && node == node->parent->B) node = node->parent;
    if (node == top) return count;
  }
}

static Node* build_balanced(Node** leaves, size_t count, cpBBTree* tree) {
  if (count == 1) return leaves[0];
  Node* const a = build_balanced(leaves, count / 2, tree);
  return NodeNew(tree, a, build_balanced(leaves + count / 2, count - count / 2, tree));
}

/* Keeps the order of the leaves. \return the root of the tree. */
static Node* rebuild(Node* top, size_t leaf_count, Node* root, cpBBTree* tree) {
  Node** const memory = (Node**)malloc(2 * leaf_count * sizeof(Node*));
  if (!memory) return root; /* the subtree stays as it is */
  Parts parts = {memory, memory + leaf_count, 0, 0};
  Node* const parent = top->parent;
  visit_subtree(top, &parts);
  for (size_t i = parts.inner_count; i-- > 0;) NodeRecycle(tree, parts.inner[i]);
  Node* const made = build_balanced(parts.leaves, leaf_count, tree);
  free(memory);
  made->parent = parent;
  if (!parent) return made;
  if (parent->A == top)
    parent->A = made;
  else
    parent->B = made;
  return root;
}

/* The depth from which on insertions rebuild subtrees. A deep tree becomes a list, through which each insertion
 * recurses. pymunk's mode has pymunk's tree, which decides the order of callbacks, as long as recursion can bear its
 * depth. */
enum { DEPTH_MAX = 256, DEPTH_MAX_PYMUNK = 4096 };

static cpBool is_too_deep(int depth, const Node* leaf, const cpBBTree* tree) {
  if (tree->spatialIndex.bbfunc != (cpSpatialIndexBBFunc)cpShapeGetBB) return cpFalse; /* a user's own objects */
  const unsigned defects = forkmunk_defects(((const cpShape*)leaf->obj)->space);
  if (defects & FORKMUNK_DEFECT_DEEP_TREES) return cpFalse;
  return depth > DEPTH_MAX_PYMUNK || !(defects & FORKMUNK_DEFECT_PYMUNK_ROUNDING);
}

/* Rebuilds, as in a scapegoat tree, the lowest subtree around the leaf that is too high for its size. Amortised: O(log
 * n) for each level. */
static Node* limit_depth(Node* leaf, Node* root, cpBBTree* tree) {
  size_t size = 1;
  int height = 0;
  for (Node* node = leaf; node->parent; node = node->parent) {
    size += visit_subtree(NodeOther(node->parent, node), NULL);
    ++height;
    if (height > 2 * (64 - __builtin_clzll(size)) + 2) return rebuild(node->parent, size, root, tree);
  }
  return root;
}

/* Works like SubtreeInsert(): descends to where the sum of the boxes' areas grows least. */
static Node* insert_leaf(Node* root, Node* leaf, cpBBTree* tree) {
  if (!root) return leaf;
  Node *node = root, *parent = NULL;
  int depth = 0;
  for (; !NodeIsLeaf(node); ++depth) {
    Node *const a = node->A, *const b = node->B;
    cpFloat cost_a = cpBBArea(b->bb) + cpBBMergedArea(a->bb, leaf->bb);
    cpFloat cost_b = cpBBArea(a->bb) + cpBBMergedArea(b->bb, leaf->bb);
    if (cost_a == cost_b) {
      cost_a = cpBBProximity(a->bb, leaf->bb);
      cost_b = cpBBProximity(b->bb, leaf->bb);
    }
    node->bb = cpBBMerge(node->bb, leaf->bb);
    parent = node;
    node = cost_b < cost_a ? b : a;
  }
  Node* const added = NodeNew(tree, leaf, node);
  if (!parent) return added;
  if (parent->A == node)
    NodeSetA(parent, added);
  else
    NodeSetB(parent, added);
  return depth > DEPTH_MAX && is_too_deep(depth, node, tree) ? limit_depth(leaf, root, tree) : root;
}

cpBool cpBBTreeHasTrees(cpSpatialIndex* index) {
  return GetTree(index) != NULL && (index->staticIndex == NULL || GetTree(index->staticIndex) != NULL);
}

static void push_leaf(Node* leaf, cpBBTreeWalk* walk) {
  if (walk->leaf_count == walk->leaf_capacity) walk->grow_leaves(walk);
  walk->leaves[walk->leaf_count++] = leaf;
}

void cpBBTreeCollectLeaves(cpSpatialIndex* index, cpBBTreeWalk* walk) {
  walk->leaf_count = 0;
  cpHashSetEach(((cpBBTree*)index)->leaves, (cpHashSetIteratorFunc)push_leaf, walk);
  for (size_t i = 0; i < walk->leaf_count; ++i) walk->shapes[i] = walk->leaves[i]->obj;
}

static inline void push_new_candidate(void* a, void* b, cpBBTreeWalk* walk) {
  if (walk->candidate_count == walk->candidate_capacity) walk->grow_candidates(walk);
  const cpBBTreeCandidate candidate = {a, b, NULL, 0};
  walk->candidates[walk->candidate_count++] = candidate;
}

/* A branch would be mispredicted. */
static inline Thread* thread_of(Pair* pair, const Node* leaf) { return &pair->a + (pair->a.leaf != leaf); }

enum { kManyLeaves = 256 };

static inline void push_pairs(const Node* leaf, cpBBTreeWalk* walk) {
  for (Pair* pair = leaf->PAIRS; pair;) {
    if (walk->candidate_count == walk->candidate_capacity) walk->grow_candidates(walk);
    const Thread* const own = thread_of(pair, leaf);
    const cpBBTreeCandidate candidate = {pair->a.leaf->obj, leaf->obj, &pair->id, pair->id};
    walk->candidates[walk->candidate_count] = candidate;
    walk->candidate_count += own == &pair->b;
    pair = own->next;
  }
}

/* cpBBIntersects() without a branch */
static inline cpBool overlaps(const cpBB* a, const cpBB* b) {
  return (a->l <= b->r) & (b->l <= a->r) & (a->b <= b->t) & (b->b <= a->t);
}

/* cpBBContainsBB() without a branch */
static inline cpBool contains(const cpBB* a, const cpBB* b) {
  return (a->l <= b->l) & (a->r >= b->r) & (a->b <= b->b) & (a->t >= b->t);
}

/* MarkLeafQuery() of an overlapping subtree, which collects the calls. */
static void mark_overlaps(Node* subtree, Node* leaf, cpBool left, cpBBTree* tree, cpBBTreeWalk* walk) {
  while (!NodeIsLeaf(subtree)) {
    Node* const a = subtree->A;
    Node* const b = subtree->B;
    const cpBool has_a = overlaps(&leaf->bb, &a->bb);
    if (!overlaps(&leaf->bb, &b->bb)) {
      if (!has_a) return;
      subtree = a;
      continue;
    }
    if (has_a) mark_overlaps(a, leaf, left, tree, walk);
    subtree = b;
  }
  if (left) {
    PairInsert(leaf, subtree, tree);
  } else {
    if (subtree->STAMP < leaf->STAMP) PairInsert(subtree, leaf, tree);
    push_new_candidate(leaf->obj, subtree->obj, walk);
  }
}

/* MarkLeaf() of a leaf that has moved, for the other trees on its way to the root. */
static void mark_moved_leaf(Node* leaf, cpBBTree* tree, cpBBTreeWalk* walk) {
  enum { kFound = 32 };
  Node* found[kFound];
  cpBool is_left[kFound];
  for (Node* node = leaf; node->parent;) {
    size_t count = 0;
    for (; node->parent && count < kFound; node = node->parent) {
      is_left[count] = node == node->parent->A;
      Node* const other = is_left[count] ? node->parent->B : node->parent->A;
      found[count] = other;
      count += overlaps(&leaf->bb, &other->bb);
    }
    for (size_t i = 0; i < count; ++i) mark_overlaps(found[i], leaf, is_left[i], tree, walk);
  }
}

/* As push_pairs(), but with branches, which are predicted for short lists, and without pairs of one body. */
static inline void push_few_pairs(const Node* leaf, cpBBTreeWalk* walk) {
  const cpBody* const body = ((const cpShape*)leaf->obj)->body;
  for (Pair* pair = leaf->PAIRS; pair;) {
    if (leaf != pair->b.leaf) {
      pair = pair->a.next;
    } else if (((const cpShape*)pair->a.leaf->obj)->body == body) {
      pair = pair->b.next;
    } else {
      if (walk->candidate_count == walk->candidate_capacity) walk->grow_candidates(walk);
      const cpBBTreeCandidate candidate = {pair->a.leaf->obj, leaf->obj, &pair->id, pair->id};
      walk->candidates[walk->candidate_count++] = candidate;
      pair = pair->b.next;
    }
  }
}

static void mark_leaf(Node* leaf, cpTimestamp stamp, Node* static_root, cpBBTree* tree, cpBBTreeWalk* walk) {
  if (leaf->STAMP != stamp) return walk->leaf_count < kManyLeaves ? push_few_pairs(leaf, walk) : push_pairs(leaf, walk);
  if (static_root && overlaps(&leaf->bb, &static_root->bb)) mark_overlaps(static_root, leaf, cpFalse, tree, walk);
  mark_moved_leaf(leaf, tree, walk);
}

static void push_in_tree_order(Node* subtree, cpBBTreeWalk* walk) {
  while (!NodeIsLeaf(subtree)) {
    __builtin_prefetch(subtree->B);
    push_in_tree_order(subtree->A, walk);
    subtree = subtree->B;
  }
  push_leaf(subtree, walk);
}

/* Follows the lists of the next leaves by one pair at each leaf, to wait for one pair, not for a list. The pairs of few
 * leaves are in the cache anyway. */
enum { kLeavesAhead = 8 };
static inline void prefetch_pairs(Node* const* leaves, size_t i, size_t count, Pair** ahead) {
  for (size_t j = i + 1; j < i + kLeavesAhead && j < count; ++j) {
    Pair* const pair = ahead[j % kLeavesAhead];
    if (!pair) continue;
    Pair* const next = thread_of(pair, leaves[j])->next;
    __builtin_prefetch(next);
    ahead[j % kLeavesAhead] = next;
  }
  if (i + kLeavesAhead < count) {
    Pair* const first = leaves[i + kLeavesAhead]->PAIRS;
    __builtin_prefetch(first);
    ahead[i % kLeavesAhead] = first;
  }
}

static void clear_pairs(Node* leaf, cpBBTree* tree) {
  Pair* pair = leaf->PAIRS;
  leaf->PAIRS = NULL;
  while (pair) {
    const Thread* const own = thread_of(pair, leaf);
    Pair* const following = own->next;
    const Thread other = *(&pair->a + (own == &pair->a));
    Pair *unused, *const next = other.next, *const prev = other.prev;
    Pair** const back = next ? &thread_of(next, other.leaf)->prev : &unused;
    Pair** const forth = prev ? &thread_of(prev, other.leaf)->next : &other.leaf->PAIRS;
    *back = prev;
    *forth = next;
    PairRecycle(tree, pair);
    pair = following;
  }
}

/* LeafUpdate() of all leaves. */
static void update_leaves(Node** leaves, size_t count, cpBBTree* tree) {
  size_t moved = 0;
  for (size_t i = 0; i < count; ++i) {
    if (i + 8 < count) __builtin_prefetch(leaves[i + 8]);
    Node* const leaf = leaves[i];
    leaves[moved] = leaf;
    moved += !contains(&leaf->bb, &((const cpShape*)leaf->obj)->bb);
  }
  const cpTimestamp stamp = GetMasterTree(tree)->stamp;
  for (size_t i = 0; i < moved; ++i) {
    if (i + 2 < moved) __builtin_prefetch(leaves[i + 2]->PAIRS);
    Node* const leaf = leaves[i];
    leaf->bb = GetBB(tree, leaf->obj);
    tree->root = insert_leaf(SubtreeRemove(tree->root, leaf, tree), leaf, tree);
    clear_pairs(leaf, tree);
    leaf->STAMP = stamp;
  }
}

void cpBBTreeCollectCandidates(cpSpatialIndex* index, cpBBTreeWalk* walk) {
  cpBBTree* tree = (cpBBTree*)index;
  walk->candidate_count = 0;
  if (!tree->root) return;
  update_leaves(walk->leaves, walk->leaf_count, tree);
  Node* static_root = GetRootIfTree(tree->spatialIndex.staticIndex);
  const cpTimestamp stamp = GetMasterTree(tree)->stamp;
  walk->leaf_count = 0;
  Pair* ahead[kLeavesAhead] = {NULL};
  push_in_tree_order(tree->root, walk);
  Node** const leaves = walk->leaves;
  for (size_t i = 0, count = walk->leaf_count; i < count; ++i) {
    if (count >= kManyLeaves) prefetch_pairs(leaves, i, count, ahead);
    mark_leaf(leaves[i], stamp, static_root, tree, walk);
  }
}

void cpBBTreeEndQuery(cpSpatialIndex* index) {
  cpBBTree* tree = (cpBBTree*)index;
  if (tree->root) IncrementStamp(tree);
}

typedef cpFloat XY __attribute__((vector_size(2 * sizeof(cpFloat))));

typedef struct SegmentWalk {
  void* object;
  cpSpatialIndexSegmentQueryFunc function;
  void* data;
  int entry_x, entry_y;             /* the sides of a box that the segment meets first: indices of l, b, r and t */
  XY start, sign;                   /* sign * (end - start) >= 0 */
  XY length, other_length, divisor; /* |end - start|, that of the other axis, and infinity instead of 0 */
  XY growth;                        /* of the entry sides, by the radius */
  XY margin, radius;                /* Rounding must not hide shapes that only touch; `radius` has the margin. */
} SegmentWalk;

static const cpFloat kRounding = FORKMUNK_BY_PRECISION(1e-12, 1e-5);

/* Returns where the segment, from 0 to 1, reaches a box grown by the radius, with the bits of cpBBSegmentQuery(), or
 * infinity. It meets a box that it has not left and whose entry it reaches, in each axis before it leaves the other:
 * entry_x / length_x <= leave_y / length_y. It misses a box if either is not a number. */
static inline cpFloat reach(const SegmentWalk* walk, const cpBB* box) {
  const cpFloat* const sides = &box->l;
  const XY entry_side = {sides[walk->entry_x], sides[walk->entry_y]};
  const XY leave_side = {sides[walk->entry_x ^ 2], sides[walk->entry_y ^ 2]};
  const XY entry = (entry_side + walk->growth - walk->start) * walk->sign, early = entry - walk->margin;
  const XY leave = (leave_side - walk->start) * walk->sign + walk->radius, other_leave = {leave[1], leave[0]};
  const XY t = entry / walk->divisor, zero = {0, 0};
  const __typeof__(leave < zero) meets = (leave >= zero) & (early <= walk->length) &
                                         ~(early * walk->other_length > other_leave * walk->length);
  return (meets[0] & meets[1]) != 0 ? cpfmin(cpfmax(t[0], cpfmax(t[1], 0)), 1) : INFINITY;
}

static cpFloat walk_segment(const SegmentWalk* walk, Node* node, cpFloat exit) {
  while (!NodeIsLeaf(node)) {
    const cpFloat t_a = reach(walk, &node->A->bb), t_b = reach(walk, &node->B->bb);
    Node* const nearer = t_a < t_b ? node->A : node->B;
    const cpFloat first = cpfmin(t_a, t_b), second = cpfmax(t_a, t_b);
    if (first > exit) return exit;
    if (second > exit) {
      node = nearer;
      continue;
    }
    exit = walk_segment(walk, nearer, exit);
    if (second > exit) return exit;
    node = NodeOther(node, nearer);
  }
  return cpfmin(exit, walk->function(walk->object, node->obj, walk->data));
}

cpBool cpBBTreeSegmentQueryWithRadius(cpSpatialIndex* index, void* object, cpVect a, cpVect b, cpFloat radius,
                                      cpFloat exit, cpSpatialIndexSegmentQueryFunc function, void* data) {
  cpBBTree* const tree = GetTree(index);
  if (!tree) return cpFalse;
  radius = cpfmax(radius, 0.0);
  const cpFloat margin = kRounding * (cpfabs(a.x) + cpfabs(a.y) + cpfabs(b.x) + cpfabs(b.y) + radius);
  const cpFloat x = cpfabs(b.x - a.x), y = cpfabs(b.y - a.y), sign_x = b.x < a.x ? -1 : 1, sign_y = b.y < a.y ? -1 : 1;
  const SegmentWalk walk = {.object = object,
                            .function = function,
                            .data = data,
                            .entry_x = b.x < a.x ? 2 : 0,
                            .entry_y = b.y < a.y ? 3 : 1,
                            .start = {a.x, a.y},
                            .sign = {sign_x, sign_y},
                            .length = {x, y},
                            .other_length = {y, x},
                            .divisor = {x == 0 ? INFINITY : x, y == 0 ? INFINITY : y},
                            .growth = {-sign_x * radius, -sign_y * radius},
                            .margin = {margin, margin},
                            .radius = {radius + margin, radius + margin}};
  if (tree->root) walk_segment(&walk, tree->root, exit);
  return cpTrue;
}
