// SPDX-License-Identifier: MIT
#include "code_names.h"

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/base/error.h>
#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/space/differences.h>

namespace forkmunk::space {

std::vector<Difference> differences(const Space& one, const Space& other, std::size_t count_max) {
  for (const Space* space : {&one, &other}) {
    if (space->is_overflowed()) throw Error("differences(): a space has outgrown its memory; restore() a snapshot");
    if (space->space() == nullptr) throw Error("differences(): a space() was freed");
  }
  std::vector<Difference> found;
  for (auto& each : chipmunk::differences(*arena_alloc::Arena::containing(one.space()),
                                          *arena_alloc::Arena::containing(other.space()), code_names(), count_max)) {
    found.push_back(
        {std::move(each.object), each.id, std::move(each.field), std::move(each.one), std::move(each.other)});
  }
  return found;
}

}  // namespace forkmunk::space
