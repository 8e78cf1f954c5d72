// SPDX-License-Identifier: MIT
#pragma once

#include "flat/motions.h"

#include <algorithm>
#include <array>

/// Contacts of several worlds in SIMD lanes: the first contact of each world, then the second of each, and so on. They
/// are solved as Chipmunk solves them, by sequential impulses with accumulated clamping (Catto 2006). The two lanes of
/// a world are the bias velocity, which separates penetrating bodies, and the velocity, as in Motion.
FORKMUNK_KERNEL_BEGIN(forkmunk::engine::flat)

/// One point of a contact of each world.
template <typename L>
struct PointLanes {
  VecOf<L> a_arm, b_arm;  ///< Relative to the bodies' centres of gravity.
  L normal_mass, tangent_mass;
  L target;
  L normal, tangent;  ///< The accumulated impulses.
};

/// The contacts of one index in all worlds. If a world has no such contact, or one point less, its numbers are 0, and
/// so are the results.
template <typename L>
class ContactLanes {
 public:
  /// Reads the contacts. \param index  the index of the contacts.
  FORKMUNK_INLINE void begin(std::span<const SolvedWorld> worlds, std::size_t index, Motions<L>& motions) noexcept {
    static constexpr SolverContact kNone = [] {
      SolverContact none{};
      none.a = kStaticBody;
      none.count = 1;
      return none;
    }();
    std::array<const SolverContact*, kWorlds> contacts;
    std::size_t both = 0;
    point_count_ = 1;
    for (std::size_t w = 0; w < kWorlds; ++w) {
      contacts[w] = w < worlds.size() && index < worlds[w].contact_count ? &worlds[w].contacts[index] : &kNone;
      point_count_ = std::max<std::size_t>(point_count_, contacts[w]->count);
      both += contacts[w]->a != kStaticBody;
    }
    both_move_ = both != 0;
    for (std::size_t w = 0; w < kWorlds; ++w) {
      const SolverContact& contact = *contacts[w];
      const BodyModel& body = world_of(worlds, 2 * w).model->bodies[contact.b];
      put(normal_, w, contact.normal);
      put(friction_, w, Lanes{0, contact.friction});
      put(cached_, w, all_lanes<Lanes>(contact.first ? 0 : 1));
      put(b_inverse_mass_, w, all_lanes<Lanes>(body.inverse_mass));
      put(b_inverse_moment_, w, all_lanes<Lanes>(body.inverse_moment));
      b_[w] = motions.address_of(contact.b, w);
      put(points_[0], w, contact.points[0]);
    }
    if (point_count_ > 1) [[unlikely]] {
      for (std::size_t w = 0; w < kWorlds; ++w) {
        put(points_[1], w, contacts[w]->count > 1 ? contacts[w]->points[1] : kNone.points[1]);
      }
    }
    if (both_move_) [[unlikely]] {
      for (std::size_t w = 0; w < kWorlds; ++w) {
        const SolverContact& contact = *contacts[w];
        const bool moves = contact.a != kStaticBody;
        const BodyModel body = moves ? world_of(worlds, 2 * w).model->bodies[contact.a] : BodyModel{};
        put(a_inverse_mass_, w, all_lanes<Lanes>(body.inverse_mass));
        put(a_inverse_moment_, w, all_lanes<Lanes>(body.inverse_moment));
        a_from_[w] = moves ? motions.address_of(contact.a, w) : motions.nothing(w);
        a_to_[w] = moves ? a_from_[w] : motions.nowhere(w);
        for (std::size_t i = 0; i < point_count_; ++i) {
          put(points_[i].a_arm, w, moves && i < contact.count ? contact.points[i].r1 : Vec{});
        }
      }
    }
  }

  /// Applies the impulses that were accumulated up to the last step.
  FORKMUNK_INLINE void apply_cached() noexcept {
    if (both_move_) {
      apply_cached<true>();
    } else {
      apply_cached<false>();
    }
  }

  FORKMUNK_INLINE void solve() noexcept {
    if (both_move_) {
      solve<true>();
    } else {
      solve<false>();
    }
  }

  FORKMUNK_INLINE void store(std::span<const SolvedWorld> worlds, std::size_t index) const noexcept {
    for (std::size_t w = 0; w < worlds.size(); ++w) {
      if (index >= worlds[w].contact_count) continue;
      SolverContact& contact = worlds[w].contacts[index];
      for (std::size_t i = 0; i < contact.count; ++i) {
        contact.points[i].normal = Lanes{points_[i].normal[2 * w], points_[i].normal[2 * w + 1]};
        contact.points[i].tangent = points_[i].tangent[2 * w + 1];
      }
    }
  }

 private:
  static constexpr std::size_t kWorlds = kWorldsIn<L>;

  FORKMUNK_INLINE static void put(L& lanes, std::size_t world, Lanes pair) noexcept {
    flat::store(reinterpret_cast<double*>(&lanes) + 2 * world, pair);
  }
  FORKMUNK_INLINE static void put(VecOf<L>& lanes, std::size_t world, Vec v) noexcept {
    put(lanes.x, world, all_lanes<Lanes>(v.x));
    put(lanes.y, world, all_lanes<Lanes>(v.y));
  }
  FORKMUNK_INLINE static void put(PointLanes<L>& lanes, std::size_t world, const SolverPoint& point) noexcept {
    put(lanes.b_arm, world, point.r2);
    put(lanes.normal_mass, world, all_lanes<Lanes>(point.normal_mass));
    put(lanes.tangent_mass, world, all_lanes<Lanes>(point.tangent_mass));
    put(lanes.target, world, point.target);
    put(lanes.normal, world, point.normal);
    put(lanes.tangent, world, Lanes{0, point.tangent});
  }

  template <bool kBothMove>
  struct Bodies {
    CarLanes<L> a, b;
  };
  template <bool kBothMove>
  FORKMUNK_INLINE Bodies<kBothMove> gather() const noexcept {
    return {Motions<L>::gather(kBothMove ? a_from_ : b_), Motions<L>::gather(b_)};
  }
  template <bool kBothMove>
  FORKMUNK_INLINE void scatter(const Bodies<kBothMove>& bodies) const noexcept {
    if constexpr (kBothMove) Motions<L>::scatter(a_to_, bodies.a);
    Motions<L>::scatter(b_, bodies.b);
  }
  // Computes v += j / m and w += (r x j) / I on b, and the same with -j on a, which negates each term exactly.
  template <bool kBothMove>
  FORKMUNK_INLINE void push(Bodies<kBothMove>& bodies, const PointLanes<L>& point, L along_normal,
                            L along_tangent) const noexcept {
    const VecOf<L> n = normal_, b_arm = point.b_arm;
    // The impulse is rotated into the world's axes.
    const L jx = n.x * along_normal - n.y * along_tangent;
    const L jy = n.x * along_tangent + n.y * along_normal;
    if constexpr (kBothMove) {
      const VecOf<L> a_arm = point.a_arm;
      CarLanes<L>& a = bodies.a;
      a.velocity.x = a.velocity.x - jx * a_inverse_mass_;
      a.velocity.y = a.velocity.y - jy * a_inverse_mass_;
      a.w = a.w - a_inverse_moment_ * (a_arm.x * jy - a_arm.y * jx);
    }
    CarLanes<L>& b = bodies.b;
    b.velocity.x = b.velocity.x + jx * b_inverse_mass_;
    b.velocity.y = b.velocity.y + jy * b_inverse_mass_;
    b.w = b.w + b_inverse_moment_ * (b_arm.x * jy - b_arm.y * jx);
  }

  template <bool kBothMove>
  FORKMUNK_INLINE void apply_cached() noexcept {
    Bodies<kBothMove> bodies = gather<kBothMove>();
    for (std::size_t i = 0; i < point_count_; ++i) {
      push(bodies, points_[i], points_[i].normal * cached_, points_[i].tangent * cached_);
    }
    scatter(bodies);
  }

  template <bool kBothMove>
  FORKMUNK_INLINE void solve() noexcept {
    const VecOf<L> n = normal_;
    Bodies<kBothMove> bodies = gather<kBothMove>();
    for (std::size_t i = 0; i < point_count_; ++i) {
      PointLanes<L>& point = points_[i];
      // Returns the velocity of b's point relative to a's point.
      L x = bodies.b.velocity.x - point.b_arm.y * bodies.b.w;
      L y = bodies.b.velocity.y + point.b_arm.x * bodies.b.w;
      if constexpr (kBothMove) {
        x = x - (bodies.a.velocity.x - point.a_arm.y * bodies.a.w);
        y = y - (bodies.a.velocity.y + point.a_arm.x * bodies.a.w);
      }
      const L along_normal = x * n.x + y * n.y;
      const L along_tangent = y * n.x - x * n.y;
      const L old_normal = point.normal, old_tangent = point.tangent;
      point.normal = max_of(old_normal + (point.target - along_normal) * point.normal_mass, all_lanes<L>(0));
      const L limit = friction_ * point.normal;
      point.tangent = min_of(max_of(old_tangent - along_tangent * point.tangent_mass, -limit), limit);
      push(bodies, point, point.normal - old_normal, point.tangent - old_tangent);
    }
    scatter(bodies);
  }

  VecOf<L> normal_;
  L friction_;  // 0 for the bias velocities
  L cached_;    // 1 if the contact has impulses for the warm start, else 0
  L a_inverse_mass_, a_inverse_moment_, b_inverse_mass_, b_inverse_moment_;
  std::array<PointLanes<L>, 2> points_;
  typename Motions<L>::Addresses a_from_, a_to_, b_;
  std::size_t point_count_;  // maximum over the contacts
  bool both_move_;           // true if any of the contacts has two moving bodies
};

FORKMUNK_KERNEL_END
