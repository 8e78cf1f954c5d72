#include <forkmunk/arena_alloc/chunk.h>

namespace forkmunk::arena_alloc {

// The words that it reads may be free, or inside a payload.
[[gnu::no_sanitize_address]] bool Arena::has_payload_at(const void* address) const noexcept {
  if (!contains(address)) return false;
  const auto payload = static_cast<std::size_t>(static_cast<const std::byte*>(address) - block_);
  if (payload < kFirstChunkOffset + kChunkHeaderBytes || payload % kGranule != 0) return false;
  const ArenaHeader& h = header();
  const std::size_t offset = payload - kChunkHeaderBytes;
  const std::size_t end = offset < h.live_end ? h.live_end : capacity_ - kChunkHeaderBytes;
  if (offset >= h.live_end && offset < h.constant_begin) return false;
  const auto* words = reinterpret_cast<const std::uint32_t*>(block_ + offset);
  const Chunk chunk{words[0], words[1]};
  if (!chunk.used() || chunk.bytes() == 0 || chunk.bytes() > end - offset) return false;
  if (chunk.requested_bytes() > chunk.payload_bytes()) return false;
  if (offset + chunk.bytes() == end) return true;
  const Chunk next{words[chunk.bytes() / sizeof *words], 0};
  return next.bytes() != 0 && next.bytes() <= end - offset - chunk.bytes();
}

}  // namespace forkmunk::arena_alloc
