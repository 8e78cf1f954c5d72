// SPDX-License-Identifier: MIT
#include "portable_format.h"

#include <forkmunk/base/hasher.h>
#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/chipmunk/defects.h>

#include <cmath>

namespace forkmunk::FORKMUNK_CHIPMUNK {
namespace portable {
namespace {

// visit_part() inlines everything else, once for each field of each table.
struct Columns : RowVisitor<Columns> {
  std::vector<Field> fields{};
  std::string element;  // of the next fields

  [[gnu::noinline]] void at(const char* name, std::size_t) { element = std::string(name) + '.'; }
  [[gnu::noinline]] void field(const char* name, FieldType type) { fields.push_back({element + name, type}); }
};

Schema make_schema() {
  Schema schema;
  append(schema.bytes, std::uint32_t{kTableCount});
  alignas(16)
      std::array<std::byte, std::max({sizeof(ListedSpace), sizeof(cpPolyShape), sizeof(layout::ContactArbiter)})>
          sample{};
  for (int table = 0; table < kTableCount; ++table) {
    Columns columns;
    Extra extra{};
    columns = visit_row(std::move(columns), table, sample.data(), extra);
    append_text(schema.bytes, kTableNames[table]);
    append(schema.bytes, static_cast<std::uint32_t>(columns.fields.size()));
    for (const Field& field : columns.fields) {
      append_text(schema.bytes, field.name);
      append(schema.bytes, field.type.letter);
      append(schema.bytes, field.type.count);
      schema.row_bytes[static_cast<std::size_t>(table)] += field.type.bytes();
    }
    schema.fields[static_cast<std::size_t>(table)] = std::move(columns.fields);
  }
  return schema;
}

class Input {
 public:
  explicit Input(std::span<const std::byte> bytes) : rest_(bytes) {}
  std::span<const std::byte> bytes(std::uint64_t count) {
    if (count > rest_.size()) fail_damaged("it ends too early");
    const auto taken = rest_.first(static_cast<std::size_t>(count));
    rest_ = rest_.subspan(taken.size());
    return taken;
  }
  template <typename T>
  T number() {
    T x;
    std::memcpy(&x, bytes(sizeof x).data(), sizeof x);
    return x;
  }
  std::string_view text() {
    const auto taken = bytes(number<std::uint32_t>());
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }
  [[nodiscard]] std::span<const std::byte> rest() const { return rest_; }

 private:
  std::span<const std::byte> rest_;
};

void parse_schema(Input& input, std::vector<FileTable>& tables) {
  std::array<bool, kTableCount> seen{};
  for (auto count = input.number<std::uint32_t>(); count > 0; --count) {
    FileTable& table = tables.emplace_back();
    table.name = input.text();
    const auto found = std::find(std::begin(kTableNames), std::end(kTableNames), table.name);
    if (found != std::end(kTableNames)) {
      table.table = static_cast<int>(found - std::begin(kTableNames));
      if (std::exchange(seen[static_cast<std::size_t>(table.table)], true)) fail_damaged("a table stands twice");
    }
    for (auto field_count = input.number<std::uint32_t>(); field_count > 0; --field_count) {
      Field field{std::string(input.text()), {}};
      field.type.letter = input.number<char>();
      field.type.count = input.number<std::uint8_t>();
      if (std::string_view("fgiubrcw").find(field.type.letter) == std::string_view::npos || field.type.count == 0) {
        throw Error("a state of a space of a newer version: the field '", field.name, "' has an unknown type");
      }
      table.row_bytes += field.type.bytes();
      table.fields.push_back(std::move(field));
    }
    if (table.table >= 0) table.is_same = table.fields == schema().fields[static_cast<std::size_t>(table.table)];
  }
}

}  // namespace

void fail_damaged(const std::string& problem) { throw Error("a damaged state of a space: ", problem); }

const Schema& schema() {
  static const Schema made = make_schema();
  return made;
}

File parse_file(std::span<const std::byte> body) {
  File file;
  Input input(body);
  static_cast<void>(input.text());  // the writer's version
  const Schema& own = schema();
  const std::span<const std::byte> rest = input.rest();
  file.has_own_schema =
      rest.size() >= own.bytes.size() && std::memcmp(rest.data(), own.bytes.data(), own.bytes.size()) == 0;
  if (file.has_own_schema) {
    static_cast<void>(input.bytes(own.bytes.size()));
    file.tables.resize(kTableCount);
    for (int i = 0; i < kTableCount; ++i) {
      file.tables[static_cast<std::size_t>(i)].table = i;
      file.tables[static_cast<std::size_t>(i)].row_bytes = own.row_bytes[static_cast<std::size_t>(i)];
    }
  } else {
    parse_schema(input, file.tables);
  }
  for (auto count = input.number<std::uint32_t>(); count > 0; --count) file.names.push_back(input.text());
  file.head = body.first(body.size() - input.rest().size());
  file.kinds = input.bytes(input.number<std::uint32_t>());
  for (FileTable& table : file.tables) {
    table.count = input.number<std::uint32_t>();
    if (table.row_bytes == 0 && table.count != 0) fail_damaged("rows without fields");
    table.rows = input.bytes(std::uint64_t{table.count} * table.row_bytes);
  }
  file.order = input.bytes(std::uint64_t{4} * input.number<std::uint32_t>());
  file.data = input.bytes(input.number<std::uint32_t>());
  file.zero_count = input.number<std::uint32_t>();
  static_cast<void>(input.bytes(file.zero_count));
  if (!input.rest().empty()) fail_damaged("found more bytes after its end");
  return file;
}

std::vector<std::byte> FileWriter::finish(std::uint32_t version) {
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = version;
  header.flags = kPrecisionFlags;
  header.body_bytes = bytes_.size() - sizeof header;
  header.checksum = portable_checksum(std::span(bytes_).subspan(sizeof header), version);
  std::memcpy(bytes_.data(), &header, sizeof header);
  return std::move(bytes_);
}

namespace {

// Four lanes that multiply: the checksum of the first format and of differences.
std::uint64_t multiplied_checksum(std::span<const std::byte> bytes) noexcept {
  std::array<std::uint64_t, 4> lanes{bytes.size(), 1, 2, 3};
  const auto add = [](std::uint64_t& lane, const std::byte* from, std::size_t count) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, count);
    lane = std::rotl((lane ^ word) * 0x9e3779b97f4a7c15u, 29);
  };
  std::size_t i = 0;
  for (; i + 32 <= bytes.size(); i += 32) {
    for (std::size_t lane = 0; lane < 4; ++lane) add(lanes[lane], bytes.data() + i + 8 * lane, 8);
  }
  for (std::size_t lane = 0; i < bytes.size(); i += 8, ++lane) {
    add(lanes[lane], bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
  }
  std::uint64_t sum = 0;
  for (const std::uint64_t lane : lanes) {
    sum = (sum ^ lane ^ (lane >> 31)) * 0xbf58476d1ce4e5b9u;
    sum ^= sum >> 29;
  }
  return sum;
}

// Eight lanes that only add, because a file has about as many bytes as the memory of its space:
//   sum = sum + (word ^ word >> 29);  weighted = weighted + sum
// Each word counts by its distance from the end, and its highest bits count below the 64 bits of `weighted`.
[[gnu::always_inline]] inline std::uint64_t added_checksum(std::span<const std::byte> bytes) noexcept {
  using Words = std::uint64_t __attribute__((vector_size(32)));
  Hasher hasher;
  hasher.add(bytes.size());
  Words sums[2]{}, weighted[2]{};
  const auto add = [&](const std::byte* block) __attribute__((always_inline)) {
    for (std::size_t i = 0; i < std::size(sums); ++i) {
      Words words;
      std::memcpy(&words, block + i * sizeof words, sizeof words);
      sums[i] += words ^ words >> 29;
      weighted[i] += sums[i];
    }
  };
  std::array<std::byte, sizeof sums> last{};
  for (; bytes.size() >= last.size(); bytes = bytes.subspan(last.size())) add(bytes.data());
  if (!bytes.empty()) std::memcpy(last.data(), bytes.data(), bytes.size());
  add(last.data());
  hasher.add_bytes(std::as_bytes(std::span(sums)));
  hasher.add_bytes(std::as_bytes(std::span(weighted)));
  return hasher.value();
}
std::uint64_t narrow_checksum(std::span<const std::byte> bytes) noexcept { return added_checksum(bytes); }
#if defined(__x86_64__) && !defined(_WIN32)
[[gnu::target("avx2")]] std::uint64_t wide_checksum(std::span<const std::byte> bytes) noexcept {
  return added_checksum(bytes);
}
#endif

}  // namespace
}  // namespace portable

std::uint64_t portable_checksum(std::span<const std::byte> bytes, std::uint32_t version) noexcept {
  if (version == 1) return portable::multiplied_checksum(bytes);
#if defined(__x86_64__) && !defined(_WIN32)
  if (__builtin_cpu_supports("avx2")) return portable::wide_checksum(bytes);
#endif
  return portable::narrow_checksum(bytes);
}

void portable::require_format(const char* what, std::uint32_t version, std::uint32_t version_newest,
                              std::uint32_t flags) {
  if (version == 0) {
    throw Error(what, " in format 0, expected format 1 to ", version_newest, ": its header is damaged");
  }
  if (version > version_newest || flags > 1) {
    throw Error(what, " in format ", version, ", expected format ", version_newest, ": it is of a newer version");
  }
  if (flags == kPrecisionFlags) return;
  throw Error(what,
              (flags == 0 ? " in double precision, expected single precision: read it with a Space"
                          : " in single precision, expected double precision: read it with a Space"),
              " of its own precision");
}

portable::Header portable::header_of(std::span<const std::byte> file) {
  if (file.size() < sizeof(Header)) {
    throw Error("not a state of a space: found ", file.size(), " bytes");
  }
  Header found;
  std::memcpy(&found, file.data(), sizeof found);
  if (std::memcmp(found.magic, kMagic, sizeof found.magic) != 0) {
    throw Error("not a state of a space: it does not begin with FORKSPAC");
  }
  require_format("a state of a space", found.version, kFormatVersion, found.flags);
  if (found.body_bytes > arena_alloc::kCapacityBytesMax) fail_damaged("its header claims more bytes than a space has");
  return found;
}

std::uint16_t portable::defects_of(const layout::SpaceHash& hash) noexcept {
  std::uint16_t defects = 0;
  if (kHashHasDefects)
    std::memcpy(&defects, reinterpret_cast<const std::byte*>(&hash) + kHashDefectsOffset, sizeof defects);
  return defects;
}

bool portable::covers_few_cells(const layout::SpaceHash& hash, const cpShape& shape, int table, const StateMemory& at) {
  if ((defects_of(hash) & FORKMUNK_DEFECT_HASH_CELLS) == 0) return true;
  constexpr double kCellsMax = 1 << 20;
  const auto is_few = [&](double width, double height) {
    width /= hash.cell_size, height /= hash.cell_size;
    return width < kCellsMax && height < kCellsMax && width * height < kCellsMax;
  };
  double extent = 0;
  if (table == kCircle) {
    extent = 2 * reinterpret_cast<const cpCircleShape&>(shape).r;
  } else if (table == kSegment) {
    const auto& segment = reinterpret_cast<const cpSegmentShape&>(shape);
    extent = cpvdist(segment.a, segment.b) + 2 * std::fabs(segment.r);
  } else {
    const auto& polygon = reinterpret_cast<const cpPolyShape&>(shape);
    const cpSplittingPlane* const own = at(polygon.planes) + polygon.count;
    for (int i = 0; i < polygon.count; ++i) extent = std::fmax(extent, cpvdist(own[0].v0, own[i].v0));
    for (int i = 0; i < polygon.count; ++i) {
      if (!std::isfinite(own[i].v0.x) || !std::isfinite(own[i].v0.y)) return false;
    }
    extent = 2 * (extent + std::fabs(polygon.r));
  }
  const cpBB& bb = shape.bb;
  return is_few(extent, extent) && (is_few(bb.r - bb.l, bb.t - bb.b) || std::isnan(bb.r - bb.l + bb.t - bb.b));
}

std::size_t portable_bytes(std::span<const std::byte> header) { return portable::header_of(header).file_bytes(); }

}  // namespace forkmunk::FORKMUNK_CHIPMUNK
