"""forkmunk.Space: any Chipmunk scene, with pymunk's names, that is saved, restored and forked as a whole."""

from __future__ import annotations

import threading
import weakref

from . import _forkmunk as _core
from . import constraints as _constraints
from .collisions import Arbiter, CollisionHandler, PointQueryInfo, SegmentQueryInfo, ShapeQueryInfo, _contacts
from .geometry import BB, ShapeFilter, Vec2d
from .objects import Body, Circle, Object, Poly, Segment, Shape, _field

class Snapshot:
    """A Space's state: Space.save(). Good for the Space, its forks, and every other Space of this process."""

    def __init__(self, core, space):
        self._core, self._callables = core, space._callables
        self._lineage, self._handler_data = space._lineage, space._handler_data

    @property
    def size_bytes(self) -> int:
        return self._core.size_bytes


def _setting(name, doc):
    def get(self):
        value = self._core.get_space(name)
        return Vec2d(*value) if name == "gravity" else value

    return property(get, lambda self, value: self._core.set_space(name, value), doc=doc)


class Space:
    """Space(): bodies, shapes and joints that are stepped together; pymunk's, but that it can be saved, restored and
    forked. The same steps give the same bits on every machine. A Space belongs to one thread at a time."""

    def __init__(self, *, _core_object=None):
        self._core = _core.SpaceCore() if _core_object is None else _core_object
        self._wrappers: weakref.WeakValueDictionary = weakref.WeakValueDictionary()
        self._kept: dict = {}  # objects that were added, so that they stay the same objects
        self._callables: dict = {}
        self._handler_data: dict = {}
        self._later: list = []
        self._post_step: dict = {}
        self._stepping = 0  # the thread that is in step() or remove()
        self._lineage = object()  # shared with forks: handlers' ids mean the same there

    iterations = _setting("iterations", "Of the solver, 1 or more; 10.")
    gravity = _setting("gravity", "Per second squared.")
    damping = _setting("damping", "The part of its velocity that a body keeps in a second; 1.")
    idle_speed_threshold = _setting("idle_speed_threshold", "Below it a body is idle; 0: guessed from gravity.")
    sleep_time_threshold = _setting("sleep_time_threshold", "Seconds until what is idle sleeps; infinity: never.")
    collision_slop = _setting("collision_slop", "How far shapes may overlap.")
    collision_bias = _setting("collision_bias", "How fast overlap is undone.")
    collision_persistence = _setting("collision_persistence", "Steps for which contacts are remembered.")
    current_time_step = property(lambda self: self._core.get_space("current_time_step"))

    @property
    def static_body(self) -> Body:
        """A static body that is always there."""
        return self._wrap(self._core.static_body)

    bodies = property(lambda self: self._all(0), doc="All bodies that were added, in that order.")
    shapes = property(lambda self: self._all(1), doc="All shapes that were added, in that order.")
    constraints = property(lambda self: self._all(2), doc="All constraints that were added, in that order.")

    def _all(self, kind):
        return [self._wrap(id_) for id_ in self._core.ids(kind)]

    def _wrap(self, id_):
        """The object of that id; a new one if there is none, as after a fork."""
        found = self._wrappers.get(id_)
        if found is None or found._id != id_ or found._space is not self:  # it may have been removed and added elsewhere
            kind = self._core.kind(id_)
            cls = {"Body": Body, "Circle": Circle, "Segment": Segment, "Poly": Poly}.get(kind) or _constraints.KINDS[kind]
            found = cls.__new__(cls)
            found._entered(self, id_)
            self._wrappers[id_] = self._kept[id_] = found
        return found

    def twin_of(self, thing):
        """What an object of the Space that this one was forked or restored from is here."""
        if not isinstance(thing, Object):
            raise TypeError(f"Space.twin_of(): found {thing!r}, expected a body, shape or constraint")
        if not thing._id or not self._core.contains(thing._id):
            raise _core.Error(f"Space.twin_of(): found {thing!r}, which is not in this space's state")
        return self._wrap(thing._id)

    def add(self, *objects) -> None:
        """Adds bodies, shapes and constraints. In a callback they are added after the step."""
        for thing in objects:
            if not isinstance(thing, (Body, Shape, _constraints.Constraint)):
                raise TypeError(f"Space.add(): found {thing!r}, expected bodies, shapes and constraints")
        if self._in_step():
            self._check_deferred("add", objects, True)
            self._later.append((self.add, objects))
            return
        if len({id(thing) for thing in objects}) < len(objects):
            raise _core.Error("Space.add(): found an object twice, expected each once")
        for thing in objects:
            if thing._is_in_space():
                raise _core.Error(f"Space.add(): found {thing!r}, which is in a space, expected one that is in none")
            if not thing._data:
                raise _core.Error(f"Space.add(): found {thing!r}, which a restore took out of its space for good; make a new one")
        arriving = {id(thing) for thing in objects}
        for thing in objects:
            needed = [thing.body] if isinstance(thing, Shape) else [thing._a, thing._b] if not isinstance(thing, Body) else []
            for body in needed:
                if body is None or not (id(body) in arriving or body.space is self):
                    raise _core.Error(f"Space.add(): found {thing!r} on a body that is not in the space, expected the body "
                                      "to be added before it or with it")
        done = []
        try:
            for thing in sorted(objects, key=lambda t: 0 if isinstance(t, Body) else 1 if isinstance(t, Shape) else 2):
                data = thing._data
                self._add(thing)
                done.append((thing, data))
            for body in (t for t in objects if isinstance(t, Body)):
                if body.body_type == Body.DYNAMIC and not (body.mass > 0 and body.moment > 0):
                    raise _core.Error(f"Space.add(): found a body with mass {body.mass} and moment {body.moment}, expected "
                                      "both above 0, or shapes with mass or density added with it")
        except BaseException:
            for thing, data in reversed(done):  # nothing of it stays
                self._core.remove(thing._id, None)
                self._kept.pop(thing._id, None)
                thing._space, thing._id, thing._data = None, 0, data
            raise

    def _add(self, thing):
        core, data = self._core, thing._data
        if isinstance(thing, Body):
            id_ = core.add_body(data["body_type"], *((data["mass"], data["moment"]) if data["body_type"] == 0 else (0, 0)))
            plain = Body._fields
        elif isinstance(thing, Shape):
            id_ = core.add_shape(thing._body._id, thing._description())
            plain = Shape._fields
        else:
            id_ = core.add_constraint(thing._a._id, thing._b._id, thing._description())
            plain = _constraints.Constraint._fields + tuple(n for n in thing._late if data.get(n) is not None)
        for name in plain:
            if not (name in ("mass", "density") and not data[name]):  # a shape's, where the body has its own
                core.set(id_, name, data[name])
        self._wrappers.pop(thing._id, None)  # what it was before it was removed
        thing._entered(self, id_)
        self._wrappers[id_] = self._kept[id_] = thing

    def remove(self, *objects) -> None:
        """Removes objects: they are plain data again. In a callback they are removed after the step."""
        in_step = self._in_step()
        for thing in objects:
            if not isinstance(thing, (Body, Shape, _constraints.Constraint)) or not (thing.space is self or in_step):
                raise _core.Error(f"Space.remove(): found {thing!r}, expected an object of this space")
        if in_step:
            self._check_deferred("remove", objects, False)
            self._later.append((self.remove, objects))
            return
        self._stepping = threading.get_ident()  # separate() may be called
        try:
            for thing in sorted(set(objects), key=lambda t: (isinstance(t, Body), t._id)):
                data = thing._take_back()
                self._core.remove(thing._id, self._dispatcher())
                self._kept.pop(thing._id, None)
                thing._data = data
        finally:
            self._stepping = 0
        self._catch_up()

    def step(self, dt) -> None:
        """Computes a time step of dt seconds. What a callback raises is raised here, after the step."""
        if self._in_step():
            raise _core.Error("Space.step() was called in a callback; call it between steps")
        self._stepping = threading.get_ident()
        try:
            self._core.step(dt, self._dispatcher())
        finally:
            self._stepping = 0
            self._catch_up()

    def _in_step(self):
        """Whether this is called in a callback; an Error if another thread is in the step."""
        if self._stepping not in (0, threading.get_ident()):
            raise _core.Error("Space: found one that another thread is using, expected one thread at a time; fork it for "
                              "another thread")
        return self._stepping != 0

    def _check_deferred(self, what, objects, adds):
        for thing in objects:
            others = [function == self.add for function, queued in self._later if any(t is thing for t in queued)]
            if not others and thing._is_in_space() == adds and not (thing._space is self and not adds):
                raise _core.Error(f"Space.{what}(): found {thing!r}, expected an object "
                                  + ("that is in no space" if adds else "of this space"))

    def _dispatcher(self):
        return self._dispatch if self._callables else None

    def _dispatch(self, handler, event, arbiter):
        function = self._callables.get((handler, event))
        if function is None:
            return True
        return function(Arbiter(arbiter, self), self, self._handler_data.setdefault(handler, {}))

    def _catch_up(self):
        """Does what callbacks deferred: all of it, then raises what went wrong first. Twice is once, as in pymunk."""
        errors = []

        def attempt(function, *args, **kwargs):
            try:
                function(*args, **kwargs)
            except Exception as error:
                errors.append(error)

        later, self._later = self._later, []
        for function, objects in later:
            adds = function == self.add
            attempt(function, *[t for t in dict.fromkeys(objects) if adds != (t.space is self)])
        post_step, self._post_step = self._post_step, {}
        for key, (function, args, kwargs) in post_step.items():
            attempt(function, self, key, *args, **kwargs)
        if errors:
            raise errors[0]

    def add_post_step_callback(self, callback, key, *args, **kwargs) -> bool:
        """Calls callback(space, key, ...) once after this step (at once between steps); False if the key has one."""
        if not self._in_step():
            callback(self, key, *args, **kwargs)
            return True
        if key in self._post_step:
            return False
        self._post_step[key] = (callback, args, kwargs)
        return True

    def _handler(self, kind, a=0, b=0):
        a, b = (_core.check_field("Circle", "collision_type", value) for value in (a, b))
        free = 1 + max([id_ for id_, _ in self._callables] + list(self._handler_data), default=0)
        id_ = self._core.handler(kind, a, b, free)
        self._handler_data.setdefault(id_, {})
        return CollisionHandler(self, (kind, a, b), id_)

    def add_collision_handler(self, collision_type_a, collision_type_b) -> CollisionHandler:
        """The handler of two collision types: of the same pair always the same."""
        return self._handler(2, collision_type_a, collision_type_b)

    def add_wildcard_collision_handler(self, collision_type_a) -> CollisionHandler:
        return self._handler(1, collision_type_a)

    def add_default_collision_handler(self) -> CollisionHandler:
        return self._handler(0)

    def point_query(self, point, max_distance, shape_filter=ShapeFilter()) -> list:
        """PointQueryInfo of all shapes within max_distance of a point; negative distances are inside."""
        return [self._point(info) for info in self._core.point_query(point, max_distance, shape_filter)]

    def point_query_nearest(self, point, max_distance, shape_filter=ShapeFilter()):
        """PointQueryInfo of the nearest shape, or None."""
        info = self._core.point_query_nearest(point, max_distance, shape_filter)
        return None if info is None else self._point(info)

    def _point(self, info):
        return PointQueryInfo(self._wrap(info[0]), Vec2d(*info[1]), info[2], Vec2d(*info[3]))

    def segment_query(self, start, end, radius=0, shape_filter=ShapeFilter()) -> list:
        """SegmentQueryInfo of all shapes that a thick line meets; alpha from 0 (start) to 1 (end)."""
        return [self._segment(info) for info in self._core.segment_query(start, end, radius, shape_filter)]

    def segment_query_first(self, start, end, radius=0, shape_filter=ShapeFilter()):
        """SegmentQueryInfo of the first shape on the way, or None."""
        info = self._core.segment_query_first(start, end, radius, shape_filter)
        return None if info is None else self._segment(info)

    def _segment(self, info):
        return SegmentQueryInfo(self._wrap(info[0]), Vec2d(*info[1]), Vec2d(*info[2]), info[3])

    def bb_query(self, bb: BB, shape_filter=ShapeFilter()) -> list:
        """The shapes whose boxes meet a box."""
        left, bottom, right, top = bb
        return [self._wrap(id_) for id_ in self._core.bb_query(left, bottom, right, top, shape_filter)]

    def shape_query(self, shape) -> list:
        """ShapeQueryInfo of the shapes that overlap a shape, which may be in this space or in none."""
        if not isinstance(shape, Shape):
            raise TypeError(f"Space.shape_query(): found {shape!r}, expected a Shape")
        if shape.space is self:
            found = self._core.shape_query(shape._id)
        else:
            body = shape.body
            place = (body.position, body.angle) if body is not None else ((0, 0), 0)
            found = self._core.shape_query_with(*place, shape._description(), shape.filter)
        return [ShapeQueryInfo(self._wrap(id_), _contacts(normal, points)) for id_, normal, points in found]

    def reindex_shape(self, shape) -> None:
        """After a static shape's body was moved."""
        self._reindex(shape, Shape)

    def reindex_shapes_for_body(self, body) -> None:
        self._reindex(body, Body)

    def _reindex(self, thing, expected):
        if not isinstance(thing, expected) or thing.space is not self:
            raise _core.Error(f"Space.reindex_...(): found {thing!r}, expected a {expected.__name__} of this space")
        self._core.reindex(thing._id)

    def reindex_static(self) -> None:
        self._core.reindex()

    def save(self) -> Snapshot:
        """The whole state, collision handlers included. Cost: one memcpy. Not in a callback."""
        return Snapshot(self._core.save(), self)

    def restore(self, snapshot: Snapshot) -> None:
        """Puts the space into a state: it steps on from there, bit for bit, as the space did that was saved. Objects that
        were not there then raise forkmunk.Error when they are used; those that were removed since are there again."""
        if not isinstance(snapshot, Snapshot):
            raise TypeError(f"Space.restore(): found {snapshot!r}, expected what Space.save() gave")
        if self._core.restore(snapshot._core):  # other objects than before
            self._kept = {id_: thing for id_, thing in self._kept.items() if self._core.contains(id_)}
        self._callables = snapshot._callables
        if self._lineage is not snapshot._lineage:  # another scene's handlers: their data, too
            self._handler_data = {id_: dict(data) for id_, data in snapshot._handler_data.items()}
            self._lineage = snapshot._lineage

    def fork(self) -> Space:
        """An independent twin. twin.twin_of(body) is what a body of this one is there."""
        twin = type(self).__new__(type(self))
        Space.__init__(twin, _core_object=self._core.fork())
        twin._callables, twin._lineage = self._callables, self._lineage
        twin._handler_data = {id_: dict(data) for id_, data in self._handler_data.items()}
        return twin

    def __copy__(self):
        return self.fork()

    def __deepcopy__(self, memo):
        return self.fork()

    def copy(self) -> Space:
        """pymunk's name for fork()."""
        return self.fork()

    def hash(self) -> int:
        """64 bits over all that decides the future; equal in forks and after the same steps."""
        return self._core.hash()

    @property
    def live_bytes(self) -> int:
        """Bytes that save() copies now."""
        return self._core.live_bytes()

    def __repr__(self):
        return f"<forkmunk.Space: {len(self.bodies)} bodies, {len(self.shapes)} shapes, {len(self.constraints)} constraints>"
