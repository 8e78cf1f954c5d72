// SPDX-License-Identifier: MIT
#include "field_names.h"

#include <forkmunk/base/concat.h>

namespace forkmunk::FORKMUNK_CHIPMUNK {

const char* name_of_kind(int kind) noexcept {
  switch (kind) {
    case FORKMUNK_KIND_PLAIN: return "plain object";
    case FORKMUNK_KIND_TYPED: return "typed object";
    case FORKMUNK_KIND_ROOT: return "root";
    case FORKMUNK_KIND_POINTERS: return "array of pointers";
    case FORKMUNK_KIND_SPACE: return "space";
    case FORKMUNK_KIND_BODY: return "body";
    case FORKMUNK_KIND_CIRCLE: return "circle";
    case FORKMUNK_KIND_SEGMENT: return "segment";
    case FORKMUNK_KIND_POLY: return "polygon";
    case FORKMUNK_KIND_PLANES: return "polygon's planes";
#define FORKMUNK_NAME(kind, type, text, table) \
  case FORKMUNK_KIND_##kind: return text;
      FORKMUNK_EACH_JOINT(FORKMUNK_NAME)
#undef FORKMUNK_NAME
    case FORKMUNK_KIND_ARRAY: return "array";
    case FORKMUNK_KIND_HASH_SET: return "hash set";
    case FORKMUNK_KIND_HASH_SET_BINS:
    case FORKMUNK_KIND_POOLED_BINS: return "hash set's bins";
    case FORKMUNK_KIND_TREE: return "tree";
    case FORKMUNK_KIND_TREE_NODES:
    case FORKMUNK_KIND_POOLED_NODES: return "tree's nodes";
    case FORKMUNK_KIND_TREE_PAIRS:
    case FORKMUNK_KIND_POOLED_PAIRS: return "tree's pairs";
    case FORKMUNK_KIND_ARBITERS: return "arbiters";
    case FORKMUNK_KIND_CONTACT_ARBITERS: return "arbiters with contacts";
    case FORKMUNK_KIND_CONTACT_SLOTS: return "slots for contacts";
    case FORKMUNK_KIND_CONTACT_BUFFER: return "contact buffer";
    case FORKMUNK_KIND_CONTACTS: return "sleeping contacts";
    case FORKMUNK_KIND_COLLISION_HANDLER: return "collision handler";
    case FORKMUNK_KIND_POST_STEP_CALLBACK: return "post-step callback";
    case FORKMUNK_KIND_SPACE_HASH: return "spatial hash";
    case FORKMUNK_KIND_SPACE_HASH_BINS: return "spatial hash's bins";
    case FORKMUNK_KIND_SPACE_HASH_HANDLES: return "spatial hash's handles";
    case FORKMUNK_KIND_POLYLINE_SET: return "set of polylines";
    default: return "object";
  }
}

std::string FieldLocation::of_object() const { return concat(name_of_kind(kind_), ' ', number_); }

std::string FieldLocation::of(const char* field) const {
  const std::string element = element_ == nullptr ? std::string() : concat(", ", element_, ' ', index_);
  return concat(of_object(), element, ": ", field);
}

}  // namespace forkmunk::FORKMUNK_CHIPMUNK
