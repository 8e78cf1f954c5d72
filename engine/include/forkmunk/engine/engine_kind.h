#pragma once

#include <forkmunk/engine/arithmetic.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace forkmunk::engine {

/// What computes a World's steps.
///
/// chipmunk: Chipmunk2D itself in an arena, the reference, in either arithmetic.
/// flat: our own implementation of the same algorithm; the same bits in strict arithmetic, several times faster, and a
/// state of a few kilobytes that goes to any address, thread, process or file.
enum class EngineKind : std::uint8_t { chipmunk, flat };

/// "chipmunk" or "flat".
[[nodiscard]] std::string_view to_string(EngineKind kind) noexcept;
/// The reverse of to_string(); nothing for any other text.
[[nodiscard]] std::optional<EngineKind> parse_engine_kind(std::string_view text) noexcept;
/// The fastest that is exact in `arithmetic`: flat in strict, chipmunk in referee.
[[nodiscard]] EngineKind default_engine(Arithmetic arithmetic) noexcept;
/// Whether this build can compute steps so: flat knows strict only, and referee arithmetic may be missing.
[[nodiscard]] bool is_available(EngineKind kind, Arithmetic arithmetic) noexcept;

/// What a world's physics are: an arithmetic, and what computes it. An arithmetic alone means its fastest exact engine.
struct Physics {
  Arithmetic arithmetic = Arithmetic::strict;
  EngineKind engine = EngineKind::flat;

  Physics() = default;
  Physics(Arithmetic a) noexcept : arithmetic(a), engine(default_engine(a)) {}  // NOLINT(google-explicit-constructor)
  Physics(Arithmetic a, EngineKind e) noexcept : arithmetic(a), engine(e) {}
  friend bool operator==(const Physics&, const Physics&) = default;
};

}  // namespace forkmunk::engine
