// Scratch of the stepper `displacement`: the data of each body and constraint during its sweeps. World axes, SI units; impulses in N s and
// N m s. See steppers/displacement/displacement.hpp.
#pragma once
#include <cstdint>
#include <vector>

#include "engine/geometry/surface.hpp"
#include "engine/state/results.hpp"
#include "engine/state/sizes.hpp"

namespace vertebra::inline state {

struct DisplacedBody {  // by link
  bool rotor = false;   // a shaft: it only rotates about its axis
  bool predicted = false;
  double inverseMass = 0;
  Mat3 inverseInertia = Mat3::Zero();                            // of the response to torques; of a rotor about its axis
  Vec3 omega = Vec3::Zero();                                     // rad/s
  Vec3 startVelocity = Vec3::Zero(), startOmega = Vec3::Zero();  // before the step
  Vec3 freeVelocity = Vec3::Zero(), freeOmega = Vec3::Zero();    // as predicted, without constraints
  Vec3 freeCentre = Vec3::Zero();                                // of mass, likewise
  Quat freeTurn = Quat::Identity();                              // orientation, likewise
  Vec3 axis = Vec3::Zero();                                      // of a rotor
  // Under an implicit field the stiffness and damping of the field are added to the inertia, which couples translation and rotation: the
  // response of the velocity to a force and to a torque; the response of the angular velocity to a force is the transpose of the latter.
  bool pulled = false;
  Mat3 moving = Mat3::Zero(), mixed = Mat3::Zero();

  Vec3 speedBy(const Vec3& impulse, const Vec3& torque) const {
    return pulled ? Vec3(moving * impulse + mixed * torque) : Vec3(inverseMass * impulse);
  }
  Vec3 spinBy(const Vec3& impulse, const Vec3& torque) const {
    return pulled ? Vec3(mixed.transpose() * impulse + inverseInertia * torque) : Vec3(inverseInertia * torque);
  }
  double inverseMassOf(const Vec3& force, const Vec3& torque) const {  // for a row with this force and torque
    const double turning = torque.dot(inverseInertia * torque);
    return pulled ? force.dot(moving * force) + 2 * force.dot(mixed * torque) + turning : inverseMass * force.squaredNorm() + turning;
  }
};

struct DisplacedJoint {  // a constraint between two bodies, or a rotor's axis
  int joint = -1;
  bool started = false;                                // its mobility is known
  Mat3 linear = Mat3::Zero(), angular = Mat3::Zero();  // inverse mass at its points, inverse inertia of both bodies
  Vec3 point = Vec3::Zero(), origin = Vec3::Zero();    // where Jacobians are frozen: its points and directions at the predicted poses
  Vec6 row[6], axis[6];
  double startRate[6] = {};  // of its axes, before the step
  double armatureImpulse[6] = {};
  // Remaining violation that a step allows for limits (lower or only one, upper) that were violated before it; negative.
  double allowed[6][2] = {};
};

struct DisplacedContact {
  int contact = -1;
  int linkA = -1, linkB = -1;
  // The contact points, in the bodies' inertial frames; in the world where there is no link; of a foreseen impact their arms, world axes.
  Vec3 inA = Vec3::Zero(), inB = Vec3::Zero();
  Vec3 heldA = Vec3::Zero(), heldB = Vec3::Zero();  // the same in the world, at the predicted poses
  Mat3 linear = Mat3::Zero(), angular = Mat3::Zero();
  double allowed = 0;    // m, the gap that the step may leave
  double startRate = 0;  // m/s, of the gap, before the step
  double freeRate = 0;   // likewise, of the predicted motion
  geometry::ContactSurface surface;
  bool slips = false, foreseen = false;
  double normal = 0, torsion = 0;  // impulses
  Vec3 tangential = Vec3::Zero(), rolling = Vec3::Zero();
};

// An impact of the coming step, found at the poses before it.
struct ForeseenContact {
  Contact contact;
  Vec3 arm[2] = {Vec3::Zero(), Vec3::Zero()};  // from the centres of mass to the points when they meet; of a body without link, the point
  double gap = 0;                              // m, that the predicted motion leaves at the end: negative
  double rate = 0;                             // m/s, of the gap, before the step
  bool inner = false;                          // see SpeculativeContact
};

struct DisplacedPart {  // one body's part of a row over several
  int body = -1, link = -1;
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();  // about the centre of mass, or, of a body without link, about its frame's origin
};

struct DisplacedItem {
  enum Kind : std::uint8_t { Joint, Coupling, User, Contact } kind = Joint;
  int index = -1;  // into `joints`, `contacts`, or the world's slots
};

struct DisplacementData {
  std::vector<DisplacedBody> bodies;
  std::vector<DisplacedJoint> joints;
  std::vector<DisplacedContact> contacts;
  std::vector<DisplacedItem> items;  // of the present island, in the order of a forward sweep
  std::vector<DisplacedPart> parts;
  std::vector<ForeseenContact> foreseen;  // for this step, by shapes

  void reserve(const Sizes& n);
};

}  // namespace vertebra::inline state
