// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "guarded.h"
#include "module.h"
#include "space_core.h"

#include <forkmunk/search/sampled_planner.h>

#include <algorithm>

namespace forkmunk::python {
namespace {

using search::SampledPlanner;
using search::SamplingMethod;
using search::SamplingOptions;

class PythonSampledPlanner : public Guarded {
 public:
  PythonSampledPlanner(SamplingMethod method, SamplingOptions options) : planner_(method, std::move(options)) {}
  [[nodiscard]] SampledPlanner& get() {
    check_usable("a planner");
    return planner_;
  }

 private:
  SampledPlanner planner_;
};

py::object array_of(std::span<const double> numbers, const SampledPlanner& planner, bool many) {
  const std::size_t horizon = planner.options().horizon, width = planner.width();
  NewArray<double> made(many ? Shape{planner.options().plan_count, horizon, width} : Shape{horizon, width});
  std::ranges::copy(numbers, made.values);
  return std::move(made.array);
}

// score(plans (k, t, w)) -> costs (k,) must not use the planner.
py::object plan(PythonSampledPlanner& self, const py::function& score) {
  SampledPlanner& planner = self.get();
  const auto used = self.use();
  const auto plan = planner.plan([&](std::span<const double> plans, std::span<double> costs) {
    const py::object given = score(array_of(plans, planner, true));
    std::optional<Numbers> numbers;
    try {
      numbers.emplace(given);
    } catch (const py::error_already_set&) {
      throw py::type_error("a planner's score: expected costs that are numbers, (k,)");
    }
    const std::span<const double> found = numbers->values();
    if (numbers->shape().size() != 1 || found.size() != costs.size()) {
      throw Error("a planner's score: found ", numbers->shape().size(), " dimensions and ", found.size(),
                  " costs, expected one cost for each of ", costs.size(), " plans: (", costs.size(), ",)");
    }
    std::ranges::copy(found, costs.begin());
  });
  return array_of(plan, planner, false);
}

std::unique_ptr<PythonSampledPlanner> make_sampled_planner(const std::string& method, const py::dict& given) {
  const auto what = [&](const char* name) { return method + "(" + name + "=)"; };
  const auto whole = [&](const char* name) { return count_of(given[name], what(name)); };
  const auto number = [&](const char* name) { return finite_number(given[name], what(name)); };
  SamplingOptions options;
  options.low = given["low"].cast<std::vector<double>>();
  options.high = given["high"].cast<std::vector<double>>();
  options.horizon = whole("horizon");
  options.plan_count = whole("plans");
  options.round_count = whole("rounds");
  options.hold = whole("hold");
  options.seed = whole("seed");
  options.spread = number("spread");
  if (given.contains("elites")) options.elites = number("elites");
  if (given.contains("temperature")) options.temperature = number("temperature");
  const auto kind = method == "CEM"    ? SamplingMethod::cross_entropy
                    : method == "MPPI" ? SamplingMethod::path_integral
                                       : SamplingMethod::stretched;
  return std::make_unique<PythonSampledPlanner>(kind, std::move(options));
}

}  // namespace

void add_sampled_planner(py::module_& module) {
  py::class_<PythonSampledPlanner>(module, "SampledPlannerCore", "What forkmunk.plan's planners are made of.")
      .def(py::init(&make_sampled_planner))
      .def("plan", &plan)
      .def("advance", [](PythonSampledPlanner& self,
                         py::handle count) { self.get().advance(count_of(count, "advance(actions)")); })
      .def("reset", [](PythonSampledPlanner& self) { self.get().reset(); })
      .def_property_readonly("best",
                             [](PythonSampledPlanner& self) { return array_of(self.get().best(), self.get(), false); })
      .def_property_readonly("cost", [](PythonSampledPlanner& self) { return self.get().cost(); });
}

}  // namespace forkmunk::python
