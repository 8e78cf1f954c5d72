#pragma once

#include <forkmunk/engine/physics.h>

#include <string>

#include <CLI/CLI.hpp>

namespace forkmunk::tools {

/// The options --arithmetic and --engine of those commands that make worlds of their own.
struct PhysicsOptions {
  std::string arithmetic = "strict";
  std::string engine = "auto";

  /// Registers both. \param of_what  completes "How floating point is evaluated".
  void add_to(CLI::App& command, const std::string& of_what = "");
  /// What they ask for. \throws Error if this build has no such physics.
  [[nodiscard]] forkmunk::engine::Physics physics() const;
};

}  // namespace forkmunk::tools
