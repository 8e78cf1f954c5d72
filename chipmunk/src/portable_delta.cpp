// SPDX-License-Identifier: MIT
#include "portable_format.h"

#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/chipmunk/defects.h>
#include <forkmunk/strict_math/c_names.h>

#include <bit>
#include <cmath>

/// The difference of two portable forms (docs/reference/file_formats.md, "Differences of snapshots"): each column as
/// differences to predicted numbers. The row of the same object in the base predicts a row, and Chipmunk's own
/// functions predict what it computes from other fields. A bad prediction makes the difference longer, never wrong.
namespace forkmunk::FORKMUNK_CHIPMUNK {
namespace portable {
namespace {

using Bytes = std::span<const std::byte>;
using Rows32 = std::vector<std::uint32_t>;

constexpr std::uint32_t kNone = 0xffffffffu;
/// A difference adds at most this many rows, zeros and bytes for each of its own bytes, and some more.
constexpr std::uint64_t kGrowthPerByte = 64;
constexpr std::uint64_t kGrowthMin = 4096;

constexpr std::uint32_t kDeltaVersion = 1;

struct DeltaHeader {
  std::array<char, 8> magic{'F', 'O', 'R', 'K', 'D', 'L', 'T', 'A'};
  std::uint32_t version = kDeltaVersion;
  std::uint32_t flags = kPrecisionFlags;
  std::uint64_t body_bytes = 0;
  std::uint64_t checksum = 0;
  std::uint64_t base_bytes = 0;
  std::uint64_t base_checksum = 0;
  [[nodiscard]] std::size_t file_bytes() const { return sizeof *this + static_cast<std::size_t>(body_bytes); }
};
static_assert(sizeof(DeltaHeader) == kPortableDeltaHeaderBytes);

[[noreturn]] void fail_damaged_delta() {
  throw Error("a damaged difference of snapshots: its parts are not those of a difference");
}

[[noreturn]] void fail_too_long() {
  throw Error("a difference of snapshots: its state is longer than the limit of its memory");
}

enum Way : std::uint8_t {
  kSame,   // as the base; nothing follows
  kWhole,  // the bytes themselves, because one file has other tables or another format version
  kColumns,
};

/// Writes numbers, and reads them again: functions of both directions take references.
class Coder {
 public:
  explicit Coder(std::vector<std::byte>& out) : out_(&out) {}
  explicit Coder(Bytes in) : in_(in) {}

  [[nodiscard]] bool writes() const { return out_ != nullptr; }
  [[nodiscard]] Bytes rest() const { return in_; }
  /// Codes 7 bits a byte, the lowest first; the highest bit says that another byte follows.
  void number(std::uint64_t& x) {
    if (writes()) {
      std::uint64_t rest = x;
      for (; rest >= 128; rest >>= 7) out_->push_back(static_cast<std::byte>(rest | 128));
      return out_->push_back(static_cast<std::byte>(rest));
    }
    x = 0;
    for (unsigned shift = 0; shift < 70 && !in_.empty(); shift += 7) {
      const auto byte = std::to_integer<std::uint64_t>(in_.front());
      in_ = in_.subspan(1);
      x |= (byte & 127) << (shift & 63);
      if (byte < 128) return;
    }
    fail_damaged_delta();
  }
  std::uint64_t coded(std::uint64_t x) {
    number(x);
    return x;
  }
  void bytes(void* data, std::size_t count) {
    auto* const bytes = static_cast<std::byte*>(data);
    if (writes()) return append_bytes(*out_, {bytes, count});
    if (count > in_.size()) fail_damaged_delta();
    if (count > 0) std::memcpy(bytes, in_.data(), count);
    in_ = in_.subspan(count);
  }
  /// Reads the lowest bytes of a number.
  void read_part(std::uint64_t& x, std::size_t count) {
    if (in_.size() < sizeof x) return bytes(&x, count);
    std::memcpy(&x, in_.data(), sizeof x);
    if (count < sizeof x) x &= (std::uint64_t{1} << 8 * count) - 1;
    in_ = in_.subspan(count);
  }
  /// Reads the number 0, if it follows.
  [[nodiscard]] bool reads_zero() {
    if (writes() || in_.empty() || in_.front() != std::byte{}) return false;
    in_ = in_.subspan(1);
    return true;
  }

 private:
  std::vector<std::byte>* out_ = nullptr;
  Bytes in_;
};

constexpr std::uint64_t zigzag(std::int64_t x) {
  return static_cast<std::uint64_t>(x) << 1 ^ static_cast<std::uint64_t>(x >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t x) { return static_cast<std::int64_t>(x >> 1 ^ (~(x & 1) + 1)); }

struct Column {
  std::size_t offset = 0;
  unsigned bytes = 0;  // 1, 4 or 8
  char letter = 0;     // of the field; t: the tag of a word, n and p: numbers of nodes and pairs of a space
  std::string_view field;

  /// Returns whether files with other objects have other numbers.
  [[nodiscard]] bool has_references() const { return letter == 'r' || letter == 'w' || letter == 'n' || letter == 'p'; }
  /// Calls function(0), a number of the column's type.
  template <typename Function>
  void with_type(Function&& function) const {
    switch (bytes) {
      case 8: function(std::uint64_t{}); break;
      case 4: function(std::uint32_t{}); break;
      default: function(std::uint8_t{});
    }
  }
};

const std::vector<Column>& columns_of(int table) {
  static const auto all = [] {
    std::array<std::vector<Column>, kTableCount> found;
    for (int each = 0; each < kTableCount; ++each) {
      std::size_t offset = 0;
      const auto add = [&](unsigned bytes, char letter, std::string_view field) {
        found[static_cast<std::size_t>(each)].push_back({offset, bytes, letter, field});
        offset += bytes;
      };
      for (const Field& field : schema().fields[static_cast<std::size_t>(each)]) {
        char letter = field.type.letter;
        if (each == kPair && (field.name == "a" || field.name == "b")) letter = 'n';
        if (each == kPair ? field.name.starts_with("next") : each == kNode && field.name == "pairs") letter = 'p';
        for (int i = 0; i < field.type.count; ++i) {
          if (letter == 'w') add(1, 't', field.name);
          add(letter == 'f' || letter == 'w' ? 8 : letter == 'b' ? 1 : 4, letter, field.name);
        }
      }
    }
    return found;
  }();
  return all[static_cast<std::size_t>(table)];
}

/// The tables of a file, one of which is being decoded.
struct Tables {
  struct Table {
    Bytes rows;  // in a file, or in `decoded`
    std::vector<std::byte> decoded;
    std::uint32_t count = 0;
    std::size_t width = 0;
    [[nodiscard]] std::uint64_t get(const Column& column, std::size_t row) const {
      std::uint64_t found = 0;
      column.with_type([&](auto x) {
        std::memcpy(&x, rows.data() + row * width + column.offset, sizeof x);
        found = x;
      });
      return found;
    }
    /// Copies `length` rows of the base.
    void begin_as(const Table& base, std::size_t row, std::size_t base_row, std::size_t length) {
      if (width > 0) std::memcpy(&decoded[row * width], &base.rows[base_row * width], length * width);
    }
    /// Returns the numbers of some rows, and 0 for kNone.
    [[nodiscard]] std::vector<std::uint64_t> get(const Column& column, const Rows32& some) const {
      std::vector<std::uint64_t> found(some.size());
      column.with_type([&](auto x) {
        for (std::size_t i = 0; i < some.size(); ++i) {
          if (some[i] == kNone) continue;
          std::memcpy(&x, rows.data() + some[i] * width + column.offset, sizeof x);
          found[i] = x;
        }
      });
      return found;
    }
    void set(const Column& column, const Rows32& some, const std::vector<std::uint64_t>& values) {
      column.with_type([&](auto x) {
        for (std::size_t i = 0; i < some.size(); ++i) {
          x = static_cast<decltype(x)>(values[i]);
          std::memcpy(decoded.data() + some[i] * width + column.offset, &x, sizeof x);
        }
      });
    }
  };
  struct Numbers {
    const Table& table;
    const Column& column;
    [[nodiscard]] std::uint32_t operator[](std::size_t row) const {
      return static_cast<std::uint32_t>(table.get(column, row));
    }
  };
  std::array<Table, kTableCount> tables;
  std::vector<std::byte> head, kinds, order, data;
  std::uint32_t zero_count = 0;
  std::uint32_t version = kFormatVersion;

  std::array<Rows32, kObjectTableCount> numbers;       // of the objects of a table, from 1 on
  std::vector<std::pair<int, std::uint32_t>> objects;  // table and row
  struct Space {
    std::uint32_t first_node = 0, first_pair = 0, first_leaf = 0;
  };
  std::vector<Space> spaces;  // and the end

  [[nodiscard]] Table& at(int table) { return tables[static_cast<std::size_t>(table)]; }
  [[nodiscard]] const Table& at(int table) const { return tables[static_cast<std::size_t>(table)]; }
  void number_objects() {
    objects.assign(1, {-1, 0});
    for (const std::byte kind : kinds) {
      auto& of_table = numbers.at(std::to_integer<std::size_t>(kind));
      objects.emplace_back(std::to_integer<int>(kind), static_cast<std::uint32_t>(of_table.size()));
      of_table.push_back(static_cast<std::uint32_t>(objects.size() - 1));
    }
  }
  void find_spaces() {
    Space space;
    const Table& index = at(kIndex);
    for (std::uint32_t i = 0; i + 1 < index.count; i += 2) {
      spaces.push_back(space);
      for (const std::uint32_t row : {i, i + 1}) {
        space.first_node += number(kIndex, row, "nodes");
        space.first_pair += number(kIndex, row, "pairs");
        space.first_leaf += number(kIndex, row, "is_spatial_hash") != 0 ? 0 : number(kIndex, row, "leaves");
      }
    }
    spaces.push_back(space);
  }
  [[nodiscard]] Numbers column(int table, std::string_view field) const {
    const std::vector<Column>& columns = columns_of(table);
    return {at(table),
            *std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.field == field; })};
  }
  [[nodiscard]] std::uint32_t number(int table, std::size_t row, std::string_view field) const {
    return column(table, field)[row];
  }
  /// Returns the space of a row of nodes, pairs or leaves.
  [[nodiscard]] std::size_t space_of(std::uint32_t row, std::uint32_t Space::*first) const {
    const auto after = std::upper_bound(spaces.begin() + 1, spaces.end(), row,
                                        [first](std::uint32_t one, const Space& space) { return one < space.*first; });
    return static_cast<std::size_t>(after - spaces.begin()) - 1;
  }
};

struct Unpack : RowVisitor<Unpack> {
  static constexpr bool kSetsFields = true;
  const std::byte* cursor;
  explicit Unpack(const std::byte* row) : cursor(row) {}
  void field(const char*, FieldType type) { cursor += type.bytes(); }
  template <typename T>
  void number(const char*, T& x, FieldType) {
    std::memcpy(&x, cursor, sizeof x);
    cursor += sizeof x;
  }
};

// NaNs have no bits that are the same on all machines.
std::uint64_t bits_of(cpFloat x) {
  std::uint64_t bits = 0;
  if (!std::isnan(x)) std::memcpy(&bits, &x, sizeof x);
  return bits;
}

class Delta {
 public:
  Delta(Coder& coder, const NamedCode& code, const Tables& base, Tables& now, std::size_t bytes_max)
      : coder_(coder),
        shape_update_(reinterpret_cast<decltype(shape_update_)>(const_cast<void*>(code.find("chipmunk shape update")))),
        shapes_collide_(
            reinterpret_cast<decltype(shapes_collide_)>(const_cast<void*>(code.find("chipmunk shapes collide")))),
        code_(code),
        base_(base),
        now_(now),
        bytes_max_(bytes_max),
        growth_max_(coder.writes() ? UINT64_MAX : kGrowthPerByte * coder.rest().size() + kGrowthMin) {}

  void run() {
    code_frame();
    code_rows();
    code_positions();
    code_shapes();
    code_contacts();
    code_order();
    code_data();
  }
  [[nodiscard]] std::uint64_t growth() const { return growth_; }

 private:
  void code_frame() {
    code_block(base_.head, now_.head);
    for (int table = 0; table < kTableCount; ++table) {
      Tables::Table& rows = now_.at(table);
      std::uint64_t count = rows.count;
      coder_.number(count);
      grow(base_.at(table).count, count, rows.width);
      rows.count = static_cast<std::uint32_t>(count);
      if (!coder_.writes()) {
        rows.decoded.resize(count * rows.width);
        rows.rows = rows.decoded;
      }
    }
    code_kinds();
    if (!coder_.writes()) now_.number_objects();
    for (int table = 0; table < kTableCount; ++table) code_map(table);
    moved_.assign(base_.objects.size(), 0);
    for (std::size_t table = 0; table < kObjectTableCount; ++table) {
      const Rows32& there = base_.numbers[table];
      const Rows32& here = now_.numbers[table];
      const bool has_rows = table != kOwnStaticBody && table != kDefaultHandler;
      for (std::uint32_t row = 0; row < here.size(); ++row) {
        const std::uint32_t from = !has_rows ? row : row < maps_[table].size() ? maps_[table][row] : kNone;
        if (from < there.size()) moved_[there[from]] = here[row];
      }
    }
    const std::uint64_t zeros = coder_.coded(now_.zero_count);
    grow(base_.zero_count, zeros, 1);
    now_.zero_count = static_cast<std::uint32_t>(zeros);
  }

  void grow(std::uint64_t before, std::uint64_t count, std::size_t width) {
    if (count > before) {
      if (count - before > growth_max_ - growth_) fail_damaged_delta();
      growth_ += count - before;
    }
    if (width > 0 && count > bytes_max_ / width) fail_too_long();
    bytes_max_ -= count * width;
  }

  void code_block(const std::vector<std::byte>& base, std::vector<std::byte>& now) {
    if (coder_.coded(now == base ? 0 : 1) == 0) {
      if (!coder_.writes()) now = base;
      return;
    }
    const std::uint64_t size = coder_.coded(now.size());
    if (!coder_.writes()) {
      if (size > coder_.rest().size()) fail_damaged_delta();
      now.resize(size);
    }
    coder_.bytes(now.data(), size);
  }

  void code_kinds() {
    const std::uint64_t count = coder_.coded(now_.kinds.size());
    grow(base_.kinds.size(), count, 1);
    for (std::uint64_t i = 0; i < count;) {
      std::uint64_t kind = 0, length = 1;
      if (coder_.writes()) {
        kind = std::to_integer<std::uint64_t>(now_.kinds[i]);
        while (i + length < count && now_.kinds[i + length] == now_.kinds[i]) ++length;
      }
      coder_.number(kind);
      coder_.number(length);
      if (kind >= kObjectTableCount || length == 0 || length > count - i) fail_damaged_delta();
      if (!coder_.writes()) now_.kinds.insert(now_.kinds.end(), length, static_cast<std::byte>(kind));
      i += length;
    }
  }

  // Codes for each row the row of the base that it was, in runs.
  void code_map(int table) {
    Rows32& map = maps_[static_cast<std::size_t>(table)];
    const std::uint32_t count = now_.at(table).count, base_count = base_.at(table).count;
    if (coder_.writes()) match(table, map);
    std::uint32_t expected = 0;
    for (std::uint32_t i = 0; i < count;) {
      std::uint64_t start = 0, length = 1;
      if (coder_.writes()) {
        if (map[i] != kNone) start = 1 + zigzag(std::int64_t{map[i]} - expected);
        while (i + length < count && map[i + length] == (map[i] == kNone ? kNone : map[i] + length)) ++length;
      }
      coder_.number(start);
      coder_.number(length);
      const std::int64_t from = start == 0 ? -1 : expected + unzigzag(start - 1);
      if (length == 0 || length > count - i) fail_damaged_delta();
      if (start != 0) {
        if (from < 0 || from > base_count || length > base_count - static_cast<std::uint64_t>(from))
          fail_damaged_delta();
        expected = static_cast<std::uint32_t>(from + static_cast<std::int64_t>(length));
      }
      if (!coder_.writes()) {
        for (std::uint64_t k = 0; k < length; ++k) {
          map.push_back(start == 0 ? kNone : static_cast<std::uint32_t>(from) + static_cast<std::uint32_t>(k));
        }
        if (start != 0) now_.at(table).begin_as(base_.at(table), i, static_cast<std::uint32_t>(from), length);
      }
      i += static_cast<std::uint32_t>(length);
    }
  }

  // ----- Which row was which: for the writer alone, and any answer is right

  void match(int table, Rows32& map) {
    if (keys_[0].empty()) list_keys();
    const auto& before = keys_[0][static_cast<std::size_t>(table)];
    const auto& here = keys_[1][static_cast<std::size_t>(table)];
    const std::size_t slot_count = std::bit_ceil(2 * before.size() + 2);
    Rows32 slots;  // a hash table of the first row with each key
    const auto slot_of = [&](std::uint64_t key) -> std::uint32_t& {
      auto slot = static_cast<std::size_t>(key * 0x9e3779b97f4a7c15u >> (64 - std::countr_zero(slot_count)));
      while (slots[slot] != kNone && before[slots[slot]] != key) slot = (slot + 1) % slot_count;
      return slots[slot];
    };
    std::uint32_t expected = 0;
    map.reserve(now_.at(table).count);
    for (std::uint32_t i = 0; i < now_.at(table).count; ++i) {
      const std::uint64_t key = here.empty() ? i : here[i];
      std::uint32_t found = kNone;
      if (before.empty() && here.empty()) {
        found = i < base_.at(table).count ? i : kNone;
      } else if (expected < before.size() && before[expected] == key) {
        found = expected;
      } else if (key != 0) {
        if (slots.empty()) {
          slots.assign(slot_count, kNone);
          for (std::uint32_t k = 0; k < before.size(); ++k) slot_of(before[k]) = std::min(slot_of(before[k]), k);
        }
        found = slot_of(key);
      }
      map.push_back(found);
      if (found != kNone) expected = found + 1;
    }
  }

  static std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    return (std::rotl(a * 0x9e3779b97f4a7c15u, 32) ^ (b + 0x7f4a7c15u)) * 0xbf58476d1ce4e5b9u | 1;
  }
  // An object or part that is in both files has one key. Rows without keys correspond by index; rows with the key 0
  // follow the row before.
  void list_keys() {
    for (const Tables* file : {&base_, const_cast<const Tables*>(&now_)}) {
      auto& keys = keys_[file == &base_ ? 0 : 1];
      keys.resize(kTableCount);
      std::vector<std::uint64_t> ids(file->objects.size());
      const auto id_of = [&](std::uint64_t number) { return number < ids.size() ? ids[number] : number; };
      for (std::size_t i = 1; i < ids.size(); ++i) {
        const auto [table, row] = file->objects[i];
        if (table == kContact || row >= file->at(table).count || table == kHandler) continue;
        ids[i] = mixed(static_cast<std::uint64_t>(table), table == kSpace ? row : file->number(table, row, "created"));
      }
      const auto list = [&](int table, auto key) {
        for (std::uint32_t i = 0; i < file->at(table).count; ++i)
          keys[static_cast<std::size_t>(table)].push_back(key(i));
      };
      list(kContact, [&, a = file->column(kContact, "a"), b = file->column(kContact, "b")](std::uint32_t i) {
        return mixed(id_of(a[i]), id_of(b[i]));
      });
      for (std::size_t i = 1; i < ids.size(); ++i) {
        const auto [table, row] = file->objects[i];
        if (table == kContact && row < file->at(table).count) ids[i] = keys[kContact][row];
      }
      for (int table = kSpace; table < kObjectTableCount; ++table) {
        if (table == kContact || table == kHandler) continue;
        const Rows32& numbers = file->numbers[static_cast<std::size_t>(table)];
        list(table, [&](std::uint32_t i) { return i < numbers.size() ? ids[numbers[i]] : 0; });
      }
      list(kListed, [&](std::uint32_t i) { return id_of(file->number(kListed, i, "object")); });
      list(kHandle, [&](std::uint32_t i) { return id_of(file->number(kHandle, i, "object")); });
      const auto shape_id = [&, shapes = file->column(kNode, "shape")](std::uint32_t node) {
        const std::uint32_t shape = node < file->at(kNode).count ? shapes[node] : 0;
        return shape == 0 ? 0 : id_of(shape);
      };
      list(kNode, shape_id);
      list(kPair, [&, a = file->column(kPair, "a"), b = file->column(kPair, "b")](std::uint32_t i) {
        const std::uint32_t first = file->spaces[file->space_of(i, &Tables::Space::first_pair)].first_node;
        return mixed(shape_id(first + a[i] - 1), shape_id(first + b[i] - 1));
      });
      const auto list_parts = [&](int table, int owner, auto counts) {
        auto& of_table = keys[static_cast<std::size_t>(table)];
        for (std::uint32_t i = 0; i < file->at(owner).count; ++i) {
          for (std::uint32_t k = counts[i]; k > 0 && of_table.size() < file->at(table).count; --k)
            of_table.push_back(mixed(keys[static_cast<std::size_t>(owner)][i], k));
        }
        of_table.resize(file->at(table).count);
      };
      list_parts(kPoint, kContact, file->column(kContact, "points"));
      list_parts(kPlane, kPolygon, planes_of(*file));
    }
  }
  static Rows32 planes_of(const Tables& file) {
    const auto inside = file.column(kPolygon, "planes inside"), room = file.column(kPolygon, "room");
    const auto count = file.column(kPolygon, "count");
    Rows32 planes(file.at(kPolygon).count);
    for (std::uint32_t i = 0; i < planes.size(); ++i) planes[i] = inside[i] + (count[i] > room[i] ? 2 * count[i] : 0);
    return planes;
  }

  // ----- Columns

  // Codes the differences to one of several predictions of each number.
  void code_numbers(unsigned bytes, std::vector<std::uint64_t>& numbers,
                    std::initializer_list<const std::vector<std::uint64_t>*> predictions) {
    const std::size_t count = numbers.size();
    if (count == 0) return;
    enum Mode : unsigned { kZero, kEqual, kSparse, kDense };
    const unsigned shift = 64 - 8 * bytes;
    const auto difference = [shift](std::uint64_t x, std::uint64_t predicted) {
      return zigzag(static_cast<std::int64_t>((x - predicted) << shift) >> shift);
    };
    std::uint64_t mode = 0;
    std::vector<std::uint64_t> rest;
    if (coder_.writes()) {
      std::size_t least = SIZE_MAX;
      unsigned which = 0;
      for (const auto* predicted : predictions) {
        if (numbers == *predicted) {
          mode = kZero | which << 2;
          break;
        }
        std::vector<std::uint64_t> tried(count);
        std::size_t dense = (count + 1) / 2, sparse = 5;
        bool is_equal = true;
        for (std::size_t i = 0; i < count; ++i) {
          tried[i] = difference(numbers[i], (*predicted)[i]);
          const auto width = static_cast<std::size_t>(std::bit_width(tried[i]));
          dense += (width + 7) / 8;
          if (tried[i] != 0) sparse += 1 + (width + 6) / 7;
          is_equal = is_equal && tried[i] == tried[0];
        }
        const unsigned best = is_equal ? kEqual : sparse < dense ? kSparse : kDense;
        const std::size_t cost = is_equal ? 1 : std::min(sparse, dense);
        if (cost < least) {
          least = cost;
          mode = best | which << 2;
          rest.swap(tried);
        }
        ++which;
      }
    }
    coder_.number(mode);
    if (mode >> 2 >= predictions.size()) fail_damaged_delta();
    const auto& predicted = **(predictions.begin() + (mode >> 2));
    if ((mode & 3) == kZero) {
      if (!coder_.writes()) numbers = predicted;
      return;
    }
    rest.resize(count);
    switch (mode & 3) {
      case kEqual:
        coder_.number(rest[0]);
        std::fill(rest.begin(), rest.end(), rest[0]);
        break;
      case kSparse: code_sparse(rest); break;
      default: code_dense(rest);
    }
    if (coder_.writes()) return;
    for (std::size_t i = 0; i < count; ++i) numbers[i] = predicted[i] + static_cast<std::uint64_t>(unzigzag(rest[i]));
  }
  void code_sparse(std::vector<std::uint64_t>& rest) {
    std::uint64_t changed = coder_.coded(
        static_cast<std::uint64_t>(std::count_if(rest.begin(), rest.end(), [](std::uint64_t x) { return x != 0; })));
    for (std::size_t i = 0; changed > 0; --changed, ++i) {
      std::uint64_t gap = 0;
      while (coder_.writes() && rest[i + gap] == 0) ++gap;
      coder_.number(gap);
      if (i >= rest.size() || gap >= rest.size() - i) fail_damaged_delta();
      i += gap;
      coder_.number(rest[i]);
    }
  }
  void code_dense(std::vector<std::uint64_t>& rest) {
    std::vector<std::uint8_t> lengths((rest.size() + 1) / 2);
    for (std::size_t i = 0; coder_.writes() && i < rest.size(); ++i) {
      const unsigned length = (static_cast<unsigned>(std::bit_width(rest[i])) + 7) / 8;
      lengths[i / 2] = static_cast<std::uint8_t>(lengths[i / 2] | length << i % 2 * 4);
    }
    coder_.bytes(lengths.data(), lengths.size());
    std::vector<std::byte> written(coder_.writes() ? sizeof rest[0] * rest.size() : 0);
    std::size_t used = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const std::size_t length = lengths[i / 2] >> i % 2 * 4 & 15u;
      if (length > sizeof rest[i]) fail_damaged_delta();
      if (!coder_.writes()) {
        coder_.read_part(rest[i], length);
        continue;
      }
      std::memcpy(&written[used], &rest[i], sizeof rest[i]);
      used += length;
    }
    if (coder_.writes()) coder_.bytes(written.data(), used);
  }

  [[nodiscard]] std::vector<std::uint64_t> predict_by_base(int table, const Column& column, const Rows32& rows) const {
    Rows32 from(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) from[i] = maps_[static_cast<std::size_t>(table)][rows[i]];
    std::vector<std::uint64_t> predicted = base_.at(table).get(column, from);
    for (std::size_t i = 0; column.has_references() && i < rows.size(); ++i) {
      if (from[i] != kNone) predicted[i] = moved(table, column, from[i], predicted[i]);
    }
    return predicted;
  }
  // Follows objects, nodes and pairs to their new numbers.
  [[nodiscard]] std::uint64_t moved(int table, const Column& column, std::uint32_t from, std::uint64_t x) const {
    if (column.letter == 'r') return x < moved_.size() ? moved_[x] : x;
    if (column.letter == 'w') {
      const bool is_object =
          base_.at(table).rows[from * base_.at(table).width + column.offset - 1] == std::byte{Word::object};
      const auto number = static_cast<std::uint32_t>(x);
      return is_object && number < moved_.size() ? x - number + moved_[number] : x;
    }
    if (column.letter != 'n' && column.letter != 'p') return x;
    const std::size_t space =
        base_.space_of(from, table == kPair ? &Tables::Space::first_pair : &Tables::Space::first_node);
    return column.letter == 'n' ? moved_part(x, space, &Tables::Space::first_node, moved_nodes_)
                                : moved_part(x, space, &Tables::Space::first_pair, moved_pairs_);
  }
  [[nodiscard]] std::uint64_t moved_part(std::uint64_t x, std::size_t space, std::uint32_t Tables::Space::*first,
                                         const Rows32& moved) const {
    const std::uint64_t from = base_.spaces[space].*first + x - 1;
    if (x == 0 || from >= moved.size() || moved[from] == kNone || space >= now_.spaces.size()) return x;
    return moved[from] + 1 - now_.spaces[space].*first;
  }

  void code_column(int table, const Column& column, const Rows32& rows,
                   const std::vector<std::uint64_t>* computed = nullptr) {
    // Rows that are read begin as rows of the base.
    if (rows.empty() || (!column.has_references() && coder_.reads_zero())) return;
    Tables::Table& here = now_.at(table);
    std::vector<std::uint64_t> numbers = here.get(column, rows);
    const std::vector<std::uint64_t> predicted = predict_by_base(table, column, rows);
    computed == nullptr ? code_numbers(column.bytes, numbers, {&predicted})
                        : code_numbers(column.bytes, numbers, {&predicted, computed});
    if (!coder_.writes()) here.set(column, rows, numbers);
  }
  [[nodiscard]] Rows32 all_rows(int table) const {
    Rows32 rows(now_.at(table).count);
    for (std::uint32_t i = 0; i < rows.size(); ++i) rows[i] = i;
    return rows;
  }

  // Codes a field that Chipmunk computes from others. \param compute  sets the numbers of a row, or returns false.
  template <typename Compute>
  void code_computed(int table, std::string_view field, const Rows32& rows, Compute compute) {
    const std::vector<Column>& columns = columns_of(table);
    const auto first = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.field == field; });
    const auto width = static_cast<std::size_t>(
        std::count_if(columns.begin(), columns.end(), [&](const Column& c) { return c.field == field; }));
    std::vector<std::vector<std::uint64_t>> computed(width);
    for (std::size_t k = 0; k < width; ++k)
      computed[k] = predict_by_base(table, first[static_cast<std::ptrdiff_t>(k)], rows);
    std::array<cpFloat, 6> numbers{};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!compute(rows[i], numbers)) continue;
      for (std::size_t k = 0; k < width; ++k) computed[k][i] = bits_of(numbers[k]);
    }
    for (std::size_t k = 0; k < width; ++k)
      code_column(table, first[static_cast<std::ptrdiff_t>(k)], rows, &computed[k]);
  }

  static bool is_computed(int table, std::string_view field) {
    switch (table) {
      case kBody: return field == "p" || field == "a" || field == "transform";
      case kCircle: return field == "bb" || field == "tc";
      case kSegment: return field == "bb" || field == "ta" || field == "tb" || field == "tn";
      case kPolygon: return field == "bb";
      case kContact: return field == "n";
      case kPoint: return field == "r1" || field == "r2" || field == "nMass" || field == "tMass";
      case kPlane: return true;
      default: return false;
    }
  }

  void code_rows() {
    for (int table = 0; table < kTableCount; ++table) {
      if (now_.at(table).count == 0) continue;
      if (table == kNode) find_moved_parts();
      const Rows32 rows = all_rows(table);
      for (const Column& column : columns_of(table)) {
        if (!is_computed(table, column.field)) code_column(table, column, rows);
      }
    }
  }
  void find_moved_parts() {
    if (!coder_.writes()) now_.find_spaces();
    const auto invert = [&](int table, Rows32& moved) {
      moved.assign(base_.at(table).count, kNone);
      const Rows32& map = maps_[static_cast<std::size_t>(table)];
      for (std::uint32_t i = 0; i < map.size(); ++i) {
        if (map[i] != kNone) moved[map[i]] = i;
      }
    };
    invert(kNode, moved_nodes_);
    invert(kPair, moved_pairs_);
  }

  // ----- What Chipmunk computes

  template <typename T>
  static void unpack(const Tables& file, int table, std::size_t row, T& object) {
    Extra extra{};
    visit_row(Unpack(file.at(table).rows.data() + row * file.at(table).width), table, &object, extra);
  }

  void code_positions() {
    // Velocities without impulses give positions, step by step. The first space decides for all spaces.
    cpFloat time = 0;
    if (now_.at(kSpace).count > 0 && base_.at(kSpace).count > 0) {
      const std::uint32_t steps = now_.number(kSpace, 0, "stamp") - base_.number(kSpace, 0, "stamp");
      const std::uint64_t bits = now_.at(kSpace).get(now_.column(kSpace, "curr_dt").column, 0);
      std::memcpy(&time, &bits, sizeof time);
      time *= steps < 1000 ? static_cast<cpFloat>(steps) : 0;
    }
    const auto root_of = now_.column(kBody, "sleeping.root");
    const auto before = [&](std::uint32_t row, cpBody& body) {
      const std::uint32_t from = root_of[row] != 0 ? kNone : maps_[kBody][row];
      if (from != kNone) unpack(base_, kBody, from, body);
      return from != kNone;
    };
    const Rows32 rows = all_rows(kBody);
    code_computed(kBody, "p", rows, [&](std::uint32_t row, auto& x) {
      cpBody body{};
      if (!before(row, body)) return false;
      x[0] = body.p.x + (body.v.x + body.v_bias.x) * time;
      x[1] = body.p.y + (body.v.y + body.v_bias.y) * time;
      return true;
    });
    code_computed(kBody, "a", rows, [&](std::uint32_t row, auto& x) {
      cpBody body{};
      if (!before(row, body)) return false;
      x[0] = body.a + (body.w + body.w_bias) * time;
      return true;
    });
    code_computed(kBody, "transform", rows, [&](std::uint32_t row, auto& x) {
      cpBody body{};
      unpack(now_, kBody, row, body);
      double exact_sine = 0, exact_cosine = 0;
      forkmunk_strict_sincos(body.a, &exact_sine, &exact_cosine);
      const auto sine = static_cast<cpFloat>(exact_sine), cosine = static_cast<cpFloat>(exact_cosine);
      const cpVect c = body.cog;
      x = {cosine, sine, -sine, cosine, body.p.x - (c.x * cosine - c.y * sine), body.p.y - (c.x * sine + c.y * cosine)};
      return true;
    });
    bodies_.resize(now_.at(kBody).count);
    for (std::size_t row = 0; row < bodies_.size(); ++row) unpack(now_, kBody, row, bodies_[row]);
    spaces_.resize(now_.at(kSpace).count);
    for (std::size_t row = 0; row < spaces_.size(); ++row) unpack(now_, kSpace, row, *spaces_[row].get());
  }

  [[nodiscard]] std::pair<int, std::uint32_t> object_at(std::uint32_t number) const {
    return number < now_.objects.size() ? now_.objects[number] : std::pair<int, std::uint32_t>{-1, 0};
  }
  [[nodiscard]] cpBody* body_at(std::uint32_t number) {
    const auto [table, row] = object_at(number);
    if (table == kOwnStaticBody) return row < spaces_.size() ? &spaces_[row].get()->_staticBody : nullptr;
    return table == kBody && row < bodies_.size() ? &bodies_[row] : nullptr;
  }
  struct SpaceBytes {  // a cpSpace cannot be made
    alignas(cpSpace) std::array<std::byte, sizeof(cpSpace)> bytes{};
    [[nodiscard]] cpSpace* get() { return reinterpret_cast<cpSpace*>(bytes.data()); }
  };
  union AnyShape {
    cpShape shape;
    cpCircleShape circle;
    cpSegmentShape segment;
    cpPolyShape polygon;
  };

  void code_shapes() {
    const Rows32 all = all_rows(kPlane);
    std::vector<std::uint32_t> owner(all.size(), kNone);  // the polygon of computed planes
    Rows32 first(now_.at(kPolygon).count), given, computed;
    std::uint32_t next = 0;
    const Rows32 planes_of_all = planes_of(now_);
    const auto inside_of = now_.column(kPolygon, "planes inside"), count_of = now_.column(kPolygon, "count");
    for (std::uint32_t i = 0; i < first.size(); ++i) {
      const std::uint32_t inside = inside_of[i], count = count_of[i], planes = planes_of_all[i];
      const std::uint64_t begin = std::uint64_t{next} + (planes > inside ? inside : 0);
      first[i] = static_cast<std::uint32_t>(begin);
      // Rows must belong to one polygon, because a hostile file may share them.
      const bool is_whole =
          count > 0 && 2 * std::uint64_t{count} <= planes && begin + 2 * std::uint64_t{count} <= all.size();
      for (std::uint32_t k = 0; is_whole && k < count; ++k) owner[first[i] + k] = i;
      if (!is_whole) first[i] = kNone;
      next = static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{next} + planes, all.size()));
    }
    for (const std::uint32_t row : all) (owner[row] == kNone ? given : computed).push_back(row);
    for (const Column& column : columns_of(kPlane)) code_column(kPlane, column, given);
    planes_.resize(all.size());
    for (const std::uint32_t row : given) unpack(now_, kPlane, row, planes_[row]);
    for (int table = kCircle; table <= kPolygon; ++table) {
      std::vector<AnyShape>& shapes = shapes_[static_cast<std::size_t>(table - kCircle)];
      shapes.resize(now_.at(table).count);
      const auto* klass = static_cast<const cpShapeClass*>(code_.find(std::string("chipmunk ") + kTableNames[table]));
      for (std::uint32_t row = 0; row < shapes.size(); ++row) compute_shape(table, row, klass, shapes[row], first);
      for (const Field& field : schema().fields[static_cast<std::size_t>(table)]) {
        if (!is_computed(table, field.name)) continue;
        const std::size_t offset = field.name == "tc"   ? offsetof(cpCircleShape, tc)
                                   : field.name == "ta" ? offsetof(cpSegmentShape, ta)
                                   : field.name == "tb" ? offsetof(cpSegmentShape, tb)
                                   : field.name == "tn" ? offsetof(cpSegmentShape, tn)
                                                        : offsetof(cpShape, bb);
        code_computed(table, field.name, all_rows(table), [&](std::uint32_t row, auto& x) {
          if (shapes[row].shape.body == nullptr) return false;
          std::memcpy(&x, reinterpret_cast<const std::byte*>(&shapes[row]) + offset, field.type.bytes());
          return true;
        });
      }
    }
    for (const char* field : {"v0", "n"}) {
      code_computed(kPlane, field, computed, [&](std::uint32_t row, auto& x) {
        if (shapes_[2][owner[row]].shape.body == nullptr) return false;
        const cpVect found = field[0] == 'v' ? planes_[row].v0 : planes_[row].n;
        x[0] = found.x, x[1] = found.y;
        return true;
      });
    }
  }
  // Leaves the shape's body null if nothing can be computed.
  void compute_shape(int table, std::uint32_t row, const cpShapeClass* klass, AnyShape& shape,
                     const Rows32& first_planes) {
    std::memset(static_cast<void*>(&shape), 0, sizeof shape);
    unpack(now_, table, row, shape);
    cpBody* const body = body_at(now_.number(table, row, "body"));
    if (body == nullptr || klass == nullptr || shape_update_ == nullptr) return;
    if (table == kPolygon) {
      if (first_planes[row] == kNone) return;
      shape.polygon.planes = planes_.data() + first_planes[row];
    }
    shape.shape.klass = klass;
    const auto [kind, space] = object_at(now_.number(table, row, "space"));
    if (kind == kSpace && space < spaces_.size()) shape.shape.space = spaces_[space].get();
    shape_update_(&shape.shape, body->transform);
    shape.shape.body = body;
  }
  [[nodiscard]] const cpShape* shape_at(std::uint32_t number) const {
    const auto [table, row] = object_at(number);
    if (!is_shape(table)) return nullptr;
    const auto& shapes = shapes_[static_cast<std::size_t>(table - kCircle)];
    return row < shapes.size() && shapes[row].shape.body != nullptr && shapes[row].shape.space != nullptr
               ? &shapes[row].shape
               : nullptr;
  }

  void code_contacts() {
    const Rows32 rows = all_rows(kContact), points = all_rows(kPoint);
    std::vector<cpContactPointSet> sets(rows.size());
    std::vector<std::pair<std::uint32_t, int>> owner(points.size(), {kNone, 0});
    std::uint32_t next = 0;
    // A hostile file has many contacts of one shape with many vertices.
    std::uint64_t work = 0;
    const std::uint64_t work_max = 64 * (std::uint64_t{rows.size()} + planes_.size());
    const auto vertices_of = [](const cpShape& shape) {
      return shape.klass->type == CP_POLY_SHAPE
                 ? static_cast<std::uint64_t>(reinterpret_cast<const cpPolyShape&>(shape).count)
                 : 2u;
    };
    const auto counts = now_.column(kContact, "points");
    const auto a_of = now_.column(kContact, "a"), b_of = now_.column(kContact, "b");
    for (const std::uint32_t row : rows) {
      const std::uint32_t count = counts[row];
      for (std::uint32_t k = 0; k < count && next < points.size(); ++k) owner[next++] = {row, static_cast<int>(k)};
      const cpShape *const a = shape_at(a_of[row]), *const b = shape_at(b_of[row]);
      if (a == nullptr || b == nullptr || shapes_collide_ == nullptr) continue;
      work += vertices_of(*a) + vertices_of(*b);
      if (work <= work_max) sets[row] = shapes_collide_(a, b);
    }
    code_computed(kContact, "n", rows, [&](std::uint32_t row, auto& x) {
      x[0] = sets[row].normal.x, x[1] = sets[row].normal.y;
      return sets[row].count > 0;
    });
    for (const char* field : {"r1", "r2"}) {
      const bool is_a = field[1] == '1';
      code_computed(kPoint, field, points, [&](std::uint32_t row, auto& x) {
        const auto [contact, k] = owner[row];
        if (contact == kNone || k >= sets[contact].count) return false;
        const cpVect p = shape_at((is_a ? a_of : b_of)[contact])->body->p;
        const cpVect at = is_a ? sets[contact].points[k].pointA : sets[contact].points[k].pointB;
        x[0] = at.x - p.x, x[1] = at.y - p.y;
        return true;
      });
    }
    const auto body_a_of = now_.column(kContact, "body_a"), body_b_of = now_.column(kContact, "body_b");
    layout::ContactArbiter arbiter{};
    cpContact point{};
    for (const char* field : {"nMass", "tMass"}) {
      code_computed(kPoint, field, points, [&](std::uint32_t row, auto& x) {
        const std::uint32_t contact = owner[row].first;
        if (contact == kNone) return false;
        const cpBody *const a = body_at(body_a_of[contact]), *const b = body_at(body_b_of[contact]);
        if (a == nullptr || b == nullptr) return false;
        unpack(now_, kContact, contact, arbiter);
        unpack(now_, kPoint, row, point);
        const cpVect n = field[0] == 'n' ? arbiter.arbiter.n : cpvperp(arbiter.arbiter.n);
        const auto inverse_of = [&](const cpBody& body, cpVect r) {
          const cpFloat rcn = cpvcross(r, n);
          return body.m_inv + body.i_inv * rcn * rcn;
        };
        x[0] = 1 / (inverse_of(*a, point.r1) + inverse_of(*b, point.r2));
        return true;
      });
    }
  }

  // ----- What is in no table

  void code_order() {
    std::uint64_t count = coder_.coded(now_.order.size() / 4);
    grow(base_.order.size() / 4, count, 4);
    now_.order.resize(4 * count);
    std::vector<std::uint64_t> numbers(count), predicted(count);
    for (std::size_t i = 0; i < count; ++i) {
      std::memcpy(&numbers[i], &now_.order[4 * i], 4);
      if (4 * i >= base_.order.size()) continue;
      std::memcpy(&predicted[i], &base_.order[4 * i], 4);
      predicted[i] = moved_part(predicted[i], base_.space_of(static_cast<std::uint32_t>(i), &Tables::Space::first_leaf),
                                &Tables::Space::first_node, moved_nodes_);
    }
    code_numbers(4, numbers, {&predicted});
    for (std::size_t i = 0; !coder_.writes() && i < count; ++i) std::memcpy(&now_.order[4 * i], &numbers[i], 4);
  }

  static std::vector<std::uint64_t> places_of(const Tables& file) {
    std::vector<std::uint64_t> places(file.objects.size() + 1);
    std::uint64_t next = 0;
    for (std::size_t i = 0; i < file.objects.size(); ++i) {
      places[i] = next;
      const auto [table, row] = file.objects[i];
      if ((table == kPlain || table == kWords) && row < file.at(table).count) next += file.number(table, row, "bytes");
    }
    places.back() = next;
    return places;
  }
  void code_data() {
    const std::uint64_t size = coder_.coded(now_.data.size());
    grow(base_.data.size(), size, 1);
    now_.data.resize(size);
    std::vector<std::byte> predicted((size + 7) / 8 * 8);
    const std::vector<std::uint64_t> from = places_of(base_), to = places_of(now_);
    for (std::size_t i = 1; i < moved_.size(); ++i) {
      const std::uint32_t here = moved_[i];
      if (here == 0 || from[i + 1] > base_.data.size() || to[here + 1] > size) continue;
      const auto count = static_cast<std::size_t>(std::min(from[i + 1] - from[i], to[here + 1] - to[here]));
      if (count > 0) std::memcpy(&predicted[to[here]], &base_.data[from[i]], count);
    }
    std::vector<std::uint64_t> numbers(predicted.size() / 8), expected(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      std::memcpy(&expected[i], &predicted[8 * i], 8);
      std::memcpy(&numbers[i], &now_.data[8 * i], std::min<std::size_t>(8, size - 8 * i));
    }
    code_numbers(8, numbers, {&expected});
    for (std::size_t i = 0; !coder_.writes() && i < numbers.size(); ++i) {
      std::memcpy(&now_.data[8 * i], &numbers[i], std::min<std::size_t>(8, size - 8 * i));
    }
  }

  Coder& coder_;
  cpBB (*shape_update_)(cpShape*, cpTransform);
  cpContactPointSet (*shapes_collide_)(const cpShape*, const cpShape*);
  const NamedCode& code_;
  const Tables& base_;
  Tables& now_;
  std::uint64_t bytes_max_, growth_max_, growth_ = 0;
  std::array<Rows32, kTableCount> maps_{};  // to rows of the base
  Rows32 moved_{}, moved_nodes_{}, moved_pairs_{};
  std::array<std::vector<std::vector<std::uint64_t>>, 2> keys_{};
  std::vector<cpBody> bodies_{};
  std::vector<SpaceBytes> spaces_{};
  std::vector<cpSplittingPlane> planes_{};
  std::array<std::vector<AnyShape>, 3> shapes_{};
};

Tables empty_tables(std::uint32_t version) {
  Tables tables;
  tables.version = version;
  for (int i = 0; i < kTableCount; ++i) tables.at(i).width = schema().row_bytes[static_cast<std::size_t>(i)];
  return tables;
}

// Returns nothing unless the bytes are a file with this version's tables.
std::optional<Tables> tables_of(Bytes bytes) {
  try {
    const Header header = header_of(bytes);
    if (header.file_bytes() != bytes.size()) return std::nullopt;
    const File file = parse_file(bytes.subspan(sizeof header));
    if (!file.has_own_schema) return std::nullopt;
    Tables tables = empty_tables(header.version);
    const auto copy = [](Bytes from) { return std::vector<std::byte>(from.begin(), from.end()); };
    for (int i = 0; i < kTableCount; ++i) {
      tables.at(i).rows = file.tables[static_cast<std::size_t>(i)].rows;
      tables.at(i).count = file.tables[static_cast<std::size_t>(i)].count;
    }
    tables.head = copy(file.head);
    tables.kinds = copy(file.kinds);
    tables.order = copy(file.order);
    tables.data = copy(file.data);
    tables.zero_count = file.zero_count;
    for (const std::byte kind : tables.kinds) {
      if (std::to_integer<int>(kind) >= kObjectTableCount) return std::nullopt;
    }
    tables.number_objects();
    tables.find_spaces();
    return tables;
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::vector<std::byte> file_of(const Tables& tables) {
  FileWriter file(tables.head);
  file.add(tables.kinds, tables.kinds.size());
  for (const Tables::Table& table : tables.tables) file.add(table.rows, table.count);
  file.add(tables.order, tables.order.size() / 4);
  file.add(tables.data, tables.data.size());
  file.add(std::vector<std::byte>(tables.zero_count), tables.zero_count);
  return file.finish(tables.version);
}

DeltaHeader delta_header_of(Bytes delta) {
  DeltaHeader found;
  if (delta.size() < sizeof found || std::memcmp(delta.data(), found.magic.data(), found.magic.size()) != 0) {
    throw Error("not a difference of snapshots: it does not begin with a header with FORKDLTA");
  }
  std::memcpy(&found, delta.data(), sizeof found);
  require_format("a difference of snapshots", found.version, kDeltaVersion, found.flags);
  if (found.body_bytes > arena_alloc::kCapacityBytesMax) {
    throw Error("a damaged difference of snapshots: its header claims more bytes than a space has");
  }
  return found;
}

}  // namespace
}  // namespace portable

using namespace portable;

std::vector<std::byte> portable_delta(std::span<const std::byte> base, std::span<const std::byte> bytes,
                                      const NamedCode& code) {
  std::vector<std::byte> body;
  append(body, portable_checksum(bytes, kDeltaVersion));
  const auto add_way = [&](Way way) { body.push_back(static_cast<std::byte>(way)); };
  std::optional<Tables> before, now;
  if (std::ranges::equal(base, bytes)) {
    add_way(kSame);
  } else {
    const std::size_t head = body.size();
    bool is_short = false;
    if ((before = tables_of(base)) && (now = tables_of(bytes)) && before->version == now->version) {
      add_way(kColumns);
      Coder coder(body);
      Delta delta(coder, code, *before, *now, SIZE_MAX);
      delta.run();
      is_short = body.size() < bytes.size() && delta.growth() <= kGrowthPerByte * (body.size() - head) + kGrowthMin / 2;
    }
    if (!is_short) {
      body.resize(head);
      add_way(kWhole);
      append_bytes(body, bytes);
    }
  }
  DeltaHeader header;
  header.body_bytes = body.size();
  header.checksum = portable_checksum(body, kDeltaVersion);
  header.base_bytes = base.size();
  header.base_checksum = portable_checksum(base, kDeltaVersion);
  std::vector<std::byte> result;
  append(result, header);
  append_bytes(result, body);
  return result;
}

std::size_t portable_delta_bytes(std::span<const std::byte> header) { return delta_header_of(header).file_bytes(); }

std::vector<std::byte> apply_portable_delta(std::span<const std::byte> base, std::span<const std::byte> delta,
                                            const NamedCode& code, std::size_t bytes_max) {
  const DeltaHeader header = delta_header_of(delta);
  Bytes body = delta.subspan(sizeof header);
  if (header.file_bytes() != delta.size() || header.checksum != portable_checksum(body, kDeltaVersion)) {
    throw Error("a damaged difference of snapshots: its length or its checksum is not what it was written with");
  }
  if (header.base_bytes != base.size() || header.base_checksum != portable_checksum(base, kDeltaVersion)) {
    throw Error("a difference of snapshots: found another base than it was written against");
  }
  std::uint64_t checksum = 0;
  if (body.size() < sizeof checksum + 1) fail_damaged_delta();
  std::memcpy(&checksum, body.data(), sizeof checksum);
  const auto way = std::to_integer<int>(body[sizeof checksum]);
  body = body.subspan(sizeof checksum + 1);
  std::vector<std::byte> result;
  if (way == kColumns) {
    const std::optional<Tables> before = tables_of(base);
    if (!before) throw Error("a difference of snapshots: its base is of another version");
    Tables now = empty_tables(before->version);
    Coder coder(body);
    Delta(coder, code, *before, now, bytes_max).run();
    if (!coder.rest().empty()) fail_damaged_delta();
    result = file_of(now);
  } else if (way == kWhole || (way == kSame && body.empty())) {
    const Bytes from = way == kSame ? base : body;
    result.assign(from.begin(), from.end());
  } else {
    fail_damaged_delta();
  }
  if (result.size() > bytes_max) fail_too_long();
  if (portable_checksum(result, kDeltaVersion) != checksum) fail_damaged_delta();
  return result;
}

}  // namespace forkmunk::FORKMUNK_CHIPMUNK
