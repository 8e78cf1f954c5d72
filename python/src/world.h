#pragma once

#include "guarded.h"

#include <forkmunk/engine/world.h>

#include <utility>

namespace forkmunk::python {

/// World, as Python holds it.
class PythonWorld : public Guarded {
 public:
  explicit PythonWorld(engine::World world) : world_(std::move(world)) {}

  [[nodiscard]] engine::World& get() {
    check_usable("World");
    return world_;
  }

 private:
  engine::World world_;
};

/// A snapshot that stays in this process: of any physics, and restored with one memcpy.
class PythonSnapshot : public Guarded {
 public:
  PythonSnapshot() = default;
  [[nodiscard]] engine::Snapshot& get() {
    check_usable("Snapshot");
    return snapshot_;
  }

 private:
  engine::Snapshot snapshot_;
};

}  // namespace forkmunk::python
