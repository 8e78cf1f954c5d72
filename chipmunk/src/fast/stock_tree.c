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

#ifdef __SSE2__
#include <emmintrin.h>
#endif

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

/* Returns the next pair in the list of a leaf, which is the pair's b if `is_b`, otherwise its a. */
static inline Pair* next_of(const Pair* pair, cpBool is_b) { return (&pair->a + is_b)->next; }

enum { kManyLeaves = 256 };

static inline void push_pairs(const Node* leaf, cpBBTreeWalk* walk) {
  for (Pair* pair = leaf->PAIRS; pair;) {
    if (walk->candidate_count == walk->candidate_capacity) walk->grow_candidates(walk);
    const cpBool is_b = leaf == pair->b.leaf;
    const cpBBTreeCandidate candidate = {pair->a.leaf->obj, leaf->obj, &pair->id, pair->id};
    walk->candidates[walk->candidate_count] = candidate;
    walk->candidate_count += is_b;
    pair = next_of(pair, is_b);
  }
}

/* cpBBIntersects() without a branch */
static inline cpBool overlaps(const cpBB* a, const cpBB* b) {
#if defined(FORKMUNK_SINGLE) && defined(__SSE2__)
  const __m128 va = _mm_loadu_ps(&a->l), vb = _mm_loadu_ps(&b->l);
  return _mm_movemask_ps(_mm_cmple_ps(_mm_movelh_ps(va, vb), _mm_movehl_ps(va, vb))) == 15;
#elif defined __SSE2__
  const __m128d a_low = _mm_loadu_pd(&a->l), a_high = _mm_loadu_pd(&a->r);
  const __m128d b_low = _mm_loadu_pd(&b->l), b_high = _mm_loadu_pd(&b->r);
  return _mm_movemask_pd(_mm_and_pd(_mm_cmple_pd(a_low, b_high), _mm_cmple_pd(b_low, a_high))) == 3;
#else
  return cpBBIntersects(*a, *b);
#endif
}

/* cpBBContainsBB() without a branch */
static inline cpBool contains(const cpBB* a, const cpBB* b) {
#if defined(FORKMUNK_SINGLE) && defined(__SSE2__)
  const __m128 va = _mm_loadu_ps(&a->l), vb = _mm_loadu_ps(&b->l);
  return _mm_movemask_ps(_mm_cmple_ps(_mm_shuffle_ps(va, vb, 0xE4), _mm_shuffle_ps(vb, va, 0xE4))) == 15;
#elif defined __SSE2__
  const __m128d a_low = _mm_loadu_pd(&a->l), a_high = _mm_loadu_pd(&a->r);
  const __m128d b_low = _mm_loadu_pd(&b->l), b_high = _mm_loadu_pd(&b->r);
  return _mm_movemask_pd(_mm_and_pd(_mm_cmple_pd(a_low, b_low), _mm_cmpge_pd(a_high, b_high))) == 3;
#else
  return cpBBContainsBB(*a, *b);
#endif
}

/* A branch would be mispredicted. */
static inline Thread* thread_of(Pair* pair, const Node* leaf) { return &pair->a + (pair->a.leaf != leaf); }

/* MarkLeafQuery() of an overlapping subtree, which collects the calls. */
static void mark_overlaps_in(Node* subtree, Node* leaf, cpBool left, cpBBTree* tree, cpBBTreeWalk* walk) {
  while (!NodeIsLeaf(subtree)) {
    Node* const a = subtree->A;
    Node* const b = subtree->B;
    const cpBool has_a = overlaps(&leaf->bb, &a->bb);
    if (!overlaps(&leaf->bb, &b->bb)) {
      if (!has_a) return;
      subtree = a;
      continue;
    }
    if (has_a) mark_overlaps_in(a, leaf, left, tree, walk);
    subtree = b;
  }
  if (left) {
    PairInsert(leaf, subtree, tree);
  } else {
    if (subtree->STAMP < leaf->STAMP) PairInsert(subtree, leaf, tree);
    push_new_candidate(leaf->obj, subtree->obj, walk);
  }
}
static void mark_overlaps(Node* subtree, Node* leaf, cpBool left, cpBBTree* tree, cpBBTreeWalk* walk) {
  if (overlaps(&leaf->bb, &subtree->bb)) mark_overlaps_in(subtree, leaf, left, tree, walk);
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
    for (size_t i = 0; i < count; ++i) mark_overlaps_in(found[i], leaf, is_left[i], tree, walk);
  }
}

/* As push_pairs(), but with branches: they are predicted where the lists are short and stay for many steps. */
static inline void push_few_pairs(const Node* leaf, cpBBTreeWalk* walk) {
  for (Pair* pair = leaf->PAIRS; pair;) {
    if (leaf == pair->b.leaf) {
      if (walk->candidate_count == walk->candidate_capacity) walk->grow_candidates(walk);
      const cpBBTreeCandidate candidate = {pair->a.leaf->obj, leaf->obj, &pair->id, pair->id};
      walk->candidates[walk->candidate_count++] = candidate;
      pair = pair->b.next;
    } else {
      pair = pair->a.next;
    }
  }
}

static void mark_leaf(Node* leaf, cpTimestamp stamp, Node* static_root, cpBBTree* tree, cpBBTreeWalk* walk) {
  if (leaf->STAMP != stamp) return walk->leaf_count < kManyLeaves ? push_few_pairs(leaf, walk) : push_pairs(leaf, walk);
  if (static_root) mark_overlaps(static_root, leaf, cpFalse, tree, walk);
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
    Pair* const next = next_of(pair, leaves[j] == pair->b.leaf);
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
    const cpBool is_b = pair->a.leaf != leaf;
    Pair* const following = next_of(pair, is_b);
    const Thread other = *(&pair->a + !is_b);
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

static cpBB grown(cpBB box, cpFloat by) { return cpBBNew(box.l - by, box.b - by, box.r + by, box.t + by); }

typedef struct SegmentWalk {
  void* object;
  cpVect a, b;
  cpFloat radius;
  cpSpatialIndexSegmentQueryFunc function;
  void* data;
  cpFloat far;   /* the radius and more, because rounding must not hide shapes that only touch */
  cpBB box;      /* the segment's, grown by `far` */
  cpVect normal; /* n = b - a, turned by a right angle */
} SegmentWalk;

static const cpFloat kRounding = FORKMUNK_BY_PRECISION(1e-12, 1e-5);

/* Returns whether a line separates box and segment by more than `far`: a side of the boxes, or one along the segment,
 * on which n (p - a) of the box's corners has one sign. Divides nothing. */
static cpBool is_separate(const SegmentWalk* walk, cpBB box) {
  const cpBB* const own = &walk->box;
  /* A box that is not a number is not separate. */
  if (own->r < box.l || box.r < own->l || own->t < box.b || box.t < own->b) return cpTrue;
  const cpVect n = walk->normal, a = walk->a;
  const cpFloat l = n.x * (box.l - a.x), r = n.x * (box.r - a.x), b = n.y * (box.b - a.y), t = n.y * (box.t - a.y);
  const cpFloat least_x = cpfmin(l, r), most_x = cpfmax(l, r), least_y = cpfmin(b, t), most_y = cpfmax(b, t);
  const cpFloat margin = walk->far * (cpfabs(n.x) + cpfabs(n.y));
  return least_x + least_y > margin + kRounding * (cpfabs(least_x) + cpfabs(least_y)) ||
         most_x + most_y < -margin - kRounding * (cpfabs(most_x) + cpfabs(most_y));
}

/* Returns where the segment, from 0 to 1, reaches a box grown by the radius, or infinity. */
static cpFloat reach(const SegmentWalk* walk, cpBB box) {
  if (is_separate(walk, box)) return INFINITY;
  const cpFloat t = cpBBSegmentQuery(grown(box, walk->radius), walk->a, walk->b);
  return t != INFINITY ? t : cpBBSegmentQuery(grown(box, walk->far), walk->a, walk->b);
}

static cpFloat walk_segment(const SegmentWalk* walk, Node* subtree, cpFloat exit) {
  if (NodeIsLeaf(subtree)) return walk->function(walk->object, subtree->obj, walk->data);
  const cpFloat t_a = reach(walk, subtree->A->bb), t_b = reach(walk, subtree->B->bb);
  Node* const nearer = t_a < t_b ? subtree->A : subtree->B;
  const cpFloat first = cpfmin(t_a, t_b), second = cpfmax(t_a, t_b);
  if (first <= exit) exit = cpfmin(exit, walk_segment(walk, nearer, exit));
  if (second <= exit) exit = cpfmin(exit, walk_segment(walk, NodeOther(subtree, nearer), exit));
  return exit;
}

cpBool cpBBTreeSegmentQueryWithRadius(cpSpatialIndex* index, void* object, cpVect a, cpVect b, cpFloat radius,
                                      cpFloat exit, cpSpatialIndexSegmentQueryFunc function, void* data) {
  cpBBTree* const tree = GetTree(index);
  if (!tree) return cpFalse;
  radius = cpfmax(radius, 0.0);
  const cpFloat far = radius + kRounding * (cpfabs(a.x) + cpfabs(a.y) + cpfabs(b.x) + cpfabs(b.y) + radius);
  const cpBB box = {cpfmin(a.x, b.x), cpfmin(a.y, b.y), cpfmax(a.x, b.x), cpfmax(a.y, b.y)};
  const SegmentWalk walk = {object, a, b, radius, function, data, far, grown(box, far), {a.y - b.y, b.x - a.x}};
  if (tree->root) walk_segment(&walk, tree->root, exit);
  return cpTrue;
}
