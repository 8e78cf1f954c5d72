#include <forkmunk/io/extras_reader.h>
#include <forkmunk/io/json_reader.h>
#include <forkmunk/io/recording_reader.h>

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace forkmunk::io {
namespace {

using formats::SearchTrace;
using TermNames = std::array<std::vector<std::string>, 2>;

constexpr std::size_t kTextBytesMax = 400;
constexpr std::size_t kTermCountMax = 64;

std::string read_shown_text(JsonValue value, const FieldPath& path) {
  return is_null(value) ? std::string() : std::string(read_text(value, path).substr(0, kTextBytesMax));
}

double read_drawn(JsonValue value, const FieldPath& path) {
  const double number = read_number(value, path);
  if (std::abs(number) <= kDrawnMax) return number;
  throw JsonError(path, "found " + describe(value) + ", expected a number from -1e7 to 1e7");
}

std::vector<engine::Vec2> read_path(JsonValue value, const FieldPath& path, std::size_t size_max) {
  std::vector<engine::Vec2> points;
  read_entries(value, path, {0, size_max}, [&](JsonValue number, std::size_t index, const FieldPath& number_path) {
    if (index % 2 == 0) points.emplace_back();
    (index % 2 == 0 ? points.back().x : points.back().y) = read_drawn(number, number_path);
  });
  return points;
}

class ExtrasReader {
 public:
  explicit ExtrasReader(std::size_t size_max) : size_max_(size_max) {}

  RecordingExtras read(JsonObject& root) {
    static constexpr std::array kKeys{FieldKey{"trace", false}, FieldKey{"thoughts", false}};
    read_fields(root, {}, kKeys, [&](JsonValue value, std::size_t index, const FieldPath& path) {
      if (is_null(value)) return;
      index == 0 ? read_trace(value, path) : read_search_traces(value, path);
    });
    return std::move(extras_);
  }

 private:
  void read_trace(JsonValue trace, const FieldPath& path) {
    read_entries(trace, path, {0, size_max_}, [&](JsonValue pair, std::size_t, const FieldPath& pair_path) {
      std::array<std::string, 2>& texts = extras_.trace.emplace_back();
      read_entries(pair, pair_path, {2, 2}, [&](JsonValue text, std::size_t player, const FieldPath& text_path) {
        texts[player] = read_shown_text(text, text_path);
      });
    });
  }

  void read_search_traces(JsonValue traces, const FieldPath& path) {
    static constexpr std::array kKeys{FieldKey{"terms"}, FieldKey{"ticks"}};
    JsonObject object = read_object(traces, path);
    read_fields(object, path, kKeys, [&](JsonValue value, std::size_t index, const FieldPath& value_path) {
      index == 0 ? read_terms(value, value_path) : read_ticks(value, value_path);
    });
    for (formats::SearchTraces& pair : extras_.search_traces) name_terms(pair);
  }

  void read_terms(JsonValue sides, const FieldPath& path) {
    read_entries(sides, path, {2, 2}, [&](JsonValue names, std::size_t player, const FieldPath& names_path) {
      read_entries(names, names_path, {0, kTermCountMax}, [&](JsonValue name, std::size_t, const FieldPath& name_path) {
        names_[player].push_back(read_shown_text(name, name_path));
      });
    });
  }

  void read_ticks(JsonValue ticks, const FieldPath& path) {
    read_entries(ticks, path, {0, size_max_}, [&](JsonValue pair, std::size_t, const FieldPath& pair_path) {
      formats::SearchTraces& traces = extras_.search_traces.emplace_back();
      read_entries(pair, pair_path, {2, 2}, [&](JsonValue trace, std::size_t player, const FieldPath& trace_path) {
        if (!is_null(trace)) traces[player] = read_search_trace(trace, trace_path);
      });
    });
  }

  [[nodiscard]] std::shared_ptr<const SearchTrace> read_search_trace(JsonValue value, const FieldPath& path) const {
    auto trace = std::make_shared<SearchTrace>();
    read_entries(value, path, {6, 6}, [&](JsonValue entry, std::size_t index, const FieldPath& entry_path) {
      switch (index) {
        case 0:
          if (!is_null(entry)) trace->score = read_drawn(entry, entry_path);
          break;
        case 1: trace->ticks = static_cast<std::int64_t>(read_drawn(entry, entry_path)); break;
        case 2: trace->plan = read_shown_text(entry, entry_path); break;
        case 3:
          read_entries(entry, entry_path, {0, kTermCountMax}, [&](JsonValue term, std::size_t, const FieldPath& at) {
            trace->terms.push_back({{}, is_null(term) ? 0 : read_drawn(term, at)});
          });
          break;
        case 4: trace->path = read_path(entry, entry_path, size_max_); break;
        default: trace->enemy_path = read_path(entry, entry_path, size_max_);
      }
    });
    return trace;
  }

  // The names may follow the ticks in the file. Terms without a name are dropped.
  void name_terms(formats::SearchTraces& pair) const {
    for (std::size_t player = 0; player < 2; ++player) {
      if (pair[player] == nullptr) continue;
      SearchTrace named = *pair[player];
      named.terms.resize(std::min(named.terms.size(), names_[player].size()));
      for (std::size_t i = 0; i < named.terms.size(); ++i) named.terms[i].name = names_[player][i];
      pair[player] = std::make_shared<const SearchTrace>(std::move(named));
    }
  }

  std::size_t size_max_;
  RecordingExtras extras_;
  TermNames names_;
};

}  // namespace

RecordingExtras parse_extras_text(std::string text, std::string_view name) {
  ExtrasReader reader(text.size());
  try {
    RecordingExtras extras;
    JsonDocument(std::move(text)).read([&](JsonObject& root) { extras = reader.read(root); });
    return extras;
  } catch (const JsonError& error) {
    throw RecordingError(std::string(name) + ": " + error.what());
  }
}

}  // namespace forkmunk::io
