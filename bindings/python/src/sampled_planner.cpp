#include "arguments.h"
#include "guarded.h"
#include "module.h"
#include "space_core.h"

#include <forkmunk/search/sampled_planner.h>

#include <algorithm>

/// What forkmunk.plan's planners are made of.
namespace forkmunk::python {
namespace {

using search::SampledPlanner;
using search::SamplingMethod;
using search::SamplingOptions;
using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

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

py::array array_of(std::span<const double> numbers, const SampledPlanner& planner, bool many) {
  const auto horizon = static_cast<py::ssize_t>(planner.options().horizon);
  const auto width = static_cast<py::ssize_t>(planner.width());
  std::vector<py::ssize_t> shape{horizon, width};
  if (many) shape.insert(shape.begin(), static_cast<py::ssize_t>(planner.options().plan_count));
  return owned(std::vector<double>(numbers.begin(), numbers.end()), std::move(shape));
}

// score(plans (k, t, w)) -> costs (k,). A score that uses the planner itself is refused.
py::array plan(PythonSampledPlanner& self, const py::function& score) {
  SampledPlanner& planner = self.get();
  const Guarded::Use use(self);
  const auto plan = planner.plan([&](std::span<const double> plans, std::span<double> costs) {
    const Numbers found = Numbers::ensure(score(array_of(plans, planner, true)));
    if (!found) throw py::type_error("a planner's score: expected costs that are numbers, (k,)");
    if (found.ndim() != 1 || static_cast<std::size_t>(found.size()) != costs.size()) {
      throw Error("a planner's score: found " + std::to_string(found.ndim()) + " dimensions and " +
                  std::to_string(found.size()) + " costs, expected one cost for each of " +
                  std::to_string(costs.size()) + " plans: (" + std::to_string(costs.size()) + ",)");
    }
    std::copy_n(found.data(), costs.size(), costs.begin());
  });
  return array_of(plan, planner, false);
}

std::unique_ptr<PythonSampledPlanner> make_sampled_planner(const std::string& method, const py::dict& given) {
  const auto whole = [&](const char* name) { return count_of(given[name], name); };
  const auto number = [&](const char* name) { return finite_number(given[name], name); };
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
