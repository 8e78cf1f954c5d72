#include <forkmunk/io/extras_reader.h>
#include <forkmunk/io/search_trace_writer.h>

#include <algorithm>
#include <cmath>

namespace forkmunk::io {
namespace {

// What readers take.
double drawn(double value) { return std::clamp(value, -kDrawnMax, kDrawnMax); }

// Viewers need few digits, and full ones would be most of the file.
double rounded(double value) { return std::round(drawn(value) * 100) / 100; }

void write_path(JsonWriter& json, const std::vector<engine::Vec2>& path) {
  json.list(path,
            [&](engine::Vec2 point) { json.number(std::round(drawn(point.x))).number(std::round(drawn(point.y))); });
}

void write_search_trace(JsonWriter& json, const formats::SearchTrace* trace) {
  if (trace == nullptr) {
    json.null();
    return;
  }
  json.list([&] {
    trace->score ? json.number(rounded(*trace->score)) : json.null();
    json.value(std::min(trace->ticks, static_cast<std::int64_t>(kDrawnMax))).value(trace->plan);
    json.list(trace->terms, [&](const formats::SearchTrace::Term& term) { json.number(rounded(term.value)); });
    write_path(json, trace->path);
    write_path(json, trace->enemy_path);
  });
}

const formats::SearchTrace* first_of(const std::vector<formats::SearchTraces>& traces, std::size_t player) {
  for (const formats::SearchTraces& pair : traces) {
    if (pair[player] != nullptr) return pair[player].get();
  }
  return nullptr;
}

}  // namespace

void write_search_traces(JsonWriter& json, const std::vector<formats::SearchTraces>& traces) {
  const std::array<const formats::SearchTrace*, 2> first{first_of(traces, 0), first_of(traces, 1)};
  if (first[0] == nullptr && first[1] == nullptr) return;
  json.key("thoughts").object([&] {
    json.key("terms").list(first, [&](const formats::SearchTrace* trace) {
      json.list(trace == nullptr ? std::vector<formats::SearchTrace::Term>{} : trace->terms,
                [&](const formats::SearchTrace::Term& term) { json.value(term.name); });
    });
    json.key("ticks").list(traces, [&](const formats::SearchTraces& pair) {
      json.list(pair, [&](const auto& trace) { write_search_trace(json, trace.get()); });
    });
  });
}

}  // namespace forkmunk::io
