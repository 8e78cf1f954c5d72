#include <forkmunk/io/thought_writer.h>

#include <cmath>

namespace forkmunk::io {
namespace {

// What is written is looked at: more digits would be most of the file.
double rounded(double value) { return std::round(value * 100) / 100; }

void write_path(JsonWriter& json, const std::vector<engine::Vec2>& path) {
  const char* separator = ",[";
  for (const engine::Vec2 point : path) {
    json.text(separator).number(std::round(point.x)).text(",").number(std::round(point.y));
    separator = ",";
  }
  json.text(path.empty() ? ",[]" : "]");
}

void write_thought(JsonWriter& json, const formats::Thought* thought) {
  if (thought == nullptr) {
    json.text("null");
    return;
  }
  json.text("[");
  thought->score ? json.number(rounded(*thought->score)) : json.text("null");
  json.text(",").number(static_cast<double>(thought->ticks)).text(",");
  json.quoted(thought->plan).text(",");
  json.list(thought->terms, [&](const formats::Thought::Term& term) { json.number(rounded(term.value)); });
  write_path(json, thought->path);
  write_path(json, thought->enemy_path);
  json.text("]");
}

const formats::Thought* first_of(const std::vector<formats::Thoughts>& thoughts, std::size_t player) {
  for (const formats::Thoughts& pair : thoughts) {
    if (pair[player] != nullptr) return pair[player].get();
  }
  return nullptr;
}

}  // namespace

void write_thoughts(JsonWriter& json, const std::vector<formats::Thoughts>& thoughts) {
  const std::array<const formats::Thought*, 2> first{first_of(thoughts, 0), first_of(thoughts, 1)};
  if (first[0] == nullptr && first[1] == nullptr) return;
  json.text(R"(,"thoughts":{"terms":)").list(first, [&](const formats::Thought* thought) {
    json.list(thought == nullptr ? std::vector<formats::Thought::Term>{} : thought->terms,
              [&](const formats::Thought::Term& term) { json.quoted(term.name); });
  });
  json.text(R"(,"ticks":)").list(thoughts, [&](const formats::Thoughts& pair) {
    json.text("[");
    write_thought(json, pair[0].get());
    json.text(",");
    write_thought(json, pair[1].get());
    json.text("]");
  });
  json.text("}");
}

}  // namespace forkmunk::io
