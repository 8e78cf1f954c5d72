#include "physics_options.h"

namespace forkmunk::tools {

void PhysicsOptions::add_to(CLI::App& command, const std::string& of_what) {
  command.add_option("--arithmetic", arithmetic, "How floating point is evaluated" + of_what)
      ->check(CLI::IsMember({"referee", "strict"}))
      ->capture_default_str();
  command
      .add_option(
          "--engine", engine,
          "What computes the steps: the same bits, flat more than twice as fast. auto: flat in strict arithmetic, "
          "chipmunk in referee")
      ->check(CLI::IsMember({"auto", "chipmunk", "flat"}))
      ->capture_default_str();
}

engine::Physics PhysicsOptions::physics() const { return engine::parse_physics(*parse_arithmetic(arithmetic), engine); }

}  // namespace forkmunk::tools
