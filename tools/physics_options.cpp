#include "physics_options.h"

#include <forkmunk/base/error.h>

namespace forkmunk::tools {

void PhysicsOptions::add_to(CLI::App& command, const std::string& of_what) {
  command.add_option("--arithmetic", arithmetic, "How floating point is evaluated" + of_what)
      ->check(CLI::IsMember({"referee", "strict"}))
      ->capture_default_str();
  command
      .add_option("--engine", engine,
                  "What computes the steps: the same bits, flat several times faster. auto: flat in strict arithmetic, "
                  "chipmunk in referee")
      ->check(CLI::IsMember({"auto", "chipmunk", "flat"}))
      ->capture_default_str();
}

engine::Physics PhysicsOptions::physics() const { return make_physics(*engine::parse_arithmetic(arithmetic), engine); }

engine::Physics make_physics(engine::Arithmetic arithmetic, const std::string& engine_name) {
  if (!engine::is_available(arithmetic)) {
    throw Error("this build has no referee arithmetic: it needs gcc on x86-64; --arithmetic strict works");
  }
  const engine::EngineKind kind = engine::parse_engine_kind(engine_name).value_or(engine::default_engine(arithmetic));
  const auto physics = engine::Physics::find(arithmetic, kind);
  if (!physics) {
    throw Error("the flat engine computes in strict arithmetic only: use --arithmetic strict or --engine chipmunk");
  }
  return *physics;
}

}  // namespace forkmunk::tools
