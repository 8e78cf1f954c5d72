#include <forkmunk/base/error.h>
#include <forkmunk/io/message_lines.h>
#include <forkmunk/player/line_player.h>

#include <variant>

#include <nlohmann/json.hpp>

namespace forkmunk::player {
namespace {

std::string to_line(const Answer& answer) {
  const nlohmann::json line{{"command", to_string(answer.command)}, {"debug", answer.debug}};
  return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

LineAnswer answer_line(PlannerPlayer& player, std::string_view line, search::Budget::Clock::time_point since) {
  formats::Message message;
  try {
    message = io::parse_message(line);
  } catch (const Error& error) {
    LineAnswer result{std::nullopt, error.what()};
    if (line.find("\"tick\"") != std::string_view::npos) {
      result.line = to_line({engine::Command::stop, result.problem.substr(0, formats::kDebugCharactersMax), nullptr});
    }
    return result;
  }
  if (const auto* match = std::get_if<formats::NewMatchMessage>(&message)) {
    player.receive(*match, since);
    return {};
  }
  return {to_line(player.answer(std::get<formats::TickMessage>(message), since)), {}};
}

}  // namespace forkmunk::player
