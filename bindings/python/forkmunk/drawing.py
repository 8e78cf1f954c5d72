"""A World as a picture: what environments render. NumPy alone; for a page that plays, see forkmunk.view()."""

from __future__ import annotations

import numpy as np

WIDTH, HEIGHT = 1200, 800  # of the contest's maps, map units
_BACKGROUND, _MAP, _DEADLINE, _BUTTON = (247, 247, 244), (70, 74, 80), (226, 120, 100), (230, 190, 40)
_CARS = ((52, 110, 190), (200, 80, 60))


class Picture:
    """RGB pixels, `scale` of them to a map unit; y goes up."""

    def __init__(self, scale):
        self.scale = scale
        self.pixels = np.empty((round(HEIGHT * scale), round(WIDTH * scale), 3), np.uint8)
        self.pixels[:] = _BACKGROUND

    def _window(self, low, high):
        """The pixels of a box, and the map coordinates of their centres."""
        rows, columns = self.pixels.shape[:2]
        first = np.clip(np.floor(np.asarray(low) * self.scale).astype(int) - 1, 0, (columns, rows))
        last = np.clip(np.ceil(np.asarray(high) * self.scale).astype(int) + 1, 0, (columns, rows))
        x = (np.arange(first[0], last[0]) + 0.5) / self.scale
        y = (np.arange(first[1], last[1]) + 0.5) / self.scale
        view = self.pixels[::-1][first[1]:last[1], first[0]:last[0]]
        return view, x[None, :], y[:, None]

    def polygon(self, points, colour):
        """A convex polygon."""
        points = np.asarray(points, float)
        view, x, y = self._window(points.min(0), points.max(0))
        sides = [(b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) for a, b in zip(points, np.roll(points, -1, 0))]
        inside = np.all([s >= 0 for s in sides], 0) | np.all([s <= 0 for s in sides], 0)
        view[inside] = colour

    def line(self, a, b, radius, colour):
        """Everything within `radius` of the line from a to b."""
        a, b, radius = np.asarray(a, float), np.asarray(b, float), max(radius, 0.7 / self.scale)
        view, x, y = self._window(np.minimum(a, b) - radius, np.maximum(a, b) + radius)
        along, length = b - a, max(float((b - a) @ (b - a)), 1e-12)
        part = np.clip(((x - a[0]) * along[0] + (y - a[1]) * along[1]) / length, 0, 1)
        view[(x - a[0] - part * along[0]) ** 2 + (y - a[1] - part * along[1]) ** 2 <= radius * radius] = colour

    def circle(self, centre, radius, colour):
        self.line(centre, centre, radius, colour)


def _turned(points, angle, position):
    cos, sin = np.cos(angle), np.sin(angle)
    return np.asarray(points, float) @ np.array([[cos, sin], [-sin, cos]]) + position


def draw(world, scale=0.5) -> np.ndarray:
    """uint8 (height, width, 3): the map, both cars (blue the first), their buttons, and the deadline."""
    picture = Picture(scale)
    if not world.is_finite:
        return picture.pixels
    setup, row = world.setup, world.observe()
    picture.polygon([(0, 0), (WIDTH, 0), (WIDTH, row[18]), (0, row[18])], _DEADLINE)
    for (a, b, radius) in setup["proto_map"]["segments"]:
        picture.line(a, b, radius, _MAP)
    car = setup["proto_car"]
    for side, (mirror, colour) in enumerate(zip((1, -1), _CARS)):
        x, y, angle, *wheels = row[9 * side:9 * side + 9]
        flip = np.array([mirror, 1.0])
        picture.polygon(_turned(np.asarray(car["car_body_poly"]) * flip, angle, (x, y)), colour)
        picture.polygon(_turned(np.asarray(car["button_poly"]) * flip, angle, (x, y)), _BUTTON)
        for name, (wheel_x, wheel_y, wheel_angle) in (("rear", wheels[:3]), ("front", wheels[3:])):
            radius = car[f"{name}_wheel_radius"]
            if car.get("squared_wheels"):
                corners = [(radius, radius), (-radius, radius), (-radius, -radius), (radius, -radius)]
                picture.polygon(_turned(corners, wheel_angle, (wheel_x, wheel_y)), _MAP)
            else:
                picture.circle((wheel_x, wheel_y), radius, _MAP)
                picture.circle((wheel_x, wheel_y), radius * 0.5, colour)
    return picture.pixels
