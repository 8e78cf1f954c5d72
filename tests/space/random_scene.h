// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <chipmunk/chipmunk.h>
extern "C" {  // the header lacks it
#include <chipmunk/cpPolyline.h>
}

/// Scenes that use all of Chipmunk. The scene's memory holds the generator, so a copy goes on as its origin. Stock
/// Chipmunk can run the scenes, too.
namespace random_scene {

inline constexpr int kBodiesMax = 48;
inline constexpr int kJointsMax = 40;
inline constexpr int kStaticsMax = 12;
inline constexpr int kSpacesMax = 3;
inline constexpr int kHandlerCount = 6;
inline constexpr int kDeedCount = 200;
inline constexpr double kTimeStep = 1.0 / 60;

/// splitmix64, which is the same with every library.
struct Random {
  std::uint64_t state;

  std::uint64_t next() {
    std::uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  int below(int count) { return static_cast<int>(next() % static_cast<std::uint64_t>(count)); }
  bool chance(int percent) { return below(100) < percent; }
  double between(double low, double high) {
    return low + (high - low) * (static_cast<double>(next() >> 11) / 9007199254740992.0);
  }
  cpVect vector(double size) {
    const double x = between(-size, size);
    return cpv(x, between(-size, size));
  }
};

// Hashed word by word, so without padding.
struct BodySlot {
  cpBody* body;
  int id;
  int space;
  bool is_busy;  // callbacks leave a body alone while it is removed
  bool weighs_by_shapes;
  std::uint8_t no_padding[6] = {};
};

struct JointSlot {
  cpConstraint* joint;
  int id;
  int no_padding;
  double break_impulse;
};

struct StaticSlot {
  cpShape* shape;
  int space;
  int no_padding = 0;
};

struct SceneState;

struct HandlerData {
  SceneState* scene;
  int id;
  int calls;
};

/// An object that shows its pointers.
struct Note {
  Note* next;
  std::uint64_t number;  // of 64 random bits, which are no address where words are as wide
  cpBody* about;

  template <typename Visitor>
  void visit_pointers(Visitor& visit) {
    visit(next);
    visit(about);
  }
};

/// The words look like pointers.
struct Counter {
  std::uint64_t words[6];
};

/// All memory of a scene, which user data of bodies and joints points to.
struct SceneState {
  Random random;
  std::uint64_t in_order;  // 1: separations may act; 0: their order depends on addresses
  std::uint64_t log;
  std::uint32_t happened[kDeedCount];  // counts by note()'s first argument
  std::uint64_t separated;
  std::uint64_t tick;
  int next_id;
  int closing_space;  // nothing is made in it; -1: none
  cpSpace* spaces[kSpacesMax];
  BodySlot bodies[kBodiesMax];
  JointSlot joints[kJointsMax];
  StaticSlot statics[kStaticsMax];
  HandlerData handlers[kHandlerCount];
  Note* notes;
  Counter* counter;
  cpPolylineSet* lines;

  void note(int what, std::uint64_t value) {
    ++happened[what];
    log = (log ^ (value + static_cast<std::uint64_t>(what) * 1000003u)) * 0x9e3779b97f4a7c15u;
    log ^= log >> 29;
  }
  void note(int what, cpVect v);
  void note(int what, double x);
};

class Host {
 public:
  virtual ~Host() = default;
  virtual SceneState* make_scene() = 0;
  virtual Note* make_note() = 0;
  virtual Counter* make_counter() = 0;
  virtual void release(void* object) = 0;
  virtual cpSpace* main_space() = 0;
  virtual void step(cpSpace* space, double dt) = 0;
  /// Calls act(state) while Chipmunk allocates in the scene.
  virtual void act_inside(SceneState& state, void (*act)(Host&, SceneState&)) = 0;
};

SceneState* build(Host& host, std::uint64_t seed, bool in_order);
void advance(Host& host, SceneState& state);
std::uint64_t hash_of_motion(const SceneState& state);
void for_each_callback(void (*name)(const char* name, const void* function));

/// A shape's user data is four times its number, plus the outline.
enum class Outline { circle, segment, polygon };
inline Outline outline_of(const cpShape* shape) {
  return static_cast<Outline>(reinterpret_cast<std::uintptr_t>(cpShapeGetUserData(shape)) % 4);
}

inline SceneState& scene_of(cpSpace* space) { return *static_cast<SceneState*>(cpSpaceGetUserData(space)); }
BodySlot* pick_body(SceneState& state, int space = -1);
JointSlot* pick_joint(SceneState& state);
void add_random_body(SceneState& state, int space);
void add_random_joint(SceneState& state);
cpShape* add_random_shape(SceneState& state, cpBody* body, int space, bool with_mass);
void add_static(SceneState& state, int space);
void remove_body(SceneState& state, BodySlot& slot);
void remove_joint(SceneState& state, JointSlot& slot);
void remove_static(StaticSlot& slot);
void act(Host& host, SceneState& state);
void add_handlers(SceneState& state, cpSpace* space);
void equip(SceneState& state, cpBody* body);
void equip(SceneState& state, cpConstraint* joint);
void query(SceneState& state, cpSpace* space);
cpVect random_position(SceneState& state);
cpShapeFilter random_filter(SceneState& state);
cpCollisionType random_type(SceneState& state);
/// Schedules a deed for the end of this or the next step or query.
void schedule(SceneState& state, cpSpace* space, BodySlot* slot);

}  // namespace random_scene
