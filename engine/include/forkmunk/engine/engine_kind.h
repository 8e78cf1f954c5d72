#pragma once

#include <forkmunk/engine/arithmetic.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace forkmunk::engine {

/// What computes a World's steps.
///
/// chipmunk: Chipmunk2D itself in an arena, the reference, in either arithmetic.
/// flat: our own implementation of the same algorithm; the same bits in strict arithmetic, faster,
/// and a state of a few kilobytes that goes to any address, thread, process or file.
enum class EngineKind : std::uint8_t { chipmunk, flat };

/// "chipmunk" or "flat".
[[nodiscard]] std::string_view to_string(EngineKind kind) noexcept;
/// The reverse of to_string(); nothing for any other text.
[[nodiscard]] std::optional<EngineKind> parse_engine_kind(std::string_view text) noexcept;
/// The fastest that is exact in `arithmetic`: flat in strict, chipmunk in referee.
[[nodiscard]] EngineKind default_engine(Arithmetic arithmetic) noexcept;

/// What a world's physics are: an arithmetic, and what computes it. Pairs that no engine computes cannot be made.
class Physics {
 public:
  /// The default: the flat engine.
  constexpr Physics() noexcept = default;
  /// The fastest engine that is exact in `arithmetic`.
  Physics(Arithmetic arithmetic) noexcept  // NOLINT(google-explicit-constructor)
      : Physics(arithmetic, default_engine(arithmetic)) {}

  /// The flat engine, in strict arithmetic: it knows no other.
  [[nodiscard]] static constexpr Physics flat() noexcept { return {}; }
  /// Chipmunk in an arena.
  [[nodiscard]] static constexpr Physics chipmunk(Arithmetic arithmetic = Arithmetic::strict) noexcept {
    return {arithmetic, EngineKind::chipmunk};
  }
  /// That engine in that arithmetic; nothing if it does not know it.
  [[nodiscard]] static constexpr std::optional<Physics> find(Arithmetic arithmetic, EngineKind engine) noexcept {
    if (engine == EngineKind::flat && arithmetic != Arithmetic::strict) return std::nullopt;
    return Physics{arithmetic, engine};
  }

  [[nodiscard]] constexpr Arithmetic arithmetic() const noexcept { return arithmetic_; }
  [[nodiscard]] constexpr EngineKind engine() const noexcept { return engine_; }
  friend bool operator==(const Physics&, const Physics&) = default;

 private:
  constexpr Physics(Arithmetic arithmetic, EngineKind engine) noexcept : arithmetic_(arithmetic), engine_(engine) {}

  Arithmetic arithmetic_ = Arithmetic::strict;
  EngineKind engine_ = EngineKind::flat;
};

/// Whether this build can compute steps so: referee arithmetic may be missing.
[[nodiscard]] inline bool is_available(Physics physics) noexcept { return is_available(physics.arithmetic()); }

/// That engine, or else the fastest exact one, in that arithmetic. \throws Error, saying what to do, if the engine does
/// not know it or this build does not have it.
[[nodiscard]] Physics physics_of(Arithmetic arithmetic, std::optional<EngineKind> engine);

/// All that this build has, the faster engine first within an arithmetic.
[[nodiscard]] std::vector<Physics> available_physics();

}  // namespace forkmunk::engine
