#include "command.h"
#include "match_list.h"
#include "planner_bot.h"
#include "progress.h"
#include "weights_file.h"

#include <forkmunk/cars/catalogue.h>
#include <forkmunk/base/error.h>
#include <forkmunk/maps/catalogue.h>
#include <forkmunk/referee/play.h>
#include <forkmunk/statistics/spsa.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <thread>

#include <fmt/format.h>

namespace forkmunk::tools {
namespace {

using search::CarKind;
using statistics::Spsa;

// Comparisons that are made before the weights move: enough for every core, few enough to learn from.
constexpr std::size_t kBatch = 8;
constexpr double kPerturbationPart = 0.25;
constexpr double kPerturbationMin = 3;

struct Options {
  std::string file;
  std::string bot = "stretched:ticks=150";
  std::string start;
  std::string car = "Buggy";
  std::int64_t games = 0;
  std::uint64_t seed = 1;
  std::size_t concurrency = std::max(1u, std::thread::hardware_concurrency());
  Spsa::Options spsa{.rate = 0.06, .settling = 1000};
  bool json = false;
};

/// What is tuned, and how far it has come.
struct Tuning {
  search::Weights weights;
  std::vector<double> perturbation;  // of tuned(), as it was at the start
  std::int64_t comparisons = 0;      // pairs of matches
  double score = 0;                  // of the upper sides, summed: near 0 if nothing is amiss
};

class Tuner {
 public:
  explicit Tuner(const Options& options)
      : options_(options), bot_(parse_planner_bot(options.bot, options.bot)), kind_(kind_index(options.car)) {
    if (!bot_.ticks || *bot_.ticks <= 0) throw Error("--bot: expected ticks=N, so that games can be repeated");
    tuning_.weights = options.start.empty() ? search::default_weights() : read_weights(options.start);
    if (std::filesystem::exists(options.file))
      load();
    else
      begin();
    car_ = *cars::find(options.car);
  }

  Tuning run() {
    Progress progress("pair of matches");
    const std::int64_t pairs = options_.games / 2;
    while (tuning_.comparisons < pairs) {
      const auto size = static_cast<std::size_t>(std::min<std::int64_t>(kBatch, pairs - tuning_.comparisons));
      play_batch(size);
      save();
      progress.update(static_cast<std::size_t>(tuning_.comparisons), static_cast<std::size_t>(pairs));
    }
    return tuning_;
  }

 private:
  static std::size_t kind_index(const std::string& car) {
    for (std::size_t i = 0; i < search::kCarKindCount; ++i) {
      if (search::to_string(static_cast<CarKind>(i)) == car) return i;
    }
    throw Error(fmt::format("--car: found {}, expected Buggy, Bus or SquareWheelsBuggy", car));
  }

  // The weights in question, in the table's order.
  template <typename Table>
  std::vector<decltype(&std::declval<Table&>()[0].weight[0])> tuned(Table& weights) const {
    std::vector<decltype(&weights[0].weight[0])> result;
    for (auto& row : weights) {
      if (row.evaluator == bot_.search.evaluator) result.push_back(&row.weight[kind_]);
    }
    return result;
  }

  void begin() {
    for (const double* weight : tuned(std::as_const(tuning_.weights))) {
      tuning_.perturbation.push_back(std::max(kPerturbationPart * std::abs(*weight), kPerturbationMin));
    }
  }

  // What the file has to agree with to be gone on with.
  [[nodiscard]] nlohmann::ordered_json identity() const {
    return {{"bot", options_.bot},
            {"car", options_.car},
            {"seed", options_.seed},
            {"rate", options_.spsa.rate},
            {"settling", options_.spsa.settling}};
  }

  void load() {
    try {
      const nlohmann::json file = nlohmann::json::parse(std::ifstream(options_.file));
      const nlohmann::json expected = identity();
      if (file.at("tuning") != expected) {
        throw Error(fmt::format("{}: found a tuning of {}, expected {}: name another file", options_.file,
                                file.at("tuning").dump(), expected.dump()));
      }
      tuning_.weights = weights_from(file.at("weights"));
      tuning_.perturbation = file.at("perturbation").get<std::vector<double>>();
      tuning_.comparisons = file.at("comparisons");
      tuning_.score = file.at("score");
    } catch (const nlohmann::json::exception& error) {
      throw Error(fmt::format("{}: no file of forkmunk tune: {}", options_.file, error.what()));
    }
    if (tuning_.perturbation.size() != tuned(tuning_.weights).size()) {
      throw Error(fmt::format("{}: found {} perturbations, expected {}", options_.file, tuning_.perturbation.size(),
                              tuned(tuning_.weights).size()));
    }
  }

  // Written beside and moved into place: a kill loses the batch at most.
  void save() const {
    const nlohmann::ordered_json file{
        {"tuning", identity()},   {"comparisons", tuning_.comparisons},   {"games", 2 * tuning_.comparisons},
        {"score", tuning_.score}, {"perturbation", tuning_.perturbation}, {"weights", to_json(tuning_.weights)}};
    const std::string beside = options_.file + ".new";
    std::ofstream stream(beside);
    stream << file.dump(2) << '\n';
    stream.close();
    if (!stream || std::rename(beside.c_str(), options_.file.c_str()) != 0) {
      throw Error(fmt::format("{}: cannot be written: {}", options_.file, std::strerror(errno)));
    }
  }

  void play_batch(std::size_t size) {
    std::vector<double> start;
    for (const double* weight : tuned(std::as_const(tuning_.weights))) start.push_back(*weight);
    Spsa spsa(start, tuning_.perturbation, options_.spsa, tuning_.comparisons);
    std::vector<Spsa::Comparison> comparisons(size);
    std::atomic<std::size_t> next{0};
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < std::min(options_.concurrency, size); ++i) {
      threads.emplace_back([&] {
        for (std::size_t k; (k = next++) < size;) {
          const auto number = static_cast<std::uint64_t>(tuning_.comparisons) + k;
          comparisons[k] = {engine::Random(options_.seed ^ (number * 0x9e3779b97f4a7c15u)).next(), 0};
          comparisons[k].result = compare(spsa, comparisons[k].seed);
        }
      });
    }
    threads.clear();
    spsa.learn(comparisons);
    for (const Spsa::Comparison& comparison : comparisons) tuning_.score += comparison.result;
    tuning_.comparisons = spsa.comparisons();
    const auto weights = tuned(tuning_.weights);
    for (std::size_t i = 0; i < weights.size(); ++i) *weights[i] = spsa.parameters()[i];
  }

  // Two matches on one map, from both seats. -1 to 1 for what is moved up.
  [[nodiscard]] double compare(const Spsa& spsa, std::uint64_t seed) const {
    engine::Random random(seed);
    const auto maps = maps::catalogue();
    const engine::MatchSetup setup{maps[random.below(maps.size())].setup, car_};
    std::array<PlannerBotOptions, 2> bots{bot_, bot_};
    for (std::size_t i = 0; i < 2; ++i) {
      bots[i].search.seed = random.next();
      bots[i].search.weights = tuning_.weights;
      const std::vector<double> moved = spsa.moved(seed, i == 0);
      const auto weights = tuned(bots[i].search.weights);
      for (std::size_t k = 0; k < weights.size(); ++k) *weights[k] = moved[k];
    }
    double result = 0;
    for (const std::size_t up : {0u, 1u}) {
      const auto first = make_planner_bot(bots[up]);
      const auto second = make_planner_bot(bots[1 - up]);
      const referee::GameResult played = referee::play_game({{setup}, bot_.physics, seed}, *first, *second);
      result += played.lives[up] - played.lives[1 - up];
    }
    return result / 2;
  }

  const Options& options_;
  PlannerBotOptions bot_;
  std::size_t kind_;
  engine::CarSetup car_;
  Tuning tuning_;
};

int run_tune(const Options& options) {
  const Tuning tuning = Tuner(options).run();
  if (options.json) {
    fmt::print("{}\n",
               nlohmann::ordered_json{{"games", 2 * tuning.comparisons}, {"weights", to_json(tuning.weights)}}.dump(2));
  } else {
    fmt::print("{} after {} matches:\n{}", options.file, 2 * tuning.comparisons, to_source(tuning.weights));
  }
  return kExitFine;
}

}  // namespace

void add_tune(CLI::App& app, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("tune", "Improve an evaluator's weights by games against itself (SPSA)");
  command->add_option("file", options->file, "Where the weights are kept; called again with it, go on where it ends")
      ->required()
      ->type_name("FILE");
  command->add_option("--games", options->games, "Matches in all, those before a resumption too; even")
      ->required()
      ->check(CLI::Range(std::int64_t{2}, std::int64_t{100'000'000}));
  command->add_option("--car", options->car, "Whose column of the table is tuned")
      ->check(CLI::IsMember({"Buggy", "Bus", "SquareWheelsBuggy"}))
      ->capture_default_str();
  command->add_option("--bot", options->bot, "Who plays, as builtin:... names it: PLANNER:ticks=N,evaluator=NAME,...")
      ->capture_default_str();
  command->add_option("--start", options->start, "Weights to begin with; the shipped ones otherwise")
      ->type_name("FILE");
  command->add_option("--seed", options->seed, "Of all draws")->capture_default_str();
  command->add_option("--rate", options->spsa.rate, "Part of a perturbation by which a won pair moves a weight")
      ->check(CLI::Range(1e-6, 10.0))
      ->capture_default_str();
  command->add_option("--settling", options->spsa.settling, "Pairs after which steps have become small")
      ->check(CLI::Range(1.0, 1e9))
      ->capture_default_str();
  command->add_option("--concurrency", options->concurrency, "Matches at once; the result does not depend on it")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command->add_flag("--json", options->json, "Only JSON on stdout");
  command->footer(
      "Each pair of matches is played with all weights of one car moved up or down at random, against the same\n"
      "moved the other way. What it prints are rows of search/src/weights.cpp; bots take the file itself:\n"
      "builtin:stretched:weights=FILE, forkmunk bot --weights FILE.\n"
      "\n"
      "Exit codes: 0 the matches were played; 2 bad use.\n"
      "\n"
      "Example:\n"
      "  forkmunk tune bus.json --car Bus --games 4000");
  command->callback([options, &run] { run = [options] { return run_tune(*options); }; });
}

}  // namespace forkmunk::tools
