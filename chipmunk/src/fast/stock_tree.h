#ifndef FORKMUNK_FAST_STOCK_TREE_H
#define FORKMUNK_FAST_STOCK_TREE_H

/// What the step does with Chipmunk's bounding-box tree. Its structs are private to cpBBTree.c, so stock_tree.c
/// includes that file, unchanged, and adds these functions.

#include <chipmunk/chipmunk.h>
#include <chipmunk/chipmunk_structs.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Node cpBBTreeLeaf;

/// Two shapes whose fattened boxes overlap.
typedef struct cpBBTreeCandidate {
  cpShape* a;
  cpShape* b;
  cpCollisionID* kept;  ///< Where the pair keeps its id; null: the pair is new, and what its test returns is forgotten.
  cpCollisionID id;     ///< What the pair's last test returned; 0 of a new pair.
} cpBBTreeCandidate;

/// Memory for the walk of a tree: the caller's. grow() doubles the capacity of either array and keeps the content.
typedef struct cpBBTreeWalk {
  cpBBTreeLeaf** leaves;
  cpShape** shapes;
  size_t leaf_count, leaf_capacity;
  cpBBTreeCandidate* candidates;
  size_t candidate_count, candidate_capacity;
  void (*grow_leaves)(struct cpBBTreeWalk* walk);
  void (*grow_candidates)(struct cpBBTreeWalk* walk);
} cpBBTreeWalk;

/// Whether a space's index of moving shapes is a tree, and its index of static shapes too.
cpBool cpBBTreeHasTrees(cpSpatialIndex* index);

/// Fills walk->leaves in the order in which cpSpatialIndexEach() visits the shapes, and walk->shapes with their shapes.
void cpBBTreeCollectLeaves(cpSpatialIndex* index, cpBBTreeWalk* walk);

/// The first half of cpSpatialIndexReindexQuery(): moves leaves, makes pairs, and collects the calls that it makes, in
/// its order. Nothing that these calls may do to a locked space changes the tree. \pre cpBBTreeCollectLeaves().
void cpBBTreeCollectCandidates(cpSpatialIndex* index, cpBBTreeWalk* walk);

/// The end of cpSpatialIndexReindexQuery(), after the calls.
void cpBBTreeEndQuery(cpSpatialIndex* index);

#ifdef __cplusplus
}
#endif

#endif
