#include "physics_options.h"

namespace forkmunk::tools {

void PhysicsOptions::add_to(CLI::App& command) {
  command
      .add_option("--arithmetic", arithmetic,
                  "Floating point of the physics: strict is the same on every machine, referee is the contest "
                  "referee's -ffast-math build")
      ->check(CLI::IsMember({"referee", "strict"}))
      ->capture_default_str();
  command
      .add_option(
          "--engine", engine,
          "Physics engine; both give the same bits, flat is more than twice as fast. auto: flat in strict arithmetic, "
          "chipmunk in referee arithmetic")
      ->check(CLI::IsMember({"auto", "chipmunk", "flat"}))
      ->capture_default_str();
}

engine::Physics PhysicsOptions::physics() const { return engine::parse_physics(*parse_arithmetic(arithmetic), engine); }

}  // namespace forkmunk::tools
