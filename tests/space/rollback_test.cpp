// SPDX-License-Identifier: MIT

#include "rollback_game.h"

#include <forkmunk/space/history.h>

#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

namespace forkmunk::space {
namespace {

using Kind = Notice::Kind;

RollbackOptions options_of(int players, int local) {
  return {.players = players,
          .local = local,
          .prediction = 16,
          .check_every = 10,
          .instance = static_cast<std::uint32_t>(1000 + local)};
}

template <typename Change>
void add_players(Network& network, int players, Change change) {
  for (int i = 0; i < players; ++i) {
    RollbackOptions options = options_of(players, i);
    change(options);
    network.add(options);
  }
}
void add_players(Network& network, int players) {
  add_players(network, players, [](RollbackOptions&) {});
}

RollbackOptions options_of_spectator(int players) {
  RollbackOptions options = options_of(players, RollbackOptions::kSpectator);
  options.instance = 99;
  return options;
}

void hold_inputs(Network& network) {
  network.choose = [&network](std::size_t i) {
    std::string input = network.programs[i]->input;
    if (network.uniform() < 0.1)
      input = std::string(1 + static_cast<std::size_t>(network.uniform() * 4),
                          static_cast<char>(static_cast<int>(network.uniform() * 256)));
    return input;
  };
}

void choose_long_inputs(Network& network) {
  network.choose = [&network](std::size_t) {
    return std::string(200, static_cast<char>(static_cast<int>(network.uniform() * 256)));
  };
}

TEST(Rollback, PlaysOverABadLine) {
  Network network({.delay = 6, .jitter = 4, .loss = 0.2, .doubled = 0.1});
  add_players(network, 4);
  hold_inputs(network);
  network.run(3000);
  for (const auto& program : network.programs) {
    const RollbackSession& session = *program->session;
    EXPECT_GT(session.frame(), 2000) << static_cast<int>(session.wait()) << ' ' << session.waiting_for();
    EXPECT_GT(session.confirmed_frame(), session.frame() - 20);
    EXPECT_GT(session.stats().rollbacks, 100);
    EXPECT_EQ(program->game->advances, session.frame() + session.stats().frames_rolled_back);
    EXPECT_GT(session.stats().longest, 1);
    EXPECT_LE(session.stats().longest, 16);
    EXPECT_GT(session.stats().checksums, 300);
    EXPECT_EQ(session.desync(), nullptr);
    EXPECT_TRUE(session.is_playing());
    EXPECT_LT(program->memory_bytes, 500'000u);
    EXPECT_EQ(notices_of(*program), "");
  }
  EXPECT_EQ(network.first_disagreement(2000), -1);
}

TEST(Rollback, PlaysWithTwoToSixteen) {
  for (const int players : {2, 3, 7, 16}) {
    Network network({.delay = 2, .jitter = 2, .loss = 0.1});
    add_players(network, players);
    hold_inputs(network);
    network.run(400);
    for (const auto& program : network.programs) {
      EXPECT_GT(program->session->frame(), 250);
      EXPECT_EQ(notices_of(*program), "");
    }
    EXPECT_EQ(network.first_disagreement(250), -1);
  }
}

TEST(Rollback, NeedsNoRollbackWhereTheDelayHidesTheLines) {
  Network network;
  add_players(network, 2, [](RollbackOptions& options) { options.delay = 4; });
  hold_inputs(network);
  network.run(30);  // until both know each other
  const auto before = network.programs[0]->session->stats().rollbacks;
  network.run(300);
  EXPECT_EQ(network.programs[0]->session->stats().rollbacks, before);
}

TEST(Rollback, AppliesWhatWasSentThoughTheCallerChangesItsBuffer) {
  Network network;
  add_players(network, 2);
  struct Stick {
    std::int32_t x, y;
  };
  Stick shared{};
  std::map<int, int> given;
  for (int i = 0; i < 200; ++i) {
    ++network.now;
    for (std::size_t p = 0; p < 2; ++p) {
      network.deliver(p);
      shared = {i, static_cast<int>(p)};
      network.programs[p]->session->tick(shared);
      shared = {-1, -1};
    }
  }
  const int end =
      std::min(network.programs[0]->session->confirmed_frame(), network.programs[1]->session->confirmed_frame());
  EXPECT_GT(end, 150);
  int last = -1;
  for (int f = 2; f < end; ++f) {
    ASSERT_EQ(network.programs[0]->game->inputs_at[f], network.programs[1]->game->inputs_at[f]);
    for (const int p : {0, 1}) {
      Stick stick{};
      ASSERT_EQ(network.programs[0]->game->inputs_at[f][p].size(), sizeof stick);
      std::memcpy(&stick, network.programs[0]->game->inputs_at[f][p].data(), sizeof stick);
      EXPECT_EQ(stick.y, p);
      if (p == 0) {
        EXPECT_GT(stick.x, last);
        last = stick.x;
      }
    }
  }
}

TEST(Rollback, NamesThePlayersForWhomItWaits) {
  Network network;
  add_players(network, 3);
  network.run(50);
  network.programs[2]->is_silent = true;
  network.run(50);
  const RollbackSession& session = *network.programs[0]->session;
  EXPECT_EQ(session.wait(), RollbackSession::Wait::inputs);
  EXPECT_EQ(session.waiting_for(), 4u);
  EXPECT_EQ(session.frame() - session.confirmed_frame(), 16);
  network.programs[2]->is_silent = false;
  network.run(50);
  EXPECT_EQ(session.waiting_for(), 0u);
  network.programs[2]->session->set_delay(20);
  network.run(20);
  network.programs[2]->is_running = false;  // with inputs for more frames than the player who is dropped
  network.programs[0]->session->drop(1);
  network.run(50);
  EXPECT_EQ(session.waiting_for(), 6u);
  Network cut;
  add_players(cut, 3);
  cut.run(50);
  cut.change = [](std::size_t from, std::size_t to, std::vector<std::byte>&) { return from != 1 || to != 0; };
  cut.programs[0]->session->drop(2);
  cut.run(60);
  EXPECT_EQ(cut.programs[1]->session->waiting_for(), 5u);  // the host cannot end what it began
  Network left;
  add_players(left, 3);
  left.run(50);
  left.change = [](std::size_t, std::size_t, std::vector<std::byte>&) { return false; };
  for (const int i : {0, 1}) left.programs[i]->session->leave();
  left.tick();
  EXPECT_EQ(left.programs[0]->session->waiting_for(), 6u);  // the next host
  EXPECT_EQ(left.programs[1]->session->waiting_for(), 1u);
  Network hostless;
  const RollbackSession& spectator = *hostless.add(options_of_spectator(3)).session;
  hostless.run(5);
  EXPECT_EQ(spectator.wait(), RollbackSession::Wait::joining);
  EXPECT_EQ(spectator.waiting_for(), 1u);
}

TEST(Rollback, IsAsBeforeWhereAdvanceThrows) {
  Network network, other;
  for (Network* each : {&network, &other}) {
    add_players(*each, 2);
    hold_inputs(*each);
    each->run(60);
  }
  NumberGame& game = *network.programs[0]->game;
  RollbackSession& session = *network.programs[0]->session;
  const auto tick_all = [](Network& each, bool throws) {
    ++each.now;
    for (std::size_t i = 0; i < 2; ++i) {
      each.deliver(i);
      each.programs[i]->input = each.choose(i);
      if (i == 0 && throws) {
        const int frame = each.programs[0]->session->frame();
        const std::uint64_t number = each.programs[0]->game->number;
        each.programs[0]->game->after = [frame](int f) {
          if (f == frame) throw std::runtime_error("mine");
        };
        EXPECT_THROW(each.programs[0]->session->tick("an input that is not kept"), std::runtime_error);
        EXPECT_EQ(each.programs[0]->session->frame(), frame);
        if (each.programs[0]->session->stats().rolled_back == 0) {
          EXPECT_EQ(each.programs[0]->game->number, number);
        }
        each.programs[0]->game->after = nullptr;
      }
      each.programs[i]->session->tick(each.programs[i]->input);
    }
  };
  for (int i = 0; i < 100; ++i) {
    tick_all(network, i % 7 == 0);
    tick_all(other, false);
  }
  EXPECT_EQ(session.desync(), nullptr);
  EXPECT_EQ(network.first_disagreement(100), -1);
  const int end = std::min(session.confirmed_frame(), other.programs[0]->session->confirmed_frame());
  EXPECT_GT(end, 100);
  for (int f = 0; f < end; ++f) ASSERT_EQ(game.inputs_at[f], other.programs[0]->game->inputs_at[f]) << f;
}

TEST(Rollback, IsAsBeforeWhereARollbackThrows) {
  Network network({.delay = 4});
  add_players(network, 2);
  hold_inputs(network);
  network.run(100);
  Network::Program& first = *network.programs[0];
  int throws = 0;
  for (int i = 0; i < 100; ++i) {
    ++network.now;
    for (std::size_t p = 0; p < 2; ++p) {
      network.deliver(p);
      network.programs[p]->input = network.choose(p);
      if (p == 0) {
        const int frame = first.session->frame();
        const std::uint64_t number = first.game->number;
        first.game->after = [frame](int f) {
          if (f == frame - 2) throw std::runtime_error("mine");  // only in a rollback
        };
        try {
          first.session->tick(first.input);
        } catch (const std::runtime_error&) {
          ++throws;
          EXPECT_EQ(first.session->frame(), frame);
          EXPECT_EQ(first.game->number, number);
          first.game->after = nullptr;
          first.session->tick(first.input);
        }
        first.game->after = nullptr;
      } else {
        network.programs[p]->session->tick(network.programs[p]->input);
      }
    }
  }
  EXPECT_GT(throws, 10);
  EXPECT_EQ(network.first_disagreement(150), -1);
  EXPECT_EQ(first.session->desync(), nullptr);
}

// The second player's leaving rolls back to the frame whose advance() threw.
TEST(Rollback, SendsNoChecksumOfAPredictedStateWhereAdvanceThrows) {
  Network network({.delay = 4});
  add_players(network, 3, [](RollbackOptions& options) { options.check_every = 1; });
  network.choose = [&](std::size_t) { return std::to_string(network.now); };
  network.run(30);
  Network::Program& second = *network.programs[1];
  second.game->before = [frame = second.session->frame()](int f) {
    if (f == frame) throw Error("mine");
  };
  EXPECT_THROW(network.tick(), Error);
  second.session->leave();
  network.run(60);
  for (const auto& program : network.programs) EXPECT_EQ(program->session->desync(), nullptr) << notices_of(*program);
}

TEST(Rollback, KeepsItsStateWhereHashThrows) {
  Network network({.delay = 3});
  add_players(network, 2);
  hold_inputs(network);
  network.run(60);
  NumberGame& game = *network.programs[0]->game;
  int thrown = 0;
  for (int i = 0; i < 60; ++i) {
    game.cannot_hash = i % 3 != 0;
    try {
      network.tick();
    } catch (const Error&) {
      ++thrown;
      EXPECT_EQ(game.number, game.hashes[network.programs[0]->session->frame() - 1]);
    }
  }
  EXPECT_GE(thrown, 2);
  game.cannot_hash = false;
  network.run(300);
  for (const auto& program : network.programs) {
    EXPECT_EQ(program->session->desync(), nullptr);
    EXPECT_GT(program->session->stats().checksums, 25);
  }
  EXPECT_GT(network.programs[0]->session->frame(), 300);
  EXPECT_EQ(network.first_disagreement(300), -1);
}

TEST(Rollback, RefusesOptionsAndInputsOutOfRange) {
  NumberGame game;
  const auto make = [&](auto change) {
    RollbackOptions options = options_of(2, 0);
    change(options);
    RollbackSession session(game, options, [](auto, auto) {});
  };
  EXPECT_NO_THROW(make([](RollbackOptions&) {}));
  EXPECT_THROW(make([](RollbackOptions& o) { o.players = 1; }), Error);
  EXPECT_THROW(make([](RollbackOptions& o) { o.players = 17; }), Error);
  EXPECT_THROW(make([](RollbackOptions& o) { o.local = 2; }), Error);
  EXPECT_THROW(make([](RollbackOptions& o) { o.delay = -1; }), Error);
  EXPECT_THROW(make([](RollbackOptions& o) { o.prediction = 0; }), Error);
  EXPECT_THROW(make([](RollbackOptions& o) { o.check_every = 0; }), Error);
  EXPECT_THROW(make([](RollbackOptions& o) { o.input_bytes_max = 2000; }), Error);
  EXPECT_THROW(make([](RollbackOptions& o) { o.input = std::string(65, 'x'); }), Error);
  EXPECT_THROW(make([](RollbackOptions& o) { o.local = -1, o.instance = 0; }), Error);
  EXPECT_THROW(RollbackSession(game, options_of(2, 0), nullptr), Error);
  RollbackSession session(game, options_of(2, 0), [](auto, auto) {});
  EXPECT_THROW(session.tick(std::string(65, 'x')), Error);
  EXPECT_EQ(session.frame(), 0);
  EXPECT_THROW(session.event(1), Error);
  EXPECT_THROW(session.set_delay(65), Error);
  EXPECT_THROW(session.drop(5), Error);
}

TEST(Rollback, RefusesCallsInItsCallbacks) {
  NumberGame game;
  std::unique_ptr<RollbackSession> session;
  int refused = 0;
  const auto expect_refusals = [&] {
    EXPECT_THROW(session->tick("x"), Error);
    EXPECT_THROW(session->drop(1), Error);
    ++refused;
  };
  session = std::make_unique<RollbackSession>(game, options_of(2, 0), [&](auto, auto) { expect_refusals(); });
  game.before = [&](int) { expect_refusals(); };
  session->tick("x");
  EXPECT_EQ(refused, 2);
  EXPECT_EQ(session->frame(), 1);
}

TEST(Rollback, ChangesTheDelayAndLeavesInACallbackAndDropsInANotice) {
  Network network;
  add_players(network, 3);
  RollbackSession& host = *network.programs[0]->session;
  RollbackSession& leaving = *network.programs[1]->session;
  hold_inputs(network);
  network.run(50);
  network.programs[2]->game->before = [&](int frame) { network.programs[2]->session->set_delay(frame % 5); };
  network.programs[1]->game->before = [&](int) { leaving.leave(); };
  network.programs[0]->react = [&](const Notice& notice) {
    if (notice.kind == Kind::left && notice.player == 1) host.drop(2);
  };
  network.run(30);
  EXPECT_EQ(count_notices(*network.programs[1], Kind::dropped), 1);
  network.programs[1]->is_running = false;
  network.run(70);
  EXPECT_EQ(count_notices(*network.programs[2], Kind::dropped), 1);
  for (const int i : {0, 2}) {
    EXPECT_TRUE(network.programs[i]->session->is_playing());
    EXPECT_GT(network.programs[i]->session->confirmed_frame(), 100);
  }
  EXPECT_EQ(network.first_disagreement(100), -1);
}

TEST(Rollback, NamesASettingThatDiffers) {
  const auto report = [](auto change) {
    Network network;
    network.add(options_of(2, 0));
    RollbackOptions options = options_of(2, 1);
    change(options);
    network.add(options);
    network.run(40);
    EXPECT_EQ(network.programs[0]->session->frame(), 16);
    return notices_of(*network.programs[0]);
  };
  EXPECT_EQ(report([](RollbackOptions& o) { o.players = 3; }),
            "settings_differ player 1 frame 1 players is 2 here and 3 there\n");
  EXPECT_EQ(report([](RollbackOptions& o) { o.check_every = 20; }),
            "settings_differ player 1 frame 1 check_every is 10 here and 20 there\n");
  EXPECT_EQ(report([](RollbackOptions& o) { o.input_bytes_max = 8; }),
            "settings_differ player 1 frame 1 input_bytes_max is 64 here and 8 there\n");
  EXPECT_EQ(report([](RollbackOptions& o) { o.game = 8; }),
            "settings_differ player 1 frame 1 game is 0 here and 8 there\n");
  EXPECT_EQ(report([](RollbackOptions& o) { o.input = "x"; }),
            "settings_differ player 1 frame 1 input, the one before the first, differs\n");
  EXPECT_EQ(report([](RollbackOptions& o) { o.session = 8; }),
            "bad_message player -1 frame 1 it is of another session\n");
}

TEST(Rollback, PlaysWithOtherDelaysAndPredictions) {
  Network network({.delay = 2});
  add_players(network, 2, [](RollbackOptions& options) {
    options.delay = 2 + 5 * options.local;
    options.prediction = 8 + 20 * options.local;
  });
  hold_inputs(network);
  network.run(200);
  network.programs[0]->session->set_delay(9);
  network.run(200);
  network.programs[0]->session->set_delay(0);
  network.run(200);
  EXPECT_GT(network.programs[0]->session->confirmed_frame(), 500);
  EXPECT_EQ(network.first_disagreement(500), -1);
}

TEST(Rollback, ReportsTwoProgramsWithOneSeat) {
  Network network;
  add_players(network, 2);
  network.run(50);
  RollbackOptions options = options_of(2, 1);
  options.instance = 77;
  network.add(options);
  hold_inputs(network);
  network.run(200);
  EXPECT_GT(network.programs[0]->session->frame(), 220);
  EXPECT_EQ(count_notices(*network.programs[0], Kind::seat_taken), 1) << notices_of(*network.programs[0]);
  EXPECT_EQ(count_notices(*network.programs[2], Kind::seat_taken), 1) << notices_of(*network.programs[2]);
  EXPECT_FALSE(network.programs[2]->session->is_playing());
  EXPECT_EQ(network.first_disagreement(220), -1);
  // The seat stays taken for the same instance, too.
  network.add(options_of(2, 1));
  network.run(20);
  EXPECT_EQ(count_notices(*network.programs[3], Kind::seat_taken), 1) << notices_of(*network.programs[3]);
}

TEST(Rollback, ReplacesAPlayerWhoIsDroppedByAGivenInputFromAnAgreedFrame) {
  for (const double loss : {0.0, 0.3}) {
    Network network({.delay = 5, .jitter = 5, .loss = loss});
    add_players(network, 4, [](RollbackOptions& options) { options.input = "gone"; });
    hold_inputs(network);
    network.run(300);
    network.programs[2]->is_running = false;
    network.run(5);
    network.programs[0]->session->drop(2);
    EXPECT_THROW(network.programs[1]->session->drop(3), Error);
    network.run(600);
    int left = -1;
    for (const int i : {0, 1, 3}) {
      const Network::Program& program = *network.programs[i];
      EXPECT_GT(program.session->confirmed_frame(), 600);
      ASSERT_EQ(count_notices(program, Kind::left), 1) << notices_of(program);
      for (const Notice& each : program.notices) {
        if (each.kind != Kind::left) continue;
        EXPECT_EQ(each.player, 2);
        EXPECT_TRUE(left < 0 || each.frame == left);
        left = each.frame;
      }
      EXPECT_EQ(program.game->inputs_at[left + 10][2], "gone");
    }
    EXPECT_EQ(network.first_disagreement(600), -1);
  }
}

TEST(Rollback, GoesOnWhenAPlayerLeaves) {
  Network network({.delay = 3});
  add_players(network, 3);
  hold_inputs(network);
  network.run(100);
  network.programs[1]->session->leave();
  network.run(200);
  EXPECT_GT(network.programs[0]->session->confirmed_frame(), 250);
  EXPECT_EQ(count_notices(*network.programs[2], Kind::left), 1);
  network.programs[1]->is_running = false;
  network.run(50);
  EXPECT_EQ(network.first_disagreement(250), -1);
}

TEST(Rollback, EmptiesTheSeatOfASilentPlayerAlsoOfTheHost) {
  for (const int lost : {0, 1, 2}) {
    Network network({.delay = 3, .loss = 0.1});
    add_players(network, 3, [](RollbackOptions& options) { options.silence = 90; });
    hold_inputs(network);
    network.run(100);
    network.programs[lost]->is_running = false;
    network.run(500);
    for (int i = 0; i < 3; ++i) {
      if (i == lost) continue;
      EXPECT_GT(network.programs[i]->session->confirmed_frame(), 400) << lost << ' ' << i;
      EXPECT_EQ(network.programs[i]->session->is_host(), i == (lost == 0 ? 1 : 0));
      EXPECT_EQ(count_notices(*network.programs[i], Kind::left), 1) << notices_of(*network.programs[i]);
    }
    EXPECT_EQ(network.first_disagreement(400), -1);
  }
}

TEST(Rollback, GoesOnWhenTheHostLeavesOrIsLostWithTheNextPlayer) {
  for (const int lost : {1, 2}) {
    for (const bool leave : {true, false}) {
      Network network({.delay = 2, .loss = 0.1});
      add_players(network, 4, [leave](RollbackOptions& options) { options.silence = leave ? 0 : 90; });
      hold_inputs(network);
      network.run(100);
      for (int i = 0; leave && i < lost; ++i) network.programs[i]->session->leave();
      network.run(30);
      for (int i = 0; i < lost; ++i) network.programs[i]->is_running = false;
      network.run(500);
      for (int i = lost; i < 4; ++i) {
        const Network::Program& program = *network.programs[i];
        EXPECT_GT(program.session->confirmed_frame(), 350) << lost << leave << '\n' << notices_of(program);
        EXPECT_EQ(program.session->is_host(), i == lost);
        EXPECT_EQ(count_notices(program, Kind::left), lost) << notices_of(program);
      }
      EXPECT_EQ(network.first_disagreement(350), -1);
    }
  }
}

// The last messages of a host reach a spectator only, so the next host agrees on other frames.
TEST(Rollback, TakesTheStateOfTheNextHostToASpectatorThatKnewMore) {
  for (const int deaf_until : {0, 250}) {
    Network network;
    add_players(network, 3, [](RollbackOptions& options) {
      options.silence = 60;
      options.delay = 12;
    });
    RollbackOptions watching = options_of_spectator(3);
    watching.delay = 0;
    const Network::Program& spectator = network.add(watching);
    network.choose = [&](std::size_t) { return std::string(1, static_cast<char>(network.uniform() * 100)); };
    network.run(100);
    network.change = [&](std::size_t from, std::size_t to, std::vector<std::byte>&) {
      return from == 0 ? to == 3 : to != 3 || network.now > deaf_until;
    };
    network.run(15);
    network.programs[0]->is_running = false;
    network.run(300);
    EXPECT_EQ(count_notices(spectator, Kind::loaded), 2) << notices_of(spectator);
    EXPECT_EQ(spectator.session->desync(), nullptr);
    EXPECT_GT(spectator.session->frame(), 250);
    EXPECT_EQ(network.first_disagreement(250), -1);
  }
}

// The roster, the stream of seats and the host's inputs for the seat arrive in any order, or not at all.
TEST(Rollback, EmptiesASeatThoughTheHostIsLostMeanwhile) {
  for (int seed = 0; seed < random_games(75); ++seed) {
    Network network({.delay = 2, .jitter = 3, .loss = 0.3}, static_cast<std::uint64_t>(seed));
    add_players(network, 4, [](RollbackOptions& options) {
      options.silence = 60;
      options.input_bytes_max = 200;
    });
    choose_long_inputs(network);
    network.run(60);
    network.programs[3]->is_running = false;
    network.run(5);
    network.programs[0]->session->drop(3);
    network.run(5 + seed % 30 / 2);
    network.programs[0]->is_running = false;
    network.run(600);
    for (int i : {1, 2}) {
      const Network::Program& program = *network.programs[i];
      EXPECT_GT(program.session->confirmed_frame(), 150) << seed << '\n' << notices_of(program);
      EXPECT_EQ(program.session->desync(), nullptr) << seed;
    }
    EXPECT_EQ(network.first_disagreement(150), -1) << seed;
  }
}

// Each program knows another part of the drop.
TEST(Rollback, GoesOnWhenTheHostIsLostWhileItDropsTheNextHost) {
  for (const auto& [from, to] : {std::pair<std::size_t, std::size_t>{0, 1}, {0, 2}, {1, 0}, {2, 0}}) {
    for (int ticks = 1; ticks < 20; ++ticks) {
      Network network({.delay = 2, .jitter = 1});
      add_players(network, 3, [](RollbackOptions& options) { options.silence = 60; });
      hold_inputs(network);
      network.run(60);
      int lost = 0;
      network.change = [&, from = from, to = to](std::size_t one, std::size_t other, std::vector<std::byte>&) {
        return network.now < lost || one != from || other != to;
      };
      lost = network.now + ticks / 2;
      network.programs[0]->session->drop(1);
      network.run(ticks);
      network.programs[0]->is_running = false;
      network.run(600);
      for (const int i : {1, 2}) {
        const Network::Program& program = *network.programs[i];
        EXPECT_TRUE(program.session->is_playing()) << from << to << ticks << '\n' << notices_of(program);
        EXPECT_GT(program.session->confirmed_frame(), 400) << from << to << ticks << '\n' << notices_of(program);
        EXPECT_EQ(program.session->desync(), nullptr);
      }
      EXPECT_EQ(network.first_disagreement(400), -1) << from << to << ticks;
    }
  }
}

// The host drops the next host, who drops the host before it knows; and the third drops the host a little later.
TEST(Rollback, GoesOnWithOneGameWherePlayersDropEachOther) {
  for (int run = 0; run < random_games(120); ++run) {
    const int kind = run % 4, gap = 1 + run / 4 % 5, later = 2 + run / 20 % 3 * 6;
    Network network({.delay = kind / 2 * 2, .jitter = kind / 2}, static_cast<std::uint64_t>(run));
    add_players(network, 3, [&](RollbackOptions& options) {
      options.silence = 40;
      options.delay = options.local == 1 ? 0 : 4;
      options.prediction = options.local == 1 ? 1 : 14;
    });
    network.choose = [&](std::size_t) { return std::string(1, static_cast<char>(network.uniform() * 100)); };
    network.run(kind % 2 == 0 ? 2 : 40);
    const auto drop = [&](std::size_t by, int seat) {
      try {
        network.programs[by]->session->drop(seat);
      } catch (const Error&) {  // it lost its own seat
      }
    };
    drop(0, 1);
    network.run(gap);
    drop(1, 0);
    network.run(later);
    drop(2, 0);
    network.run(400);
    for (const auto& program : network.programs) {
      EXPECT_TRUE(program->session->is_playing()) << run << '\n' << notices_of(*program);
      EXPECT_EQ(program->session->desync(), nullptr) << run << '\n' << notices_of(*program);
      EXPECT_GT(program->session->confirmed_frame(), 300) << run << '\n' << notices_of(*program);
    }
    EXPECT_EQ(network.first_disagreement(300), -1) << run;
  }
}

// The next host waits for its user to drop the lost host, and a player who had just lost its seat does not wait.
TEST(Rollback, FollowsAPlayerWhoGoesOnAloneWhileTheHostIsLost) {
  Network network({.delay = 2});
  add_players(network, 3, [](RollbackOptions& options) { options.silence = options.local == 1 ? 0 : 60; });
  hold_inputs(network);
  network.run(100);
  network.programs[0]->session->drop(2);
  while (network.programs[2]->session->is_playing()) network.tick();
  network.programs[0]->is_running = false;
  network.run(400);
  EXPECT_EQ(count_notices(*network.programs[1], Kind::dropped), 1);
  for (const int i : {1, 2}) {
    const Network::Program& program = *network.programs[i];
    EXPECT_TRUE(program.session->is_playing()) << notices_of(program);
    EXPECT_EQ(program.session->is_host(), i == 2);
    EXPECT_GT(program.session->confirmed_frame(), 350) << notices_of(program);
  }
  EXPECT_EQ(network.first_disagreement(350), -1);
}

// A player who hears nobody becomes its own host.
TEST(Rollback, GoesOnWithMostPlayersAfterALineWasLost) {
  for (const std::size_t lost : {0, 1, 3}) {
    Network network({.delay = 2, .jitter = 1});
    add_players(network, 4, [](RollbackOptions& options) { options.silence = 60; });
    const Network::Program& spectator = network.add(options_of_spectator(4));
    hold_inputs(network);
    network.run(100);
    network.change = [&](std::size_t from, std::size_t to, std::vector<std::byte>&) {
      return network.now > 400 || (from != lost && to != lost);
    };
    network.run(900);
    EXPECT_GT(spectator.session->confirmed_frame(), 800) << lost << '\n' << notices_of(spectator);
    for (std::size_t i = 0; i < 4; ++i) {
      const Network::Program& program = *network.programs[i];
      EXPECT_TRUE(program.session->is_playing()) << lost << i << '\n' << notices_of(program);
      EXPECT_EQ(program.session->is_host(), i == (lost == 0 ? 1u : 0u)) << lost << i;
      EXPECT_EQ(count_notices(program, Kind::dropped), i == lost ? 1 : 0) << lost << i << '\n' << notices_of(program);
      EXPECT_GT(program.session->confirmed_frame(), 750);
      EXPECT_EQ(program.session->desync(), nullptr);
    }
    EXPECT_EQ(network.first_disagreement(750), -1);
  }
}

// A host that starts anew while no line leads to the game waits for players who are not there.
TEST(Rollback, GoesOnWithTheGameThatHasBegun) {
  Network network({.delay = 2, .jitter = 1});
  const auto add = [&](int seat, std::uint32_t instance) {
    RollbackOptions options = options_of(4, seat);
    options.seats = 7;
    options.silence = 60;
    options.instance = instance;
    return &network.add(options);
  };
  for (const int seat : {0, 1, 2}) add(seat, 1000 + static_cast<std::uint32_t>(seat));
  hold_inputs(network);
  network.run(100);
  network.programs[0]->is_running = network.programs[2]->is_running = false;
  network.run(200);
  network.change = [&](std::size_t from, std::size_t to, std::vector<std::byte>&) {
    return network.now > 400 || (from == 1) == (to == 1);
  };
  const Network::Program* const host = add(0, 2000);
  const Network::Program* const late = add(3, 2003);
  network.run(600);
  const Network::Program& player = *network.programs[1];
  EXPECT_EQ(count_notices(player, Kind::dropped), 0) << notices_of(player);
  for (const Network::Program* each : {&std::as_const(player), host, late}) {
    EXPECT_TRUE(each->session->is_playing()) << notices_of(*each);
    EXPECT_GT(each->session->confirmed_frame(), 750) << notices_of(*each);
  }
  EXPECT_EQ(network.first_disagreement(750), -1);
}

TEST(Rollback, GoesOnWithoutTheLineBetweenTwoPlayers) {
  for (const int first : {0, 200}) {
    for (const bool is_one_way : {false, true}) {
      Network network({.delay = 3, .jitter = 2, .loss = 0.1});
      add_players(network, 4, [](RollbackOptions& options) { options.delay = 4; });
      hold_inputs(network);
      network.change = [&](std::size_t from, std::size_t to, std::vector<std::byte>&) {
        return network.now < first || !((from == 1 && to == 3) || (!is_one_way && from == 3 && to == 1));
      };
      network.run(1500);
      network.programs[0]->session->drop(2);
      network.run(500);
      for (const int i : {0, 1, 3}) {
        const Network::Program& program = *network.programs[i];
        EXPECT_GT(program.session->confirmed_frame(), 1800) << first << is_one_way << i;
        EXPECT_TRUE(program.session->is_playing()) << notices_of(program);
        EXPECT_EQ(program.session->desync(), nullptr);
        EXPECT_LT(program.memory_bytes, 400'000u);
      }
      EXPECT_EQ(network.first_disagreement(1800), -1);
    }
  }
}

// The host gives a seat to a client that hears nothing of it, until it throws its old state away.
TEST(Rollback, TakesBackAPlayerWhoLostTheStateBeforeItKnewOfItsSeat) {
  Network network({.delay = 2});
  const auto add = [&](int seat) {
    RollbackOptions options = options_of(3, seat);
    options.seats = 3;
    network.add(options);
  };
  add(0), add(1);
  hold_inputs(network);
  network.run(100);
  add(2);
  int cut_until = 0;
  network.change = [&](std::size_t from, std::size_t to, std::vector<std::byte>& bytes) {
    constexpr std::size_t kFlagsAt = 34;
    const bool is_ready = from == 2 && (bytes[kFlagsAt] & std::byte{2}) != std::byte{};
    if (is_ready && cut_until == 0) cut_until = network.now + 400;
    return to != 2 || network.now >= cut_until;
  };
  network.run(1000);
  for (const auto& program : network.programs) {
    EXPECT_TRUE(program->session->is_playing()) << notices_of(*program);
    EXPECT_GT(program->session->confirmed_frame(), 500) << notices_of(*program);
  }
  EXPECT_GT(cut_until, 0);
  EXPECT_EQ(network.first_disagreement(500), -1);
}

// The last player is dropped and asks for its seat, and nobody is left to answer.
TEST(Rollback, GoesOnAloneWhereNobodyHostsTheGameAnyMore) {
  for (const bool is_automatic : {true, false}) {
    Network network({.delay = 2, .jitter = 1});
    add_players(network, 3, [&](RollbackOptions& options) { options.silence = is_automatic ? 90 : 0; });
    hold_inputs(network);
    network.run(100);
    network.programs[0]->session->drop(2);
    Network::Program& last = *network.programs[2];
    while (last.session->is_playing()) network.tick();
    for (const int i : {0, 1}) network.programs[i]->is_running = false;
    network.run(50);
    EXPECT_THROW(last.session->drop(0), Error);
    network.run(150);
    if (!is_automatic) {
      EXPECT_FALSE(last.session->is_playing());
      EXPECT_EQ(last.session->wait(), RollbackSession::Wait::joining);
      EXPECT_EQ(last.session->waiting_for(), 1u);
      EXPECT_THROW(last.session->drop(1), Error);
      last.session->drop(0);
    }
    network.run(150);
    EXPECT_TRUE(last.session->is_playing());
    EXPECT_TRUE(last.session->is_host());
    EXPECT_GT(last.session->confirmed_frame(), 200);
    EXPECT_EQ(count_notices(last, Kind::left), 3) << notices_of(last);
    EXPECT_EQ(count_notices(last, Kind::joined), 1) << notices_of(last);
    EXPECT_NE(last.game->inputs_at[200][2], "");
    RollbackOptions options = options_of(3, 0);
    options.instance = 555;
    options.silence = is_automatic ? 90 : 0;
    network.add(options);
    network.run(200);
    EXPECT_TRUE(network.programs[3]->session->is_playing());
    EXPECT_TRUE(last.session->is_host());
    EXPECT_GT(last.session->confirmed_frame(), 350);
    EXPECT_EQ(network.first_disagreement(350), -1);
  }
}

// Only the third player hears both hosts.
TEST(Rollback, GoesOnAloneThoughAnotherPlayerTellsOfAHost) {
  Network network({.delay = 2, .jitter = 1});
  add_players(network, 3, [](RollbackOptions& options) { options.silence = 90; });
  hold_inputs(network);
  network.run(100);
  network.change = [&](std::size_t from, std::size_t to, std::vector<std::byte>&) {
    return network.now > 1000 || from + to != 1;
  };
  network.run(500);
  std::vector<int> before;
  for (const auto& program : network.programs) before.push_back(program->session->confirmed_frame());
  network.run(400);
  for (std::size_t i = 0; i < 3; ++i) {
    const Network::Program& program = *network.programs[i];
    EXPECT_TRUE(program.session->is_playing()) << i << '\n' << notices_of(program);
    EXPECT_GT(program.session->confirmed_frame(), before[i] + 350) << i << '\n' << notices_of(program);
  }
  network.run(400);
  int hosts = 0;
  for (const auto& program : network.programs) {
    EXPECT_TRUE(program->session->is_playing()) << notices_of(*program);
    hosts += program->session->is_host() ? 1 : 0;
  }
  EXPECT_EQ(hosts, 1);
  EXPECT_EQ(network.first_disagreement(network.now), -1);
}

TEST(Rollback, DoesNotGoOnAloneWithoutTheState) {
  Network network;
  add_players(network, 2, [](RollbackOptions& options) { options.silence = 60; });
  hold_inputs(network);
  network.run(100);
  network.programs[1]->is_running = false;
  RollbackOptions options = options_of(2, 1);
  options.instance = 555;
  options.silence = 60;
  const Network::Program& again = network.add(options, 3000);
  network.run(3);
  network.change = [&](std::size_t, std::size_t, std::vector<std::byte>&) { return network.now > 300; };
  network.run(190);
  EXPECT_FALSE(again.session->is_playing()) << notices_of(again);
  EXPECT_EQ(again.session->wait(), RollbackSession::Wait::joining);
  network.run(300);
  EXPECT_EQ(count_notices(*network.programs[0], Kind::dropped), 0) << notices_of(*network.programs[0]);
  EXPECT_TRUE(network.programs[0]->session->is_host());
  EXPECT_GT(network.programs[0]->session->confirmed_frame(), 400);
}

TEST(Rollback, TellsAHostThatItLostItsSeatToAPlayerWhoGoesOnAlone) {
  Network network;
  add_players(network, 2, [](RollbackOptions& options) { options.silence = 60; });
  hold_inputs(network);
  network.run(100);
  network.programs[0]->session->drop(1);
  while (network.programs[1]->session->is_playing()) network.tick();
  network.change = [&](std::size_t from, std::size_t, std::vector<std::byte>&) {
    return from == 1 || network.now > 300;
  };
  network.run(500);
  EXPECT_EQ(count_notices(*network.programs[0], Kind::dropped), 1) << notices_of(*network.programs[0]);
  for (const auto& program : network.programs) EXPECT_TRUE(program->session->is_playing()) << notices_of(*program);
  EXPECT_TRUE(network.programs[1]->session->is_host());
  EXPECT_EQ(network.first_disagreement(network.now), -1);
}

// The first player drops the second, but waits for the third, who is lost too.
TEST(Rollback, ReportsNoDesyncOfPlayersWhoHadTwoHosts) {
  for (int ticks = 70; ticks < 110; ticks += 5) {
    Network network({.delay = 2, .jitter = 1});
    add_players(network, 3, [](RollbackOptions& options) {
      options.silence = 60;
      options.check_every = 1;
    });
    hold_inputs(network);
    network.run(100);
    network.change = [&](std::size_t from, std::size_t to, std::vector<std::byte>&) {
      return network.now > 100 + ticks || (from != 1 && to != 1);
    };
    network.run(ticks / 2);
    network.programs[2]->is_running = false;
    network.run(600);
    for (const int i : {0, 1}) {
      const Network::Program& program = *network.programs[i];
      EXPECT_TRUE(program.session->is_playing()) << ticks << i << '\n' << notices_of(program);
      EXPECT_GT(program.session->confirmed_frame(), 400) << ticks << i << '\n' << notices_of(program);
      EXPECT_EQ(count_notices(program, Kind::desync), 0) << ticks << i << '\n' << notices_of(program);
    }
    EXPECT_EQ(network.first_disagreement(400), -1) << ticks;
  }
}

TEST(Rollback, TakesBackAPlayerWhoStartsAnew) {
  for (const int run : {0, 1, 2, 3, 4, 5}) {
    const int lost = run % 3;
    Network network({.delay = 3, .jitter = 2, .loss = 0.1});
    add_players(network, 3);
    hold_inputs(network);
    network.run(200);
    network.programs[lost]->is_running = false;
    network.run(10);
    RollbackOptions options = options_of(3, lost);
    if (run < 3) options.instance = 555;
    Network::Program& again = network.add(options);
    network.run(900);
    EXPECT_TRUE(again.session->is_playing()) << lost << '\n' << notices_of(again);
    EXPECT_GT(again.session->confirmed_frame(), 600);
    for (int i = 0; i < 3; ++i) {
      if (i == lost) continue;
      const Network::Program& program = *network.programs[i];
      EXPECT_GT(program.session->confirmed_frame(), 600) << notices_of(program);
      EXPECT_EQ(count_notices(program, Kind::left), 1) << notices_of(program);
      EXPECT_EQ(count_notices(program, Kind::joined), 1) << notices_of(program);
      EXPECT_EQ(program.session->desync(), nullptr);
    }
    EXPECT_EQ(network.first_disagreement(600), -1);
    EXPECT_GT(network.programs[(lost + 1) % 3]->session->stats().checksums, 150);
  }
}

TEST(Rollback, LetsPlayersJoinLateAndOthersWatch) {
  Network network({.delay = 6, .jitter = 4, .loss = 0.2, .doubled = 0.1});
  for (int i = 0; i < 2; ++i) {
    RollbackOptions options = options_of(4, i);
    options.seats = 3;
    network.add(options, 50'000);
  }
  hold_inputs(network);
  network.run(500);
  network.add(options_of(4, 3), 50'000);
  RollbackOptions watching = options_of_spectator(4);
  watching.delay = 30;
  network.add(watching, 50'000);
  network.run(800);
  const RollbackSession& late = *network.programs[2]->session;
  const RollbackSession& spectator = *network.programs[3]->session;
  EXPECT_TRUE(late.is_playing()) << notices_of(*network.programs[2]);
  EXPECT_FALSE(spectator.is_playing());
  EXPECT_GT(late.confirmed_frame(), 900);
  EXPECT_GT(spectator.frame(), 900);
  EXPECT_LT(spectator.frame(), network.programs[0]->session->confirmed_frame() - 20);
  EXPECT_EQ(count_notices(*network.programs[1], Kind::joined), 1) << notices_of(*network.programs[1]);
  EXPECT_EQ(network.first_disagreement(900), -1);
  EXPECT_EQ(late.desync(), nullptr);
  EXPECT_GT(late.stats().checksums, 30);
  // A second spectator takes the seat.
  network.programs[2]->session->leave();
  network.run(150);
  network.programs[2]->is_running = false;
  RollbackOptions again = options_of(4, 3);
  again.instance = 98;
  network.add(again, 50'000);
  network.run(800);
  EXPECT_TRUE(network.programs[4]->session->is_playing()) << notices_of(*network.programs[4]);
  EXPECT_EQ(network.first_disagreement(1600), -1);
  EXPECT_GT(spectator.frame(), 1600);
}

TEST(Rollback, SendsAStateOfAnySizeInWholeChunks) {
  // The bytes do not compress, so one size fills whole chunks of 1,024 bytes, and one needs a byte more.
  for (std::size_t padding = 2000; padding < 2050; ++padding) {
    Network network;
    RollbackOptions options = options_of(2, 0);
    options.seats = 1;
    network.add(options, padding);
    network.run(20);
    network.add(options_of(2, 1), padding);
    network.run(100);
    ASSERT_TRUE(network.programs[1]->session->is_playing()) << padding << ' ' << notices_of(*network.programs[1]);
    ASSERT_EQ(network.first_disagreement(60), -1) << padding;
  }
}

TEST(Rollback, IsDroppedAndComesBack) {
  Network network({.delay = 2});
  add_players(network, 3);
  hold_inputs(network);
  network.run(100);
  network.programs[0]->session->drop(2);
  network.run(400);
  EXPECT_EQ(count_notices(*network.programs[2], Kind::dropped), 1) << notices_of(*network.programs[2]);
  EXPECT_TRUE(network.programs[2]->session->is_playing());
  EXPECT_EQ(count_notices(*network.programs[1], Kind::left), 1);
  EXPECT_EQ(count_notices(*network.programs[1], Kind::joined), 1);
  EXPECT_EQ(network.first_disagreement(400), -1);
}

// The state is older than the drop, so the player needs its former inputs, which do not fit into one message.
TEST(Rollback, TakesTheSeatAgainOnlyWithTheFormerInputsOfTheSeat) {
  Network network({.delay = 1});
  add_players(network, 2, [](RollbackOptions& options) {
    options.delay = options.local == 0 ? 20 : 2;
    options.input_bytes_max = 200;
  });
  choose_long_inputs(network);
  for (int drops = 1; drops <= 5; ++drops) {
    network.run(100);
    network.programs[0]->session->drop(1);
    network.run(100);
    EXPECT_EQ(count_notices(*network.programs[1], Kind::dropped), drops);
    EXPECT_TRUE(network.programs[1]->session->is_playing()) << notices_of(*network.programs[1]);
  }
  EXPECT_EQ(network.first_disagreement(900), -1);
  EXPECT_EQ(network.programs[0]->session->desync(), nullptr);
}

// The host has written the state for a spectator, some frames before the drop.
TEST(Rollback, TellsOfEventsOnceThoughAnOlderStateIsLoaded) {
  Network network({.delay = 4});
  add_players(network, 2);
  hold_inputs(network);
  Network::Program& program = *network.programs[1];
  program.game->after = [&](int frame) {
    program.session->event(1, std::to_string(frame) + ' ' + std::to_string(program.game->number));
  };
  network.run(100);
  network.add(options_of_spectator(2));
  network.run(60);
  network.programs[0]->session->drop(1);
  network.run(200);
  ASSERT_EQ(count_notices(program, Kind::loaded), 1) << notices_of(program);
  EXPECT_TRUE(program.session->is_playing());
  std::map<std::string, int> open;  // neither undone nor confirmed
  int last = -1, loaded = 0;
  for (const Notice& each : program.notices) {
    if (each.kind == Kind::loaded) loaded = each.frame;
    if (each.kind == Kind::predicted) ++open[each.text];
    if (each.kind == Kind::undone) {
      ASSERT_EQ(--open[each.text], 0) << each.text;
    }
    if (each.kind != Kind::confirmed) continue;
    ASSERT_EQ(--open[each.text], 0) << each.text;
    ASSERT_EQ(each.frame, last + 1);
    last = each.frame;
  }
  EXPECT_LT(loaded, 120);
  EXPECT_GT(last, 300);
  for (const auto& [text, count] : open) {
    if (std::atoi(text.c_str()) < program.session->confirmed_frame()) {
      EXPECT_EQ(count, 0) << text;
    }
  }
}

TEST(Rollback, ASpectatorCatchesUpWithLargeInputsOverABadLine) {
  Network network({.delay = 3, .jitter = 2, .loss = 0.2});
  add_players(network, 4, [](RollbackOptions& options) { options.input_bytes_max = 1024; });
  network.choose = [&network](std::size_t) {
    return std::string(1000, static_cast<char>(static_cast<int>(network.uniform() * 256)));
  };
  RollbackOptions watching = options_of_spectator(4);
  watching.input_bytes_max = 1024;
  network.add(watching);
  network.run(50);
  network.change = [](std::size_t from, std::size_t to, std::vector<std::byte>&) { return from != 4 && to != 4; };
  network.run(300);
  network.change = nullptr;
  network.run(1000);
  EXPECT_GT(network.programs[4]->session->frame(), network.programs[0]->session->frame() - 60);
}

// The first frames arrive before the state, and the program has simulated them with inputs of its own.
TEST(Rollback, ConfirmsNoFramesThatItSimulatedWithoutASeat) {
  Network network;
  for (const int i : {0, 1}) network.add(options_of(2, i), 300'000);
  network.choose = [&](std::size_t i) { return std::to_string(i) + ' ' + std::to_string(network.now); };
  network.programs[0]->game->after = [&](int frame) {
    network.programs[0]->session->event(1, std::to_string(frame) + network.programs[0]->game->applied[1]);
  };
  network.run(30);
  network.programs[1]->is_running = false;
  RollbackOptions options = options_of(2, 1);
  options.instance = 77;
  Network::Program& late = network.add(options, 300'000);
  late.game->after = [&](int frame) { late.session->event(1, std::to_string(frame) + late.game->applied[1]); };
  network.change = [&](std::size_t from, std::size_t, std::vector<std::byte>&) {
    return from == 0 || network.now % 9 == 0;
  };
  for (int i = 0; i < 200; ++i) {
    network.tick();
    if (count_notices(late, Kind::loaded) == 0) {
      ASSERT_EQ(late.session->confirmed_frame(), 0);
    }
  }
  network.change = nullptr;
  network.run(300);
  EXPECT_TRUE(late.session->is_playing()) << notices_of(late);
  std::map<int, std::string> confirmed;
  for (const Notice& each : network.programs[0]->notices) {
    if (each.kind == Kind::confirmed) confirmed[each.frame] = each.text;
  }
  EXPECT_GT(count_notices(late, Kind::confirmed), 100);
  for (const Notice& each : late.notices) {
    if (each.kind == Kind::confirmed) {
      EXPECT_EQ(each.text, confirmed[each.frame]);
    }
  }
}

// A message carries fewer such inputs than come before an acknowledgement.
TEST(Rollback, PlaysAndIsWatchedWithLongInputsOverALongLine) {
  for (const int players : {4, 16}) {
    Network network({.delay = 12});
    add_players(network, players, [](RollbackOptions& options) {
      options.prediction = 30;
      options.input_bytes_max = 200;
    });
    choose_long_inputs(network);
    network.run(100);
    RollbackOptions watching = options_of_spectator(players);
    watching.input_bytes_max = 200;
    watching.delay = 0;
    const Network::Program& spectator = network.add(watching);
    network.run(300);
    EXPECT_GT(network.programs[0]->session->frame(), 370);
    EXPECT_GT(spectator.session->frame(), 300) << players;
    EXPECT_EQ(count_notices(spectator, Kind::loaded), 1) << notices_of(spectator);
    EXPECT_EQ(network.first_disagreement(300), -1);
  }
}

TEST(Rollback, SendsASpectatorEachInputOnceInATick) {
  Network network({.delay = 4});
  add_players(network, 8);
  network.choose = [&](std::size_t) { return std::string(20, static_cast<char>(network.uniform() * 100)); };
  network.run(100);
  const Network::Program& spectator = network.add(options_of_spectator(8));
  network.run(100);
  std::map<int, int> messages;  // by tick
  network.change = [&](std::size_t from, std::size_t to, std::vector<std::byte>& bytes) {
    constexpr std::size_t kReceiverAt = 16;
    if (from == 0 && to == 8 && bytes[kReceiverAt] != std::byte{0}) ++messages[network.now];
    return true;
  };
  network.run(50);
  network.programs[0]->session->drop(7);  // whose stream ends
  network.programs[7]->is_running = false;
  network.run(50);
  EXPECT_EQ(messages.size(), 100u);
  for (const auto& [tick, count] : messages) EXPECT_LE(count, 3) << tick;
  EXPECT_GT(spectator.session->frame(), 280);
}

TEST(Rollback, LoadsNoStateAnewWhileTheGameWaits) {
  Network network;
  add_players(network, 2);
  Network::Program& spectator = network.add(options_of_spectator(2));
  hold_inputs(network);
  network.run(100);
  network.programs[1]->is_running = false;
  network.run(1500);
  EXPECT_EQ(count_notices(spectator, Kind::loaded), 1) << notices_of(spectator);
  EXPECT_GT(spectator.session->frame(), 80);
}

TEST(Rollback, DropsAPlayerInAnyTickOfItsJoining) {
  for (int ticks = 0; ticks < 100; ++ticks) {
    Network network({.delay = 3, .jitter = 6, .loss = 0.4}, static_cast<std::uint64_t>(ticks));
    RollbackOptions options = options_of(2, 0);
    options.seats = 1;
    network.add(options);
    hold_inputs(network);
    network.run(20);
    network.add(options_of(2, 1));
    network.run(20 + ticks % 30);
    network.programs[0]->session->drop(1);
    network.run(200);
    EXPECT_TRUE(network.programs[1]->session->is_playing()) << ticks << '\n' << notices_of(*network.programs[1]);
    EXPECT_EQ(network.programs[0]->session->desync(), nullptr) << ticks;
    EXPECT_EQ(network.first_disagreement(150), -1) << ticks;
  }
}

// A state is restored where a rollback or a frame fails, and to hash an earlier state.
TEST(Rollback, RestoresItsStateAgainWhereRestoreThrows) {
  Network network({.delay = 3, .jitter = 2});
  add_players(network, 2);
  hold_inputs(network);
  network.run(20);
  NumberGame& game = *network.programs[0]->game;
  int thrown = 0;
  game.after = [&](int) {
    if (network.uniform() < 0.05) throw Error("advance");
  };
  game.before_restore = [&] {
    if (network.uniform() < 0.2) throw Error("restore");
  };
  for (int i = 0; i < 600; ++i) {
    try {
      network.tick();
    } catch (const Error&) {
      ++thrown;
    }
  }
  game.after = nullptr, game.before_restore = nullptr;
  network.run(100);
  EXPECT_GT(thrown, 50);
  EXPECT_GT(network.programs[0]->session->frame(), 300);
  EXPECT_EQ(network.programs[0]->session->desync(), nullptr);
  EXPECT_EQ(network.first_disagreement(300), -1);
}

TEST(Rollback, ReportsADesyncWithTheDifferenceToThePlayerWhoDiffers) {
  Network network({.delay = 1, .jitter = 6, .loss = 0.2});
  add_players(network, 3);
  network.programs[2]->game->after = [&](int frame) {
    if (frame == 95) network.programs[2]->game->number ^= 1;
  };
  network.run(400);
  for (int i = 0; i < 3; ++i) {
    const Network::Program& program = *network.programs[i];
    ASSERT_EQ(count_notices(program, Kind::desync), 1) << notices_of(program);
    const Notice& desync = *program.session->desync();
    EXPECT_EQ(desync.frame, 100);
    EXPECT_TRUE(i == 2 ? desync.player < 2 : desync.player == 2) << i << ' ' << desync.player;
    EXPECT_EQ(desync.text, "number: " + std::to_string(desync.ours) + ", " + std::to_string(desync.theirs));
    EXPECT_GT(program.session->frame(), 350);
  }
}

TEST(Rollback, ReportsADesyncToASpectator) {
  Network network;
  add_players(network, 2);
  const Network::Program& spectator = network.add(options_of_spectator(2));
  network.run(100);
  spectator.game->number ^= 1;
  network.run(100);
  ASSERT_EQ(count_notices(spectator, Kind::desync), 1) << notices_of(spectator);
  EXPECT_NE(spectator.session->desync()->ours, spectator.session->desync()->theirs);
  EXPECT_GT(spectator.session->frame(), 180);
  EXPECT_EQ(network.programs[0]->session->desync(), nullptr);
}

TEST(Rollback, ReportsADesyncWhoseStateCannotTravelOrDoesNotCome) {
  for (const bool cannot_write : {true, false}) {
    Network network;
    add_players(network, 2);
    network.programs[1]->game->cannot_write = cannot_write;
    network.programs[1]->game->number = 5;
    if (!cannot_write) {
      network.change = [](std::size_t, std::size_t, std::vector<std::byte>& bytes) { return bytes[3] == std::byte{1}; };
    }
    network.run(cannot_write ? 100 : 500);
    ASSERT_EQ(count_notices(*network.programs[0], Kind::desync), 1);
    EXPECT_EQ(network.programs[0]->session->desync()->text, cannot_write ? "this state cannot travel" : "");
    EXPECT_EQ(network.programs[0]->session->desync()->frame, 0);
  }
}

void mend(std::vector<std::byte>& bytes) {
  if (bytes.size() < 4) return;
  const std::uint64_t sum = checksum_of(std::span(bytes).first(bytes.size() - 4));
  for (std::size_t i = 0; i < 4; ++i) bytes[bytes.size() - 4 + i] = static_cast<std::byte>(sum >> 8 * i);
}

// The players ask for two states in turn; the session keeps one.
TEST(Rollback, WritesFewStatesForManyWhoAsk) {
  for (const bool cannot_write : {false, true}) {
    Network network;
    add_players(network, 3);
    network.programs[0]->game->cannot_write = cannot_write;
    network.change = [&](std::size_t from, std::size_t, std::vector<std::byte>& bytes) {
      constexpr std::size_t kFlags = 34, kFields = kFlags + 13 + 4 * 4 + 3;
      constexpr unsigned char kChecksum = 16, kRequest = 32;
      if (from == 0 || network.now < 100) return true;
      const int frame = 80 + 10 * static_cast<int>(from), host = 1000;
      const bool has_checksum = (bytes[kFlags] & std::byte{kChecksum}) != std::byte{0};
      bytes[kFlags] |= std::byte{kRequest};
      std::vector<std::byte> request(17);
      request[0] = std::byte{2};
      for (std::size_t i = 0; i < 4; ++i) {
        request[1 + i] = static_cast<std::byte>(host >> 8 * i);
        request[5 + i] = static_cast<std::byte>(frame >> 8 * i);
      }
      bytes.insert(bytes.begin() + kFields + (has_checksum ? 12 : 0), request.begin(), request.end());
      mend(bytes);
      return true;
    };
    network.run(110);
    EXPECT_EQ(network.programs[0]->game->writes, 1);
    network.run(60);
    EXPECT_LE(network.programs[0]->game->writes, 3);
    EXPECT_EQ(count_notices(*network.programs[0], Kind::bad_message), 0);
  }
}

TEST(Rollback, ComparesChecksumsOfFramesThatAreFarBack) {
  Network network({.delay = 12});
  add_players(network, 2, [](RollbackOptions& options) { options.check_every = 1; });
  hold_inputs(network);
  network.run(300);
  EXPECT_GT(network.programs[0]->session->stats().checksums, 100);
}

TEST(Rollback, WaitsForAPlayerWhoseClockIsSlower) {
  Network network({.delay = 3});
  add_players(network, 2);
  hold_inputs(network);
  // 60 and 58.2 Hz: the second program misses every 33rd tick.
  std::int64_t rolled_back[2] = {};
  for (int i = 0; i < 3600; ++i) {
    network.programs[1]->is_running = i % 33 != 0;
    network.tick();
    if (i == 600) {
      for (const int p : {0, 1}) rolled_back[p] = network.programs[p]->session->stats().frames_rolled_back;
    }
  }
  for (const int p : {0, 1}) rolled_back[p] = network.programs[p]->session->stats().frames_rolled_back - rolled_back[p];
  EXPECT_GT(rolled_back[1], rolled_back[0] / 5);
  EXPECT_LT(rolled_back[1], 5 * rolled_back[0]);
  EXPECT_LE(std::abs(network.programs[0]->session->frame() - network.programs[1]->session->frame()), 4);
}

TEST(Rollback, TellsOfEventsOnceWhenTheyAreConfirmed) {
  Network network({.delay = 5, .jitter = 3, .loss = 0.1});
  add_players(network, 2);
  hold_inputs(network);
  for (const auto& program : network.programs) {
    Network::Program* const own = program.get();
    own->game->after = [own](int frame) {
      if (own->game->number % 3 == 0)
        own->session->event(static_cast<int>(own->game->number % 7), std::to_string(own->game->number));
      if (frame % 50 == 0) own->session->event(50), own->session->event(50);
    };
  }
  network.run(600);
  std::vector<std::string> confirmed[2];
  for (const int p : {0, 1}) {
    const Network::Program& program = *network.programs[p];
    std::map<std::string, int> open;  // neither undone nor confirmed
    int undone = 0, last = 0;
    for (const Notice& each : program.notices) {
      const std::string event = std::to_string(each.frame) + ' ' + std::to_string(each.event) + ' ' + each.text;
      if (each.kind == Kind::predicted) ++open[event];
      if (each.kind == Kind::undone) {
        ASSERT_GE(--open[event], 0);
        ++undone;
      }
      if (each.kind != Kind::confirmed) continue;
      ASSERT_GE(--open[event], 0) << event;
      EXPECT_GE(each.frame, last);
      last = each.frame;
      confirmed[p].push_back(event);
    }
    EXPECT_GT(undone, 20);
    EXPECT_GT(confirmed[p].size(), 150u);
    std::size_t expected = 0;
    for (int f = 0; f < program.session->confirmed_frame(); ++f)
      expected += (program.game->hashes[f] % 3 == 0 ? 1 : 0) + (f % 50 == 0 ? 2 : 0);
    EXPECT_EQ(confirmed[p].size(), expected);
  }
  const std::size_t common = std::min(confirmed[0].size(), confirmed[1].size());
  confirmed[0].resize(common), confirmed[1].resize(common);
  EXPECT_EQ(confirmed[0], confirmed[1]);
}

TEST(Rollback, ARefusedEventTakesNoRoom) {
  Network network;
  add_players(network, 2);
  const Network::Program& program = *network.programs[0];
  RollbackSession& session = *program.session;
  program.game->after = [&](int frame) {
    EXPECT_THROW(session.event(1, std::string(70000, 'x')), Error);
    session.event(2, std::to_string(frame));
  };
  network.run(60);
  EXPECT_GT(session.confirmed_frame(), 40);
  EXPECT_EQ(count_notices(program, Kind::confirmed), session.confirmed_frame());
}

TEST(Rollback, TellsTheRestWhereTellThrows) {
  NumberGame game;
  std::vector<int> told;
  RollbackSession session(
      game, {.delay = 0, .seats = 1}, [](std::span<const std::byte>, std::uint32_t) {},
      [&](const Notice& notice) {
        told.push_back(notice.event);
        if (told.size() == 2) throw Error("tell");
      });
  game.after = [&](int) { session.event(1), session.event(2); };
  EXPECT_THROW(session.tick(std::string_view()), Error);
  session.tick(std::string_view());
  EXPECT_EQ(told, (std::vector<int>{1, 2, 1, 2, 1, 2, 1, 2}));
}

// It simulates more frames in a tick than it keeps states.
TEST(Rollback, ConfirmsEveryEventToASpectatorThatCatchesUp) {
  Network network;
  add_players(network, 2);
  RollbackOptions watching = options_of_spectator(2);
  watching.prediction = 1;
  Network::Program& spectator = network.add(watching);
  spectator.game->after = [&](int frame) { spectator.session->event(1, std::to_string(frame)); };
  network.run(40);
  for (int i = 0; i < 20; ++i) {
    spectator.is_running = false;
    network.run(20);
    spectator.is_running = true;
    network.run(5);
  }
  int expected = -1;
  for (const Notice& each : spectator.notices) {
    if (each.kind != Kind::confirmed) continue;
    EXPECT_EQ(each.text, std::to_string(each.frame));
    if (expected >= 0) {
      ASSERT_EQ(each.frame, expected);
    }
    expected = each.frame + 1;
  }
  EXPECT_GT(expected, 100);
}

TEST(Rollback, KeepsNoMoreOfAPeerThanItMayNeed) {
  // A peer that acknowledges nothing must not make messages grow.
  Network network;
  add_players(network, 2);
  hold_inputs(network);
  network.run(100);
  std::size_t longest = 0;
  const std::size_t before = network.programs[0]->session->memory_bytes();
  std::vector<std::byte> replayed;
  network.change = [&](std::size_t from, std::size_t, std::vector<std::byte>& bytes) {
    if (from == 0) longest = std::max(longest, bytes.size());
    return from == 1;  // player 1 receives nothing
  };
  network.run(2000);
  EXPECT_LE(longest, 1300u);
  EXPECT_LT(network.programs[0]->session->frame(), 140);
  EXPECT_NE(network.programs[0]->session->wait(), RollbackSession::Wait::none);
  EXPECT_LT(network.programs[0]->session->memory_bytes(), before + 20'000);
}

TEST(Rollback, CountsTheMemoryOfItsInputs) {
  constexpr std::size_t kLength = 200;
  std::size_t memory_bytes[2] = {}, inputs = 0;
  for (const bool is_long : {false, true}) {
    Network network;
    add_players(network, 2, [](RollbackOptions& options) { options.input_bytes_max = kLength; });
    network.choose = [&](std::size_t) { return std::string(is_long ? kLength : 0, 'x'); };
    network.run(100);
    memory_bytes[is_long] = network.programs[0]->session->memory_bytes();
    // Each player has inputs of all frames, and of those within the prediction limit.
    inputs = 2 * static_cast<std::size_t>(network.programs[0]->session->frame() + 16);
  }
  // An empty string has room for a few bytes.
  EXPECT_GT(memory_bytes[1], memory_bytes[0] + inputs * (kLength - sizeof(std::string)));
}

TEST(Rollback, RefusesAStateThatIsTooLarge) {
  Network network;
  RollbackOptions options = options_of(2, 0);
  options.seats = 1;
  network.add(options, 100'000);
  network.run(100);
  RollbackOptions late = options_of(2, 1);
  late.state_bytes_max = 50'000;
  const Network::Program& program = network.add(late, 100'000);
  network.run(700);
  EXPECT_FALSE(program.session->is_playing());
  EXPECT_LT(program.memory_bytes, 200'000u);
  EXPECT_EQ(count_notices(program, Kind::refused), 1) << notices_of(program);
  EXPECT_NE(notices_of(program).find("state_bytes_max"), std::string::npos);
}

TEST(Rollback, RefusesDamagedMessages) {
  Network network;
  add_players(network, 2);
  hold_inputs(network);
  int changed = 0;
  network.change = [&](std::size_t, std::size_t to, std::vector<std::byte>& bytes) {
    if (to == 0 && network.uniform() < 0.5) {
      ++changed;
      const auto at = static_cast<std::size_t>(network.uniform() * static_cast<double>(bytes.size()));
      if (network.uniform() < 0.5)
        bytes[at] ^= static_cast<std::byte>(1 + static_cast<int>(network.uniform() * 255));
      else
        bytes.resize(at);
    }
    return true;
  };
  network.run(500);
  const Network::Program& first = *network.programs[0];
  EXPECT_GT(first.session->frame(), 400);
  EXPECT_GE(first.session->stats().bad_messages, changed - 10);
  EXPECT_LE(count_notices(first, Kind::bad_message), 4);
  EXPECT_EQ(network.first_disagreement(400), -1);
}

// FORKMUNK_FUZZED_MESSAGES sets their number.
TEST(Rollback, SurvivesMessagesThatAreMadeUp) {
  const char* const text = std::getenv("FORKMUNK_FUZZED_MESSAGES");
  const int count = text == nullptr ? 20'000 : std::atoi(text);
  int made = 0;
  std::size_t memory_bytes = 0;
  for (std::uint64_t seed = 1; made < count; ++seed) {
    Network network({.delay = 2, .jitter = 2, .loss = 0.1}, seed);
    for (int i = 0; i < 3; ++i) {
      RollbackOptions options = options_of(4, i);
      options.silence = 200;
      options.seats = 7;
      options.state_bytes_max = 1 << 18;
      network.add(options, 3'000);
    }
    network.add(options_of_spectator(4), 3'000);
    hold_inputs(network);
    std::vector<std::vector<std::byte>> seen;
    network.change = [&](std::size_t, std::size_t, std::vector<std::byte>& bytes) {
      if (seen.size() < 400)
        seen.push_back(bytes);
      else
        seen[static_cast<std::size_t>(network.uniform() * 400)] = bytes;
      return true;
    };
    for (int i = 0; i < 600 && made < count; ++i) {
      network.tick();
      if (i == 200) network.add(options_of(4, 3), 3'000);
      if (i == 300) network.programs[1]->is_running = false;
      if (i == 350) {
        RollbackOptions again = options_of(4, 1);
        again.instance = 55;
        network.add(again, 3'000);
      }
      for (int k = 0; k < 20; ++k, ++made) {
        std::vector<std::byte> bytes =
            seen[static_cast<std::size_t>(network.uniform() * static_cast<double>(seen.size()))];
        for (int changes = static_cast<int>(network.uniform() * 4); changes > 0; --changes) {
          const auto at = static_cast<std::size_t>(network.uniform() * static_cast<double>(bytes.size()));
          const double kind = network.uniform();
          if (kind < 0.3)
            bytes[at] ^= static_cast<std::byte>(1 << static_cast<int>(network.uniform() * 8));
          else if (kind < 0.6)
            bytes[at] = static_cast<std::byte>(network.uniform() * 256);
          else if (kind < 0.7)
            bytes[at] = std::byte{0xff};
          else if (kind < 0.8)
            bytes.resize(at);
          else if (kind < 0.9)
            bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), std::byte{0});
          else
            bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(at));
          if (bytes.empty()) bytes.resize(1);
        }
        if (network.uniform() < 0.9) mend(bytes);
        const auto to = static_cast<std::size_t>(network.uniform() * static_cast<double>(network.programs.size()));
        network.programs[to]->session->receive(bytes);
      }
    }
    for (const auto& program : network.programs) memory_bytes = std::max(memory_bytes, program->memory_bytes);
  }
  EXPECT_LT(memory_bytes, 2'000'000u);
}

TEST(Rollback, GoesOnAfterTheHighestVersionOfARoster) {
  Network network;
  add_players(network, 3, [](RollbackOptions& options) { options.silence = 60; });
  hold_inputs(network);
  network.run(100);
  network.change = [](std::size_t from, std::size_t, std::vector<std::byte>& bytes) {
    constexpr std::size_t kVersionAt = 39;
    if (from == 0 && bytes[3] == std::byte{1}) {
      for (std::size_t i = 0; i < 4; ++i) bytes[kVersionAt + i] = std::byte{0xff};
      mend(bytes);
    }
    return true;
  };
  network.run(20);
  network.programs[0]->is_running = false;
  network.run(400);
  for (const int i : {1, 2}) {
    const Network::Program& program = *network.programs[i];
    EXPECT_TRUE(program.session->is_playing()) << i << '\n' << notices_of(program);
    EXPECT_EQ(program.session->is_host(), i == 1);
    EXPECT_GT(program.session->confirmed_frame(), 350) << i << '\n' << notices_of(program);
  }
  EXPECT_EQ(network.first_disagreement(350), -1);
}

TEST(Rollback, NamesTheSenderOfAMessage) {
  Network network;
  add_players(network, 2);
  network.change = [](std::size_t from, std::size_t, std::vector<std::byte>& bytes) {
    EXPECT_EQ(RollbackSession::sender_of(bytes), 1000 + from);
    return true;
  };
  network.run(5);
  EXPECT_EQ(RollbackSession::sender_of({}), 0u);
}

TEST(Rollback, FindsInASyncTestWhatIsKeptOutsideOfTheState) {
  NumberGame good;
  SyncTest test(good, 2);
  const std::vector<std::string> inputs{"a", "b"};
  for (int i = 0; i < 30; ++i) test.tick(inputs);
  EXPECT_EQ(test.frame(), 30);
  NumberGame bad;
  int calls = 0;
  bad.after = [&](int) { bad.number += ++calls % 7 == 0 ? 1 : 0; };
  SyncTest failing(bad, 2);
  const auto run = [&] {
    for (int i = 0; i < 30; ++i) failing.tick(inputs);
  };
  EXPECT_THROW(run(), Error);
  EXPECT_EQ(failing.frame(), 2);
  EXPECT_EQ(failing.desync_frame(), 1);
  EXPECT_EQ(test.desync_frame(), -1);
  EXPECT_THROW(test.tick(std::vector<std::string>{"a"}), Error);
  calls = 0;  // the second simulation throws
  good.before = [&](int) {
    if (++calls == 3) throw std::runtime_error("mine");
  };
  const std::uint64_t number = good.number;
  EXPECT_THROW(test.tick(inputs), std::runtime_error);
  EXPECT_EQ(test.frame(), 30);
  EXPECT_EQ(good.number, number);
  calls = 2;  // restore() throws, too; the next tick tries again
  good.before_restore = [&] {
    if (calls == 3) throw Error("restore");
  };
  EXPECT_THROW(test.tick(inputs), std::runtime_error);
  EXPECT_THROW(test.tick(inputs), Error);
  good.before = nullptr, good.before_restore = nullptr;
  for (int i = 0; i < 10; ++i) test.tick(inputs);
  EXPECT_EQ(test.frame(), 40);
}

struct Boxes {
  Space space;
  Boxes() {
    const auto scope = space.enter();
    cpSpaceSetGravity(space.space(), cpv(0, -100));
    cpSpaceAddShape(space.space(),
                    cpSegmentShapeNew(cpSpaceGetStaticBody(space.space()), cpv(-100, 0), cpv(100, 0), 1));
    for (int i = 0; i < 6; ++i) {
      cpBody* const body = cpSpaceAddBody(space.space(), cpBodyNew(1, cpMomentForBox(1, 8, 8)));
      cpBodySetPosition(body, cpv(i * 9 - 24, 5));
      cpSpaceAddShape(space.space(), cpBoxShapeNew(body, 8, 8, 0));
    }
  }
  static void advance(Space& space, const FrameInputs& inputs, int) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      auto* const body = static_cast<cpBody*>(space.space()->dynamicBodies->arr[i * 5]);
      if (inputs[i].size() == 1) cpBodySetVelocity(body, cpv(inputs.get<std::int8_t>(i), 20));
    }
    space.step(1.0 / 60);
  }
};

TEST(Rollback, PlaysASpaceAndTakesItsStateLate) {
  std::vector<std::unique_ptr<Boxes>> boxes;
  std::vector<std::unique_ptr<SpaceGame>> games;
  std::vector<std::unique_ptr<RollbackSession>> sessions;
  std::vector<std::vector<std::vector<std::byte>>> queues(3);
  std::vector<Notice> desyncs;
  const auto add = [&](RollbackOptions options) {
    boxes.push_back(std::make_unique<Boxes>());
    games.push_back(std::make_unique<SpaceGame>(boxes.back()->space, Boxes::advance));
    const std::size_t own = sessions.size();
    sessions.push_back(std::make_unique<RollbackSession>(
        *games.back(), options,
        [&queues, own](std::span<const std::byte> bytes, std::uint32_t) {
          for (std::size_t i = 0; i < queues.size(); ++i) {
            if (i != own) queues[i].emplace_back(bytes.begin(), bytes.end());
          }
        },
        [&](const Notice& notice) {
          if (notice.kind == Kind::desync) desyncs.push_back(notice);
        }));
  };
  add(options_of(2, 0)), add(options_of(2, 1));
  int ticks = 0;
  const auto run = [&](int count) {
    for (const int end = ticks + count; ticks < end; ++ticks) {
      for (std::size_t i = 0; i < sessions.size(); ++i) {
        if (ticks % 5 == 0) {
          for (const auto& bytes : std::exchange(queues[i], {})) sessions[i]->receive(bytes);
        }
        sessions[i]->tick(static_cast<std::int8_t>((ticks / 20 * (i + 3)) % 41 - 20));
      }
    }
  };
  run(200);
  RollbackOptions watching = options_of(2, RollbackOptions::kSpectator);
  watching.instance = 9;
  watching.delay = 0;
  add(watching);
  run(200);
  EXPECT_GT(sessions[0]->stats().rollbacks, 10);
  EXPECT_GT(sessions[0]->stats().checksums, 20);
  EXPECT_TRUE(desyncs.empty());
  EXPECT_GT(sessions[2]->frame(), 350);
  cpBodySetVelocity(static_cast<cpBody*>(boxes[1]->space.space()->dynamicBodies->arr[3]), cpv(3, 50));
  run(100);
  ASSERT_EQ(desyncs.size(), 3u);
  int told = 0;
  for (const Notice& each : desyncs) told += each.text.find("differs") != std::string::npos ? 1 : 0;
  EXPECT_EQ(told, 2);
}

TEST(Rollback, NamesAllFieldsThatDifferWithBothValues) {
  Boxes boxes;
  Space other = boxes.space.fork();
  EXPECT_EQ(difference_text(boxes.space, other), "");
  const auto body = [](Space& space, int i) { return static_cast<cpBody*>(space.space()->dynamicBodies->arr[i]); };
  cpBodySetVelocity(body(other, 1), cpv(3, 50));
  cpBodySetAngularVelocity(body(other, 2), 0.5);
  cpSpaceSetDamping(other.space(), 0.75);
  const std::string text = difference_text(boxes.space, other);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3) << text;
  for (const char* part : {"body 1: v differs: 0, 3\n", "body 1: v differs: 0, 50\n", "body 2: w differs: 0, 0.5\n",
                           "damping differs: 1, 0.75"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

/// A ball that moves by 2 in each frame.
struct Lane {
  Space space;
  cpBody* ball = nullptr;
  cpShape* shape = nullptr;
  SpaceGame game;
  RollbackSession session;
  explicit Lane(RollbackOptions options)
      : game((build(), space), [](Space& world, const FrameInputs&, int) { world.step(1.0 / 60); }),
        session(game, std::move(options), [](std::span<const std::byte>, std::uint32_t) {}) {}
  void build() {
    const auto building = space.enter();
    ball = cpSpaceAddBody(space.space(), cpBodyNew(1, INFINITY));
    cpBodySetVelocity(ball, cpv(120, 0));
    cpBodySetAngularVelocity(ball, 6);
    shape = cpSpaceAddShape(space.space(), cpCircleShapeNew(ball, 0.25, cpvzero));
  }
  /// Returns the shape above x.
  static const cpShape* hit(const Space& at, double x) {
    return cpSpaceSegmentQueryFirst(at.space(), cpv(x, -9), cpv(x, 9), 0, CP_SHAPE_FILTER_ALL, nullptr);
  }
};

TEST(Rollback, AsksTheWorldAsItWas) {
  Lane lane({.prediction = 12, .history = 40});
  History history(lane.session, lane.game);
  std::vector<std::uint64_t> hashes;
  for (int frame = 0; frame < 12; ++frame) {
    hashes.push_back(lane.space.hash());
    ASSERT_TRUE(lane.session.tick(std::string_view()));
  }
  EXPECT_EQ(history.first(), 0);
  hashes.push_back(lane.space.hash());
  for (int frame = 0; frame <= 12; ++frame) {
    const Space& past = history.at(frame);
    EXPECT_EQ(past.hash(), hashes[static_cast<std::size_t>(frame)]);
    EXPECT_EQ(past.twin_of(lane.space, lane.shape), Lane::hit(past, 2 * frame));
    EXPECT_EQ(Lane::hit(past, 2 * frame + 1), nullptr);
    EXPECT_EQ(lane.space.twin_of(past, Lane::hit(past, 2 * frame)), lane.shape);
  }
  for (const double frame : {3.5, 0.25, 11.75}) {  // the last one is before the present state
    const Space& past = history.at(frame);
    const cpBody* const ball = past.twin_of(lane.space, lane.ball);
    EXPECT_NEAR(cpBodyGetPosition(ball).x, 2 * frame, 1e-9);
    EXPECT_NEAR(cpBodyGetAngle(ball), 0.1 * frame, 1e-9);
    EXPECT_NE(Lane::hit(past, 2 * frame), nullptr);
    EXPECT_EQ(Lane::hit(past, 2 * std::floor(frame)), nullptr);
  }
  EXPECT_EQ(lane.space.hash(), hashes[12]);
  for (const double wrong : {-1.0, 13.0, 12.5, 1e300, std::nan("")}) EXPECT_THROW(history.at(wrong), Error) << wrong;
  EXPECT_THROW(Lane({.history = 1025}), Error);
}

TEST(Rollback, AsksForAllSpacesOfTheWorldAsItWas) {
  Lane lane({.history = 10});
  cpBody* elsewhere = nullptr;
  {
    const auto building = lane.space.enter();
    elsewhere = cpSpaceAddBody(cpSpaceNew(), cpBodyNew(1, INFINITY));
  }
  SpaceGame game(lane.space, [&](Space&, const FrameInputs&, int) {
    cpBodySetPosition(elsewhere, cpvadd(cpBodyGetPosition(elsewhere), cpv(2, 0)));
  });
  RollbackSession session(game, {}, [](std::span<const std::byte>, std::uint32_t) {});
  History history(session, game);
  for (int frame = 0; frame < 6; ++frame) session.tick(std::string_view());
  EXPECT_NEAR(cpBodyGetPosition(history.at(3.5).twin_of(lane.space, elsewhere)).x, 7, 1e-9);
  Space without;
  cpSpaceFree(without.space());
  interpolate(without, lane.space, 0.5);
  EXPECT_TRUE(without.spaces().empty());
}

TEST(Rollback, KeepsStatesAsFarBackAsHistorySays) {
  Network network({.delay = 3});
  add_players(network, 2, [](RollbackOptions& options) { options.history = options.local == 0 ? 100 : 0; });
  hold_inputs(network);
  network.run(300);
  for (int i = 0; i < 2; ++i) {
    const RollbackSession& session = *network.programs[i]->session;
    const int frame = session.frame(), back = i == 0 ? 100 : 16;
    EXPECT_GE(session.saved_slot(frame - back), 0);
    EXPECT_EQ(session.saved_slot(frame - back - 2), -1);
    EXPECT_EQ(session.saved_slot(frame), -1);
    EXPECT_EQ(session.saved_slot(-1), -1);
    EXPECT_GT(session.stats().rollbacks, 20);
    EXPECT_EQ(session.desync(), nullptr);
  }
}

// A rollback saves the present state in one of the slots.
TEST(Rollback, FindsTheSameStatesInEachSimulationOfAFrame) {
  Network network({.delay = 6});
  add_players(network, 2, [](RollbackOptions& options) { options.history = 20 * options.local; });
  hold_inputs(network);
  for (const int i : {0, 1}) {
    Network::Program& program = *network.programs[i];
    program.game->before = [&program, i](int frame) {
      for (int f = frame; f >= std::max(0, frame - 25); --f) {
        const int slot = program.session->saved_slot(f);
        ASSERT_EQ(slot >= 0, f >= frame - 20 * i) << f << " in frame " << frame;
        if (slot < 0) continue;
        std::uint64_t number = 0;
        std::memcpy(&number, program.game->write(slot).data(), sizeof number);
        ASSERT_EQ(number, f == 0 ? 1 : program.game->hashes[f - 1]) << f << " in frame " << frame;
      }
    };
  }
  network.run(200);
  EXPECT_GT(network.programs[1]->session->stats().longest, 8);
}

TEST(Rollback, AsksForTheStateBeforeAFrameInTheFrame) {
  Lane lane({.history = 1});
  std::optional<History> history;
  SpaceGame game(lane.space, [&](Space& space, const FrameInputs&, int frame) {
    const std::uint64_t hash = space.hash();
    space.step(1.0 / 60);
    EXPECT_EQ(history->at(frame).hash(), hash);
    if (frame == 0) return;
    EXPECT_NE(Lane::hit(history->at(frame - 0.5), 2 * frame - 1), nullptr);
    EXPECT_EQ(history->first(), frame - 1);
  });
  RollbackSession session(game, {.history = 1}, [](std::span<const std::byte>, std::uint32_t) {});
  history.emplace(session, game);
  for (int frame = 0; frame < 6; ++frame) session.tick(std::string_view());
  EXPECT_EQ(session.frame(), 6);
}

}  // namespace
}  // namespace forkmunk::space
