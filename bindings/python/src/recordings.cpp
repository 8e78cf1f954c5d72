// SPDX-License-Identifier: MIT
#include "apps/cli/reports/page.h"
#include "apps/cli/reports/verification_json.h"
#include "arguments.h"
#include "copies.h"
#include "documented.h"
#include "module.h"
#include "recording.h"

#include <forkmunk/base/printable.h>
#include <forkmunk/cars/catalogue.h>
#include <forkmunk/engine/observation.h>
#include <forkmunk/io/files.h>
#include <forkmunk/io/gzip.h>
#include <forkmunk/io/recording_reader.h>
#include <forkmunk/maps/catalogue.h>
#include <forkmunk/replay/inference.h>

#include <chrono>
#include <cmath>
#include <filesystem>

namespace forkmunk::python {
namespace {

using formats::Recording;

std::shared_ptr<PythonRecording> load(const std::string& path) {
  const WithoutGil release;
  std::string bytes;
  Recording recording = io::read_recording(path, {.file_bytes = &bytes});
  return std::make_shared<PythonRecording>(std::move(recording), std::filesystem::path(path).filename().string(),
                                           std::move(bytes));
}

std::string scene_of(const engine::MatchSetup& setup) {
  return maps::name_of(setup.map) + ", " + cars::name_of(setup.car);
}

double* put(double* to, const formats::RecordedBody& body) {
  *to++ = body.position.x;
  *to++ = body.position.y;
  *to++ = body.angle;
  return to;
}

// Returns both players' commands by tick, and whether there were any.
std::pair<py::object, py::object> arrays_of(const std::vector<formats::RecordedCommands>& commands) {
  std::vector<std::int8_t> numbers;
  std::vector<std::uint8_t> known;
  for (const formats::RecordedCommands& pair : commands) {
    for (const auto& command : pair) {
      numbers.push_back(static_cast<std::int8_t>(command ? number_of(*command) : 0));
      known.push_back(command.has_value());
    }
  }
  const std::size_t ticks = commands.size();
  return {owned(std::move(numbers), {ticks, 2}), owned(std::move(known), {ticks, 2}, Element::boolean)};
}

py::dict match_dict(const formats::RecordedMatch& match) {
  const std::size_t ticks = match.ticks.size();
  std::vector<double> states(ticks * engine::kObservationSize);
  std::vector<std::int64_t> numbers;
  std::vector<std::uint8_t> alive;
  std::vector<formats::RecordedCommands> commands;
  double* to = states.data();
  for (const formats::RecordedTick& tick : match.ticks) {
    for (const formats::RecordedCar& car : tick.cars) {
      for (const formats::RecordedBody* part : car.parts()) to = put(to, *part);
      alive.push_back(car.alive.value_or(true));
    }
    *to++ = tick.deadline_position;
    numbers.push_back(tick.tick_num);
    commands.push_back(tick.commands);
  }
  auto [command_array, known] = arrays_of(commands);
  py::dict result;
  result["map"] = maps::name_of(match.setup.map);
  result["car"] = cars::name_of(match.setup.car);
  result["setup"] = dict_of(match.setup);
  result["lives"] = py::make_tuple(match.lives[0], match.lives[1]);
  result["tick_num"] = owned(std::move(numbers), {ticks});
  result["states"] = owned(std::move(states), {ticks, engine::kObservationSize});
  result["alive"] = match.has_alive_flags() ? owned(std::move(alive), {ticks, 2}, Element::boolean) : py::none();
  result["commands"] = command_array;
  result["known"] = known;
  return result;
}

std::optional<Arithmetic> arithmetic_of(const std::string& name) {
  if (name == "auto") return std::nullopt;
  const auto parsed = parse_arithmetic(name);
  if (!parsed) throw Error("arithmetic: found \"" + name + R"(", expected "auto", "strict" or "referee")");
  return parsed;
}

py::object verify(py::handle file, const std::string& arithmetic, const std::string& engine,
                  std::optional<double> tolerance, bool ignore_commands, bool clones, bool tracker) {
  const std::string path = path_of(file, "verify()");
  replay::VerifyOptions options;
  constexpr std::array<std::string_view, 4> kEngines{"auto", "flat", "chipmunk", "both"};
  if (std::ranges::find(kEngines, engine) == kEngines.end()) {
    throw Error("verify(engine=): found \"" + engine + R"(", expected "auto", "flat", "chipmunk" or "both")");
  }
  options.both_engines = engine == "both";
  options.chipmunk = engine == "chipmunk";
  if (const auto chosen = arithmetic_of(arithmetic)) {
    options.physics = engine::parse_physics(*chosen, options.both_engines ? "auto" : engine);
  } else if (engine == "flat") {
    options.physics = engine::Physics::flat;
  }
  if (tolerance && !(*tolerance > 0 && std::isfinite(*tolerance))) {
    throw Error("verify(tolerance=): found ", std::to_string(*tolerance), ", expected a number above 0");
  }
  options.tolerance = tolerance;
  options.ignore_commands = ignore_commands;
  options.clones = clones;
  options.tracker = tracker;
  if (tolerance && (clones || tracker)) {
    throw Error(
        "verify(): found a tolerance, which is for recordings that are not exact; clones and tracker need "
        "exact ones");
  }
  io::JsonWriter json;
  {
    const WithoutGil release;
    const auto start = std::chrono::steady_clock::now();
    reports::FileReport report;
    report.file = printable(path);
    const Recording recording = io::read_recording(path, {.needs_ticks = true});
    for (const formats::RecordedMatch& match : recording.matches) report.scenes.push_back(scene_of(match.setup));
    report.verification = replay::verify(recording, options);
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    write(json, report);
  }
  return py::module_::import("json").attr("loads")(json.take());
}

py::list infer_commands(py::handle source, const std::string& arithmetic) {
  const std::shared_ptr<PythonRecording> held = recording_of(source, "infer_commands()");
  const Recording& recording = held->get();
  std::optional<Arithmetic> chosen = arithmetic_of(arithmetic);
  replay::Inference inference;
  {
    const WithoutGil release;
    if (!chosen) chosen = replay::infer_arithmetic(recording);
    inference = replay::infer_commands(recording, engine::fastest_physics(*chosen));
  }
  py::list matches;
  for (replay::InferredMatch& match : inference.matches) {
    auto [commands, known] = arrays_of(match.commands);
    py::dict result;
    result["commands"] = commands;
    result["known"] = known;
    const std::size_t ticks = match.fitting.size();
    result["fitting"] = owned(std::move(match.fitting), {ticks});
    result["unexplained_ticks"] = match.unexplained_ticks;
    matches.append(std::move(result));
  }
  return matches;
}

std::string view(py::handle game, py::handle path) {
  reports::require_page();
  const py::object source =
      py::hasattr(game, "recording") ? py::object(game.attr("recording")) : py::reinterpret_borrow<py::object>(game);
  const std::shared_ptr<PythonRecording> held = recording_of(source, "view()");
  const Recording& recording = held->get();
  if (recording.tick_count() == 0) throw Error("view(): the recording has no tick");
  const std::string output = path.is_none() ? "game.html" : path_of(path, "view()");
  const WithoutGil release;
  io::write_file(output, reports::replay_page(held->name(), recording, held->visio_gz()));
  return output;
}

}  // namespace

std::string PythonRecording::visio_gz() const {
  if (bytes_.empty()) return io::to_visio_gz(recording_, extras_);
  return io::is_gzip(bytes_) ? bytes_ : io::gzip(bytes_);
}

py::tuple PythonRecording::state() const {
  check_usable("Recording");
  return py::make_tuple(name_, py::bytes(visio_gz()));
}

std::unique_ptr<PythonRecording> PythonRecording::of_state(const py::tuple& state) {
  const auto name = state[0].cast<std::string>();
  auto bytes = state[1].cast<std::string>();
  Recording parsed = io::parse_recording(bytes, name);
  return std::make_unique<PythonRecording>(std::move(parsed), name, std::move(bytes));
}

std::string path_of(py::handle object, const char* what) {
  try {
    return py::bytes(py::module_::import("os").attr("fsencode")(object));
  } catch (const py::error_already_set&) {  // one error for all that is no path
  }
  refuse_type(what, object, "a path (str or os.PathLike)");
}

std::shared_ptr<PythonRecording> recording_of(py::handle object, const char* what) {
  if (py::isinstance<PythonRecording>(object)) return object.cast<std::shared_ptr<PythonRecording>>();
  return load(path_of(object, what));
}

void add_recordings(py::module_& module) {
  DocumentedClass<PythonRecording, std::shared_ptr<PythonRecording>> recording(module, "Recording");
  for (const char* name : {"__copy__", "__deepcopy__"}) {
    recording.def(
        name, [](const py::object& self, const py::args&) { return self; }, "Returns the recording: it never changes.");
  }
  add_pickle(recording);
  recording
      .property(
          "player_ids",
          [](PythonRecording& self) { return py::make_tuple(self.get().player_ids[0], self.get().player_ids[1]); })
      .property("tick_count", [](PythonRecording& self) { return self.get().tick_count(); })
      .property("has_commands", [](PythonRecording& self) { return self.get().has_commands; })
      .property("ended", [](PythonRecording& self) { return self.get().ended(); })
      .property("matches",
                [](PythonRecording& self) {
                  py::list matches;
                  for (const auto& match : self.get().matches) matches.append(match_dict(match));
                  return matches;
                })
      .method("write",
              [](PythonRecording& self, py::handle path) {
                self.check_usable("Recording");
                const std::string output = path_of(path, "Recording.write()");
                const WithoutGil release;
                io::write_file(output, self.visio_gz());
              })
      .def("__repr__",
           [](PythonRecording& self) {
             return "<madcars.Recording: " + std::to_string(self.get().matches.size()) + " matches, " +
                    std::to_string(self.get().tick_count()) + " ticks>";
           })
      .def("__len__", [](PythonRecording& self) { return self.get().matches.size(); })
      .def("__eq__",
           [](PythonRecording& self, py::handle other) {
             return py::isinstance<PythonRecording>(other) && self.get() == other.cast<PythonRecording&>().get();
           })
      .def("__hash__", [](PythonRecording& self) {
        const Recording& own = self.get();
        return py::hash(
            py::make_tuple(own.player_ids[0], own.player_ids[1], own.matches.size(), own.tick_count(), own.ended()));
      });
  module.def(
      "load", [](py::handle path) { return load(path_of(path, "load()")); }, documented("load"));
  module.def("verify", &verify, documented("verify"));
  module.def("infer_commands", &infer_commands, documented("infer_commands"));
  module.def("view", &view, documented("view"));
}

}  // namespace forkmunk::python
