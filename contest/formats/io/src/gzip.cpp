// SPDX-License-Identifier: MIT
#include <forkmunk/io/gzip.h>

#include <algorithm>
#include <memory>
#include <new>

#include <zlib.h>

namespace forkmunk::io {
namespace {

constexpr std::string_view kMagic = "\x1f\x8b";
constexpr std::size_t kTextSizeFirst = 64 * 1024;
constexpr std::size_t kStepSizeMax = std::size_t{1} << 30;  // zlib's sizes have 32 bits

}  // namespace

bool is_gzip(std::string_view bytes) noexcept { return bytes.starts_with(kMagic); }

std::string gunzip(std::string_view bytes, std::size_t size_max) {
  z_stream stream{};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib only reads it
  stream.avail_in = static_cast<uInt>(bytes.size());
  if (inflateInit2(&stream, MAX_WBITS + 16) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, [](z_stream* open) { return inflateEnd(open); });
  const auto fail = [&](const std::string& problem) {
    throw Error("byte ", bytes.size() - stream.avail_in, ": ", problem);
  };
  std::string text(kTextSizeFirst, '\0');
  std::size_t size = 0;
  while (true) {
    if (size == text.size()) text.resize(std::min(2 * size, size_max + 1));
    const std::size_t room = std::min(text.size() - size, kStepSizeMax);
    stream.next_out = reinterpret_cast<Bytef*>(text.data() + size);
    stream.avail_out = static_cast<uInt>(room);
    const int status = inflate(&stream, Z_NO_FLUSH);
    size += room - stream.avail_out;
    if (size > size_max) fail("decompresses to more than the limit of " + std::to_string(size_max) + " bytes");
    if (status == Z_STREAM_END) {
      const std::string_view rest = bytes.substr(bytes.size() - stream.avail_in);
      if (rest.find_first_not_of('\0') == std::string_view::npos) break;
      if (!is_gzip(rest)) fail("unexpected data after the end of the gzip data");
      inflateReset(&stream);
    } else if (status == Z_BUF_ERROR) {
      fail("truncated gzip data");
    } else if (status != Z_OK) {
      fail(std::string("corrupt gzip data (") + (stream.msg != nullptr ? stream.msg : "no reason given") + ")");
    }
  }
  text.resize(size);
  return text;
}

std::string gzip(std::string_view text) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
  std::string bytes(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));  // zlib only reads it
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  deflate(&stream, Z_FINISH);  // deflateBound() bytes are enough for one call
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  return bytes;
}

}  // namespace forkmunk::io
