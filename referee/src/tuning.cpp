#include "file_lock.h"
#include "json_values.h"
#include "planner_bot.h"
#include "workers.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/excerpt.h>
#include <forkmunk/base/printable.h>
#include <forkmunk/cars/catalogue.h>
#include <forkmunk/engine/random.h>
#include <forkmunk/io/input_file.h>
#include <forkmunk/io/json_guard.h>
#include <forkmunk/io/output_file.h>
#include <forkmunk/maps/catalogue.h>
#include <forkmunk/player/weights_file.h>
#include <forkmunk/referee/play.h>
#include <forkmunk/referee/tuning.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <filesystem>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace forkmunk::referee {
namespace {

using search::CarKind;
using statistics::Spsa;

constexpr double kPerturbationPart = 0.25;
constexpr double kPerturbationMin = 3;
constexpr std::size_t kFileBytesMax = std::size_t{1} << 20;
// What a file may say.
constexpr std::int64_t kComparisonsMax = 1'000'000'000;
constexpr std::int64_t kBatchBefore = 8;  // of files that do not name it
constexpr double kPerturbationLeast = 1e-9, kPerturbationMost = 1e9;

class Tuner {
 public:
  explicit Tuner(const TuningOptions& options)
      : options_(options),
        bot_(player::parse_player_options(options.bot, options.bot)),
        kind_(kind_index(options.car)) {
    if (!bot_.ticks || *bot_.ticks <= 0) throw Error("--bot: expected ticks=N, so that games can be repeated");
    (void)search::make_planner(bot_.planner, bot_.search);  // an unknown name is refused before anything is written
    if (options.games < 2 || options.games % 2 != 0) {
      throw Error(fmt::format("--games: found {}, expected an even number: each pair is played from both seats",
                              options.games));
    }
    if (options.batch < 1) throw Error(fmt::format("--batch: found {}, expected at least 1", options.batch));
    car_ = *cars::find(options.car);
  }

  Tuning run(const std::function<void(std::size_t, std::size_t)>& progress, Ranks* ranks) {
    open();
    const std::int64_t pairs = options_.games / 2;
    while (tuning_.comparisons < pairs) {
      const auto size = static_cast<std::size_t>(std::min(options_.batch, pairs - tuning_.comparisons));
      play_batch(size, ranks);
      if (kept_) save();
      if (progress) progress(static_cast<std::size_t>(tuning_.comparisons), static_cast<std::size_t>(pairs));
    }
    if (!kept_) save();
    return tuning_;
  }

  /// A piece of another rank's run(): the state there, and which comparison of it. \return the comparison's result.
  std::string play_piece(const std::string& text) {
    const nlohmann::json piece = nlohmann::json::parse(text);
    load(value_at(piece, "state"));
    const double result = compare(spsa(), value_at(piece, "seed").get<std::uint64_t>());
    return nlohmann::json{{"number", value_at(piece, "number")}, {"result", result}}.dump();
  }

 private:
  void open() {
    io::check_output(options_.file);
    if (kept_) lock_.emplace(options_.file);
    tuning_.weights = options_.start.empty() ? search::default_weights() : player::read_weights(options_.start);
    if (kept_ && std::filesystem::exists(options_.file))
      load();
    else
      begin();
  }

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
    return {{"bot", printable(options_.bot)},
            {"car", options_.car},
            {"seed", options_.seed},
            {"rate", options_.spsa.rate},
            {"settling", options_.spsa.settling},
            {"batch", options_.batch}};
  }

  void load() {
    const std::string text = io::read_file(options_.file, kFileBytesMax, "a file of forkmunk tune");
    try {
      io::check_json_depth(text);
      load(nlohmann::json::parse(text));
    } catch (const nlohmann::json::parse_error& error) {
      throw Error(fmt::format("{}: found no JSON (at byte {}), expected a file of forkmunk tune: name another file",
                              options_.file, error.byte));
    } catch (const nlohmann::json::exception& error) {
      throw Error(fmt::format("{}: no file of forkmunk tune: {}", options_.file, io::json_problem(error.what())));
    } catch (const Error& error) {
      throw Error(fmt::format("{}: {}", options_.file, error.what()));
    }
  }

  void load(const nlohmann::json& file) {
    const nlohmann::json expected = identity();
    nlohmann::json tuning = value_at(file, "tuning");
    if (tuning.is_object()) tuning.emplace("batch", kBatchBefore);
    for (const auto& [key, value] : expected.items()) {
      const nlohmann::json& found = value_at(tuning, key.c_str());
      if (found == value) continue;
      throw Error(fmt::format("found a tuning with {} {}, expected {}: name another file", key, excerpt(found.dump()),
                              value.dump()));
    }
    tuning_.weights = player::parse_weights(value_at(file, "weights").dump());
    tuning_.comparisons = integer_in(value_at(file, "comparisons"), "comparisons", 0, kComparisonsMax);
    const auto most = static_cast<double>(tuning_.comparisons);  // each gives -1 to 1
    tuning_.score = number_in(value_at(file, "score"), "score", -most, most);
    const std::size_t count = tuned(tuning_.weights).size();
    for (const nlohmann::json& entry : list_of(value_at(file, "perturbation"), "perturbation", count)) {
      tuning_.perturbation.push_back(number_in(entry, "perturbation", kPerturbationLeast, kPerturbationMost));
    }
  }

  /// All that goes on from here depends on.
  [[nodiscard]] nlohmann::ordered_json state() const {
    return {{"tuning", identity()},
            {"comparisons", tuning_.comparisons},
            {"games", 2 * tuning_.comparisons},
            {"score", tuning_.score},
            {"perturbation", tuning_.perturbation},
            {"weights", nlohmann::ordered_json::parse(player::to_json_text(tuning_.weights))}};
  }

  // A kill loses the batch at most.
  void save() const { io::write_file(options_.file, state().dump(2) + '\n', "weights"); }

  [[nodiscard]] Spsa spsa() const {
    std::vector<double> start;
    for (const double* weight : tuned(tuning_.weights)) start.push_back(*weight);
    return {start, tuning_.perturbation, options_.spsa, tuning_.comparisons};
  }

  void play_batch(std::size_t size, Ranks* ranks) {
    Spsa spsa = this->spsa();
    std::vector<Spsa::Comparison> comparisons(size);
    for (std::size_t k = 0; k < size; ++k) {
      const auto number = static_cast<std::uint64_t>(tuning_.comparisons) + k;
      comparisons[k].seed = engine::Random(options_.seed ^ (number * 0x9e3779b97f4a7c15u)).next();
    }
    std::atomic<std::size_t> next{0};
    const auto play = [&](const std::atomic<bool>& stop) {
      for (std::size_t k; !stop && (k = next++) < size;) comparisons[k].result = compare(spsa, comparisons[k].seed);
    };
    const auto leader = std::this_thread::get_id();
    // Where there are other ranks, this thread hands comparisons out, and plays none.
    run_workers(std::clamp<std::size_t>(options_.concurrency, 1, size) + (ranks != nullptr ? 1 : 0),
                [&](std::atomic<bool>& stop) {
                  ranks != nullptr&& std::this_thread::get_id() == leader ? hand_out(comparisons, next, *ranks, stop)
                                                                          : play(stop);
                });
    spsa.learn(comparisons);
    for (const Spsa::Comparison& comparison : comparisons) tuning_.score += comparison.result;
    tuning_.comparisons = spsa.comparisons();
    const auto weights = tuned(tuning_.weights);
    for (std::size_t i = 0; i < weights.size(); ++i) *weights[i] = spsa.parameters()[i];
  }

  void hand_out(std::vector<Spsa::Comparison>& comparisons, std::atomic<std::size_t>& next, Ranks& ranks,
                std::atomic<bool>& stop) const {
    const std::string state_text = state().dump();
    const auto next_piece = [&]() -> std::optional<std::string> {
      const std::size_t k = next++;
      if (k >= comparisons.size()) return std::nullopt;
      return fmt::format(R"({{"number":{},"seed":{},"state":{}}})", k, comparisons[k].seed, state_text);
    };
    const auto take = [&](const std::string& text) {
      const nlohmann::json result = nlohmann::json::parse(text);
      comparisons.at(value_at(result, "number").get<std::size_t>()).result = value_at(result, "result").get<double>();
    };
    ranks.serve(next_piece, take, stop);
  }

  // Two matches on one map, from both seats. -1 to 1 for what is moved up.
  [[nodiscard]] double compare(const Spsa& spsa, std::uint64_t seed) const {
    engine::Random random(seed);
    const auto maps = maps::catalogue();
    const engine::MatchSetup setup{maps[random.below(maps.size())].setup, car_};
    std::array<player::PlayerOptions, 2> bots{bot_, bot_};
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
      const GameResult played = play_game(
          {{setup}, bot_.chipmunk ? engine::Physics::chipmunk : engine::Physics::flat, seed}, *first, *second);
      result += played.lives[up] - played.lives[1 - up];
    }
    return result / 2;
  }

  const TuningOptions& options_;
  std::optional<FileLock> lock_;  // of the file: two tunings would overwrite each other
  player::PlayerOptions bot_;
  std::size_t kind_;
  engine::CarSetup car_;
  Tuning tuning_;
  bool kept_ = io::is_regular_or_absent(options_.file);  // what cannot be read again gets the end only
};

}  // namespace

Tuning tune(const TuningOptions& options, const std::function<void(std::size_t, std::size_t)>& progress, Ranks* ranks) {
  return Tuner(options).run(progress, ranks);
}

void follow_tune(const TuningOptions& options, Ranks& ranks) {
  ranks.follow(options.concurrency, [&](const std::string& piece) { return Tuner(options).play_piece(piece); });
}

}  // namespace forkmunk::referee
