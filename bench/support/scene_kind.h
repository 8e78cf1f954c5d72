// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace forkmunk::bench {

/// A scene of `forkmunk bench --scenes`.
enum class SceneKind { pyramid, tumbler, chains, mixed, sleeping };
inline constexpr std::array kSceneKinds{SceneKind::pyramid, SceneKind::tumbler, SceneKind::chains, SceneKind::mixed,
                                        SceneKind::sleeping};

[[nodiscard]] constexpr std::string_view to_string(SceneKind kind) noexcept {
  constexpr std::array<std::string_view, kSceneKinds.size()> kNames{"pyramid", "tumbler", "chains", "mixed",
                                                                    "sleeping"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace forkmunk::bench
