// SPDX-License-Identifier: MIT
#include <forkmunk/base/excerpt.h>
#include <forkmunk/base/printable.h>
#include <forkmunk/io/json_reader.h>

#include <cmath>
#include <optional>

namespace forkmunk::io {
namespace {

[[noreturn]] void throw_mismatch(JsonValue value, const FieldPath& path, const std::string& expected) {
  throw JsonError(path, "found " + describe(value) + ", expected " + expected);
}

std::string at_byte(std::size_t offset) { return " at byte " + std::to_string(offset) + " of the text"; }

/// Returns the offset after the object that `text` begins with; nullopt if the object is not closed.
std::optional<std::size_t> end_of_object(std::string_view text) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if ((c == ']' || c == '}') && --depth == 0) {
      return i + 1;
    }
  }
  return std::nullopt;
}

/// Returns nullopt for a value that is not a finite number.
std::optional<double> find_number(JsonValue value) {
  double number = 0;
  simdjson::error_code error = value.get_double().get(number);
  const std::string_view token = value.raw_json_token();
  if (error == simdjson::SUCCESS && token.size() >= 22 && token.find("0.") <= 1) {
    // In simdjson 3.0.1, On Demand lets 20 or more digits after "0." overflow; the DOM does not.
    simdjson::dom::parser parser;
    error = parser.parse(std::string(token)).get_double().get(number);
  }
  return error == simdjson::SUCCESS ? std::optional(number) : std::nullopt;
}

/// Returns the offset of the first byte that is not UTF-8.
std::size_t first_bad_utf8(std::string_view text) {
  const std::string replaced = utf8(text);
  return static_cast<std::size_t>(std::mismatch(text.begin(), text.end(), replaced.begin()).first - text.begin());
}

}  // namespace

std::string FieldPath::text() const {
  if (parent_ == nullptr) return {};
  const std::string parent = parent_->text();
  if (key_.empty()) return parent + "[" + std::to_string(index_) + "]";
  return parent.empty() ? excerpt(key_) : parent + "." + excerpt(key_);
}

JsonError::JsonError(const FieldPath& path, const std::string& problem, bool broken_json)
    : Error((path.text().empty() ? "" : path.text() + ": ") + problem), broken_json_(broken_json) {}

std::string_view token_of(JsonValue value) {
  const std::string_view token = value.raw_json_token();
  // simdjson's token includes the white space up to the next one.
  return token.substr(0, token.find_last_not_of(" \t\r\n") + 1);
}

std::string describe(JsonValue value) {
  const std::string_view token = token_of(value);
  if (token.starts_with('[')) return "a list";
  if (token.starts_with('{')) return "an object";
  return excerpt(token);
}

void throw_entry_count(const FieldPath& path, std::size_t found, EntryCount expected) {
  const std::string range = expected.min == expected.max
                                ? std::to_string(expected.max)
                                : std::to_string(expected.min) + " to " + std::to_string(expected.max);
  throw JsonError(path, "found " + std::to_string(found) + (found == 1 ? " entry" : " entries") +
                            (found > expected.max ? " or more" : "") + ", expected " + range);
}

bool is_null(JsonValue value) {
  bool null = false;
  return value.is_null().get(null) == simdjson::SUCCESS && null;
}

JsonObject read_object(JsonValue value, const FieldPath& path) {
  simdjson::simdjson_result<JsonObject> object = value.get_object();
  if (object.error() == simdjson::INCORRECT_TYPE) throw_mismatch(value, path, "an object");
  return intact<JsonObject>(std::move(object), path);
}

JsonArray read_array(JsonValue value, const FieldPath& path) {
  simdjson::simdjson_result<JsonArray> array = value.get_array();
  if (array.error() == simdjson::INCORRECT_TYPE) throw_mismatch(value, path, "a list");
  return intact<JsonArray>(std::move(array), path);
}

double read_number(JsonValue value, const FieldPath& path) {
  const std::optional<double> number = find_number(value);
  if (!number) throw_mismatch(value, path, "a finite number");
  return *number;
}

std::int64_t read_integer(JsonValue value, const FieldPath& path, std::int64_t min, std::int64_t max) {
  const std::optional<double> number = find_number(value);
  if (!number || std::trunc(*number) != *number || *number < static_cast<double>(min) ||
      *number > static_cast<double>(max)) {
    throw_mismatch(value, path, "an integer from " + std::to_string(min) + " to " + std::to_string(max));
  }
  return static_cast<std::int64_t>(*number);
}

bool read_bool(JsonValue value, const FieldPath& path) {
  bool truth = false;
  if (value.get_bool().get(truth) != simdjson::SUCCESS) throw_mismatch(value, path, "true or false");
  return truth;
}

std::string_view read_text(JsonValue value, const FieldPath& path) {
  std::string_view text;
  if (value.get_string().get(text) != simdjson::SUCCESS) throw_mismatch(value, path, "a text");
  return text;
}

JsonDocument::JsonDocument(std::string text, std::string_view expected)
    : padded_(std::move(text)), expected_(expected) {
  // A reader of JSON may ignore this mark (RFC 8259, section 8.1), with which some programs begin each text.
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (padded_.starts_with(kByteOrderMark)) padded_.erase(0, kByteOrderMark.size());
  size_ = padded_.size();
  padded_.resize(size_ + simdjson::SIMDJSON_PADDING);
}

JsonObject JsonDocument::open() {
  const std::string_view text = this->text();
  const auto fail = [](const std::string& problem) { throw JsonError({}, problem); };
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) fail("empty, expected " + std::string(expected_));
  const bool has_wide_mark = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
  if (has_wide_mark || text.substr(0, 2).find('\0') != std::string_view::npos) {
    fail("text in UTF-16 or UTF-32; convert the text to UTF-8");
  }
  if (text[start] != '{') {
    fail("found \"" + excerpt(text.substr(start)) + "\", expected " + std::string(expected_));
  }
  const simdjson::padded_string_view padded(text.data(), text.size(), padded_.size());
  simdjson::error_code error = parser_.iterate(padded).get(document_);
  if (error == simdjson::UTF8_ERROR) fail("invalid UTF-8" + at_byte(first_bad_utf8(text)));
  if (error == simdjson::UNCLOSED_STRING) {
    fail("truncated inside a string" + at_byte(text.size()));
  }
  JsonObject root;
  if (error == simdjson::SUCCESS) error = document_.get_object().get(root);
  if (error == simdjson::INCOMPLETE_ARRAY_OR_OBJECT) {
    const std::optional<std::size_t> end = end_of_object(text.substr(start));
    if (end) expect_nothing_after(start + *end);
    fail("truncated inside an object or a list" + at_byte(text.size()));
  }
  if (error != simdjson::SUCCESS) fail(std::string("invalid JSON: ") + error_message(error));
  return root;
}

std::string JsonDocument::position() {
  const char* location = nullptr;
  if (document_.current_location().get(location) != simdjson::SUCCESS) location = padded_.data() + size_;
  const auto offset = static_cast<std::size_t>(location - padded_.data());
  return at_byte(std::min(offset, size_)) + ", expected a comma, a key, a value or a closing bracket";
}

void JsonDocument::expect_end() {
  const char* rest = nullptr;
  if (document_.current_location().get(rest) == simdjson::SUCCESS) {
    expect_nothing_after(static_cast<std::size_t>(rest - padded_.data()));
  }
}

void JsonDocument::expect_nothing_after(std::size_t end) const {
  const std::size_t start = text().find_first_not_of(" \t\r\n", end);
  if (start == std::string_view::npos) return;
  throw JsonError({}, "unexpected \"" + excerpt(text().substr(start)) + "\" after the JSON object" + at_byte(start));
}

}  // namespace forkmunk::io
