// SPDX-License-Identifier: MIT

#include "options.h"

#include <forkmunk/base/excerpt.h>

#include <charconv>

#include <fmt/format.h>

namespace forkmunk::cli {
namespace {

template <typename Number>
CLI::Validator between(Number min, Number max, const char* what) {
  const std::string range = fmt::format("{} to {}", min, max);
  return {[=](const std::string& text) {
            Number value{};
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
            const bool read = error == std::errc{} && end == text.data() + text.size();
            if (read && value >= min && value <= max) return std::string{};
            return fmt::format("{} is not {} from {}", excerpt(text), what, range);
          },
          range};
}

}  // namespace

CLI::Validator whole_number(std::uint64_t min, std::uint64_t max) { return between(min, max, "a whole number"); }

CLI::Validator number_between(double min, double max) { return between(min, max, "a number"); }

void PhysicsOptions::add_to(CLI::App& command) {
  command
      .add_option("--arithmetic", arithmetic,
                  "Floating point of the physics: strict is the same on every machine, referee is the contest "
                  "referee's -ffast-math build")
      ->check(CLI::IsMember({"referee", "strict"}))
      ->capture_default_str();
  command
      .add_option(
          "--engine", engine,
          "Physics engine; both give the same bits, flat is more than twice as fast. auto: flat in strict arithmetic, "
          "chipmunk in referee arithmetic")
      ->check(CLI::IsMember({"auto", "chipmunk", "flat"}))
      ->capture_default_str();
}

engine::Physics PhysicsOptions::physics() const { return engine::parse_physics(*parse_arithmetic(arithmetic), engine); }

void TimeOptions::add_to(CLI::App& command) {
  command.add_option("--answer-seconds", answer_seconds, "Time limit per answer, in seconds")
      ->check(number_between(1e-6, referee::kBotTimeMax.count()))
      ->capture_default_str();
  command.add_option("--total-seconds", total_seconds, "Time limit per bot and game, in seconds")
      ->check(number_between(1e-6, referee::kBotTimeMax.count()))
      ->capture_default_str();
}

referee::BotLimits TimeOptions::limits() const {
  referee::BotLimits limits;
  limits.answer_time = referee::Seconds(answer_seconds);
  limits.game_time = referee::Seconds(total_seconds);
  return limits;
}

}  // namespace forkmunk::cli
