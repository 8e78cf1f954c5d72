#include <forkmunk/base/error.h>
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

Physics physics_of(Arithmetic arithmetic, std::optional<EngineKind> engine) {
  const auto physics = Physics::find(arithmetic, engine.value_or(default_engine(arithmetic)));
  if (!physics) throw Error("the flat engine computes in strict arithmetic only: use strict arithmetic, or chipmunk");
  if (!is_available(*physics)) {
    throw Error("this build has no referee arithmetic: it needs gcc on x86-64 (strict arithmetic is available)");
  }
  return *physics;
}

std::vector<Physics> available_physics() {
  std::vector<Physics> result;
  for (const Arithmetic arithmetic : {Arithmetic::strict, Arithmetic::referee}) {
    for (const EngineKind kind : {EngineKind::flat, EngineKind::chipmunk}) {
      const auto physics = Physics::find(arithmetic, kind);
      if (physics && is_available(*physics)) result.push_back(*physics);
    }
  }
  return result;
}

}  // namespace forkmunk::engine
