#pragma once

#include <forkmunk/engine/physics.h>

#include <string>

#include <CLI/CLI.hpp>

namespace forkmunk::tools {

/// The options --arithmetic and --engine of the commands that create worlds.
struct PhysicsOptions {
  std::string arithmetic = "strict";
  std::string engine = "auto";

  /// Registers both options.
  void add_to(CLI::App& command);
  /// The physics that they select. \throws Error if this build does not have it.
  [[nodiscard]] forkmunk::engine::Physics physics() const;
};

}  // namespace forkmunk::tools
