#include <forkmunk/base/printable.h>
#include <forkmunk/io/json_writer.h>

namespace forkmunk::io {

JsonWriter& JsonWriter::quoted(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  line_ += '"';
  for (const char c : utf8(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      line_ += '\\';
      line_ += c;
    } else if (byte < 0x20) {
      line_ += "\\u00";
      line_ += kHex[byte >> 4];
      line_ += kHex[byte & 15];
    } else {
      line_ += c;
    }
  }
  line_ += '"';
  return *this;
}

}  // namespace forkmunk::io
