// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/error.h>
#include <forkmunk/chipmunk/arena_state.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// The fields of a written snapshot, found by its schema (docs/reference/file_formats.md). \pre the bytes are whole.
namespace portable_file {

struct Field {
  std::string name;
  char letter = 0;
  std::size_t offset = 0, bytes = 0;
};
struct Table {
  std::string name;
  std::vector<Field> fields;
  std::size_t row_bytes = 0, begin = 0, count = 0;
};

class File {
 public:
  explicit File(std::string bytes) : bytes_(std::move(bytes)) { parse(); }

  [[nodiscard]] const std::vector<Table>& tables() const { return tables_; }
  [[nodiscard]] std::size_t objects_begin() const { return objects_begin_; }
  [[nodiscard]] std::size_t object_count() const { return object_count_; }
  [[nodiscard]] const Table& table(const std::string& name) const {
    for (const Table& each : tables_) {
      if (each.name == name) return each;
    }
    throw forkmunk::Error("no table " + name);
  }
  [[nodiscard]] std::size_t at(const std::string& table_name, std::size_t row, const std::string& field) const {
    const Table& found = table(table_name);
    for (const Field& each : found.fields) {
      if (each.name == field && row < found.count) return found.begin + row * found.row_bytes + each.offset;
    }
    throw forkmunk::Error("no field " + field + " of row " + std::to_string(row) + " of " + table_name);
  }
  template <typename T>
  [[nodiscard]] T get(const std::string& table_name, std::size_t row, const std::string& field) const {
    T value;
    std::memcpy(&value, bytes_.data() + at(table_name, row, field), sizeof value);
    return value;
  }
  template <typename T>
  void set(const std::string& table_name, std::size_t row, const std::string& field, T value) {
    std::memcpy(bytes_.data() + at(table_name, row, field), &value, sizeof value);
  }
  /// Returns the bytes with a right length and checksum.
  [[nodiscard]] std::string mended() const { return mended(bytes_); }
  [[nodiscard]] static std::string mended(std::string bytes) {
    constexpr std::size_t kHeaderBytes = forkmunk::chipmunk::kPortableHeaderBytes;
    const std::uint64_t length = bytes.size() - kHeaderBytes;
    std::uint32_t version = 0;
    std::memcpy(&version, bytes.data() + 8, sizeof version);
    const std::uint64_t checksum =
        forkmunk::chipmunk::portable_checksum(std::as_bytes(std::span(bytes)).subspan(kHeaderBytes), version);
    std::memcpy(bytes.data() + 16, &length, sizeof length);
    std::memcpy(bytes.data() + 24, &checksum, sizeof checksum);
    return bytes;
  }
  [[nodiscard]] std::string& bytes() { return bytes_; }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  template <typename T>
  T take() {
    T value;
    std::memcpy(&value, bytes_.data() + position_, sizeof value);
    position_ += sizeof value;
    return value;
  }
  std::string take_text() {
    const auto length = take<std::uint32_t>();
    position_ += length;
    return bytes_.substr(position_ - length, length);
  }
  void parse() {
    position_ = forkmunk::chipmunk::kPortableHeaderBytes;
    take_text();
    tables_.resize(take<std::uint32_t>());
    for (Table& table : tables_) {
      table.name = take_text();
      table.fields.resize(take<std::uint32_t>());
      for (Field& field : table.fields) {
        field.name = take_text();
        field.letter = take<char>();
        const std::size_t one = field.letter == 'f' ? 8 : field.letter == 'b' ? 1 : field.letter == 'w' ? 9 : 4;
        field.bytes = one * take<std::uint8_t>();
        field.offset = table.row_bytes;
        table.row_bytes += field.bytes;
      }
    }
    for (auto names = take<std::uint32_t>(); names > 0; --names) take_text();
    object_count_ = take<std::uint32_t>();
    objects_begin_ = position_;
    position_ += object_count_;
    for (Table& table : tables_) {
      table.count = take<std::uint32_t>();
      table.begin = position_;
      position_ += table.count * table.row_bytes;
    }
  }

  std::string bytes_;
  std::size_t position_ = 0, objects_begin_ = 0, object_count_ = 0;
  std::vector<Table> tables_;
};

}  // namespace portable_file
