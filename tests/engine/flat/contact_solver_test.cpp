// SPDX-License-Identifier: MIT
#include "engine/flat/chipmunk_kernels.h"
#include "flat/solver_lanes.h"
#include "support/scenes.h"

#include <gtest/gtest.h>

namespace forkmunk::engine::flat {
namespace {

// Lanes of other worlds are unused.
Cars<WideLanes> cars_of(const LiveState& state) {
  Cars<WideLanes> cars;
  for (std::size_t role = 0; role < 3; ++role) {
    const auto both_cars = [&](auto&& of) {
      return each_lane<WideLanes>([&](std::size_t lane) { return of(state.bodies[3 * (lane % 2) + role]); });
    };
    cars[role] = {{both_cars([](const Body& body) { return body.velocity.x; }),
                   both_cars([](const Body& body) { return body.velocity.y; })},
                  both_cars([](const Body& body) { return body.angular_velocity; })};
  }
  return cars;
}

struct Case {
  std::uint8_t a, b;
};
// Two moving bodies, or one on either side of a static shape.
constexpr std::array kCases{Case{0, 3}, Case{4, 2}, Case{5, 0}, Case{1, kStaticBody}, Case{kStaticBody, 3}};

class ContactTwin {
 public:
  ContactTwin(const MatchModel& model, Case bodies, Random& random) : model_(model) {
    for (std::size_t i = 0; i < kBodyCount; ++i) {
      Body& body = state_.bodies[i];
      body.position = random_vec(random, 200);
      body.velocity = random_vec(random, 300);
      body.angular_velocity = random.between(-20, 20);
      stock_bodies_[i].reset(stock.cpBodyNew(1, 1));
      cpBody& twin = *stock_bodies_[i];
      twin.p = cp(body.position);
      twin.v = cp(body.velocity);
      twin.w = body.angular_velocity;
      twin.m_inv = model.bodies[i].inverse_mass;
      twin.i_inv = model.bodies[i].inverse_moment;
    }
    stock_bodies_[kStaticBody].reset(stock.cpBodyNewKinematic());
    cpBody& fixed = *stock_bodies_[kStaticBody];
    fixed.m_inv = fixed.i_inv = 0;

    motions_.begin(cars_of(state_));

    elasticity_ = random.below(2) == 0 ? 0 : random.between(0, 1.5);
    contact_.a = bodies.a;
    contact_.b = bodies.b;
    contact_.count = static_cast<std::uint8_t>(1 + random.below(2));
    contact_.first = random.below(3) == 0;
    contact_.normal = random_rotation(random);
    contact_.friction = random.between(0, 1.5);
    arbiter_.body_a = stock_bodies_[bodies.a].get();
    arbiter_.body_b = stock_bodies_[bodies.b].get();
    arbiter_.contacts = stock_points_.data();
    arbiter_.count = contact_.count;
    arbiter_.state = contact_.first ? CP_ARBITER_STATE_FIRST_COLLISION : CP_ARBITER_STATE_NORMAL;
    arbiter_.n = cp(contact_.normal);
    arbiter_.e = elasticity_;
    arbiter_.u = contact_.friction;
    for (std::size_t i = 0; i < contact_.count; ++i) {
      SolverPoint& point = contact_.points[i];
      // The points slightly penetrate or are apart.
      const Vec at = random_vec(random, 200);
      point.r1 = at + contact_.normal * random.between(-1, 2) - position_of(bodies.a);
      point.r2 = at - position_of(bodies.b);
      point.normal = Lanes{0, contact_.first ? 0 : random.between(0, 50)};
      point.tangent = contact_.first ? 0 : random.between(-20, 20);
      stock_points_[i].r1 = cp(point.r1);
      stock_points_[i].r2 = cp(point.r2);
      stock_points_[i].jnAcc = point.normal[1];
      stock_points_[i].jtAcc = point.tangent;
    }
    if (bodies.b != kStaticBody) return;
    // ContactFinder orients contacts so.
    std::swap(contact_.a, contact_.b);
    contact_.normal = -contact_.normal;
    for (SolverPoint& point : contact_.points) std::swap(point.r1, point.r2);
  }

  void prepare() {
    flat::prepare(model_, state_, contact_, elasticity_);
    stock.cpArbiterPreStep(&arbiter_, kTickSeconds, kSlop, -model_.contact_bias);
    for (std::size_t i = 0; i < contact_.count; ++i) {
      EXPECT_TRUE(same(contact_.points[i].normal_mass, stock_points_[i].nMass));
      EXPECT_TRUE(same(contact_.points[i].tangent_mass, stock_points_[i].tMass));
      EXPECT_EQ(contact_.points[i].target[0], stock_points_[i].bias);
      EXPECT_TRUE(same(contact_.points[i].target[1], -stock_points_[i].bounce));
    }
    worlds_[0] = {&model_, &state_, &contact_, 1, {}};
    lanes_.begin(worlds_, 0, motions_);
  }
  void apply_cached() {
    lanes_.apply_cached();
    stock.cpArbiterApplyCachedImpulse(&arbiter_, 1);
  }
  /// \param repack  loads the contact into the lanes again.
  void solve(bool repack) {
    if (repack) lanes_.begin(worlds_, 0, motions_);
    lanes_.solve();
    lanes_.store(worlds_, 0);
    stock.cpArbiterApplyImpulse(&arbiter_);
  }

  void expect_equal() {
    for (std::size_t i = 0; i < kBodyCount; ++i) {
      const Motion motion = motions_.get(i, 0);
      const cpBody& twin = *stock_bodies_[i];
      ASSERT_EQ(motion.x[1], twin.v.x);
      ASSERT_EQ(motion.y[1], twin.v.y);
      ASSERT_EQ(motion.w[1], twin.w);
      ASSERT_EQ(motion.x[0], twin.v_bias.x);
      ASSERT_EQ(motion.y[0], twin.v_bias.y);
      ASSERT_EQ(motion.w[0], twin.w_bias);
    }
    for (std::size_t i = 0; i < contact_.count; ++i) {
      ASSERT_EQ(contact_.points[i].normal[0], stock_points_[i].jBias);
      ASSERT_EQ(contact_.points[i].normal[1], stock_points_[i].jnAcc);
      ASSERT_EQ(contact_.points[i].tangent, stock_points_[i].jtAcc);
    }
  }
  [[nodiscard]] bool pushes() const { return contact_.points[0].normal[1] > 0; }
  [[nodiscard]] bool parts() const { return contact_.points[0].normal[0] > 0; }

 private:
  [[nodiscard]] Vec position_of(std::uint8_t body) const {
    return body == kStaticBody ? Vec{0, 0} : state_.bodies[body].position;
  }

  const MatchModel& model_;
  LiveState state_;
  SolverContact contact_{};
  Motions<WideLanes> motions_;
  ContactLanes<WideLanes> lanes_;
  std::array<SolvedWorld, 1> worlds_{};
  double elasticity_ = 0;
  std::array<Owned<cpBody>, kBodyCount + 1> stock_bodies_;
  std::array<cpContact, 2> stock_points_{};
  cpArbiter arbiter_{};
};

TEST(ContactSolver, IteratesAsChipmunkDoes) {
  Random random(14);
  int pushing = 0, parting = 0;
  for (const tests::Scene& scene : tests::all_scenes()) {
    const MatchModel model(scene.setup);
    for (int round = 0; round < 500; ++round) {
      SCOPED_TRACE(round);
      ContactTwin twin(model, kCases[static_cast<std::size_t>(round) % kCases.size()], random);
      twin.prepare();
      ASSERT_FALSE(HasFailure());
      twin.apply_cached();
      ASSERT_NO_FATAL_FAILURE(twin.expect_equal());
      for (int iteration = 0; iteration < 10; ++iteration) {
        twin.solve(round % 2 == 1);
        ASSERT_NO_FATAL_FAILURE(twin.expect_equal()) << "iteration " << iteration;
      }
      pushing += twin.pushes() ? 1 : 0;
      parting += twin.parts() ? 1 : 0;
    }
  }
  EXPECT_GT(pushing, 3000);
  EXPECT_GT(parting, 1500);
}

// The impulse m v stops a body of mass 1/m_inv, which bounces at e v.
TEST(ContactSolver, ABodyThatFallsOntoTheMapIsStoppedByItsMomentum) {
  const MatchModel model(tests::scene_of("PillMap", "Buggy").setup);
  for (const double elasticity : {0.0, 0.5}) {
    LiveState state;
    state.bodies[0].position = {100, 50};
    state.bodies[0].velocity = {0, -30};
    SolverContact contact{};
    contact.a = kStaticBody;
    contact.b = 0;
    contact.count = 1;
    contact.first = true;
    contact.normal = {0, 1};
    contact.points[0].r1 = {100, 40};
    contact.points[0].r2 = {0, -10};
    prepare(model, state, contact, elasticity);
    const std::array worlds{SolvedWorld{&model, &state, &contact, 1, {}}};
    Motions<WideLanes> motions;
    motions.begin(cars_of(state));
    ContactLanes<WideLanes> lanes;
    lanes.begin(worlds, 0, motions);
    lanes.solve();
    lanes.store(worlds, 0);
    EXPECT_NEAR(motions.get(0, 0).y[1], 30 * elasticity, 1e-12);
    EXPECT_NEAR(contact.points[0].normal[1], 30 * (1 + elasticity) / model.bodies[0].inverse_mass, 1e-9);
    EXPECT_EQ(motions.get(0, 0).y[0], 0) << "no bias velocity within the slop";
  }
}

}  // namespace
}  // namespace forkmunk::engine::flat
