// SPDX-License-Identifier: MIT
#include "field_names.h"
#include "portable_format.h"
#include "state_numbers.h"

#include <forkmunk/arena_alloc/system_memory.h>
#include <forkmunk/version.h>

namespace forkmunk::FORKMUNK_CHIPMUNK {
namespace portable {
namespace {

class Writer;

struct RowWriter : RowVisitor<RowWriter> {
  Writer* writer;
  std::byte* cursor;

  RowWriter(Writer& of, std::byte* row) : writer(&of), cursor(row) {}
  template <typename T>
  void reference(const char* field, T& pointer);
  template <typename T>
  void name(const char* field, T& code);
  template <typename T>
  void word(const char* field, T& word);
  void at(const char* name, std::size_t);
  void flag(const char*, const cpContact* contacts) { put(std::uint8_t{contacts != nullptr}); }
  template <typename T>
  void number(const char*, const T& x, FieldType) {
    put(x);
  }
  template <typename T>
  void put(const T& x) {
    std::memcpy(cursor, &x, sizeof x);
    cursor += sizeof x;
  }
};

/// Rows, in memory that the thread reuses.
class RowBuffer {
 public:
  void reserve(std::size_t bytes) {
    if (bytes <= room_) return;
    arena_alloc::SystemBlock more = arena_alloc::allocate_system(bytes);
    if (bytes_ > 0) std::memcpy(more.get(), rows_.get(), bytes_);
    rows_ = std::move(more);
    room_ = rows_.get_deleter().size_bytes;
  }
  /// Returns room for `bytes`. Where the buffer grows, it also gets room for `times` as many bytes, which may follow.
  std::byte* add(std::size_t bytes, std::size_t times) {
    if (bytes > room_ - bytes_) reserve(std::max(2 * room_, bytes_ + (1 + times) * bytes));
    return rows_.get() + std::exchange(bytes_, bytes_ + bytes);
  }
  [[nodiscard]] std::span<const std::byte> bytes() const { return {rows_.get(), bytes_}; }

 private:
  arena_alloc::SystemBlock rows_;
  std::size_t bytes_ = 0, room_ = 0;
};

class Writer {
 public:
  Writer(const StateMemory& memory, const NamedCode& code)
      : at_(memory),
        root_(*root_of(memory)),
        code_(code),
        no_handler_(code.find("chipmunk handler that does nothing")),
        numbers_(memory),
        schema_(schema()),
        pairs_(arena_alloc::allocate_system(memory.bytes.size())) {}

  std::vector<std::byte> run() {
    const std::vector<StateObject>& objects = numbers_.objects();
    tables_.resize(objects.size());
    RootRow root{root_.main_space, arena_alloc::Chunk::of(&root_).stamp()};
    write_row(kRoot, &root);
    for (std::size_t i = 0; i < objects.size(); ++i) {
      object_ = i;
      write_object(objects[i]);
    }
    object_ = objects.size();
    for (cpSpace* space : spaces_of(at_)) write_parts(*space);
    return assemble();
  }

  void note_element(const char* name) { element_ = name; }
  std::uint32_t reference_of(const char* field, const void* address) const {
    const std::uint32_t number = numbers_.inside().of(address);
    return number < StateNumbers::kFirstPlace ? number : reference_beyond(field, address);
  }
  [[gnu::noinline]] std::uint32_t reference_beyond(const char* field, const void* address) const {
    if (address == no_handler_) return kNoHandler;
    if (const std::uint32_t number = numbers_.of(address); number != 0) return number;
    if (at_.contains(address)) return kNowhere;
    fail(field, " leads out of the space's memory; make objects in the scope of enter()");
  }
  std::uint32_t name_of(const char* field, const void* address) {
    auto& [known, index] = recent_names_[reinterpret_cast<std::uintptr_t>(address) / 16 % recent_names_.size()];
    if (known != address) {
      index = number_name(field, address);
      known = address;
    }
    return index;
  }
  Word word_of(const char* field, const void* word) {
    if (word == nullptr) return {};
    switch (meaning_of(word, at_.base, at_.capacity_bytes, code_)) {
      case UserWord::offset: return object_word(word);
      case UserWord::name: return {Word::name, name_of(field, word)};
      case UserWord::uncounted: return {Word::uncounted, arena_alloc::uncounted_handle(word)};
      case UserWord::number: break;
    }
    return number_word(reinterpret_cast<std::uintptr_t>(word));
  }
  Word word_of(const char*, std::uintptr_t number) const {
    const auto* const address = reinterpret_cast<const void*>(number);
    return at_.contains(address) ? object_word(address) : number_word(number);
  }

 private:
  [[gnu::noinline]] std::uint32_t number_name(const char* field, const void* address) {
    if (address == nullptr) return 0;
    const std::string* name = code_.name_of(address);
    if (name == nullptr) {
      fail(field, ": found a function or class without a name, expected one given with name_code()");
    }
    auto known = std::find(names_.begin(), names_.end(), name);
    if (known == names_.end()) known = names_.insert(known, name);
    return static_cast<std::uint32_t>(known - names_.begin()) + 1;
  }

  [[noreturn, gnu::noinline]] void fail(const char* field, const std::string& problem) const {
    const auto& objects = numbers_.objects();
    FieldLocation location;
    if (object_ < objects.size()) {
      const int kind = objects[object_].kind;
      location.enter(kind, static_cast<std::size_t>(std::count_if(
                               objects.data(), objects.data() + object_,
                               [&](const StateObject& each) { return each.kind == kind && each.bytes != 0; })));
      if (*element_ != '\0') location.at(element_, 0);
    } else {
      location.enter(FORKMUNK_KIND_SPACE, 0);
    }
    throw Error(location.of(field) + problem);
  }

  static Word number_word(std::uintptr_t number) {  // Chipmunk's ~0 is as wide as an address
    return {Word::number, number == ~std::uintptr_t{0} ? ~std::uint64_t{0} : std::uint64_t{number}};
  }
  [[nodiscard]] Word object_word(const void* address) const {
    if (const std::uint32_t number = numbers_.of(address); number != 0) return {Word::object, number};
    const StateObject* object = numbers_.user_object_around(address);
    // The last pointers of a vector lead to the end of its memory.
    if (object == nullptr) object = numbers_.user_object_around(static_cast<const std::byte*>(address) - 1);
    if (object == nullptr) return {Word::nowhere, address == at_.address_of(&root_.resource) ? Word::kResource : 0};
    const auto* const payload = static_cast<const std::byte*>(at_.address_of(object->payload));
    const auto offset = static_cast<std::uint64_t>(static_cast<const std::byte*>(address) - payload);
    return {Word::object, numbers_.of(payload) | offset << 32};
  }

  [[gnu::always_inline]] void write_row(int table, void* part, Extra extra = {}) {
    const auto index = static_cast<std::size_t>(table);
    visit_row(RowWriter(*this, add_rows(index, schema_.row_bytes[index])), table, part, extra);
    element_ = "";
  }
  std::byte* add_rows(std::size_t table, std::size_t bytes) {
    return rows_[table].add(bytes, tables_.size() - object_);
  }

  static int table_of(const StateObject& object) {
    static constexpr auto kTables = [] {
      std::array<std::int8_t, arena_alloc::kKindCount> tables;
      tables.fill(-1);
      for (int table = 0; table < kObjectTableCount; ++table) {
        if (kind_of(table) >= 0) tables[static_cast<std::size_t>(kind_of(table))] = static_cast<std::int8_t>(table);
      }
      tables[FORKMUNK_KIND_ARBITERS] = kContact;
      return tables;
    }();
    const int table = kTables[static_cast<std::size_t>(object.kind)];
    if (object.bytes != 0) return table;
    return table == kBody ? kOwnStaticBody : table == kHandler ? kDefaultHandler : table;
  }

  [[gnu::always_inline]] void write_object(const StateObject& object) {
    const int table = table_of(object);
    if (table < 0) fail("object", ": found an object whose pointers only code can show, expected none to travel");
    tables_[object_] = static_cast<std::uint8_t>(table);
    if (table == kSpace) space_ = reinterpret_cast<const cpSpace*>(object.payload);
    if (table == kOwnStaticBody && reinterpret_cast<const cpBody*>(object.payload) != &space_->_staticBody) {
      fail("space", ": found the static body of another space");
    }
    if (table == kOwnStaticBody || table == kDefaultHandler) return;
    Extra extra{};
    if (is_stamped(object.kind)) {
      if (!at_.contains(at_.address_of(object.payload))) {
        fail("memory", " lies out of the space's memory; make objects in the scope of enter()");
      }
      extra.created = arena_alloc::Chunk::of(object.payload).stamp();
    }
    extra.bytes = static_cast<std::uint32_t>(object.bytes);
    if (table == kSpace && reinterpret_cast<const cpSpace*>(object.payload)->iterations > kIterationsMax) {
      fail("iterations", concat(": found more than ", kIterationsMax, ", which readers refuse; set fewer"));
    }
    if (table == kPolygon) write_planes(*reinterpret_cast<cpPolyShape*>(object.payload), object.bytes, extra);
    if (table == kContact) write_points(*reinterpret_cast<layout::ContactArbiter*>(object.payload), extra);
    if (is_users(table)) write_users(object, table, extra);
    write_row(table, object.payload, extra);
  }

  // Leaves out planes that are zero at the end of a polygon's memory.
  void write_planes(cpPolyShape& polygon, std::size_t bytes, Extra& extra) {
    const cpSplittingPlane none{};
    extra.room = static_cast<std::uint32_t>(layout::polygon_room(bytes));
    extra.inside = 2 * extra.room;
    while (extra.inside > 0 && std::memcmp(&polygon._planes[extra.inside - 1], &none, sizeof none) == 0) --extra.inside;
    write_planes(polygon._planes, extra.inside);
    const cpSplittingPlane* const planes = at_(polygon.planes);
    if (planes != polygon._planes) write_planes(planes, 2 * static_cast<std::size_t>(polygon.count));
  }
  void write_planes(const cpSplittingPlane* planes, std::size_t count) {
    if (count > 0) std::memcpy(add_rows(kPlane, count * sizeof *planes), planes, count * sizeof *planes);
  }

  // Points beyond the count keep their numbers until there are more points again.
  void write_points(layout::ContactArbiter& contact, Extra& extra) {
    static constexpr std::byte kZeros[kPointBytes]{};
    extra.points = CP_MAX_CONTACTS_PER_ARBITER;
    while (extra.points > static_cast<std::uint32_t>(contact.arbiter.count) &&
           std::memcmp(&contact.contacts[extra.points - 1], kZeros, kPointBytes) == 0) {
      --extra.points;
    }
    std::byte* const rows = add_rows(kPoint, extra.points * kPointBytes);
    for (std::uint32_t i = 0; i < extra.points; ++i) {
      std::memcpy(rows + i * kPointBytes, &contact.contacts[i], kPointBytes);
    }
  }

  void write_users(const StateObject& object, int table, Extra& extra) {
    extra.word_bytes = sizeof(void*);
    if (table == kPolylines) {
      auto& set = *reinterpret_cast<cpPolylineSet*>(object.payload);
      for (int i = 0; i < set.count; ++i) write_pointer(static_cast<std::size_t>(i), at_(set.lines)[i], extra);
      return;
    }
    const std::size_t begin = data_.size();
    append_bytes(data_, {object.payload, object.bytes});
    if (table == kPlain) return;
    for_each_word(object.payload, object.bytes, [&](std::size_t i, void*& word) {
      if (!at_.contains(word)) return;
      std::memset(data_.data() + begin + i * sizeof word, 0, sizeof word);
      write_pointer(i * sizeof word, word, extra);
    });
  }
  void write_pointer(std::size_t offset, void* word, Extra& extra) {
    PointerRow row{static_cast<std::uint32_t>(offset), word};
    write_row(kPointer, &row);
    ++extra.pointers;
  }

  void write_parts(cpSpace& space) {
    PartsRow parts{};
    const auto start_list = [&](std::uint32_t count) {
      return reinterpret_cast<std::uint32_t*>(add_rows(kListed, count * sizeof count));
    };
    const auto list = [&](const cpArray* array, std::uint32_t& count) {
      count = static_cast<std::uint32_t>(at_(array)->num);
      std::uint32_t* const numbers = start_list(count);
      void* const* const objects = at_(at_(array)->arr);
      for (std::uint32_t i = 0; i < count; ++i) numbers[i] = reference_of("object", objects[i]);
    };
    list(space.dynamicBodies, parts.moving);
    list(space.staticBodies, parts.still);
    list(space.sleepingComponents, parts.sleeping);
    list(space.constraints, parts.joints);
    list(space.arbiters, parts.contacts);
    const layout::HashSet& cached = layout::set_of(at_(space.cachedArbiters));
    std::uint32_t* next = start_list(cached.entry_count);
    const auto list_cached = [&](cpArbiter&, const layout::HashSetBin& bin) {
      *next++ = reference_of("object", bin.element);
    };
    layout::for_each<cpArbiter>(cached, list_cached, at_);
    parts.cached = cached.entry_count;
    parts.cached_buckets = cached.bucket_count;
    slots_ += cached.bucket_count;
    const cpArray& callbacks = *at_(space.postStepCallbacks);
    parts.callbacks = static_cast<std::uint32_t>(callbacks.num);
    for (int i = 0; i < callbacks.num; ++i) write_row(kCallback, at_(at_(callbacks.arr)[i]));
    if (auto* const head = at_(reinterpret_cast<layout::ContactSlots*>(space.contactBuffersHead))) {
      layout::ContactSlots* buffer = head;
      do {
        write_row(kBuffer, buffer);
        ++parts.buffers;
        buffer = at_(buffer->next);
      } while (buffer != head);
    }
    write_row(kParts, &parts);
    node_count_ = 0;
    pair_count_ = 0;
    cpSpatialIndex* const indices[] = {at_(space.staticShapes), at_(space.dynamicShapes)};
    IndexRow rows[2] = {};
    for (int i = 0; i < 2; ++i) write_index(*indices[i], rows[i]);
    rows[1].pairs = static_cast<std::uint32_t>(pair_count_);
    for (IndexRow& row : rows) write_row(kIndex, &row);
    write_pairs();
  }

  void write_index(cpSpatialIndex& index, IndexRow& row) {
    switch (arena_alloc::Chunk::of(&index).kind()) {
      case FORKMUNK_KIND_TREE: return write_tree(reinterpret_cast<layout::Tree&>(index), row);
      case FORKMUNK_KIND_SPACE_HASH: return write_hash(reinterpret_cast<layout::SpaceHash&>(index), row);
      default: fail("index", ": found a spatial index of the user's own, expected a tree or a spatial hash");
    }
  }

  // Nodes, pairs and handles have numbers, too, each more than the last. \return false for a part that has a number.
  static bool add_place(const AddressTable& numbers, const void* part, std::size_t place) {
    std::uint32_t& number = numbers.at(part);
    const std::uint32_t next = StateNumbers::kFirstPlace + static_cast<std::uint32_t>(place);
    number = std::min(number, next);
    return number == next;
  }
  static std::uint32_t place_of(const AddressTable& numbers, const void* part) {
    return part == nullptr ? 0 : numbers.of(part) - StateNumbers::kFirstPlace;
  }

  // Nodes are in preorder.
  void write_tree(const layout::Tree& tree, IndexRow& row) {
    const StateMemory at = at_;
    const AddressTable& numbers = numbers_.inside();
    auto** const pairs = reinterpret_cast<const layout::Pair**>(pairs_.get());
    std::size_t pair_count = pair_count_;
    row.stamp = tree.stamp;
    row.buckets = at(tree.leaves)->bucket_count;
    row.leaves = at(tree.leaves)->entry_count;
    row.has_velocity = tree.velocity_function != nullptr;
    slots_ += row.buckets;
    rows_[kNode].reserve(rows_[kNode].bytes().size() + 2 * row.leaves * schema_.row_bytes[kNode]);
    std::vector<std::pair<layout::Node*, std::size_t>> rest;  // with their depths
    if (tree.root != nullptr) rest.emplace_back(tree.root, 1);
    while (!rest.empty()) {
      const auto [address, depth] = rest.back();
      const layout::Node& node = *at(address);
      rest.pop_back();
      if (depth > kTreeDepthMax) {
        fail("tree", concat(": found a depth above ", kTreeDepthMax, ", expected less"));
      }
      add_place(numbers, address, ++node_count_);
      ++row.nodes;
      NodeRow columns{node.shape, node.bb, 0, 0};
      if (node.is_leaf()) {
        // A branch for first visits would often be mispredicted.
        for (layout::Pair* pair = node.leaf.pairs; pair != nullptr;) {
          const layout::Pair& found = *at(pair);
          pairs[pair_count] = &found;
          pair_count += add_place(numbers, pair, pair_count + 1) ? 1 : 0;
          pair = found.a.leaf == address ? found.a.next : found.b.next;
        }
        columns.stamp = node.leaf.stamp;
        columns.pairs = place_of(numbers, node.leaf.pairs);
      } else {
        rest.emplace_back(node.children.b, depth + 1);
        rest.emplace_back(node.children.a, depth + 1);
      }
      write_row(kNode, &columns);
    }
    pair_count_ = pair_count;
    const auto list_leaf = [&](layout::Node&, const layout::HashSetBin& bin) {
      order_.push_back(place_of(numbers, bin.element));
    };
    layout::for_each<layout::Node>(*at(tree.leaves), list_leaf, at);
  }

  void write_pairs() {
    const AddressTable& numbers = numbers_.inside();
    auto* const rows = reinterpret_cast<PairRow*>(add_rows(kPair, pair_count_ * sizeof(PairRow)));
    for (std::size_t i = 0; i < pair_count_; ++i) {
      const layout::Pair* const pair = reinterpret_cast<const layout::Pair**>(pairs_.get())[i];
      rows[i] = {place_of(numbers, pair->a.leaf), place_of(numbers, pair->b.leaf), place_of(numbers, pair->a.next),
                 place_of(numbers, pair->b.next), pair->id};
    }
  }

  // Readers refuse other shapes.
  void require_few_cells(const layout::SpaceHash& hash, const void* address) {
    const std::size_t i = numbers_.of(address) - 1;
    const auto& shape = *static_cast<const cpShape*>(at_(address));
    if (covers_few_cells(hash, shape, tables_[i], at_)) return;
    object_ = i;
    fail("bb", " covers too many cells of the spatial hash; choose larger cells by cpSpaceUseSpatialHash()");
  }

  // The handles of removed shapes, which only cells have, come last.
  void write_hash(layout::SpaceHash& hash, IndexRow& row) {
    row.is_spatial_hash = 1;
    row.stamp = hash.stamp;
    row.cell_size = hash.cell_size;
    row.cells = static_cast<std::uint32_t>(hash.cell_count);
    row.buckets = at_(hash.handles)->bucket_count;
    row.leaves = at_(hash.handles)->entry_count;
    slots_ += row.cells + row.buckets;
    row.defects = defects_of(hash);
    std::vector<layout::SpaceHashHandle*> handles;
    const auto number_of = [&](layout::SpaceHashHandle* handle) {
      if (add_place(numbers_.inside(), handle, handles.size() + 1)) handles.push_back(at_(handle));
      return place_of(numbers_.inside(), handle);
    };
    const auto list_handle = [&](const layout::SpaceHashHandle& handle, const layout::HashSetBin& bin) {
      require_few_cells(hash, handle.object);
      number_of(static_cast<layout::SpaceHashHandle*>(bin.element));
    };
    layout::for_each<layout::SpaceHashHandle>(*at_(hash.handles), list_handle, at_);
    for (std::uint32_t i = 0; i < row.cells; ++i) {
      const layout::SpaceHashBin* bin = at_(hash.cells)[i];
      for (; bin != nullptr; bin = at_(bin)->next, ++row.entries) {
        CellRow cell{i, number_of(at_(bin)->handle)};
        write_row(kCell, &cell);
      }
    }
    row.handles = static_cast<std::uint32_t>(handles.size());
    for (layout::SpaceHashHandle* handle : handles) write_row(kHandle, handle);
  }

  [[nodiscard]] std::vector<std::byte> assemble() {
    std::vector<std::byte> head;
    append_text(head, std::string("forkmunk ") + version());
    append_bytes(head, schema_.bytes);
    append(head, static_cast<std::uint32_t>(names_.size()));
    for (const std::string* name : names_) append_text(head, *name);
    std::size_t bytes = tables_.size() + 4 * order_.size() + data_.size() + 4 * (kTableCount + 4);
    for (const auto& rows : rows_) bytes += rows.bytes().size();
    const std::size_t wanted = slots_ / kSlotsPerByte;
    FileWriter file(head, std::max(bytes, wanted));
    file.add(std::as_bytes(std::span(tables_)), tables_.size());
    for (std::size_t table = 0; table < kTableCount; ++table) {
      const std::size_t width = schema_.row_bytes[table];
      file.add(rows_[table].bytes(), width == 0 ? 0 : rows_[table].bytes().size() / width);
    }
    file.add(std::as_bytes(std::span(order_)), order_.size());
    file.add(data_, data_.size());
    const std::size_t length = file.size() + 4;
    const std::vector<std::byte> zeros(wanted > length ? wanted - length : 0);
    file.add(zeros, zeros.size());
    return file.finish();
  }

  const StateMemory at_;
  const ArenaRoot& root_;
  const NamedCode& code_;
  const void* const no_handler_;
  StateNumbers numbers_;
  const Schema& schema_;
  std::size_t object_ = 0;
  const cpSpace* space_ = nullptr;
  const char* element_ = "";
  std::vector<std::uint8_t> tables_{};
  std::array<RowBuffer, kTableCount> rows_{};
  std::vector<const std::string*> names_{};
  std::array<std::pair<const void*, std::uint32_t>, 32> recent_names_{};  // by address
  const arena_alloc::SystemBlock pairs_;  // their addresses; a pair is larger than its address
  std::size_t pair_count_ = 0;
  std::size_t node_count_ = 0;
  std::vector<std::uint32_t> order_{};  // of the leaves' sets
  std::vector<std::byte> data_{};
  std::size_t slots_ = 0;  // buckets and cells
};

void RowWriter::at(const char* name, std::size_t) { writer->note_element(name); }
template <typename T>
void RowWriter::reference(const char* field, T& pointer) {
  put(writer->reference_of(field, pointer));
}
template <typename T>
void RowWriter::name(const char* field, T& code) {
  put(writer->name_of(field, reinterpret_cast<const void*>(code)));
}
template <typename T>
void RowWriter::word(const char* field, T& word) {
  const Word found = writer->word_of(field, word);
  put(found.tag);
  put(found.value);
}

}  // namespace
}  // namespace portable

std::vector<std::byte> to_portable(const StateMemory& memory, const NamedCode& code) {
  return portable::Writer(memory, code).run();
}

}  // namespace forkmunk::FORKMUNK_CHIPMUNK
