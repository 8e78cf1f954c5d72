// SPDX-License-Identifier: MIT
#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/base/error.h>
#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/space/space_snapshot.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

/// The difference of two written states (docs/reference/file_formats.md, "Differences of snapshots").
namespace forkmunk::space {

namespace {

using Bytes = std::span<const std::byte>;

struct DeltaHeader {
  std::array<char, 8> magic{'F', 'O', 'R', 'K', 'D', 'L', 'T', 'A'};
  std::uint32_t version = 1;
  std::uint32_t flags = 0;
  std::uint64_t body_bytes = 0;
  std::uint64_t checksum = 0;  // of the body
  std::uint64_t base_bytes = 0;
  std::uint64_t base_checksum = 0;
};
static_assert(sizeof(DeltaHeader) == kDeltaHeaderBytes);

constexpr std::size_t kCompared = 128;        // bytes that decide whether two places correspond
constexpr std::size_t kSimilar = 80;          // of them are equal where they do
constexpr std::size_t kShiftMax = 16384;      // bytes that may be inserted or removed between two places
constexpr std::size_t kAttemptEach = 64;      // bytes between two comparisons
constexpr std::size_t kAttemptFailed = 4096;  // bytes after a search that found nothing
constexpr std::size_t kGapMin = 4;            // a shorter run of equal bytes costs more than it saves

std::size_t count_equal(Bytes a, Bytes b, std::size_t count) {
  count = std::min({count, a.size(), b.size()});
  std::size_t equal = 0;
  for (std::size_t i = 0; i < count; ++i) equal += static_cast<std::size_t>(a[i] == b[i]);
  return equal;
}

std::size_t similarity(Bytes a, Bytes b) { return 2 * count_equal(a, b, 16) < 16 ? 0 : count_equal(a, b, kCompared); }

void put_number(std::vector<std::byte>& out, std::uint64_t number) {
  for (; number >= 128; number >>= 7) out.push_back(static_cast<std::byte>(number | 128));
  out.push_back(static_cast<std::byte>(number));
}

class DeltaWriter {
 public:
  DeltaWriter(Bytes base, Bytes bytes) : base_(base), bytes_(bytes) {}

  std::vector<std::byte> run() {
    std::size_t attempt = 0;
    while (at_ < bytes_.size()) {
      if (at_ >= attempt) attempt = at_ + (align() ? kAttemptEach : kAttemptFailed);
      std::size_t equal = 0;
      while (at_ + equal < bytes_.size() && base_at_ + equal < base_.size() &&
             base_[base_at_ + equal] == bytes_[at_ + equal]) {
        ++equal;
      }
      if (equal >= kGapMin) put_copy(equal);
      const std::size_t step = equal >= kGapMin ? equal : equal + 1;
      at_ = std::min(at_ + step, bytes_.size());
      base_at_ += step;
    }
    put_copy(0);
    return std::move(out_);
  }

 private:
  // Moves on to the nearest places that correspond, if the next bytes do not. \return whether they do now.
  bool align() {
    const Bytes here = bytes_.subspan(at_);
    const std::size_t left = base_.size() - std::min(base_at_, base_.size());
    if (similarity(here, base_.subspan(base_.size() - left)) >= std::min(kSimilar, here.size())) return true;
    std::size_t best = kSimilar - 1, skip_base = 0, skip_bytes = 0;
    for (std::size_t shift = 1; shift < kShiftMax && best < kCompared; ++shift) {
      if (shift < left) {  // removed
        const std::size_t score = similarity(here, base_.subspan(base_at_ + shift));
        if (score > best) best = score, skip_base = shift, skip_bytes = 0;
      }
      if (shift < here.size() && left > 0) {  // inserted
        const std::size_t score = similarity(here.subspan(shift), base_.subspan(base_at_));
        if (score > best) best = score, skip_base = 0, skip_bytes = shift;
      }
    }
    at_ += skip_bytes;
    base_at_ += skip_base;
    return best >= kSimilar;
  }

  // Appends the bytes since the last copy, and a copy of `equal` bytes of the base from base_at_.
  void put_copy(std::size_t equal) {
    const std::size_t literal = at_ - done_;
    put_number(out_, literal);
    out_.insert(out_.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(done_),
                bytes_.begin() + static_cast<std::ptrdiff_t>(at_));
    const std::size_t skip = equal == 0 ? literal : base_at_ - base_done_;
    // Bytes are mostly replaced by as many; 0 says so.
    put_number(out_, skip == literal ? 0 : skip < literal ? 2 * (literal - skip) - 1 : 2 * (skip - literal));
    put_number(out_, equal);
    done_ = at_ + equal;
    base_done_ = base_at_ + equal;
  }

  const Bytes base_, bytes_;
  std::size_t at_ = 0, base_at_ = 0, done_ = 0, base_done_ = 0;
  std::vector<std::byte> out_;
};

[[noreturn]] void throw_damaged_delta() {
  throw Error("a damaged difference of snapshots: its parts are not those of a difference");
}

class DeltaReader {
 public:
  DeltaReader(Bytes base, Bytes body, std::size_t bytes_max) : base_(base), body_(body), bytes_max_(bytes_max) {}

  std::vector<std::byte> run() {
    while (!body_.empty()) {
      const std::uint64_t literal = take_number();
      if (literal > body_.size()) throw_damaged_delta();
      append(body_.first(static_cast<std::size_t>(literal)));
      body_ = body_.subspan(static_cast<std::size_t>(literal));
      const std::uint64_t change = take_number(), equal = take_number();
      // No part of the base is read twice, so the result is at most as long as the base and the difference.
      const std::uint64_t size = (change + 1) / 2;
      const std::uint64_t skip = change % 2 == 0 ? literal + size : literal - size;
      if (change % 2 != 0 && size > literal) throw_damaged_delta();
      if (equal == 0) continue;
      if (skip > base_.size() || equal > base_.size() - skip) throw_damaged_delta();
      base_ = base_.subspan(static_cast<std::size_t>(skip));
      append(base_.first(static_cast<std::size_t>(equal)));
      base_ = base_.subspan(static_cast<std::size_t>(equal));
    }
    return std::move(result_);
  }

 private:
  std::uint64_t take_number() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 63 && !body_.empty(); shift += 7) {
      const auto byte = std::to_integer<std::uint64_t>(body_.front());
      body_ = body_.subspan(1);
      number |= (byte & 127) << shift;
      if (byte < 128) return number;
    }
    throw_damaged_delta();
  }

  void append(Bytes part) {
    if (part.size() > bytes_max_ - result_.size()) {
      throw Error("a difference of snapshots: its state is longer than the limit of its memory");
    }
    result_.insert(result_.end(), part.begin(), part.end());
  }

  Bytes base_, body_;
  std::size_t bytes_max_;
  std::vector<std::byte> result_;
};

}  // namespace

std::vector<std::byte> delta_of(Bytes base, Bytes bytes) {
  const std::vector<std::byte> body = DeltaWriter(base, bytes).run();
  DeltaHeader header;
  header.body_bytes = body.size();
  header.checksum = chipmunk::portable_checksum(body);
  header.base_bytes = base.size();
  header.base_checksum = chipmunk::portable_checksum(base);
  std::vector<std::byte> result(sizeof header + body.size());
  std::memcpy(result.data(), &header, sizeof header);
  std::copy(body.begin(), body.end(), result.begin() + sizeof header);
  return result;
}

std::size_t delta_bytes(Bytes header) {
  DeltaHeader found;
  if (header.size() < sizeof found || std::memcmp(header.data(), found.magic.data(), found.magic.size()) != 0) {
    throw Error("not a difference of snapshots: it does not begin with a header with FORKDLTA");
  }
  std::memcpy(&found, header.data(), sizeof found);
  if (found.version != 1 || found.flags != 0) {
    throw Error("a difference of snapshots in format " + std::to_string(found.version) +
                ", expected format 1: it is of a newer version");
  }
  if (found.body_bytes > arena_alloc::kCapacityBytesMax) {
    throw Error("a damaged difference of snapshots: its header claims more bytes than a space has");
  }
  return sizeof found + static_cast<std::size_t>(found.body_bytes);
}

std::vector<std::byte> apply_delta(Bytes base, Bytes delta, std::size_t bytes_max) {
  const std::size_t length = delta_bytes(delta);
  DeltaHeader header;
  std::memcpy(&header, delta.data(), sizeof header);
  const Bytes body = delta.subspan(sizeof header);
  if (length != delta.size() || header.checksum != chipmunk::portable_checksum(body)) {
    throw Error("a damaged difference of snapshots: its length or its checksum is not what it was written with");
  }
  if (header.base_bytes != base.size() || header.base_checksum != chipmunk::portable_checksum(base)) {
    throw Error("a difference of snapshots: found another base than it was written against");
  }
  return DeltaReader(base, body, bytes_max).run();
}

}  // namespace forkmunk::space
