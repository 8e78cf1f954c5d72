// SPDX-License-Identifier: MIT
// A player of languages_test.mjs and chaos_test.mjs; peer.mjs and peer.py play the same game. Standard input has lines:
// "start SEAT SEATS INSTANCE PLAYERS DELAY PREDICTION CHECK_EVERY SILENCE HISTORY IS_JSON THROWS", with the taken seats
//   as bits, seat -1 for a spectator, and the frames of a thousand whose advance() throws;
// "tick VALUE TYPE MESSAGE...", where TYPE selects the type of the input that holds a value from 0 to 15;
// "probe", which compares a state of History and a saved game with the session's, "leave", "drop SEAT", "delay FRAMES".
// The answer to a tick is "FRAME CONFIRMED IS_PLAYING IS_HOST ROLLBACKS BYTES PROBLEM FRAME:HASH... NOTICE... |
// MESSAGE...", with messages in hexadecimal, hashes of confirmed frames, - or a text in hexadecimal for PROBLEM, and
// notices as KIND/FRAME/EVENT/DATA.

#include <forkmunk/base/error.h>
#include <forkmunk/base/random.h>
#include <forkmunk/space/history.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace {

using namespace forkmunk::space;

constexpr double kDt = 1.0 / 60;
constexpr cpCollisionType kFirstBall = 100;
constexpr int kBallsMax = 12;

cpShape* add_box(cpSpace* space, double mass, double width, double height, cpVect at) {
  cpBody* const body = cpSpaceAddBody(space, cpBodyNew(mass, cpMomentForBox(mass, width, height)));
  cpBodySetPosition(body, at);
  cpShape* const shape = cpSpaceAddShape(space, cpBoxShapeNew(body, width, height, 0));
  cpShapeSetFriction(shape, 0.7);
  return shape;
}

void build(cpSpace* space, int players) {
  cpSpaceSetGravity(space, cpv(0, -300));
  cpSpaceSetSleepTimeThreshold(space, 0.5);
  const cpVect corners[] = {cpv(-300, 300), cpv(-300, 0), cpv(300, 0), cpv(300, 300)};
  for (int i = 0; i < 3; ++i) {
    cpShape* const wall =
        cpSpaceAddShape(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), corners[i], corners[i + 1], 4));
    cpShapeSetFriction(wall, 0.9);
  }
  for (int i = 0; i < players; ++i)
    cpShapeSetCollisionType(add_box(space, 2, 30, 20, cpv(-225 + 150 * (i % 4), 20 + 60 * (i / 4))),
                            static_cast<cpCollisionType>(i + 1));
  for (int i = 0; i < 12; ++i) add_box(space, 1, 16, 16, cpv(-150 + 150 * (i % 3), 20 + 18 * (i / 3)));
  cpBody* const bob = cpSpaceAddBody(space, cpBodyNew(1, 40));
  cpBodySetPosition(bob, cpv(60, 150));
  cpSpaceAddShape(space, cpCircleShapeNew(bob, 9, cpvzero));
  cpSpaceAddConstraint(space, cpPinJointNew(cpSpaceGetStaticBody(space), bob, cpv(0, 240), cpvzero));
}

std::map<cpCollisionType, cpShape*> marked_shapes(cpSpace* space) {
  std::map<cpCollisionType, cpShape*> found;
  cpSpaceEachShape(
      space,
      [](cpShape* shape, void* shapes) {
        if (cpShapeGetCollisionType(shape) != 0)
          (*static_cast<std::map<cpCollisionType, cpShape*>*>(shapes))[cpShapeGetCollisionType(shape)] = shape;
      },
      &found);
  return found;
}

std::string hex_of(std::string_view bytes) {
  std::string text;
  for (const char each : bytes) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(static_cast<unsigned char>(each)));
    text += digits;
  }
  return text;
}
std::vector<std::byte> bytes_of(const std::string& hex) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  return bytes;
}

long memory_bytes() {
  long pages = 0, resident = 0;
  if (FILE* const file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return resident * sysconf(_SC_PAGESIZE);
}

/// Returns the first number in a JSON text, or the value of a byte.
int value_of(std::string_view input, bool is_json) {
  if (!is_json) return input.empty() ? 0 : static_cast<unsigned char>(input[0]);
  const std::size_t at = input.find_first_of("0123456789");
  return at == std::string_view::npos ? 0 : std::atoi(std::string(input.substr(at, 2)).c_str());
}

std::string input_of(int value, int type, bool is_json) {
  if (!is_json) return std::string(1 + static_cast<std::size_t>(type), static_cast<char>(value));
  const std::string text = std::to_string(value);
  switch (type) {
    case 0: return text;
    case 1: return '"' + text + '"';
    case 2: return '[' + text + ",null,true]";
    case 3: return "{\"v\":" + text + ",\"n\":[null,-0.5]}";
    case 4: return text + ".5";
    default: return "null";
  }
}

class Player {
 public:
  explicit Player(std::istream& words) {
    int seats = 0, delay = 0, prediction = 0, check_every = 0, silence = 0, history = 0;
    std::uint32_t instance = 0;
    words >> local_ >> seats >> instance >> players_ >> delay >> prediction >> check_every >> silence >> history >>
        is_json_ >> throws_;
    {
      const auto building = world_.enter();
      build(world_.space(), players_);
    }
    random_ = forkmunk::Random(instance);
    game_ = std::make_unique<SpaceGame>(
        world_, [this](Space& space, const FrameInputs& inputs, int frame) { advance(space, inputs, frame); });
    session_ = std::make_unique<RollbackSession>(
        *game_,
        RollbackOptions{.players = players_,
                        .local = local_,
                        .delay = delay,
                        .prediction = prediction,
                        .check_every = check_every,
                        .silence = silence,
                        .history = history,
                        .seats = static_cast<unsigned>(seats),
                        .input = is_json_ ? "0" : std::string(1, '\0'),
                        .session = 63,
                        .instance = instance},
        [this](std::span<const std::byte> message, std::uint32_t) {
          sent_ += ' ' + hex_of({reinterpret_cast<const char*>(message.data()), message.size()});
        },
        [this](const Notice& notice) {
          if (notice.kind == Notice::Kind::loaded) hashes_.clear(), confirmed_.clear();
          if (notice.kind == Notice::Kind::desync) problem_ = "desync " + notice.text;
          const bool is_event = notice.kind <= Notice::Kind::confirmed;
          notices_ += ' ' + std::to_string(static_cast<int>(notice.kind)) + '/' + std::to_string(notice.frame) + '/' +
                      std::to_string(notice.event) + '/' + (is_event ? hex_of(notice.text) : "");
        });
    history_ = std::make_unique<History>(*session_, *game_);
  }

  void do_line(const std::string& command, std::istream& words) {
    int number = 0;
    if (command == "leave") return session_->leave();
    if (command == "probe") return probe();
    words >> number;
    if (command == "drop") return session_->drop(number);
    if (command == "delay") return session_->set_delay(number);
    int type = 0;
    words >> type;
    for (std::string word; words >> word;) session_->receive(bytes_of(word));
    try {
      session_->tick(local_ < 0 ? std::string() : input_of(number, type, is_json_));
    } catch (const std::runtime_error& error) {
      if (std::string_view(error.what()) != "mine") problem_ = error.what();
    }
    answer();
  }

 private:
  void maybe_throw() {
    if (random_.next() % 1000 < static_cast<unsigned>(throws_)) throw std::runtime_error("mine");
  }
  void advance(Space& world, const FrameInputs& inputs, int frame) {
    maybe_throw();
    cpSpace* const space = world.space();
    {
      const auto scope = world.enter();
      auto shapes = marked_shapes(space);
      for (int i = 0; i < players_; ++i) {
        const int input = value_of(inputs[static_cast<std::size_t>(i)], is_json_);
        cpBody* const body = cpShapeGetBody(shapes.at(static_cast<cpCollisionType>(i + 1)));
        const double push = 20 * ((input & 1) - (input >> 1 & 1));
        if (push != 0) cpBodyApplyImpulseAtLocalPoint(body, cpv(push, 0), cpv(0, 2));
        if ((input & 4) != 0 && frame % 8 == 0)
          cpBodyApplyImpulseAtWorldPoint(body, cpv(0, 200), cpBodyGetPosition(body));
        if ((input & 8) == 0 || frame % 16 != 4 * i % 16) continue;
        const cpVect at = cpBodyGetPosition(body);
        cpBody* const ball = cpSpaceAddBody(space, cpBodyNew(0.5, 10));
        cpBodySetPosition(ball, cpv(at.x, at.y + 40));
        cpShape* const shape = cpSpaceAddShape(space, cpCircleShapeNew(ball, 6, cpvzero));
        cpShapeSetElasticity(shape, 0.5);
        cpShapeSetCollisionType(shape, kFirstBall + static_cast<cpCollisionType>(16 * frame + i));
        shapes[cpShapeGetCollisionType(shape)] = shape;
        const std::string text = std::to_string(frame);
        session_->event(i, is_json_ ? "{\"f\":" + text + "}" : text);
      }
      if (shapes.size() > static_cast<std::size_t>(players_ + kBallsMax)) {
        cpShape* const oldest = shapes.lower_bound(kFirstBall)->second;
        cpBody* const ball = cpShapeGetBody(oldest);
        cpSpaceRemoveShape(space, oldest);
        cpSpaceRemoveBody(space, ball);
        cpShapeFree(oldest);
        cpBodyFree(ball);
      }
    }
    world.step(kDt);
    maybe_throw();
    hashes_[frame] = world.hash();
  }
  void probe() {
    const int now = session_->frame(), first = history_->first();
    const int frame = first + static_cast<int>(random_.next() % static_cast<unsigned>(now - first + 1));
    const auto known = hashes_.find(frame - 1) != hashes_.end() ? hashes_ : confirmed_;
    const auto expected = known.find(frame - 1);
    if (expected != known.end() && history_->at(frame).hash() != expected->second) problem_ = "History differs";
    if (frame > first) history_->at(frame - 0.5);
    Space copy = world_.fork();
    const bool is_read = copy.restore(Snapshot::from_bytes(world_.save().to_bytes()));
    if (!is_read || copy.hash() != world_.hash()) problem_ = "a saved game differs";
  }
  void answer() {
    std::cout << session_->frame() << ' ' << session_->confirmed_frame() << ' ' << session_->is_playing() << ' '
              << session_->is_host() << ' ' << session_->stats().rollbacks << ' ' << memory_bytes() << ' '
              << (problem_.empty() ? "-" : hex_of(problem_));
    while (!hashes_.empty() && hashes_.begin()->first < session_->confirmed_frame()) {
      std::cout << ' ' << hashes_.begin()->first << ':' << hashes_.begin()->second;
      confirmed_.insert(hashes_.extract(hashes_.begin()));
    }
    while (confirmed_.size() > 200) confirmed_.erase(confirmed_.begin());
    std::cout << notices_ << " |" << sent_ << std::endl;
    sent_.clear(), notices_.clear();
  }

  int local_ = 0, players_ = 0, throws_ = 0;
  bool is_json_ = false;
  Space world_;
  forkmunk::Random random_{1};
  std::map<int, std::uint64_t> hashes_, confirmed_;
  std::string sent_, notices_, problem_;
  std::unique_ptr<SpaceGame> game_;
  std::unique_ptr<RollbackSession> session_;
  std::unique_ptr<History> history_;
};

}  // namespace

int main() {
  std::unique_ptr<Player> player;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string command;
    words >> command;
    if (command == "start")
      player = std::make_unique<Player>(words);
    else
      player->do_line(command, words);
  }
}
