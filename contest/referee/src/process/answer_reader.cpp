#include "answer_reader.h"

#include <forkmunk/base/printable.h>
#include <forkmunk/formats/message.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace forkmunk::referee {
namespace {

constexpr std::uint32_t kReplacementCharacter = 0xFFFD;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<std::uint32_t> hex_digit(char c) {
  if (is_digit(c)) return static_cast<std::uint32_t>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<std::uint32_t>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<std::uint32_t>(c - 'A' + 10);
  return std::nullopt;
}

/// A skipped value: its type and its text.
struct Value {
  enum class Kind : std::uint8_t { object, list, text, number, boolean, null };
  Kind kind = Kind::null;
  std::string_view written;
};

std::string_view to_string(Value::Kind kind) {
  static constexpr std::string_view kNames[] = {"an object", "a list", "text", "a number", "true or false", "null"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// Scans and validates JSON. simdjson refuses values that Python's reader accepts (NaN, numbers of any size), and On
/// Demand does not validate values that it skips. Not recursive: a line can open 65536 brackets.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  /// Whether `c` comes next; if so, skips it and the space before it.
  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  [[nodiscard]] bool at_end() {
    skip_space();
    return at_ == text_.size();
  }

  /// Takes a key and the colon after it; nullopt if there is none.
  std::optional<Value> take_key() {
    const std::optional<Value> key = take_scalar();
    if (!key || key->kind != Value::Kind::text || !take(':')) return std::nullopt;
    return key;
  }

  std::optional<Value> take_value() {
    skip_space();
    const std::size_t begin = at_;
    const char first = begin < text_.size() ? text_[begin] : '\0';
    if (first != '{' && first != '[') return take_scalar();
    if (!take_list_or_object()) return std::nullopt;
    return Value{first == '{' ? Value::Kind::object : Value::Kind::list, text_.substr(begin, at_ - begin)};
  }

 private:
  void skip_space() { at_ = std::min(text_.find_first_not_of(" \t\n\r", at_), text_.size()); }

  bool take_list_or_object() {
    std::string closers;  // closing brackets of the open lists and objects
    do {
      // The begin of a value.
      const char closer = take('{') ? '}' : take('[') ? ']' : '\0';
      if (closer == '\0') {
        if (!take_scalar()) return false;
      } else if (!take(closer)) {
        closers.push_back(closer);
        if (closer == '}' && !take_key()) return false;
        continue;
      }
      // The end of a value.
      while (!closers.empty() && take(closers.back())) closers.pop_back();
      if (closers.empty()) break;
      if (!take(',') || (closers.back() == '}' && !take_key())) return false;
    } while (true);
    return true;
  }

  std::optional<Value> take_scalar() {
    skip_space();
    const std::size_t begin = at_;
    const auto value = [&](Value::Kind kind) { return Value{kind, text_.substr(begin, at_ - begin)}; };
    if (take_word("\"")) return take_rest_of_text() ? std::optional(value(Value::Kind::text)) : std::nullopt;
    if (take_word("null")) return value(Value::Kind::null);
    if (take_word("true") || take_word("false")) return value(Value::Kind::boolean);
    if (take_word("NaN") || take_word("Infinity") || take_word("-Infinity") || take_number()) {
      return value(Value::Kind::number);
    }
    return std::nullopt;
  }

  bool take_word(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  bool take_number() {
    take_word("-");
    if (!take_word("0") && !take_digits()) return false;
    if (take_word(".") && !take_digits()) return false;
    if (!take_word("e") && !take_word("E")) return true;
    if (!take_word("-")) take_word("+");
    return take_digits();
  }

  bool take_digits() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    return at_ > begin;
  }

  bool take_rest_of_text() {
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') return true;
      if (static_cast<unsigned char>(c) < ' ') return false;
      if (c == '\\' && !take_escape()) return false;
    }
    return false;
  }

  bool take_escape() {
    if (!take_word("u")) {
      return at_ < text_.size() && std::string_view("\"\\/bfnrt").find(text_[at_++]) != std::string_view::npos;
    }
    if (text_.size() - at_ < 4) return false;
    const std::string_view digits = text_.substr(at_, 4);
    at_ += digits.size();
    return std::all_of(digits.begin(), digits.end(), [](char c) { return hex_digit(c).has_value(); });
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::uint32_t read_hex4(std::string_view digits) {
  std::uint32_t unit = 0;
  for (const char c : digits.substr(0, 4)) unit = unit << 4 | *hex_digit(c);
  return unit;
}

/// Takes four hexadecimal digits, and the second half of a surrogate pair, from the front of `rest`.
std::uint32_t take_unicode_escape(std::string_view& rest) {
  const std::uint32_t unit = read_hex4(rest);
  rest.remove_prefix(4);
  if (unit < 0xD800 || unit > 0xDFFF) return unit;
  if (unit > 0xDBFF || !rest.starts_with("\\u")) return kReplacementCharacter;
  const std::uint32_t low = read_hex4(rest.substr(2));
  if (low < 0xDC00 || low > 0xDFFF) return kReplacementCharacter;
  rest.remove_prefix(6);
  return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
}

void append_utf8(std::string& text, std::uint32_t code_point) {
  const auto put = [&](std::uint32_t byte) { text.push_back(static_cast<char>(byte)); };
  const auto put_rest = [&](int shift) { put(0x80 | (code_point >> shift & 0x3F)); };
  if (code_point < 0x80) return put(code_point);
  if (code_point < 0x800) {
    put(0xC0 | code_point >> 6);
  } else if (code_point < 0x10000) {
    put(0xE0 | code_point >> 12);
    put_rest(6);
  } else {
    put(0xF0 | code_point >> 18);
    put_rest(12);
    put_rest(6);
  }
  put_rest(0);
}

char resolve_escape(char letter) {
  static constexpr std::pair<char, char> kControls[] = {
      {'b', '\b'}, {'f', '\f'}, {'n', '\n'}, {'r', '\r'}, {'t', '\t'}};
  for (const auto& [name, control] : kControls) {
    if (name == letter) return control;
  }
  return letter;
}

/// The first `characters_max` code points of a text that a Scanner has skipped.
std::string decode(const Value& text, std::size_t characters_max = std::numeric_limits<std::size_t>::max()) {
  std::string decoded;
  std::string_view rest = text.written.substr(1, text.written.size() - 2);
  for (std::size_t i = 0; i < characters_max && !rest.empty(); ++i) {
    if (!rest.starts_with('\\')) {
      const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
      const auto end = std::find_if_not(rest.begin() + 1, rest.end(), continues);
      decoded.append(rest.begin(), end);
      rest.remove_prefix(static_cast<std::size_t>(end - rest.begin()));
      continue;
    }
    const char letter = rest[1];
    rest.remove_prefix(2);
    append_utf8(decoded,
                letter == 'u' ? take_unicode_escape(rest) : static_cast<unsigned char>(resolve_escape(letter)));
  }
  return decoded;
}

/// The fields of an answer that the referee reads.
struct Fields {
  bool empty = true;
  std::optional<Value> command;
  std::optional<Value> debug;
};

/// Takes the rest of an object after its opening brace; nullopt if the line is not JSON.
std::optional<Fields> take_fields(Scanner& scanner) {
  Fields fields;
  if (!scanner.take('}')) {
    fields.empty = false;
    do {
      const std::optional<Value> key = scanner.take_key();
      const std::optional<Value> value = key ? scanner.take_value() : std::nullopt;
      if (!value) return std::nullopt;
      const std::string name = decode(*key);
      if (name == "command") fields.command = value;
      if (name == "debug") fields.debug = value;
    } while (scanner.take(','));
    if (!scanner.take('}')) return std::nullopt;
  }
  if (!scanner.at_end()) return std::nullopt;
  return fields;
}

Answer garbled() { return {Answer::Kind::garbled, engine::Command::stop, {}, {}}; }
Answer gone(std::string verdict) { return {Answer::Kind::gone, engine::Command::stop, {}, std::move(verdict)}; }

}  // namespace

Answer read_answer(std::string_view line) {
  if (utf8(line) != line) return garbled();
  Scanner scanner(line);
  if (!scanner.take('{')) {
    const std::optional<Value> value = scanner.take_value();
    if (!value || !scanner.at_end()) return garbled();
    return gone("answered " + std::string(to_string(value->kind)) + ", not an object");
  }
  const std::optional<Fields> fields = take_fields(scanner);
  if (!fields) return garbled();
  if (fields->empty) return gone("answered an empty object");
  Answer answer = garbled();
  if (fields->debug) {
    if (fields->debug->kind == Value::Kind::text) {
      answer.debug = decode(*fields->debug, formats::kDebugCharactersMax);
    } else if (fields->debug->kind != Value::Kind::list) {
      return gone("its debug is " + std::string(to_string(fields->debug->kind)) + ", not text");
    }
  }
  if (!fields->command || fields->command->kind != Value::Kind::text) return answer;
  if (const auto command = engine::parse_command(decode(*fields->command))) {
    answer.kind = Answer::Kind::command;
    answer.command = *command;
  }
  return answer;
}

}  // namespace forkmunk::referee
