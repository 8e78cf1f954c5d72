// SPDX-License-Identifier: MIT
// A native server whose players are browser tabs: air hockey for up to four, over WebSocket.
//   browser_server PACKAGE PAGES [PORT]     PACKAGE: the folder of the npm package; PAGES: this folder
// The server has seat 0, so it is the host, and passes on every message to all others. More tabs watch. All simulate
// the game of page.mjs.

#include <forkmunk/space/rollback_session.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <civetweb.h>

namespace {

using namespace forkmunk::space;

constexpr int kSeats = 5;  // the server and four players
constexpr double kDt = 1.0 / 60;

// The game ---------------------------------------------------------------------------------------------------------

cpShape* add_disc(cpSpace* space, double mass, double radius, cpVect at) {
  cpBody* const body = cpSpaceAddBody(space, cpBodyNew(mass, cpMomentForCircle(mass, 0, radius, cpvzero)));
  cpBodySetPosition(body, at);
  cpShape* const disc = cpSpaceAddShape(space, cpCircleShapeNew(body, radius, cpvzero));
  cpShapeSetElasticity(disc, 0.9);
  return disc;
}

void build(Space& world) {
  const auto building = world.enter();
  cpSpace* const space = world.space();
  cpSpaceSetDamping(space, 0.5);
  const std::array<cpVect, 5> corners{cpv(0, 0), cpv(640, 0), cpv(640, 360), cpv(0, 360), cpv(0, 0)};
  for (std::size_t i = 0; i < 4; ++i) {
    cpShape* const wall =
        cpSpaceAddShape(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), corners[i], corners[i + 1], 6));
    cpShapeSetElasticity(wall, 1);
  }
  for (int seat = 1; seat < kSeats; ++seat) {
    const cpVect at = cpv(seat % 2 != 0 ? 120 : 520, seat < 3 ? 120 : 240);
    cpShapeSetCollisionType(add_disc(space, 2, 18, at), static_cast<cpCollisionType>(seat));
  }
  for (int i = 0; i < 3; ++i) add_disc(space, 0.5, 11, cpv(320, 100 + 80 * i));
}

/// Applies the inputs, whose bits are left, right, up and down, and steps. A state that was read has its objects
/// anywhere: the shapes' collision types tell whose they are.
void advance(Space& world, const FrameInputs& inputs, int) {
  cpSpaceEachShape(
      world.space(),
      [](cpShape* shape, void* given) {
        const std::size_t seat = cpShapeGetCollisionType(shape);
        if (seat == 0) return;
        const std::string_view bytes = (*static_cast<const FrameInputs*>(given))[seat];
        const int input = bytes.empty() ? 0 : static_cast<unsigned char>(bytes.front());  // a tab may send any number
        const double x = (input >> 1 & 1) - (input & 1), y = (input >> 2 & 1) - (input >> 3 & 1);
        if (x != 0 || y != 0) cpBodySetForce(cpShapeGetBody(shape), cpv(2400 * x, 2400 * y));
      },
      const_cast<FrameInputs*>(&inputs));
  world.step(kDt);
}

// The connections --------------------------------------------------------------------------------------------------

/// The tabs. Civetweb calls the handlers on its threads.
class Tabs {
 public:
  void open(mg_connection* connection) {
    const std::lock_guard lock(mutex_);
    int seat = 1;
    const auto has_seat = [&](const Tab& tab) { return tab.seat == seat; };
    while (seat < kSeats && std::any_of(tabs_.begin(), tabs_.end(), has_seat)) ++seat;
    tabs_.push_back({connection, seat < kSeats ? seat : RollbackOptions::kSpectator});
    const std::string text = "{\"seat\":" + (seat < kSeats ? std::to_string(seat) : "null") + "}";
    mg_websocket_write(connection, MG_WEBSOCKET_OPCODE_TEXT, text.data(), text.size());
  }
  /// Returns whether the tab is known: the connection of another one ends.
  bool receive(const mg_connection* from, std::string message) {
    const std::lock_guard lock(mutex_);
    send(message, from);
    if (arrived_.size() < kArrivedMax) arrived_.push_back(std::move(message));
    return std::any_of(tabs_.begin(), tabs_.end(), [&](const Tab& tab) { return tab.connection == from; });
  }
  void close(const mg_connection* connection) {
    const std::lock_guard lock(mutex_);
    const auto tab = std::find_if(tabs_.begin(), tabs_.end(), [&](const Tab& t) { return t.connection == connection; });
    if (tab == tabs_.end()) return;
    if (tab->seat > 0) left_.push_back(tab->seat);
    tabs_.erase(tab);
  }

  void send_to_all(std::string_view message) {
    const std::lock_guard lock(mutex_);
    send(message, nullptr);
  }
  std::vector<std::string> take_messages() {
    const std::lock_guard lock(mutex_);
    return std::exchange(arrived_, {});
  }
  std::vector<int> take_seats_left() {
    const std::lock_guard lock(mutex_);
    return std::exchange(left_, {});
  }

 private:
  static constexpr std::size_t kArrivedMax = 10'000;
  struct Tab {
    mg_connection* connection;
    int seat;
  };
  /// Forgets tabs that did not read in time.
  void send(std::string_view message, const mg_connection* except) {
    std::erase_if(tabs_, [&](const Tab& tab) {
      if (tab.connection == except) return false;
      const int sent = mg_websocket_write(tab.connection, MG_WEBSOCKET_OPCODE_BINARY, message.data(), message.size());
      return sent < static_cast<int>(message.size());
    });
  }
  std::mutex mutex_;
  std::vector<Tab> tabs_;
  std::vector<std::string> arrived_;
  std::vector<int> left_;
};

mg_context* serve(const std::string& package, const std::string& pages, const std::string& port, Tabs& tabs) {
  // The package is /forkmunk/index.mjs. No other site may connect.
  const std::string rewrite = "/forkmunk/=" + package + "/";
  const std::string address = "127.0.0.1:" + port;
  const char* options[] = {"listening_ports",
                           address.c_str(),
                           "document_root",
                           pages.c_str(),
                           "index_files",
                           "page.html",
                           "url_rewrite_patterns",
                           rewrite.c_str(),
                           "extra_mime_types",
                           ".mjs=text/javascript",
                           "enable_directory_listing",
                           "no",
                           "request_timeout_ms",
                           "5000",
                           nullptr};
  mg_callbacks callbacks{};
  mg_context* const server = mg_start(&callbacks, nullptr, options);
  if (server == nullptr) return nullptr;
  mg_set_websocket_handler(
      server, "/play",
      [](const mg_connection* connection, void*) {
        const char* const origin = mg_get_header(connection, "Origin");
        const char* const host = mg_get_header(connection, "Host");
        const bool is_ours = origin == nullptr || (host != nullptr && std::string("http://") + host == origin);
        return is_ours ? 0 : 1;
      },
      [](mg_connection* connection, void* all) { static_cast<Tabs*>(all)->open(connection); },
      [](mg_connection* connection, int bits, char* data, size_t size, void* all) {
        constexpr int kOpcode = 0xf, kLast = 0x80;
        if ((bits & kOpcode) == MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE) return 0;
        const bool is_message = (bits & kOpcode) == MG_WEBSOCKET_OPCODE_BINARY && (bits & kLast) != 0;
        return !is_message || static_cast<Tabs*>(all)->receive(connection, {data, size}) ? 1 : 0;
      },
      [](const mg_connection* connection, void* all) { static_cast<Tabs*>(all)->close(connection); }, &tabs);
  return server;
}

std::atomic<bool> is_stopped{false};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: browser_server PACKAGE PAGES [PORT]\n");
    return 2;
  }
  Space world;
  build(world);
  SpaceGame game(world, advance);
  Tabs tabs;
  RollbackSession session(
      game,
      {.players = kSeats,
       .local = 0,
       .silence = 180,
       .seats = 1,
       .input = std::string(1, '\0'),
       .instance = std::random_device{}() | 1u},
      [&](std::span<const std::byte> message, std::uint32_t) {
        tabs.send_to_all({reinterpret_cast<const char*>(message.data()), message.size()});
      },
      [](const Notice& notice) {
        if (notice.kind == Notice::Kind::joined)
          std::printf("frame %d: player %d joins\n", notice.frame, notice.player);
        if (notice.kind == Notice::Kind::left) std::printf("frame %d: player %d leaves\n", notice.frame, notice.player);
        if (notice.kind == Notice::Kind::desync)
          std::printf("frame %d: player %d differs: %s\n", notice.frame, notice.player, notice.text.c_str());
        std::fflush(stdout);
      });
  mg_context* const server = serve(argv[1], argv[2], argc > 3 ? argv[3] : "8080", tabs);
  mg_server_port port{};
  if (server == nullptr || mg_get_server_ports(server, 1, &port) < 1) {
    std::fprintf(stderr, "browser_server: cannot listen; is the port in use?\n");
    return 1;
  }
  std::printf("http://127.0.0.1:%d/\n", port.port);
  std::fflush(stdout);
  for (const int each : {SIGINT, SIGTERM}) std::signal(each, [](int) { is_stopped = true; });

  auto next = std::chrono::steady_clock::now();
  while (!is_stopped) {
    for (const std::string& message : tabs.take_messages()) session.receive(std::as_bytes(std::span(message)));
    for (const int seat : tabs.take_seats_left()) {
      if (session.is_host()) session.drop(seat);
    }
    session.tick(static_cast<unsigned char>(0));
    next += std::chrono::microseconds(16'667);
    std::this_thread::sleep_until(next);
  }
  mg_stop(server);
}
