# SPDX-License-Identifier: MIT
"""Drawing of a Space by debug_draw() on axes of Matplotlib, with the names of pymunk.matplotlib_util."""

from typing import Any, Sequence

from matplotlib import lines, patches  # type: ignore[import, unused-ignore]

from ..geometry import Vec2d
from ..drawing_options import SpaceDebugColor, SpaceDebugDrawOptions


class DrawOptions(SpaceDebugDrawOptions):
    """DrawOptions(ax)

    Options for Space.debug_draw() that add patches and lines to axes of Matplotlib.

    Set the limits and the aspect of the axes yourself: ax.set_xlim(), ax.set_ylim() and ax.set_aspect("equal")."""

    def __init__(self, ax: Any) -> None:
        super().__init__()
        self.ax = ax

    def _line(self, a: Vec2d, b: Vec2d, width: float, color: SpaceDebugColor) -> None:
        line = lines.Line2D([a[0], b[0]], [a[1], b[1]], linewidth=width, color=color.as_float())
        line.set_solid_capstyle("round")
        self.ax.add_line(line)

    def draw_circle(self, pos: Vec2d, angle: float, radius: float, outline_color: SpaceDebugColor,
                    fill_color: SpaceDebugColor) -> None:
        self.ax.add_patch(patches.Circle(pos, radius, facecolor=fill_color.as_float(), edgecolor=outline_color.as_float()))
        self._line(pos, pos + Vec2d.from_polar(radius, angle), 1, outline_color)

    def draw_segment(self, a: Vec2d, b: Vec2d, color: SpaceDebugColor) -> None:
        self._line(a, b, 1, color)

    def draw_fat_segment(self, a: Vec2d, b: Vec2d, radius: float, outline_color: SpaceDebugColor,
                         fill_color: SpaceDebugColor) -> None:
        self._line(a, b, max(1, 2 * radius), fill_color)

    def draw_polygon(self, verts: Sequence[Vec2d], radius: float, outline_color: SpaceDebugColor,
                     fill_color: SpaceDebugColor) -> None:
        self.ax.add_patch(patches.Polygon(verts, linewidth=max(1, 2 * radius), joinstyle="round",
                                          facecolor=fill_color.as_float(), edgecolor=outline_color.as_float()))

    def draw_dot(self, size: float, pos: Vec2d, color: SpaceDebugColor) -> None:
        self.ax.add_patch(patches.Circle(pos, size, facecolor=color.as_float(), edgecolor="None"))


__all__ = ["DrawOptions"]
