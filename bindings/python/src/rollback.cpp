// SPDX-License-Identifier: MIT
#include "guarded.h"
#include "module.h"
#include "space_core.h"

#include <forkmunk/space/history.h>

#include <pybind11/stl.h>

namespace forkmunk::python {
namespace {

using space::FrameInputs;
using space::Notice;
using space::RollbackOptions;
using space::RollbackSession;
using space::SyncTest;

class PythonGame : public space::RollbackGame {
 public:
  explicit PythonGame(py::object game) : own(std::move(game)) {}
  void save(int slot) override { own.attr("save")(slot); }
  void restore(int slot) override { own.attr("restore")(slot); }
  void advance(const FrameInputs& inputs, int frame) override {
    py::tuple given(inputs.size());
    py::tuple present(inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      given[i] = py::bytes(inputs[i]);
      present[i] = inputs.is_present(i);
    }
    own.attr("advance")(given, present, frame);
  }
  std::uint64_t hash() override { return own.attr("hash")().cast<std::uint64_t>(); }
  std::vector<std::byte> write(int slot) override {
    try {
      const auto bytes = own.attr("write")(slot).cast<py::bytes>();
      const auto span = span_of(bytes);
      return {span.begin(), span.end()};
    } catch (const py::error_already_set& error) {  // no traceback: another program gets the text
      throw Error(py::str(error.type().attr("__name__")), ": ", py::str(error.value()));
    }
  }
  void read(int slot, std::span<const std::byte> bytes) override { own.attr("read")(slot, bytes_of(bytes)); }
  std::string differences(int one, int other) override {
    return own.attr("differences")(one, other).cast<std::string>();
  }
  void predict(std::string& input, int player, int frame) override {
    const py::object predict = own.attr("predict");
    if (!predict.is_none()) input = predict(py::bytes(input), player, frame).cast<py::bytes>();
  }
  py::object own;
};

// Python's session keeps what the functions use.
class SessionCore : public Guarded {
 public:
  SessionCore(const py::object& game, RollbackOptions options, const py::object& send, const py::object& tell)
      : game_(game),
        session_(
            game_, std::move(options),
            [send](std::span<const std::byte> bytes, std::uint32_t to) { send(bytes_of(bytes), to); },
            [tell](const Notice& n) {
              tell(static_cast<int>(n.kind), n.player, n.frame, n.event, py::bytes(n.text), n.ours, n.theirs);
            }) {}
  [[nodiscard]] RollbackSession& get() {
    check_usable("RollbackSession");
    return session_;
  }

 private:
  PythonGame game_;
  RollbackSession session_;
};

class SyncTestCore : public Guarded {
 public:
  SyncTestCore(const py::object& game, int players, int distance) : game_(game), test_(game_, players, distance) {}
  void tick(const std::vector<std::string>& inputs) {
    check_usable("SyncTest");
    test_.tick(inputs);
  }
  [[nodiscard]] int frame() const {
    check_usable("SyncTest");
    return test_.frame();
  }

 private:
  PythonGame game_;
  SyncTest test_;
};

RollbackOptions options_of(const py::dict& given) {
  RollbackOptions options;
  const auto take = [&](const char* name, auto& field) {
    try {
      field = given[name].cast<std::remove_reference_t<decltype(field)>>();
    } catch (const py::cast_error&) {
      throw Error("RollbackSession: found ", name, " ", py::repr(given[name]),
                  ", expected a whole number in its range");
    }
  };
  take("players", options.players);
  take("local", options.local);
  take("delay", options.delay);
  take("prediction", options.prediction);
  take("check_every", options.check_every);
  take("input_bytes_max", options.input_bytes_max);
  take("silence", options.silence);
  take("state_bytes_max", options.state_bytes_max);
  take("history", options.history);
  take("seats", options.seats);
  take("session", options.session);
  take("game", options.game);
  take("instance", options.instance);
  options.input = given["input"].cast<py::bytes>();
  return options;
}

}  // namespace

void add_rollback(py::module_& module) {
  module.def("difference_text",
             [](SpaceCore& one, SpaceCore& other) { return space::difference_text(one.get(), other.get()); });
  module.def("interpolate",
             [](SpaceCore& space, SpaceCore& next, double part) { space::interpolate(space.get(), next.get(), part); });
  module.def("session_sender", [](const py::bytes& message) { return RollbackSession::sender_of(span_of(message)); });
  py::class_<SessionCore>(module, "SessionCore")
      .def(
          py::init([](const py::object& game, const py::dict& options, const py::object& send, const py::object& tell) {
            return std::make_unique<SessionCore>(game, options_of(options), send, tell);
          }))
      .def("tick", [](SessionCore& self, const py::bytes& input) { return self.get().tick(std::string_view(input)); })
      .def("receive", [](SessionCore& self, const py::bytes& message) { return self.get().receive(span_of(message)); })
      .def("event",
           [](SessionCore& self, int kind, const py::bytes& data) { self.get().event(kind, std::string_view(data)); })
      .def("set_delay", [](SessionCore& self, int frames) { self.get().set_delay(frames); })
      .def("drop", [](SessionCore& self, int player) { self.get().drop(player); })
      .def("saved_slot", [](SessionCore& self, int frame) { return self.get().saved_slot(frame); })
      .def("leave", [](SessionCore& self) { self.get().leave(); })
      .def_property_readonly("frame", [](SessionCore& self) { return self.get().frame(); })
      .def_property_readonly("confirmed_frame", [](SessionCore& self) { return self.get().confirmed_frame(); })
      .def_property_readonly("delay", [](SessionCore& self) { return self.get().delay(); })
      .def_property_readonly("is_playing", [](SessionCore& self) { return self.get().is_playing(); })
      .def_property_readonly("is_host", [](SessionCore& self) { return self.get().is_host(); })
      .def_property_readonly("wait", [](SessionCore& self) { return static_cast<int>(self.get().wait()); })
      .def_property_readonly("waiting_for", [](SessionCore& self) { return self.get().waiting_for(); })
      .def_property_readonly("stats", [](SessionCore& self) {
        const RollbackSession::Stats& own = self.get().stats();
        return py::make_tuple(own.rolled_back, own.rollbacks, own.frames_rolled_back, own.longest, own.stalls,
                              own.checksums, own.bad_messages);
      });
  py::class_<SyncTestCore>(module, "SyncTestCore")
      .def(py::init<const py::object&, int, int>())
      .def("tick", &SyncTestCore::tick)
      .def_property_readonly("frame", &SyncTestCore::frame);
}

}  // namespace forkmunk::python
