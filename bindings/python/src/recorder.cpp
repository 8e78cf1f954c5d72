// SPDX-License-Identifier: MIT
#include "apps/cli/reports/page.h"
#include "arrays.h"
#include "module.h"
#include "space_core.h"

#include <forkmunk/base/printable.h>
#include <forkmunk/io/files.h>
#include <forkmunk/space/differences.h>
#include <forkmunk/space/preview.h>
#include <forkmunk/space/recorder.h>

#include <map>
#include <sstream>

namespace forkmunk::python {
namespace {

using space::Recorder;
using space::RecorderOptions;

class RecorderCore : public Guarded {
 public:
  RecorderCore(SpaceCore& core, const RecorderOptions& options) : recorder_(core.get(), options) {
    recorder_.on_keyframe(
        [&core]() -> std::shared_ptr<const void> { return std::make_shared<Contents>(core.contents()); });
  }
  [[nodiscard]] std::string bytes() {
    std::ostringstream out;
    recording().write(out);
    return out.str();
  }
  [[nodiscard]] Recorder& get() {
    check_usable("Recorder");
    return recorder_;
  }
  [[nodiscard]] const space::Recording& recording() { return get().recording(); }

  [[nodiscard]] std::unique_ptr<SpaceSnapshot> snapshot(std::uint64_t state) {
    auto snapshot = std::make_unique<SpaceSnapshot>();
    static_cast<Contents&>(*snapshot) = *std::static_pointer_cast<const Contents>(get().companion(state));
    snapshot->bytes = recording().keyframe(state);
    return snapshot;
  }

 private:
  Recorder recorder_;
};

// Returns a function that steps a Space, whose class may have its own step(), from the keyframe that restore(key) sets.
space::ReplayHost host_of(const py::object& space, const py::function& restore) {
  return {core_of(space).get(), [restore](std::uint64_t key) { restore(key); },
          [step = py::object(space.attr("step"))](double dt) { step(dt); }};
}

py::object floats(std::span<const float> numbers, std::size_t width) {
  NewArray<double> made(Shape{numbers.size() / width, width});
  std::ranges::copy(numbers, made.values);
  return std::move(made.array);
}

std::uint32_t recorded_id(py::handle thing) {
  const Object& object = object_of(thing);
  return visit_object(chipmunk_object(object), object.kind, [](auto* typed) { return space::Recording::id_of(typed); });
}

// NaN where the body was not in the space.
py::object body_path(const space::Recording& recording, std::uint32_t id) {
  std::map<std::uint32_t, std::size_t> index_by_scene;
  const std::uint64_t first = recording.first(), count = recording.last() - first + 1;
  NewArray<double> made(Shape{count, 3});
  for (std::uint64_t i = 0; i < count; ++i) {
    const space::RecordedStep step = recording.step(first + i);
    const auto [found, is_new] = index_by_scene.emplace(step.scene, 0);
    const std::size_t moving_count = step.poses.size() / 3;
    if (is_new) {
      const space::Scene scene = recording.scene(step.scene);
      while (found->second < moving_count && scene.bodies[found->second].id != id) ++found->second;
    }
    for (std::size_t k = 0; k < 3; ++k) {
      made.values[3 * i + k] = found->second < moving_count ? double{step.poses[3 * found->second + k]}
                                                            : std::numeric_limits<double>::quiet_NaN();
    }
  }
  return std::move(made.array);
}

py::tuple tuple_of_verdict(const space::Verdict& verdict) {
  static const char* const kNames[] = {"exact", "differs", "not replayable"};
  return py::make_tuple(verdict.first, verdict.last, kNames[static_cast<int>(verdict.kind)],
                        verdict.kind == space::Verdict::Kind::exact ? py::object(py::none()) : py::int_(verdict.step),
                        verdict.reason);
}

py::list events_of(const space::Recording& recording) {
  static const char* const kNames[] = {"mark", "log", "log", "input"};
  py::list events;
  for (const space::RecordedEvent& event : recording.events()) {
    using Kind = space::RecordedEvent::Kind;
    py::object value = py::none();
    if (event.kind == Kind::number) value = py::float_(event.number);
    if (event.kind == Kind::text || event.kind == Kind::input) value = py::str(event.text);
    events.append(py::make_tuple(event.step, kNames[static_cast<int>(event.kind)], event.name, value));
  }
  return events;
}

}  // namespace

void add_recorder(py::module_& module) {
  module.def("differences", [](SpaceCore& one, SpaceCore& other) {
    py::list list;
    for (const space::Difference& each : space::differences(one.get(), other.get())) {
      list.append(py::make_tuple(each.object, each.field, each.one, each.other));
    }
    return list;
  });
  // Returns paths, and contacts as (step, index of the body, ids of both shapes); `step` steps the fork.
  module.def("preview", [](const py::list& bodies, py::handle step_count, const py::function& step) {
    const std::size_t steps = count_of(step_count, "preview(steps)");
    std::vector<const cpBody*> found;
    for (const py::handle body : bodies) found.push_back(chipmunk_body(body_of(body, "preview(bodies)")));
    const space::Preview preview = space::preview(found, steps, [&](std::size_t i) { step(i); });
    NewArray<double> paths(Shape{found.size(), steps + 1, 3});
    std::ranges::copy(preview.paths, paths.values);
    py::list contacts;
    for (const auto& [when, body, shape, other] : preview.contacts) {
      contacts.append(py::make_tuple(when, body, shape, other));
    }
    return py::make_tuple(std::move(paths.array), contacts);
  });
  module.def("recorded_id", &recorded_id);
  py::class_<RecorderCore>(module, "RecorderCore", "What forkmunk.Recorder is made of.")
      .def(py::init([](SpaceCore& core, py::handle steps, py::handle memory_bytes, py::handle keyframe_steps,
                       bool contacts) {
             const std::size_t each = count_of(keyframe_steps, "Recorder(keyframe_steps=)");
             return std::make_unique<RecorderCore>(
                 core,
                 RecorderOptions{count_of(steps, "Recorder(steps=)"), count_of(memory_bytes, "Recorder(memory_bytes=)"),
                                 static_cast<std::uint32_t>(std::min<std::size_t>(each, UINT32_MAX)), contacts});
           }),
           py::keep_alive<1, 2>())
      .def("range",
           [](RecorderCore& self) -> py::object {
             if (self.recording().empty()) return py::none();
             return py::make_tuple(self.recording().first(), self.recording().last());
           })
      .def("memory_bytes", [](RecorderCore& self) { return self.recording().memory_bytes(); })
      .def("mark", [](RecorderCore& self, std::string name) { self.get().mark(std::move(name)); })
      .def("log", [](RecorderCore& self, std::string name, double value) { self.get().log(std::move(name), value); })
      .def("log", [](RecorderCore& self, std::string name,
                     std::string value) { self.get().log(std::move(name), std::move(value)); })
      .def("input", [](RecorderCore& self, std::string name,
                       std::string value) { self.get().input(std::move(name), std::move(value)); })
      .def("name", [](RecorderCore& self, py::handle thing,
                      std::string name) { self.get().name(recorded_id(thing), std::move(name)); })
      .def("color", [](RecorderCore& self, py::handle shape,
                       std::uint32_t rgba) { self.get().color(chipmunk_shape(shape_of(shape, "color()")), rgba); })
      .def("events", [](RecorderCore& self) { return events_of(self.recording()); })
      .def("interventions",
           [](RecorderCore& self) {
             py::list list;
             for (const auto& [step, what] : self.recording().interventions()) list.append(py::make_tuple(step, what));
             return list;
           })
      .def("keyframes", [](RecorderCore& self) { return self.recording().keyframes(); })
      .def("contacts",
           [](RecorderCore& self, py::handle state) {
             return floats(self.recording().step(count_of(state, "Recorder.contacts(step)")).contacts, 4);
           })
      .def("path", [](RecorderCore& self, py::handle body) { return body_path(self.recording(), recorded_id(body)); })
      .def("snapshot", &RecorderCore::snapshot)
      .def("replay",
           [](RecorderCore& self, const py::object& space, py::handle state, const py::function& restore) {
             self.recording().restore(host_of(space, restore), count_of(state, "Recorder.at(step)"));
           })
      .def("verify",
           [](RecorderCore& self, const py::object& space, std::uint64_t state, const py::function& restore) {
             space::ReplayHost host = host_of(space, restore);
             host.step = [step = host.step](double dt) {
               try {
                 step(dt);
               } catch (py::error_already_set& error) {
                 if (!error.matches(PyExc_Exception)) throw;  // Ctrl-C
                 throw Error("the step raised ", py::str(error.type().attr("__name__")).cast<std::string>(), ": ",
                             py::str(error.value()).cast<std::string>());
               }
             };
             return tuple_of_verdict(self.recording().verify(host, state));
           })
      .def("failure", [](RecorderCore& self) { return self.get().failure(); })
      .def("restore_before_failure",
           [](RecorderCore& self, const py::object& space, const py::function& restore) {
             self.get().restore_before_failure(host_of(space, restore));
           })
      .def("describe",
           [](RecorderCore& self) {
             const space::StepFailure failure = self.get().describe_failure();
             return py::make_tuple(failure.step, failure.culprit, failure.dt_that_passes);
           })
      .def("write", [](RecorderCore& self) { return py::bytes(self.bytes()); })
      .def("write_page", [](RecorderCore& self, const std::string& path, const std::string& name, bool is_y_down) {
        const std::string bytes = self.bytes();
        const WithoutGil release;
        io::write_file(path, reports::scene_page({printable(name), bytes, {}, {}, is_y_down}));
      });
}

}  // namespace forkmunk::python
