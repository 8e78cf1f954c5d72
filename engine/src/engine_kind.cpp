#include <forkmunk/engine/engine_kind.h>

namespace forkmunk::engine {

std::string_view to_string(EngineKind kind) noexcept { return kind == EngineKind::flat ? "flat" : "chipmunk"; }

std::optional<EngineKind> parse_engine_kind(std::string_view text) noexcept {
  for (const EngineKind kind : {EngineKind::chipmunk, EngineKind::flat}) {
    if (to_string(kind) == text) return kind;
  }
  return std::nullopt;
}

EngineKind default_engine(Arithmetic arithmetic) noexcept {
  return arithmetic == Arithmetic::strict ? EngineKind::flat : EngineKind::chipmunk;
}

bool is_available(EngineKind kind, Arithmetic arithmetic) noexcept {
  return kind == EngineKind::flat ? arithmetic == Arithmetic::strict : is_available(arithmetic);
}

}  // namespace forkmunk::engine
