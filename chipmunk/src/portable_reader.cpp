// SPDX-License-Identifier: MIT
#include "field_names.h"
#include "portable_format.h"
#include "state_numbers.h"

#include <forkmunk/chipmunk/defects.h>

#include <cmath>
#include <limits>
#include <string_view>

/// Builds a state from its portable form, whoever wrote it, and checks what Chipmunk's functions rely on: every
/// reference leads to an object of the right kind, lists end, counts agree, functions have the signatures of their
/// calls, and the few numbers that decide about structure or time are in range. Work and memory are linear in the
/// length of the input.
namespace forkmunk::FORKMUNK_CHIPMUNK {
namespace portable {
namespace {

using arena_alloc::Arena;

/// Stamps must not wrap for a long time, because leaves are compared with them.
constexpr cpTimestamp kStampMax = cpTimestamp{1} << 31;

struct Rows {
  const std::byte* first = nullptr;
  std::uint32_t count = 0;
  std::uint32_t used = 0;
};

class Reader;

struct RowReader : RowVisitor<RowReader> {
  static constexpr bool kSetsFields = true;
  const Reader* reader;
  const std::byte* cursor;

  RowReader(const Reader& of, const std::byte* row) : reader(&of), cursor(row) {}
  template <typename T>
  void reference(const char*, T*& pointer);
  template <typename T>
  void name(const char*, T& code);
  void word(const char*, void*& word);
  void word(const char*, std::uintptr_t& word);
  void flag(const char*, cpContact*& contacts) {
    contacts = take<std::uint8_t>() == 0 ? nullptr : reinterpret_cast<cpContact*>(1);  // read_points() sets it
  }
  template <typename T>
  void number(const char*, T& x, FieldType) {
    x = take<T>();
  }
  template <typename T>
  T take() {
    T x;
    std::memcpy(&x, cursor, sizeof x);
    cursor += sizeof x;
    return x;
  }
};

class Reader {
 public:
  Reader(Arena& arena, const NamedCode& code, std::span<const std::byte> body, std::size_t memory_bytes_max)
      : arena_(arena),
        code_(code),
        body_(body),
        input_bytes_(sizeof(Header) + body.size()),
        memory_bytes_max_(memory_bytes_max) {}

  void run() {
    parse();
    read_root();
    allocate_objects();
    allocate_contacts();
    number_objects();
    for (std::uint32_t i = 1; i < objects_.size(); ++i) read_object(i);
    for (const std::uint32_t space : spaces_) read_parts(space);
    for (std::uint32_t i = 1; i < objects_.size(); ++i) check_object(i);
    check_ends();
    for (int table = kObjectTableCount; table < kTableCount; ++table) {
      if (rows_[static_cast<std::size_t>(table)].used != rows_[static_cast<std::size_t>(table)].count) {
        fail_damaged(concat("nothing refers to the last rows of '", kTableNames[table], '\''));
      }
    }
    if (ordered_ != order_.size() || !data_.empty()) fail_damaged("nothing refers to its last bytes");
  }

  template <typename T>
  [[nodiscard]] void* address_of(std::uint32_t number) const {
    if (number < object_count_) return objects_[number].address;
    if (number == kNowhere) return nowhere();
    if constexpr (std::is_same_v<T, cpCollisionHandler>) {
      if (number == kNoHandler) return no_handler_;
    }
    fail_damaged("a reference to no object");
  }
  [[nodiscard]] void* code_at(std::uint32_t index) const {
    if (index > names_.size()) fail_damaged("a function has no entry in the table of names");
    return index == 0 ? nullptr : const_cast<void*>(names_[index - 1]);
  }
  [[nodiscard]] std::uintptr_t word_of(std::uint8_t tag, std::uint64_t value, bool is_pointer) const {
    if (tag == Word::number && value == 0) return 0;
    const auto number = static_cast<std::uint32_t>(value);
    switch (tag) {
      case Word::number: {
        if (value == ~std::uint64_t{0}) return ~std::uintptr_t{0};
        if (value > std::numeric_limits<std::uintptr_t>::max()) {
          throw Error("a state of a space: found the number ", value,
                      " in user data or a collision type, expected one of 32 bits on this machine");
        }
        const auto word = static_cast<std::uintptr_t>(value);
        if (arena_.contains(reinterpret_cast<const void*>(word))) fail_damaged("a number that is an address");
        return word;
      }
      case Word::object: {
        if (number == 0 || number >= objects_.size()) fail_damaged("a reference to no object");
        const Object& object = objects_[number];
        const auto offset = static_cast<std::size_t>(value >> 32);
        if (offset != 0 && (!is_users(object.table) || offset > bytes_of(object))) {
          fail_damaged("a reference beyond the end of an object");
        }
        return reinterpret_cast<std::uintptr_t>(object.address + offset);
      }
      case Word::name:
        if (!is_pointer || number == 0 || value > names_.size())
          fail_damaged("a word has no entry in the table of names");
        return reinterpret_cast<std::uintptr_t>(names_[number - 1]);
      case Word::uncounted:
        if (!is_pointer || value > arena_alloc::kUncountedHandles) fail_damaged("a word holds no handle");
        return reinterpret_cast<std::uintptr_t>(arena_alloc::uncounted(value));
      case Word::nowhere:
        return reinterpret_cast<std::uintptr_t>(value == Word::kResource ? &root_->resource : nowhere());
      default: fail_damaged("a word of an unknown kind");
    }
  }

 private:
  enum class Role : std::uint8_t { outside, awake, still, asleep };
  struct Object {
    std::byte* address = nullptr;
    std::uint32_t row = 0;
    std::uint32_t space = 0;  // a space: its index in spaces_; a handler: the object that it belongs to
    std::uint32_t root = 0;   // a body: of its component
    Role role = Role::outside;
    std::uint8_t table = 0;
    std::uint8_t marks = 0;
  };
  enum ShapeMark : std::uint8_t { kInStatic = 1, kInDynamic = 2, kInSomeIndex = 3, kInList = 4, kInSet = 8 };
  enum LinkMark : std::uint8_t { kAtA = 1, kAtB = 2, kAtWork = 4, kCached = 8 };  // of joints and contacts
  enum HandlerMark : std::uint8_t { kAsksWildcards = 1 };

  [[noreturn]] void fail(const char* what, std::uint32_t number) const {
    const Object& object = objects_[number];
    fail_damaged(concat(what, ": ", kTableNames[object.table], ' ', object.row));
  }
  void require(bool holds, const char* what, std::uint32_t number) const {
    if (!holds) fail(what, number);
  }

  // ----- The file

  void parse() {
    file_ = parse_file(body_);
    for (const std::string_view name : file_.names) {
      const void* const address = code_.find(std::string(name));
      if (address == nullptr) {
        throw Error(
            "a state of a space: found a callback or class named \"", name,
            "\", which this program does not have; name it by name_code() in C++ or C, or write the state without it");
      }
      names_.push_back(address);
    }
    for (const FileTable& table : file_.tables) {
      if (table.table < 0) continue;
      Rows& rows = rows_[static_cast<std::size_t>(table.table)];
      rows.count = table.count;
      rows.first = table.is_same ? table.rows.data() : translate(table);
    }
    order_.resize(file_.order.size() / 4);
    if (!order_.empty()) std::memcpy(order_.data(), file_.order.data(), file_.order.size());
    data_ = file_.data;
    list_objects();
  }

  // Leaves unknown fields out. Missing fields are 0, null or empty.
  const std::byte* translate(const FileTable& table) {
    const std::size_t width = schema_.row_bytes[static_cast<std::size_t>(table.table)], count = table.count;
    if (std::uint64_t{count} * width > input_bytes_ * kMemoryPerByte) fail_damaged("it describes too short rows");
    std::vector<std::byte>& rows = translated_.emplace_back(count * width);
    std::size_t to = 0;
    for (const Field& field : schema_.fields[static_cast<std::size_t>(table.table)]) {
      std::size_t from = 0;
      for (const Field& other : table.fields) {
        if (other.name == field.name) {
          if (other.type != field.type) fail_damaged(concat("the field '", field.name, "' has another type"));
          for (std::size_t i = 0; i < count; ++i) {
            std::memcpy(&rows[i * width + to], &table.rows[i * table.row_bytes + from], field.type.bytes());
          }
          break;
        }
        from += other.type.bytes();
      }
      to += field.type.bytes();
    }
    return rows.data();
  }

  void list_objects() {
    const std::span<const std::byte> kinds = file_.kinds;
    const std::vector<FileTable>& tables = file_.tables;
    objects_.resize(kinds.size() + 1);
    object_count_ = static_cast<std::uint32_t>(objects_.size());
    std::array<std::uint32_t, kObjectTableCount> counts{};
    std::uint32_t space = 0;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      const auto kind = static_cast<std::size_t>(kinds[i]);
      if (kind >= tables.size()) fail_damaged("an object of no table");
      const int table = tables[kind].table;
      if (table < 0) throw Error("a state of a space of a newer version: it has a '", tables[kind].name, '\'');
      if (table >= kObjectTableCount) fail_damaged("an object of a table of parts");
      Object& object = objects_[i + 1];
      object.table = static_cast<std::uint8_t>(table);
      object.row = counts[static_cast<std::size_t>(table)]++;
      if (table == kSpace) {
        space = static_cast<std::uint32_t>(i + 1);
        object.space = static_cast<std::uint32_t>(spaces_.size());
        spaces_.push_back(space);
      } else if (is_handler(table) || table == kOwnStaticBody) {
        if (space == 0) fail_damaged("a part of a space without a space");
        object.space = space;
      }
    }
    for (std::size_t table = 0; table < kObjectTableCount; ++table) {
      Rows& rows = rows_[table];
      if (table == kOwnStaticBody || table == kDefaultHandler) continue;
      if (rows.count != counts[table]) fail_damaged(concat("a wrong count of '", kTableNames[table], '\''));
    }
  }

  // ----- Rows

  [[gnu::always_inline]] Extra read_row(int table, std::uint32_t row, void* part) const {
    const auto index = static_cast<std::size_t>(table);
    Extra extra{};
    visit_row(RowReader(*this, rows_[index].first + row * schema_.row_bytes[index]), table, part, extra);
    return extra;
  }
  [[gnu::always_inline]] Extra read_next(int table, void* part) {
    Rows& rows = rows_[static_cast<std::size_t>(table)];
    if (rows.used == rows.count) fail_damaged(concat("it has too few rows of '", kTableNames[table], '\''));
    return read_row(table, rows.used++, part);
  }
  template <typename Row>
  [[gnu::always_inline]] Row next(int table) {
    Row row{};
    read_next(table, &row);
    return row;
  }
  [[nodiscard]] std::size_t offset_of(int table, std::string_view name) const {
    std::size_t offset = 0;
    for (const Field& field : schema_.fields[static_cast<std::size_t>(table)]) {
      if (field.name == name) break;
      offset += field.type.bytes();
    }
    return offset;
  }
  [[nodiscard]] std::uint32_t column(int table, std::uint32_t row, std::size_t offset) const {
    const auto index = static_cast<std::size_t>(table);
    std::uint32_t x = 0;
    std::memcpy(&x, rows_[index].first + row * schema_.row_bytes[index] + offset, sizeof x);
    return x;
  }

  // ----- Memory

  // The target of references to freed memory.
  [[nodiscard]] void* nowhere() const { return arena_.base(); }
  void* allocate(std::size_t bytes, int kind) {
    const bool has_stamp = is_stamped(kind);
    bytes += has_stamp ? arena_alloc::kStampBytes : 0;
    const bool has_room = bytes < memory_bytes_max_ && arena_.live_bytes() < memory_bytes_max_ - bytes;
    void* const memory = has_room ? arena_.try_allocate(bytes, kind) : nullptr;
    if (memory == nullptr) {
      throw Error("a state of a space: it needs more memory than its limit of ", memory_bytes_max_,
                  " bytes, or than there is");
    }
    if (has_stamp) arena_alloc::Chunk::of(memory).add_stamp(0);
    stamp_count_ += has_stamp ? 1 : 0;
    return memory;
  }
  template <typename T>
  T& allocate(int kind, std::size_t bytes = sizeof(T)) {
    return *static_cast<T*>(allocate(bytes, kind));
  }
  [[nodiscard]] static std::size_t bytes_of(const Object& object) {
    return arena_alloc::Chunk::of(object.address).requested_bytes();
  }
  // The new buffer becomes `last`.
  template <typename T>
  T* allocate_pool(cpArray*& last, int kind, std::size_t count) {
    if (count == 0) return nullptr;
    auto& buffer = allocate<layout::PoolBuffer>(kind, sizeof(layout::PoolBuffer) + count * sizeof(T));
    buffer.before = reinterpret_cast<layout::PoolBuffer*>(last);
    last = reinterpret_cast<cpArray*>(&buffer);
    return reinterpret_cast<T*>(&buffer + 1);
  }
  cpArray* allocate_array(std::size_t count) {
    auto& array = allocate<cpArray>(FORKMUNK_KIND_ARRAY, sizeof(cpArray) + sizeof(void*));
    array.max = static_cast<int>(std::max<std::size_t>(count, 1));
    array.arr = count <= 1 ? reinterpret_cast<void**>(&array + 1)
                           : static_cast<void**>(allocate(count * sizeof(void*), FORKMUNK_KIND_POINTERS));
    return &array;
  }
  // Limits buckets and cells, because a file has only their count.
  void* allocate_slots(std::uint32_t count) {
    slots_ += count;
    if (count == 0 || slots_ / kSlotsPerByte > input_bytes_) fail_damaged("a table with too many buckets or none");
    return allocate(count * sizeof(void*), FORKMUNK_KIND_POINTERS);
  }
  template <typename T, typename Hash>
  layout::HashSet* make_set(const char* equality, std::uint32_t bucket_count, std::span<T* const> elements,
                            Hash hash_of) {
    auto& set = allocate<layout::HashSet>(FORKMUNK_KIND_HASH_SET);
    set.equal = own_code(equality);
    set.bucket_count = bucket_count;
    set.entry_count = static_cast<unsigned int>(elements.size());
    set.buckets = static_cast<layout::HashSetBin**>(allocate_slots(bucket_count));
    if (elements.size() > bucket_count) fail_damaged("a set with fewer buckets than elements");
    auto* bin = allocate_pool<layout::HashSetBin>(set.buffers, FORKMUNK_KIND_POOLED_BINS, elements.size());
    for (std::size_t i = elements.size(); i-- > 0; ++bin) {
      bin->element = elements[i];
      bin->hash = hash_of(*elements[i]);
      bin->next = std::exchange(set.buckets[bin->hash % bucket_count], bin);
    }
    return &set;
  }
  [[nodiscard]] void* own_code(const char* name) const {
    return const_cast<void*>(code_.find(std::string("chipmunk ") + name));
  }

  void read_root() {
    arena_.reset();
    root_ = &make_root(arena_);
    root_->resource = const_cast<void*>(code_.find("forkmunk memory resource"));
    no_handler_ = own_code("handler that does nothing");
    for (int table = kCircle; table <= kSimpleMotor; ++table) {
      const auto index = static_cast<std::size_t>(table);
      if (rows_[index].count > 0) classes_[index] = own_code(name_of_kind(kind_of(table)));
    }
  }

  void allocate_objects() {
    for (std::uint32_t i = 1; i < objects_.size(); ++i) {
      Object& object = objects_[i];
      switch (object.table) {
        case kContact: break;  // in a space's pool
        case kSpace: {
          auto& listed = allocate<ListedSpace>(FORKMUNK_KIND_SPACE);
          object.address = reinterpret_cast<std::byte*>(&listed);
          (root_->last_space == nullptr ? root_->first_space : root_->last_space->next) = &listed;
          root_->last_space = &listed;
          break;
        }
        case kOwnStaticBody: object.address = reinterpret_cast<std::byte*>(&space_at(object.space)._staticBody); break;
        case kDefaultHandler:
          object.address = reinterpret_cast<std::byte*>(&space_at(object.space).defaultHandler);
          break;
        default: object.address = static_cast<std::byte*>(allocate(bytes_in_row(object), kind_of(object.table)));
      }
    }
  }

  [[nodiscard]] std::size_t bytes_in_row(const Object& object) {
    switch (object.table) {
      case kBody: return sizeof(cpBody);
      case kCircle: return sizeof(cpCircleShape);
      case kSegment: return sizeof(cpSegmentShape);
      case kPolygon: {
        const std::uint32_t room = column(kPolygon, object.row, room_at_);
        if (room < CP_POLY_SHAPE_INLINE_ALLOC / 2 || room > CP_POLY_SHAPE_INLINE_ALLOC) {
          fail_damaged(concat("a polygon has room for ", room, " vertices"));
        }
        return layout::kPolygonHeadBytes + room * 2 * sizeof(cpSplittingPlane);
      }
      case kHandler: return sizeof(cpCollisionHandler);
#define FORKMUNK_SIZE(kind, type, text, table) \
  case k##type: return sizeof(cp##type);
        FORKMUNK_EACH_JOINT(FORKMUNK_SIZE)
#undef FORKMUNK_SIZE
      case kPolylines: return sizeof(cpPolylineSet);
      default: break;
    }
    const std::uint32_t bytes = column(object.table, object.row, offset_of(object.table, "bytes"));
    if (bytes > data_.size() - data_wanted_) fail_damaged("objects are longer than there are bytes");
    data_wanted_ += bytes;
    if (object.table == kWords && column(kWords, object.row, offset_of(kWords, "word_bytes")) != sizeof(void*)) {
      throw Error(
          "a state of a space: it has an object of make() with pointers of another width, expected one without "
          "(pointer_policy)");
    }
    return bytes;
  }

  [[nodiscard]] cpSpace& space_at(std::uint32_t number) const {
    return reinterpret_cast<ListedSpace*>(objects_[number].address)->space;
  }

  // All contacts of a space are in its pool. A contact's space is its first shape's.
  void allocate_contacts() {
    std::array<std::size_t, kPolygon + 1> space_at_column{};
    for (int table = kCircle; table <= kPolygon; ++table) {
      space_at_column[static_cast<std::size_t>(table)] = offset_of(table, "space");
    }
    const std::size_t a_at = offset_of(kContact, "a");
    std::vector<std::uint32_t> counts(spaces_.size()), contacts;
    contacts.reserve(rows_[kContact].count);
    for (std::uint32_t i = 1; i < objects_.size(); ++i) {
      if (objects_[i].table != kContact) continue;
      const std::uint32_t a = column(kContact, objects_[i].row, a_at);
      require(a < objects_.size() && is_shape(objects_[a].table), "a contact of no shape", i);
      const int table = objects_[a].table;
      const std::uint32_t space = column(table, objects_[a].row, space_at_column[static_cast<std::size_t>(table)]);
      require(space < objects_.size() && objects_[space].table == kSpace && space != 0,
              "a contact of a shape in no space", i);
      objects_[i].space = space;
      ++counts[objects_[space].space];
      contacts.push_back(i);
    }
    std::vector<layout::ContactArbiter*> unused(spaces_.size());
    for (std::size_t k = 0; k < spaces_.size(); ++k) {
      unused[k] = allocate_pool<layout::ContactArbiter>(space_at(spaces_[k]).allocatedBuffers,
                                                        FORKMUNK_KIND_CONTACT_ARBITERS, counts[k]);
    }
    for (const std::uint32_t i : contacts) {
      objects_[i].address = reinterpret_cast<std::byte*>(unused[objects_[objects_[i].space].space]++);
    }
  }

  void number_objects() {
    numbers_.emplace(arena_);
    for (std::uint32_t i = 1; i < objects_.size(); ++i) numbers_->at(objects_[i].address) = i;
    // The root refers to objects.
    RootRow row = next<RootRow>(kRoot);
    root_->main_space = row.main_space;
    const auto is_main = [&](std::uint32_t space) { return &space_at(space) == row.main_space; };
    if (row.main_space != nullptr && std::none_of(spaces_.begin(), spaces_.end(), is_main)) {
      fail_damaged("its main space is none");
    }
    if (row.created > 0xF000'0000) fail_damaged("its count of created objects is too large");  // it would wrap
    arena_alloc::Chunk::of(root_).set_stamp(std::max(row.created, stamp_count_));
  }

  // Returns 0 for null and for what is no object.
  [[nodiscard]] std::uint32_t number_of(const void* address) const {
    const std::uint32_t number = numbers_->of(address);
    return number == AddressTable::kNone ? 0 : number;
  }
  [[nodiscard]] cpBody& body_at(std::uint32_t i) const { return *reinterpret_cast<cpBody*>(objects_[i].address); }
  [[nodiscard]] cpShape& shape_at(std::uint32_t i) const { return *reinterpret_cast<cpShape*>(objects_[i].address); }
  [[nodiscard]] cpConstraint& joint_at(std::uint32_t i) const {
    return *reinterpret_cast<cpConstraint*>(objects_[i].address);
  }
  [[nodiscard]] cpArbiter& contact_at(std::uint32_t i) const {
    return *reinterpret_cast<cpArbiter*>(objects_[i].address);
  }
  // The next functions require an object of a kind.
  std::uint32_t body_number(const cpBody* body, const char* what, std::uint32_t of) const {
    const std::uint32_t number = number_of(body);
    require(number != 0 && is_body(objects_[number].table), what, of);
    return number;
  }
  std::uint32_t space_number(const cpSpace* space, const char* what, std::uint32_t of) const {
    const std::uint32_t number = number_of(space);
    require(number != 0 && objects_[number].table == kSpace, what, of);
    return number;
  }

  // ----- Objects

  [[gnu::always_inline]] void read_object(std::uint32_t i) {
    const Object& object = objects_[i];
    if (object.table == kOwnStaticBody || object.table == kDefaultHandler) return;
    const Extra extra = read_row(object.table, object.row, object.address);
    if (is_stamped(kind_of(object.table))) arena_alloc::Chunk::of(object.address).set_stamp(extra.created);
    if (object.table == kPolygon) read_planes(i, extra);
    if (object.table == kContact) read_points(i, extra);
    if (is_users(object.table)) read_users(i, extra);
  }

  void read_planes(std::uint32_t i, const Extra& extra) {
    auto& polygon = *reinterpret_cast<cpPolyShape*>(objects_[i].address);
    require(polygon.count > 0 && extra.inside <= 2 * extra.room, "a polygon's planes", i);
    polygon.planes = polygon._planes;
    read_planes(polygon._planes, extra.inside);
    if (polygon.count <= static_cast<int>(extra.room)) return;
    const auto count = 2 * static_cast<std::size_t>(polygon.count);
    require(count <= rows_[kPlane].count - rows_[kPlane].used, "a polygon has more planes than there are", i);
    polygon.planes = static_cast<cpSplittingPlane*>(allocate(count * sizeof(cpSplittingPlane), FORKMUNK_KIND_PLANES));
    read_planes(polygon.planes, count);
  }
  // A row of a plane is the plane as it lies in memory.
  void read_planes(cpSplittingPlane* planes, std::size_t count) {
    const std::byte* const rows = take_rows(kPlane, count, sizeof *planes);
    if (count > 0) std::memcpy(planes, rows, count * sizeof *planes);
  }
  // \pre the table's rows have `row_bytes`.
  const std::byte* take_rows(int table, std::size_t count, std::size_t row_bytes) {
    Rows& rows = rows_[static_cast<std::size_t>(table)];
    if (count > rows.count - rows.used) fail_damaged(concat("it has too few rows of '", kTableNames[table], '\''));
    const std::byte* const first = rows.first + rows.used * row_bytes;
    rows.used += static_cast<std::uint32_t>(count);
    return first;
  }

  void read_points(std::uint32_t i, const Extra& extra) {
    auto& contact = *reinterpret_cast<layout::ContactArbiter*>(objects_[i].address);
    const int count = contact.arbiter.count;
    require(extra.points <= CP_MAX_CONTACTS_PER_ARBITER && count >= 0 && count <= static_cast<int>(extra.points) &&
                (contact.arbiter.contacts != nullptr || count == 0),
            "a contact's points", i);
    if (contact.arbiter.contacts != nullptr) contact.arbiter.contacts = contact.contacts;
    const std::byte* const rows = take_rows(kPoint, extra.points, kPointBytes);
    for (std::uint32_t k = 0; k < extra.points; ++k) {
      std::memcpy(&contact.contacts[k], rows + k * kPointBytes, kPointBytes);
    }
  }

  void read_users(std::uint32_t i, const Extra& extra) {
    std::byte* const object = objects_[i].address;
    if (objects_[i].table == kPolylines) return read_polylines(i);
    if (extra.bytes > 0) std::memcpy(object, data_.data(), extra.bytes);
    data_ = data_.subspan(extra.bytes);
    if (objects_[i].table == kPlain) return;
    for (std::uint32_t k = 0; k < extra.pointers; ++k) {
      const auto row = next<PointerRow>(kPointer);
      require(row.offset % sizeof(void*) == 0 && row.offset < extra.bytes && extra.bytes - row.offset >= sizeof(void*),
              "a pointer outside of its object", i);
      std::memcpy(object + row.offset, &row.word, sizeof row.word);
    }
  }
  void read_polylines(std::uint32_t i) {
    auto& set = *reinterpret_cast<cpPolylineSet*>(objects_[i].address);
    require(set.count >= 0 && set.capacity >= set.count && set.capacity <= 2 * std::int64_t{set.count} + 64 &&
                static_cast<std::uint32_t>(set.count) <= rows_[kPointer].count,
            "a set of polylines", i);
    if (set.capacity == 0) return;
    set.lines = static_cast<cpPolyline**>(
        allocate(static_cast<std::size_t>(set.capacity) * sizeof(void*), FORKMUNK_KIND_POINTERS));
    for (int k = 0; k < set.count; ++k) {
      const auto row = next<PointerRow>(kPointer);
      require(objects_[number_of(row.word)].table == kPlain && number_of(row.word) != 0, "a polyline", i);
      set.lines[k] = static_cast<cpPolyline*>(row.word);
    }
  }

  // ----- The parts of a space

  // Calls add(object's number).
  template <typename Add>
  cpArray* read_list(std::uint32_t count, Add add) {
    if (count > rows_[kListed].count - rows_[kListed].used) fail_damaged("a list is longer than there are entries");
    cpArray* const array = allocate_array(count);
    for (; static_cast<std::uint32_t>(array->num) < count; ++array->num) {
      const std::uint32_t number = next_listed();
      array->arr[array->num] = objects_[number].address;
      add(number);
    }
    return array;
  }
  std::uint32_t next_listed() {
    std::uint32_t number = 0;
    std::memcpy(&number, take_rows(kListed, 1, sizeof number), sizeof number);
    return number < object_count_ ? number : 0;
  }

  void read_parts(std::uint32_t number) {
    cpSpace& space = space_at(number);
    check_numbers(number);
    const auto parts = next<PartsRow>(kParts);
    space.dynamicBodies = read_list(parts.moving, [&](std::uint32_t body) { list_moving(number, body); });
    space.staticBodies = read_list(parts.still, [&](std::uint32_t body) { list_still(number, body); });
    space.sleepingComponents = read_list(parts.sleeping, [&](std::uint32_t body) { list_sleeping(number, body); });
    space.rousedBodies = allocate_array(0);
    space.constraints = read_list(parts.joints, [&](std::uint32_t joint) {
      require(is_joint(objects_[joint].table) && joint_at(joint).space == &space && mark(joint, kAtWork),
              "a space's list of joints", number);
    });
    // A spatial hash in stock's mode reports a pair again after a query in a callback.
    const bool may_repeat =
        (forkmunk_defects(&space) & FORKMUNK_DEFECT_HASH_CELLS) != 0 && space.collisionPersistence > 0;
    space.arbiters = read_list(parts.contacts, [&](std::uint32_t contact) {
      require(objects_[contact].table == kContact && objects_[contact].space == number &&
                  (mark(contact, kAtWork) || may_repeat),
              "a space's list of contacts", number);
    });
    read_cached(number, parts);
    space.postStepCallbacks = allocate_array(parts.callbacks);
    for (std::uint32_t i = 0; i < parts.callbacks; ++i) read_callback(number);
    read_buffers(number, parts.buffers);
    read_handlers(number);
    IndexRow rows[2] = {next<IndexRow>(kIndex), next<IndexRow>(kIndex)};
    if (rows[0].is_spatial_hash != rows[1].is_spatial_hash) fail("a tree and a spatial hash", number);
    rows[0].is_spatial_hash != 0 ? read_hashes(number, rows) : read_trees(number, rows);
  }
  [[nodiscard]] static bool has_broken_lists(const cpSpace& space) noexcept {
    return (forkmunk_defects(&space) & FORKMUNK_DEFECT_BROKEN_LISTS) != 0;
  }
  // Returns whether it is new.
  bool mark(std::uint32_t i, std::uint8_t bit) {
    const bool is_new = (objects_[i].marks & bit) == 0;
    objects_[i].marks = static_cast<std::uint8_t>(objects_[i].marks | bit);
    return is_new;
  }

  void check_numbers(std::uint32_t number) const {
    const cpSpace& space = space_at(number);
    require(space.iterations > 0 && space.iterations <= kIterationsMax, "its number of iterations", number);
    require(space.collisionPersistence > 0 || space.sleepTimeThreshold == INFINITY || !has_broken_lists(space),
            "a space with sleeping needs a collision persistence above 0", number);
    require(space.locked == 0 && !space.skipPostStep, "it is in a step", number);
    constexpr unsigned kKnown = FORKMUNK_DEFECTS_STOCK | FORKMUNK_DEFECTS_PYMUNK;
    require((forkmunk_defects(&space) & ~kKnown) == 0, "its set of defects", number);
    const cpBody* const own = &space._staticBody;
    require(space.staticBody == own && own->space == &space && number_of(own) != 0, "its static body", number);
  }

  [[nodiscard]] static cpBodyType type_of(const cpBody& body) {
    if (body.sleeping.idleTime == INFINITY) return CP_BODY_TYPE_STATIC;
    return std::isinf(body.m) && body.m > 0 ? CP_BODY_TYPE_KINEMATIC : CP_BODY_TYPE_DYNAMIC;
  }
  void list_body(std::uint32_t space, std::uint32_t i, Role role, std::uint32_t root) {
    require(i != 0 && is_body(objects_[i].table) && objects_[i].role == Role::outside, "its lists of bodies", space);
    objects_[i].role = role;
    objects_[i].root = root;
    objects_[i].space = space;
    const cpBody& body = body_at(i);
    require(
        body.space == &space_at(space) || (role == Role::asleep && body.space == nullptr && body.shapeList == nullptr),
        "a body of another space", i);
    require(number_of(body.sleeping.root) == root && (root != 0 || body.sleeping.root == nullptr),
            "a body sleeps elsewhere", i);
  }
  void list_moving(std::uint32_t space, std::uint32_t i) {
    list_body(space, i, Role::awake, 0);
    const cpBody& body = body_at(i);
    require(body.sleeping.next == nullptr && type_of(body) != CP_BODY_TYPE_STATIC, "a moving body is still", i);
    // Otherwise Chipmunk would put it to sleep, and abort.
    const double threshold = space_at(space).sleepTimeThreshold;
    require(type_of(body) == CP_BODY_TYPE_DYNAMIC || threshold == INFINITY || body.sleeping.idleTime < threshold,
            "a kinematic body would sleep at once: give the space a sleep time threshold above 0", i);
  }
  void list_still(std::uint32_t space, std::uint32_t i) {
    list_body(space, i, Role::still, 0);
    require(type_of(body_at(i)) == CP_BODY_TYPE_STATIC, "a static body moves", i);
  }
  void list_sleeping(std::uint32_t space, std::uint32_t root) {
    for (std::uint32_t i = root;; i = number_of(body_at(i).sleeping.next)) {
      list_body(space, i, Role::asleep, root);
      require(type_of(body_at(i)) == CP_BODY_TYPE_DYNAMIC, "a sleeping body is not dynamic", i);
      if (body_at(i).sleeping.next == nullptr) return;
    }
  }

  void read_cached(std::uint32_t number, const PartsRow& parts) {
    cpSpace& space = space_at(number);
    std::vector<cpArbiter*> cached;
    for (std::uint32_t i = 0; i < parts.cached; ++i) {
      const std::uint32_t contact = next_listed();
      require(objects_[contact].table == kContact && objects_[contact].space == number && mark(contact, kCached),
              "its cached contacts", number);
      cached.push_back(&contact_at(contact));
      const std::uint32_t b = number_of(cached.back()->b);
      require(b != 0 && is_shape(objects_[b].table), "a contact of no shape", contact);
    }
    auto* set = make_set<cpArbiter>("contacts' equality", parts.cached_buckets, cached, [](const cpArbiter& contact) {
      return layout::pair_id_hash(contact.a, contact.b);
    });
    space.cachedArbiters = reinterpret_cast<cpHashSet*>(set);
    // Without persistence Chipmunk pools the contacts at work, until the next step begins.
    const cpArray& work = *space.arbiters;
    std::vector<void*> pooled;
    for (int i = 0; space.collisionPersistence == 0 && i < work.num; ++i) {
      if ((objects_[number_of(work.arr[i])].marks & kCached) == 0) pooled.push_back(work.arr[i]);
    }
    space.pooledArbiters = allocate_array(pooled.size());
    space.pooledArbiters->num = static_cast<int>(pooled.size());
    std::copy(pooled.begin(), pooled.end(), space.pooledArbiters->arr);
  }

  void read_callback(std::uint32_t number) {
    cpArray& callbacks = *space_at(number).postStepCallbacks;
    auto& callback = allocate<cpPostStepCallback>(FORKMUNK_KIND_POST_STEP_CALLBACK);
    read_next(kCallback, &callback);
    require(callback.func == nullptr || is_callable(callback.func, CodeType::post_step),
            "a post-step callback's function", number);
    callbacks.arr[callbacks.num++] = &callback;
  }

  void read_buffers(std::uint32_t number, std::uint32_t count) {
    cpSpace& space = space_at(number);
    if (count > rows_[kBuffer].count - rows_[kBuffer].used) fail_damaged("it has too few contact buffers");
    auto* const buffers =
        allocate_pool<layout::ContactSlots>(space.allocatedBuffers, FORKMUNK_KIND_CONTACT_SLOTS, count);
    for (std::uint32_t i = 0; i < count; ++i) {
      read_next(kBuffer, &buffers[i]);
      buffers[i].next = &buffers[(i + 1) % count];
      require(
          buffers[i].contact_count <= layout::kContactSlotCount && buffers[i].number > 0 && buffers[i].number <= count,
          "its contact buffers", number);
    }
    space.contactBuffersHead = reinterpret_cast<cpContactBufferHeader*>(buffers);
  }

  template <typename Function>
  [[nodiscard]] bool is_callable(Function function, CodeType type) const {
    const auto* const code = reinterpret_cast<const void*>(function);
    const void*& recent = recent_callable_[static_cast<std::size_t>(type)];
    if (code != nullptr && code == recent) return true;
    const std::string* const name = code_.name_of(code);
    if (name == nullptr) return false;
    const CodeType found = code_.type_of(code);
    if (found != type && (found != CodeType::unknown || name->starts_with("chipmunk "))) return false;
    recent = code;
    return true;
  }
  // Returns whether a handler asks the contact's wildcard handlers.
  [[nodiscard]] bool asks_wildcards(const cpCollisionHandler& handler) const {
    const auto asks = [&](const auto function) {
      const std::string* const name = code_.name_of(reinterpret_cast<const void*>(function));
      return name != nullptr && (name->starts_with("chipmunk pair ") || name->starts_with("chipmunk wildcard "));
    };
    return asks(handler.beginFunc) || asks(handler.preSolveFunc) || asks(handler.postSolveFunc) ||
           asks(handler.separateFunc);
  }
  void read_handlers(std::uint32_t number) {
    cpSpace& space = space_at(number);
    std::vector<cpCollisionHandler*> handlers;
    const auto check_functions = [&](const cpCollisionHandler& handler) {
      if (asks_wildcards(handler)) mark(number_of(&handler), kAsksWildcards);
      require(is_callable(handler.beginFunc, CodeType::collision_test) &&
                  is_callable(handler.preSolveFunc, CodeType::collision_test) &&
                  is_callable(handler.postSolveFunc, CodeType::collision_event) &&
                  is_callable(handler.separateFunc, CodeType::collision_event),
              "a collision handler's functions", number);
    };
    check_functions(space.defaultHandler);
    require(space.usesWildcards || !asks_wildcards(space.defaultHandler), "its default handler", number);
    for (std::uint32_t i = number + 1; i < objects_.size() && objects_[i].table != kSpace; ++i) {
      if (handlers.size() == rows_[kHandler].count) break;
      if (objects_[i].table != kHandler) continue;
      auto& handler = *reinterpret_cast<cpCollisionHandler*>(objects_[i].address);
      check_functions(handler);
      constexpr cpCollisionType kWildcard = CP_WILDCARD_COLLISION_TYPE;
      // Otherwise the handler would call itself for ever.
      require((handler.typeA != kWildcard && handler.typeB != kWildcard) || !asks_wildcards(handler),
              "a wildcard handler asks wildcard handlers", i);
      handlers.push_back(&handler);
    }
    const auto bucket_count = static_cast<std::uint32_t>(2 * handlers.size() + 5);  // no order depends on it
    slots_ -= bucket_count;  // make_set() adds them, but no file counts them
    auto* set = make_set<cpCollisionHandler>(
        "handlers' equality", bucket_count, handlers,
        [](const cpCollisionHandler& handler) { return layout::pair_hash(handler.typeA, handler.typeB); });
    space.collisionHandlers = reinterpret_cast<cpHashSet*>(set);
  }

  std::uint32_t index_shape(const cpShape* address, std::uint32_t space, bool is_static, std::uint32_t of) {
    const std::uint32_t shape = number_of(address);
    require(shape != 0 && is_shape(objects_[shape].table) && address->space == &space_at(space) &&
                (objects_[shape].marks & kInSomeIndex) == 0,
            "an index has a wrong shape", of);
    mark(shape, is_static ? kInStatic : kInDynamic);
    return shape;
  }

  void read_trees(std::uint32_t number, IndexRow (&rows)[2]) {
    cpSpace& space = space_at(number);
    layout::Tree* trees[2];
    nodes_.clear();
    first_pairs_.clear();
    require(rows[1].stamp < kStampMax, "a tree's stamp is too large", number);
    for (int i = 0; i < 2; ++i) trees[i] = read_tree(number, rows[i], i == 0, rows[1].stamp);
    trees[0]->dynamic_tree = trees[1];
    trees[1]->static_tree = trees[0];
    space.staticShapes = reinterpret_cast<cpSpatialIndex*>(trees[0]);
    space.dynamicShapes = reinterpret_cast<cpSpatialIndex*>(trees[1]);
    read_pairs(number, *trees[1], rows[1].pairs);
  }

  layout::Tree* read_tree(std::uint32_t number, const IndexRow& row, bool is_static, cpTimestamp stamp) {
    auto& tree = allocate<layout::Tree>(FORKMUNK_KIND_TREE);
    tree.klass = own_code("tree");
    tree.bb_function = reinterpret_cast<cpSpatialIndexBBFunc>(own_code("box of a shape"));
    if (row.has_velocity != 0) {
      tree.velocity_function = reinterpret_cast<cpBBTreeVelocityFunc>(own_code("velocity of a shape"));
    }
    tree.stamp = row.stamp;
    if (row.nodes > rows_[kNode].count - rows_[kNode].used) fail_damaged("it has too few nodes");
    auto* const nodes = allocate_pool<layout::Node>(tree.buffers, FORKMUNK_KIND_POOLED_NODES, row.nodes);
    tree.root = nodes;
    struct Place {
      layout::Node* parent;
      bool is_b;
      std::size_t depth;
    };
    std::vector<Place> places{{nullptr, false, 1}};
    nodes_.reserve(nodes_.size() + row.nodes);
    first_pairs_.reserve(nodes_.size() + row.nodes);
    std::size_t leaf_count = 0;
    for (std::uint32_t i = 0; i < row.nodes; ++i) {
      require(!places.empty(), "a tree has too many nodes", number);
      const Place& place = places.back();
      const std::size_t depth = place.depth;
      require(depth <= kTreeDepthMax, "a tree is too deep", number);
      layout::Node& node = nodes[i];
      node.parent = place.parent;
      if (place.parent != nullptr) (place.is_b ? place.parent->children.b : place.parent->children.a) = &node;
      places.pop_back();
      const auto found = next<NodeRow>(kNode);
      node.shape = found.shape;
      node.bb = found.bb;
      nodes_.push_back(&node);
      first_pairs_.push_back(found.pairs);
      if (found.shape == nullptr) {
        places.push_back({&node, true, depth + 1});
        places.push_back({&node, false, depth + 1});
        continue;
      }
      index_shape(found.shape, number, is_static, number);
      require(found.stamp < stamp, "a leaf has a stamp of the future", number);
      node.leaf.stamp = found.stamp;
      ++leaf_count;
    }
    require(row.nodes == 0 || places.empty(), "a tree has too few nodes", number);
    require(row.leaves == leaf_count && leaf_count <= order_.size() - ordered_, "a tree's set of leaves", number);
    std::vector<layout::Node*> leaves;
    leaves.reserve(leaf_count);
    for (std::size_t i = 0; i < leaf_count; ++i) {
      const std::uint32_t leaf = order_[ordered_++];
      const std::size_t first = nodes_.size() - row.nodes;
      require(leaf > first && leaf <= nodes_.size() && nodes_[leaf - 1]->is_leaf() &&
                  mark(number_of(nodes_[leaf - 1]->shape), kInSet),
              "a tree's set of leaves", number);
      leaves.push_back(nodes_[leaf - 1]);
    }
    tree.leaves = make_set<layout::Node>("leaves' equality", row.buckets, leaves,
                                         [](const layout::Node& leaf) { return leaf.shape->hashid; });
    return &tree;
  }

  // All pairs belong to the tree of moving shapes, and are in the lists of two leaves.
  void read_pairs(std::uint32_t number, layout::Tree& tree, std::uint32_t count) {
    const std::byte* const rows = take_rows(kPair, count, sizeof(PairRow));
    auto* const pairs = allocate_pool<layout::Pair>(tree.buffers, FORKMUNK_KIND_POOLED_PAIRS, count);
    const auto pair_at = [&](std::uint32_t i) {
      require(i <= count, "a pair of no tree", number);
      return i == 0 ? nullptr : &pairs[i - 1];
    };
    const auto leaf_at = [&](std::uint32_t i) {
      require(i > 0 && i <= nodes_.size() && nodes_[i - 1]->is_leaf(), "a pair of no leaf", number);
      return nodes_[i - 1];
    };
    std::vector<std::uint32_t> leaves(2 * std::size_t{count});
    for (std::uint32_t i = 0; i < count; ++i) {
      PairRow row;
      std::memcpy(&row, rows + i * sizeof row, sizeof row);
      require(row.a != row.b, "a pair of one leaf", number);
      pairs[i] = {
          {nullptr, leaf_at(row.a), pair_at(row.next_a)}, {nullptr, leaf_at(row.b), pair_at(row.next_b)}, row.id};
      leaves[2 * i] = row.a;
      leaves[2 * i + 1] = row.b;
    }
    std::size_t end_count = 0;
    std::vector<std::uint32_t> met(nodes_.size() + 1);  // the last leaf with a pair to a leaf
    for (std::uint32_t leaf = 1; leaf <= nodes_.size(); ++leaf) {
      require(nodes_[leaf - 1]->is_leaf() || first_pairs_[leaf - 1] == 0, "a node with pairs is no leaf", number);
      layout::Pair* previous = nullptr;
      for (layout::Pair* pair = pair_at(first_pairs_[leaf - 1]); pair != nullptr;) {
        const auto i = static_cast<std::size_t>(pair - pairs);
        const bool is_a = leaves[2 * i] == leaf;
        const std::uint32_t other = leaves[2 * i + (is_a ? 1 : 0)];
        require((is_a || leaves[2 * i + 1] == leaf) && met[other] != leaf, "a broken list of pairs", number);
        met[other] = leaf;
        ++end_count;
        (is_a ? pair->a : pair->b).previous = previous;
        previous = pair;
        pair = (is_a ? pair->a : pair->b).next;
      }
      if (nodes_[leaf - 1]->is_leaf()) nodes_[leaf - 1]->leaf.pairs = pair_at(first_pairs_[leaf - 1]);
    }
    require(end_count == leaves.size(), "a pair hangs in one leaf", number);
  }

  void read_hashes(std::uint32_t number, IndexRow (&rows)[2]) {
    cpSpace& space = space_at(number);
    layout::SpaceHash* const still = read_hash(number, rows[0], true);
    layout::SpaceHash* const moving = read_hash(number, rows[1], false);
    still->dynamic_index = moving;
    moving->static_index = still;
    space.staticShapes = reinterpret_cast<cpSpatialIndex*>(still);
    space.dynamicShapes = reinterpret_cast<cpSpatialIndex*>(moving);
  }

  // The file has the cells of both hashes of a space first, then the handles.
  layout::SpaceHash* read_hash(std::uint32_t number, const IndexRow& row, bool is_static) {
    auto& hash = allocate<layout::SpaceHash>(FORKMUNK_KIND_SPACE_HASH);
    hash.klass = own_code("spatial hash");
    hash.bb_function = reinterpret_cast<cpSpatialIndexBBFunc>(own_code("box of a shape"));
    hash.stamp = row.stamp;
    hash.cell_size = static_cast<cpFloat>(row.cell_size);
    hash.cell_count = static_cast<int>(row.cells);
    require(hash.cell_count > 0 && hash.cell_size > 0 && std::isfinite(hash.cell_size), "a spatial hash's cells",
            number);
    const auto defects = static_cast<std::uint16_t>(row.defects);
    if (kHashHasDefects)
      std::memcpy(reinterpret_cast<std::byte*>(&hash) + kHashDefectsOffset, &defects, sizeof defects);
    hash.cells = static_cast<layout::SpaceHashBin**>(allocate_slots(row.cells));
    hash.pooled_handles = allocate_array(0);
    if (row.handles > rows_[kHandle].count - rows_[kHandle].used || row.leaves > row.handles ||
        row.entries > rows_[kCell].count - rows_[kCell].used) {
      fail("a spatial hash's handles", number);
    }
    const auto elements = [&](std::uint32_t count, int kind, std::size_t bytes) -> void* {
      return count == 0 ? nullptr : allocate(count * bytes, kind);
    };
    auto* const handles = static_cast<layout::SpaceHashHandle*>(
        elements(row.handles, FORKMUNK_KIND_SPACE_HASH_HANDLES, sizeof(layout::SpaceHashHandle)));
    auto* const bins = static_cast<layout::SpaceHashBin*>(
        elements(row.entries, FORKMUNK_KIND_SPACE_HASH_BINS, sizeof(layout::SpaceHashBin)));
    hash.buffers = allocate_array(2);
    for (void* buffer : {static_cast<void*>(handles), static_cast<void*>(bins)}) {
      if (buffer != nullptr) hash.buffers->arr[hash.buffers->num++] = buffer;
    }
    std::vector<layout::SpaceHashHandle*> in_set;
    for (std::uint32_t i = 0; i < row.handles; ++i) {
      read_next(kHandle, &handles[i]);
      handles[i].use_count = i < row.leaves ? 1 : 0;
      if (i >= row.leaves) {
        require(handles[i].object == nullptr, "a handle that is in no set", number);
        continue;
      }
      const std::uint32_t shape = index_shape(static_cast<cpShape*>(handles[i].object), number, is_static, number);
      const bool is_small = covers_few_cells(hash, shape_at(shape), objects_[shape].table, arena_);
      require(is_small, "a shape covers too many cells", shape);
      in_set.push_back(&handles[i]);
    }
    hash.handles = make_set<layout::SpaceHashHandle>(
        "handles' equality", row.buckets, in_set,
        [](const layout::SpaceHashHandle& h) { return static_cast<const cpShape*>(h.object)->hashid; });
    const std::uint32_t first = rows_[kCell].used;
    rows_[kCell].used += row.entries;
    for (std::uint32_t i = row.entries; i-- > 0;) {
      CellRow cell{};
      read_row(kCell, first + i, &cell);
      require(cell.cell < row.cells && cell.handle > 0 && cell.handle <= row.handles, "a cell", number);
      bins[i] = {&handles[cell.handle - 1], std::exchange(hash.cells[cell.cell], &bins[i])};
      ++handles[cell.handle - 1].use_count;
    }
    for (std::uint32_t i = 0; i < row.handles; ++i) require(handles[i].use_count > 0, "a handle without a use", number);
    return &hash;
  }

  // ----- Checks

  void check_object(std::uint32_t i) {
    const int table = objects_[i].table;
    if (is_body(table)) check_body(i);
    if (is_shape(table)) check_shape(i);
    if (is_joint(table)) check_joint(i);
    if (table == kContact) check_contact(i);
  }

  void check_body(std::uint32_t i) {
    const cpBody& body = body_at(i);
    require(is_callable(body.velocity_func, CodeType::velocity) && is_callable(body.position_func, CodeType::position),
            "a body's functions", i);
    if (objects_[i].role == Role::outside) check_outside(i);
    check_shapes_of(i);
    check_joints_of(i);
    check_contacts_of_body(i);
  }

  void check_outside(std::uint32_t i) const {
    const cpBody& body = body_at(i);
    if (body.space != nullptr) {
      const std::uint32_t space = space_number(body.space, "a body of no space", i);
      require(space_at(space).staticBody == &body, "a body is not in the lists of its space", i);
    }
    for (const cpBody* other : {body.sleeping.root, body.sleeping.next}) {
      if (other != nullptr) body_number(other, "a body outside of the space sleeps", i);
    }
    if (const std::uint32_t root = number_of(body.sleeping.root); root != 0) {
      // Only dynamic bodies fall asleep. A static body with a root would count as asleep, and the next step would list
      // its contacts twice.
      require(type_of(body) == CP_BODY_TYPE_DYNAMIC && body.arbiterList == nullptr &&
                  (objects_[root].role == Role::awake || objects_[root].role == Role::asleep),
              "a body outside of the space sleeps", i);
    }
    if (type_of(body) != CP_BODY_TYPE_DYNAMIC || body.shapeList == nullptr) return;
    const std::uint32_t shape = number_of(body.shapeList);
    require(shape != 0 && is_shape(objects_[shape].table), "a body's list of shapes is broken", i);
    const cpSpace& space = space_at(space_number(body.shapeList->space, "a shape of no space", shape));
    const bool is_awake = body.sleeping.root == nullptr && body.sleeping.next == nullptr;
    require(space.sleepTimeThreshold == INFINITY || (is_awake && !has_broken_lists(space)),
            "a dynamic body has shapes in a space with sleeping, and is not in it itself", i);
  }

  void check_shapes_of(std::uint32_t i) {
    const cpBody& body = body_at(i);
    const bool is_static = type_of(body) == CP_BODY_TYPE_STATIC || objects_[i].role == Role::asleep;
    const cpShape* previous = nullptr;
    for (const cpShape* shape = body.shapeList; shape != nullptr; previous = shape, shape = shape->next) {
      const std::uint32_t number = number_of(shape);
      require(number != 0 && is_shape(objects_[number].table) && mark(number, kInList) && shape->body == &body &&
                  shape->prev == previous,
              "a body's list of shapes is broken", i);
      require((objects_[number].marks & kInSomeIndex) == (is_static ? kInStatic : kInDynamic),
              "a shape is not in its index", number);
    }
  }

  void check_joints_of(std::uint32_t i) {
    const cpBody& body = body_at(i);
    for (const cpConstraint* joint = body.constraintList; joint != nullptr;) {
      const std::uint32_t number = number_of(joint);
      require(number != 0 && is_joint(objects_[number].table) && (joint->a == &body || joint->b == &body),
              "a body's list of joints is broken", i);
      const bool is_a = joint->a == &body;
      require(mark(number, is_a ? kAtA : kAtB), "a body's list of joints is broken", i);
      joint = is_a ? joint->next_a : joint->next_b;
    }
  }

  void check_shape(std::uint32_t i) const {
    const cpShape& shape = shape_at(i);
    require(shape.klass == classes_[objects_[i].table], "a shape's class", i);
    if (shape.space != nullptr) return;
    require(shape.body == nullptr || shape.body == nowhere() || is_body(objects_[number_of(shape.body)].table),
            "a shape's body", i);
  }

  void check_joint(std::uint32_t i) const {
    const cpConstraint& joint = joint_at(i);
    require(joint.klass == classes_[objects_[i].table], "a joint's class", i);
    const auto is_event = [&](const auto function) {
      return function == nullptr || is_callable(function, CodeType::joint_event);
    };
    require(is_event(joint.preSolve) && is_event(joint.postSolve), "a joint's functions", i);
    // The functions of both kinds of springs have one signature, but read the fields of their kind.
    const auto is_force = [&](const auto function, const char* of_other_kind) {
      return is_callable(function, CodeType::joint_force) &&
             *code_.name_of(reinterpret_cast<const void*>(function)) != of_other_kind;
    };
    if (objects_[i].table == kDampedSpring) {
      require(is_force(reinterpret_cast<const cpDampedSpring&>(joint).springForceFunc, "chipmunk spring torque"),
              "a spring's force", i);
    }
    if (objects_[i].table == kDampedRotarySpring) {
      require(is_force(reinterpret_cast<const cpDampedRotarySpring&>(joint).springTorqueFunc, "chipmunk spring force"),
              "a spring's torque", i);
    }
    for (const cpBody* body : {joint.a, joint.b}) {
      require(
          joint.space != nullptr || body == nullptr || body == nowhere() || is_body(objects_[number_of(body)].table),
          "a joint's bodies", i);
    }
  }

  // Returns 0 for a body that is in no list.
  [[nodiscard]] std::uint32_t space_of_body(std::uint32_t i) const {
    return objects_[i].role == Role::outside ? 0 : objects_[i].space;
  }

  void check_contact(std::uint32_t i) const {
    const cpArbiter& contact = contact_at(i);
    const std::uint32_t space = objects_[i].space;
    const std::uint32_t a = number_of(contact.a), b = number_of(contact.b);
    require(b != 0 && is_shape(objects_[b].table) && contact.b->space == &space_at(space) &&
                (objects_[a].marks & kInSomeIndex) != 0 && (objects_[b].marks & kInSomeIndex) != 0,
            "a contact of shapes that are not in its space", i);
    require(chipmunk::number_of(contact.state) <= CP_ARBITER_STATE_INVALIDATED, "a contact's state", i);
    require(contact.body_a == contact.a->body && contact.body_b == contact.b->body && contact.body_a != contact.body_b,
            "a contact's bodies", i);
    for (const cpBody* body : {contact.body_a, contact.body_b}) {
      const std::uint32_t number = body_number(body, "a contact's bodies", i);
      require(space_of_body(number) == 0 || space_of_body(number) == space, "a contact of bodies in another space", i);
    }
    const auto handler_number = [&](const cpCollisionHandler* handler) {
      const std::uint32_t number = number_of(handler);
      require(number != 0 && is_handler(objects_[number].table) && objects_[number].space == space,
              "a contact's handler", i);
      return number;
    };
    const bool asks = (objects_[handler_number(contact.handler)].marks & kAsksWildcards) != 0;
    for (const cpCollisionHandler* handler : {contact.handlerA, contact.handlerB}) {
      if (handler == nullptr) {
        require(!asks, "a contact without wildcard handlers", i);
      } else if (handler != no_handler_) {
        const Object& object = objects_[handler_number(handler)];
        require(object.table == kHandler && (object.marks & kAsksWildcards) == 0, "a contact's wildcard handlers", i);
      }
    }
  }

  void check_contacts_of_body(std::uint32_t i) {
    const cpBody& body = body_at(i);
    const cpArbiter* previous = nullptr;
    for (const cpArbiter* contact = body.arbiterList; contact != nullptr;) {
      const char* const what = "a body's list of contacts is broken";
      const std::uint32_t number = number_of(contact);
      require(
          number != 0 && objects_[number].table == kContact && (contact->body_a == &body || contact->body_b == &body),
          what, i);
      const bool is_a = contact->body_a == &body;
      require(mark(number, is_a ? kAtA : kAtB), what, i);
      const cpArbiterThread& thread = is_a ? contact->thread_a : contact->thread_b;
      require(thread.prev == previous, what, i);
      previous = contact;
      contact = thread.next;
    }
  }

  // An item of one list must be in all lists that it belongs to.
  void check_ends() const {
    for (std::uint32_t i = 1; i < objects_.size(); ++i) {
      const Object& object = objects_[i];
      if (is_shape(object.table)) {
        const bool is_listed = (object.marks & kInList) != 0;
        require(is_listed == ((object.marks & kInSomeIndex) != 0), "a shape is not in its body's list", i);
        require(is_listed || shape_at(i).space == nullptr || shape_at(i).space == nowhere(),
                "a shape of a space is in none", i);
      } else if (is_joint(object.table)) {
        check_ends_of_joint(i);
      } else if (object.table == kContact) {
        check_ends_of_contact(i);
      }
    }
  }
  void check_ends_of_contact(std::uint32_t i) const {
    const cpArbiter& contact = contact_at(i);
    const int ends = objects_[i].marks & (kAtA | kAtB);
    const bool works = (objects_[i].marks & kAtWork) != 0;
    const auto is_unlinked = [](const cpArbiterThread& thread) {
      return thread.next == nullptr && thread.prev == nullptr;
    };
    require(ends == (kAtA | kAtB) ||
                (ends == 0 && !works && is_unlinked(contact.thread_a) && is_unlinked(contact.thread_b)),
            "a contact is in one list", i);
    if (ends == 0) return;
    const std::uint32_t numbers[] = {number_of(contact.body_a), number_of(contact.body_b)};
    const Object &a = objects_[numbers[0]], &b = objects_[numbers[1]];
    const bool is_asleep = a.role == Role::asleep || b.role == Role::asleep;
    require(works != is_asleep, "a contact of sleeping bodies is at work, or one of waking bodies is not", i);
    for (const std::uint32_t end : numbers) {
      const bool sleeps = objects_[end].role == Role::asleep && (a.root == 0 || b.root == 0 || a.root == b.root);
      require(!is_asleep || type_of(body_at(end)) == CP_BODY_TYPE_STATIC || sleeps,
              "a sleeping body touches one that is awake", i);
    }
  }
  void check_ends_of_joint(std::uint32_t i) const {
    const cpConstraint& joint = joint_at(i);
    const int ends = objects_[i].marks & (kAtA | kAtB);
    const bool works = (objects_[i].marks & kAtWork) != 0;
    if (ends == 0) return require(!works, "a joint is not in its bodies' lists", i);
    require(ends == (joint.a == joint.b ? kAtA : kAtA | kAtB), "a joint is in one body's list", i);
    const std::uint32_t space = space_number(joint.space, "a joint of no space", i);
    for (const cpBody* body : {joint.a, joint.b}) {
      const std::uint32_t number = body_number(body, "a joint's bodies", i);
      require(space_of_body(number) == 0 || space_of_body(number) == space, "a joint of a body in another space", i);
    }
  }

  Arena& arena_;
  const NamedCode& code_;
  const std::span<const std::byte> body_;
  File file_{};
  const std::uint64_t input_bytes_;
  const std::size_t memory_bytes_max_;
  const Schema& schema_ = schema();
  const std::size_t room_at_ = offset_of(kPolygon, "room");
  std::array<Rows, kTableCount> rows_{};
  std::vector<std::vector<std::byte>> translated_{};
  std::vector<const void*> names_{};
  std::vector<Object> objects_{};   // the first is null
  std::uint32_t object_count_ = 0;  // objects_.size() needs a division
  std::vector<std::uint32_t> spaces_{};
  std::uint32_t stamp_count_ = 0;
  mutable std::array<const void*, 9> recent_callable_{};  // by CodeType
  std::optional<AddressTable> numbers_{};
  std::vector<std::uint32_t> order_{};
  std::size_t ordered_ = 0;
  std::span<const std::byte> data_{};
  std::size_t data_wanted_ = 0;
  std::uint64_t slots_ = 0;
  ArenaRoot* root_ = nullptr;
  void* no_handler_ = nullptr;
  std::array<const void*, kObjectTableCount> classes_{};
  std::vector<layout::Node*> nodes_{};
  std::vector<std::uint32_t> first_pairs_{};
};

template <typename T>
void RowReader::reference(const char*, T*& pointer) {
  pointer = static_cast<T*>(reader->address_of<std::remove_const_t<T>>(take<std::uint32_t>()));
}
template <typename T>
void RowReader::name(const char*, T& code) {
  code = reinterpret_cast<T>(reader->code_at(take<std::uint32_t>()));
}
void RowReader::word(const char*, void*& word) {
  const auto tag = take<std::uint8_t>();
  word = reinterpret_cast<void*>(reader->word_of(tag, take<std::uint64_t>(), true));
}
void RowReader::word(const char*, std::uintptr_t& word) {
  const auto tag = take<std::uint8_t>();
  word = reader->word_of(tag, take<std::uint64_t>(), false);
}

}  // namespace
}  // namespace portable

void from_portable(arena_alloc::Arena& arena, std::span<const std::byte> bytes, const NamedCode& code,
                   std::size_t memory_bytes_max) {
  const portable::Header header = portable::header_of(bytes);
  const std::span<const std::byte> body = bytes.subspan(sizeof header);
  if (header.file_bytes() != bytes.size() || header.checksum != portable_checksum(body, header.version)) {
    throw Error("a damaged state of a space: its length or its checksum is not what it was written with");
  }
  const std::uint64_t most = std::uint64_t{bytes.size()} * portable::kMemoryPerByte + portable::kMemoryBytesMin;
  portable::Reader(arena, code, body, static_cast<std::size_t>(std::min<std::uint64_t>(most, memory_bytes_max))).run();
}

}  // namespace forkmunk::FORKMUNK_CHIPMUNK
