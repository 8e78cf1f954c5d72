// SPDX-License-Identifier: MIT
#pragma once

#include "fields.h"

#include <forkmunk/base/error.h>
#include <forkmunk/chipmunk/precision.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The portable form of an arena's state (docs/reference/file_formats.md, "Snapshots of a Space"): tables of rows whose
/// columns are the fields that visitors see (fields.h). An object is what StateNumbers (state_numbers.h) numbers.
namespace forkmunk::FORKMUNK_CHIPMUNK::portable {

using chipmunk::visit;

static_assert(std::endian::native == std::endian::little);

inline constexpr char kMagic[8] = {'F', 'O', 'R', 'K', 'S', 'P', 'A', 'C'};
inline constexpr std::uint32_t kFormatVersion = 2;

struct Header {
  char magic[8];
  std::uint32_t version;
  std::uint32_t flags;       ///< kPrecisionFlags
  std::uint64_t body_bytes;  ///< The bytes after the header.
  std::uint64_t checksum;    ///< The checksum of these bytes.
  [[nodiscard]] std::size_t file_bytes() const { return sizeof *this + static_cast<std::size_t>(body_bytes); }
};
static_assert(sizeof(Header) == kPortableHeaderBytes);
/// Returns the header of a file. \throws Error if this version cannot read the file.
[[nodiscard]] Header header_of(std::span<const std::byte> file);

/// The flags of a header: 0 for doubles, 1 for floats.
inline constexpr std::uint32_t kPrecisionFlags = FORKMUNK_BY_PRECISION(0, 1);
/// Refuses a header of no version, a newer version or the other precision. \param what  as in "a state of a space".
void require_format(const char* what, std::uint32_t version, std::uint32_t version_newest, std::uint32_t flags);

/// The largest depth of a tree, because functions of Chipmunk recurse.
inline constexpr std::size_t kTreeDepthMax = 4352;
/// A reader may need this much memory for each byte of the input, and some more.
inline constexpr std::size_t kMemoryPerByte = 64;
inline constexpr std::size_t kMemoryBytesMin = std::size_t{1} << 17;
/// The part for buckets and cells, which are sizes without content. A writer pads the file.
inline constexpr std::size_t kSlotsPerByte = 4;

enum Table : std::uint8_t {
  // Objects
  kSpace,
  kOwnStaticBody,   // in its space: no fields
  kDefaultHandler,  // in its space: no fields
  kBody,
  kCircle,
  kSegment,
  kPolygon,
// clang-format off
#define FORKMUNK_TABLE(kind, type, text, table) k##type,
  FORKMUNK_EACH_JOINT(FORKMUNK_TABLE)
#undef FORKMUNK_TABLE
  // clang-format on
  kContact,
  kHandler,
  kPlain,
  kWords,
  kPolylines,
  kObjectTableCount,
  // Parts
  kRoot = kObjectTableCount,
  kParts,  // of a space: how many rows of the tables below are its own
  kListed,
  kIndex,
  kNode,
  kPair,
  kHandle,
  kCell,
  kPoint,
  kPlane,
  kCallback,
  kBuffer,
  kPointer,  // in an object of kWords or kPolylines
  kTableCount
};

// clang-format off
inline constexpr const char* kTableNames[kTableCount] = {
    "space", "static body", "default handler", "body", "circle", "segment", "polygon",
#define FORKMUNK_NAME(kind, type, text, table) table,
    FORKMUNK_EACH_JOINT(FORKMUNK_NAME)
#undef FORKMUNK_NAME
    "contact", "handler", "bytes", "words", "polylines", "root", "parts", "listed", "index", "node", "pair", "handle",
    "cell", "contact point", "plane", "callback", "contact buffer", "pointer",
};
// clang-format on

[[nodiscard]] constexpr bool is_shape(int table) { return table >= kCircle && table <= kPolygon; }
[[nodiscard]] constexpr bool is_joint(int table) { return table >= kPinJoint && table <= kSimpleMotor; }
[[nodiscard]] constexpr bool is_body(int table) { return table == kBody || table == kOwnStaticBody; }
[[nodiscard]] constexpr bool is_handler(int table) { return table == kHandler || table == kDefaultHandler; }
[[nodiscard]] constexpr bool is_users(int table) { return table >= kPlain && table <= kPolylines; }

/// Returns -1 for parts that lie in a space or in a pool.
[[nodiscard]] constexpr int kind_of(int table) {
  if (is_joint(table)) return FORKMUNK_KIND_PIN_JOINT + (table - kPinJoint);
  if (table >= kBody && table <= kPolygon) return FORKMUNK_KIND_BODY + (table - kBody);
  switch (table) {
    case kSpace: return FORKMUNK_KIND_SPACE;
    case kHandler: return FORKMUNK_KIND_COLLISION_HANDLER;
    case kPlain: return FORKMUNK_KIND_PLAIN;
    case kWords: return FORKMUNK_KIND_CONSERVATIVE;
    case kPolylines: return FORKMUNK_KIND_POLYLINE_SET;
    default: return -1;
  }
}
static_assert(FORKMUNK_KIND_SIMPLE_MOTOR - FORKMUNK_KIND_PIN_JOINT == kSimpleMotor - kPinJoint &&
              FORKMUNK_KIND_POLY - FORKMUNK_KIND_BODY == kPolygon - kBody);

/// A user's word, or a collision type.
struct Word {
  static constexpr std::uint64_t kResource = 1;  ///< The value of `nowhere` for the space's memory resource.
  enum Tag : std::uint8_t { number, object, name, uncounted, nowhere };
  std::uint8_t tag;
  std::uint64_t value;  // object: its number, and the offset in it above bit 32; name: its index from 1 on
};
/// References to freed memory, and to Chipmunk's handler that does nothing.
inline constexpr std::uint32_t kNowhere = 0xffffffffu;
inline constexpr std::uint32_t kNoHandler = 0xfffffffeu;

/// The columns of a row besides its object's fields.
struct Extra {
  std::uint32_t created;
  std::uint32_t room;        // polygon: the vertices whose planes have room inside
  std::uint32_t inside;      // polygon: its first rows of kPlane, inside; the others are outside
  std::uint32_t points;      // contact: its rows of kPoint
  std::uint32_t bytes;       // user's object: the length
  std::uint32_t pointers;    // user's object: its rows of kPointer
  std::uint32_t word_bytes;  // user's object: of an address where it was made
};

/// A row of a contact point is the point as it lies in memory.
inline constexpr std::size_t kPointBytes = offsetof(cpContact, hash) + sizeof(cpContact::hash);

struct RootRow {
  cpSpace* main_space;
  std::uint32_t created;
};
struct PartsRow {
  std::uint32_t moving, still, sleeping, joints, contacts, cached, cached_buckets, callbacks, buffers;
};
struct IndexRow {
  std::uint32_t is_spatial_hash, stamp, buckets;
  std::uint32_t nodes, leaves, pairs;  // tree
  std::uint32_t has_velocity;
  std::uint32_t defects, cells, handles, entries;  // spatial hash
  double cell_size;
};
/// Rows are in preorder.
struct NodeRow {
  cpShape* shape;  // null: an inner node
  cpBB bb;
  std::uint32_t stamp, pairs;  // leaf; the first pair of its list, from 1 on in the space
};
struct PairRow {
  std::uint32_t a, b, next_a, next_b;  // nodes and pairs from 1 on in the space
  cpCollisionID id;
};
struct CellRow {
  std::uint32_t cell, handle;
};
struct PointerRow {
  std::uint32_t offset;
  void* word;
};

// clang-format off
template <typename V> void visit(V& v, RootRow& row) { v.pointer("main_space", row.main_space); v.data("created", row.created); }
template <typename V> void visit(V& v, PartsRow& row) {
  v.data("moving bodies", row.moving); v.data("static bodies", row.still); v.data("sleeping components", row.sleeping);
  v.data("joints", row.joints); v.data("contacts", row.contacts); v.data("cached contacts", row.cached);
  v.data("buckets of cached contacts", row.cached_buckets); v.data("callbacks", row.callbacks);
  v.data("contact buffers", row.buffers);
}
template <typename V> void visit(V& v, IndexRow& row) {
  v.data("is_spatial_hash", row.is_spatial_hash); v.data("stamp", row.stamp); v.data("buckets", row.buckets);
  v.data("nodes", row.nodes); v.data("leaves", row.leaves); v.data("pairs", row.pairs);
  v.data("has_velocity", row.has_velocity); v.data("defects", row.defects); v.data("cells", row.cells);
  v.data("handles", row.handles); v.data("entries", row.entries); v.data("cell_size", row.cell_size);
}
template <typename V> void visit(V& v, NodeRow& row) {
  v.pointer("shape", row.shape); v.data("bb", row.bb); v.data("stamp", row.stamp); v.data("pairs", row.pairs);
}
template <typename V> void visit(V& v, PairRow& row) {
  v.data("a", row.a); v.data("b", row.b); v.data("next_a", row.next_a); v.data("next_b", row.next_b); v.data("id", row.id);
}
template <typename V> void visit(V& v, CellRow& row) { v.data("cell", row.cell); v.data("handle", row.handle); }
template <typename V> void visit(V& v, PointerRow& row) { v.data("offset", row.offset); v.user("word", row.word); }

/// Inlines all functions, so that the place in the row is a constant plus the place of the row.
template <typename T, typename V> [[gnu::flatten, gnu::noinline]] V visit_part(V v, void* part) {
  visit(v, *static_cast<T*>(part));
  return v;
}

/// Inlined, so that a caller that names the table gets that table's code alone. \param part  the object, or one of the
/// rows above. \return the visitor after the row.
template <typename V>
[[gnu::always_inline]] inline V visit_row(V v, int table, void* part, Extra& extra) {
  switch (table) {
    case kSpace: return visit_part<cpSpace>(std::move(v), part);
    case kBody: v = visit_part<cpBody>(std::move(v), part); break;
    case kCircle: v = visit_part<cpCircleShape>(std::move(v), part); break;
    case kSegment: v = visit_part<cpSegmentShape>(std::move(v), part); break;
    case kPolygon: {
      auto& polygon = *static_cast<cpPolyShape*>(part);
      visit(v, polygon.shape);
      v.data("r", polygon.r); v.data("count", polygon.count);
      v.data("room", extra.room); v.data("planes inside", extra.inside);
      break;
    }
#define FORKMUNK_VISIT(kind, type, text, table) \
  case k##type: v = visit_part<cp##type>(std::move(v), part); break;
      FORKMUNK_EACH_JOINT(FORKMUNK_VISIT)
#undef FORKMUNK_VISIT
    case kContact: v = visit_part<layout::ContactArbiter>(std::move(v), part); v.data("points", extra.points); return v;
    case kHandler: return visit_part<cpCollisionHandler>(std::move(v), part);
    case kPlain: v.data("bytes", extra.bytes); break;
    case kWords: v.data("bytes", extra.bytes); v.data("pointers", extra.pointers); v.data("word_bytes", extra.word_bytes); break;
    case kPolylines: {
      auto& set = *static_cast<cpPolylineSet*>(part);
      v.data("count", set.count); v.data("capacity", set.capacity);
      break;
    }
    case kRoot: return visit_part<RootRow>(std::move(v), part);
    case kParts: return visit_part<PartsRow>(std::move(v), part);
    case kListed: v.pointer("object", *static_cast<void**>(part)); return v;
    case kIndex: return visit_part<IndexRow>(std::move(v), part);
    case kNode: return visit_part<NodeRow>(std::move(v), part);
    case kPair: return visit_part<PairRow>(std::move(v), part);
    case kHandle: return visit_part<layout::SpaceHashHandle>(std::move(v), part);
    case kCell: return visit_part<CellRow>(std::move(v), part);
    case kPoint: return visit_part<cpContact>(std::move(v), part);
    case kPlane: return visit_part<cpSplittingPlane>(std::move(v), part);
    case kCallback: return visit_part<cpPostStepCallback>(std::move(v), part);
    case kBuffer: return visit_part<layout::ContactSlots>(std::move(v), part);
    case kPointer: return visit_part<PointerRow>(std::move(v), part);
    default: return v;
  }
  v.data("created", extra.created);
  return v;
}
// clang-format on

/// The type of a field, by a letter of the file format, and how many.
struct FieldType {
  char letter;
  std::uint8_t count;
  [[nodiscard]] bool operator==(const FieldType&) const = default;
  [[nodiscard]] constexpr std::size_t bytes() const {
    const std::size_t one = letter == 'f' ? 8 : letter == 'b' ? 1 : letter == 'w' ? 9 : 4;
    return one * count;
  }
};

inline constexpr char kNumberLetter = FORKMUNK_BY_PRECISION('f', 'g');

/// Derived::number(name, x, type), reference(name, p), name(name, p), word(name, w) and flag(name, p) see each field of
/// a row in turn. Fields without a function go to Derived::field(name, type), which leaves them out by default.
template <typename Derived>
struct RowVisitor {
  static constexpr bool kWantsData = false;

  void at(const char*, std::size_t) {}
  void bytes_at(const std::byte*, std::size_t) {}
  void field(const char*, FieldType) {}
  template <typename T>
  void reference(const char* name, T&) {
    self().field(name, {'r', 1});
  }
  template <typename T>
  void name(const char* name, T&) {
    self().field(name, {'c', 1});
  }
  template <typename T>
  void word(const char* name, T&) {
    self().field(name, {'w', 1});
  }
  template <typename T>
  void flag(const char* name, T&) {
    self().field(name, {'b', 1});
  }
  template <typename T>
  void number(const char* name, T&, FieldType type) {
    self().field(name, type);
  }

  // The lists, trees and sets of a space's parts hold everything else.
  void pointer(const char* name, cpSpace*& p) { self().reference(name, p); }
  void pointer(const char* name, cpBody*& p) { self().reference(name, p); }
  void pointer(const char* name, cpShape*& p) { self().reference(name, p); }
  void pointer(const char* name, const cpShape*& p) { self().reference(name, p); }
  void pointer(const char* name, cpConstraint*& p) { self().reference(name, p); }
  void pointer(const char* name, cpArbiter*& p) { self().reference(name, p); }
  void pointer(const char* name, cpCollisionHandler*& p) { self().reference(name, p); }
  void pointer(const char* name, void*& p) { self().reference(name, p); }
  void pointer(const char* name, cpContact*& p) { self().flag(name, p); }  // an arbiter's own, or null
  template <typename T>
  void pointer(const char*, T*&) {}
  template <typename T>
  void code(const char* name, T& p) {
    self().name(name, p);
  }
  template <typename T>
  void user(const char* name, T& word) {
    self().word(name, word);
  }
  template <typename T>
  void data(const char* name, T& x) {
    self().number(name, x, type_of<std::remove_const_t<T>>());
  }

  template <typename T>
  static constexpr FieldType type_of() {
    if constexpr (std::is_same_v<T, double>) return {'f', 1};
    if constexpr (std::is_same_v<T, float>) return {'g', 1};
    if constexpr (std::is_same_v<T, cpVect>) return {kNumberLetter, 2};
    if constexpr (std::is_same_v<T, cpBB> || std::is_same_v<T, cpMat2x2>) return {kNumberLetter, 4};
    if constexpr (std::is_same_v<T, cpTransform>) return {kNumberLetter, 6};
    if constexpr (std::is_same_v<T, int>) return {'i', 1};
    if constexpr (std::is_same_v<T, std::uint32_t> || std::is_same_v<T, Defects>) return {'u', 1};
    if constexpr (std::is_same_v<T, cpBool>) return {'b', 1};
    static_assert(sizeof(T) == sizeof(double) || sizeof(T) <= sizeof(int) || std::is_class_v<T>);
    return {};
  }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
};

/// This version's schema, which the visitors define.
struct Field {
  std::string name;
  FieldType type;
  [[nodiscard]] bool operator==(const Field&) const = default;
};
struct Schema {
  std::array<std::vector<Field>, kTableCount> fields;
  std::array<std::size_t, kTableCount> row_bytes{};
  std::vector<std::byte> bytes;  // as in a file
};
[[nodiscard]] const Schema& schema();

struct FileTable {
  int table = -1;  ///< -1: unknown.
  std::string name;
  std::size_t row_bytes = 0;
  bool is_same = true;        ///< The fields are this version's.
  std::vector<Field> fields;  ///< Empty in a file with this version's schema.
  std::uint32_t count = 0;
  std::span<const std::byte> rows;
};
struct File {
  bool has_own_schema = false;
  std::span<const std::byte> head;  ///< The writer, the schema and the names.
  std::vector<FileTable> tables;
  std::vector<std::string_view> names;
  std::span<const std::byte> kinds, order, data;
  std::uint32_t zero_count = 0;
};
/// \throws Error if the parts do not fill the bytes.
[[nodiscard]] File parse_file(std::span<const std::byte> body);
[[noreturn]] void fail_damaged(const std::string& problem);

inline void append_bytes(std::vector<std::byte>& bytes, std::span<const std::byte> more) {
  const std::size_t before = bytes.size();
  bytes.resize(before + more.size());
  if (!more.empty()) std::memcpy(bytes.data() + before, more.data(), more.size());
}
template <typename T>
void append(std::vector<std::byte>& bytes, T number) {
  append_bytes(bytes, std::as_bytes(std::span(&number, 1)));
}
inline void append_text(std::vector<std::byte>& bytes, std::string_view text) {
  append(bytes, static_cast<std::uint32_t>(text.size()));
  append_bytes(bytes, std::as_bytes(std::span(text.data(), text.size())));
}

/// Makes a file of its parts, in their order.
class FileWriter {
 public:
  explicit FileWriter(std::span<const std::byte> head, std::size_t bytes = 0) {
    bytes_.reserve(sizeof(Header) + head.size() + bytes);
    bytes_.resize(sizeof(Header));
    append_bytes(bytes_, head);
  }
  void add(std::span<const std::byte> part, std::size_t count) {
    append(bytes_, static_cast<std::uint32_t>(count));
    bytes_.insert(bytes_.end(), part.begin(), part.end());  // without zeros first
  }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] std::vector<std::byte> finish(std::uint32_t version = kFormatVersion);

 private:
  std::vector<std::byte> bytes_;
};

/// The most iterations that a reader accepts, because a step takes time in proportion to them.
inline constexpr int kIterationsMax = 10000;

/// Where a spatial hash keeps the defects of its space (src/defects/spatial_hash.c): in padding, if there is any.
inline constexpr std::size_t kHashDefectsOffset = offsetof(layout::SpaceHash, cell_count) + sizeof(int);
inline constexpr bool kHashHasDefects =
    offsetof(layout::SpaceHash, cell_size) - kHashDefectsOffset >= sizeof(std::uint16_t);
[[nodiscard]] std::uint16_t defects_of(const layout::SpaceHash& hash) noexcept;
/// Returns whether a step visits few cells for the shape, at each angle. Only Defects::stock visits many.
[[nodiscard]] bool covers_few_cells(const layout::SpaceHash& hash, const cpShape& shape, int table,
                                    const StateMemory& at);

}  // namespace forkmunk::FORKMUNK_CHIPMUNK::portable
