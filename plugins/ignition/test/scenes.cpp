// The scenes of the comparison. Steps are 1 ms; the reference is a closed form, an integral of our own (reference.hpp), or DART with steps
// of 10 us.
#include "plugins/ignition/test/scenes.hpp"

#include <algorithm>
#include <cmath>

#include "plugins/ignition/test/reference.hpp"
#include "plugins/ignition/test/worlds.hpp"

namespace compare {

namespace {

constexpr double kStep = 1e-3, kFineStep = 1e-5;
constexpr double kPi = 3.14159265358979323846;
using Vector = Eigen::Vector3d;

template <class List>
Result result(const Scene<List>& scene, double error) {
  return {error, scene.seconds / scene.steps * 1e6};
}

Result freeFall(const Engine& engine) {
  auto scene = build<Common>(engine, boxes(1, 10));
  scene.run(1, kStep);
  return result(scene, std::abs(scene.frame("box0").pose.translation().z() - (10.1 - kGravity / 2)));
}

Result pushed(const Engine& engine) {
  auto scene = build<Pushing>(engine, block());
  scene.run(2, kStep, [&](double) { scene.links["block"]->AddExternalForce(Vector(2, 0, 0), physics::FrameID::World(), Vector(0, 0, 0)); });
  const double error = std::abs(scene.frame("block").linearVelocity.x() - 4);
  return result(scene, error);
}

// Angular momentum kept by a body that turns about its middle axis and tumbles.
Result tumbling(const Engine& engine) {
  auto scene = build<Spinning>(engine, block());
  const auto momentum = [&] {
    const auto frame = scene.frame("block");
    const Eigen::Matrix3d turn = frame.pose.linear();
    return Vector(turn * Vector(0.01, 0.02, 0.03).asDiagonal() * turn.transpose() * frame.angularVelocity);
  };
  scene.links["block"]->FindFreeGroup()->SetWorldAngularVelocity(Vector(0.1, 5, 0.1));
  const Vector before = momentum();
  scene.run(10, kStep);
  return result(scene, (momentum() - before).norm() / before.norm());
}

Result onePendulum(const Engine& engine) {
  auto scene = build<Common>(engine, rods(1));
  scene.run(5, kStep);
  return result(scene, std::abs(scene.joints["hinge0"]->GetPosition(0) - pendulum(5)));
}

Result twoPendulums(const Engine& engine) {
  auto scene = build<Common>(engine, rods(2));
  scene.run(2, kStep);
  const auto angles = doublePendulum(2);
  return result(scene, std::max(std::abs(scene.joints["hinge0"]->GetPosition(0) - angles[0]),
                                std::abs(scene.joints["hinge1"]->GetPosition(0) - angles[1])));
}

// A rod that falls on its stop and stays there.
Result stopped(const Engine& engine) {
  auto scene = build<Common>(engine, rods(1, "<limit><lower>-0.5</lower><upper>0.5</upper></limit>"));
  scene.run(3, kStep);
  return result(scene, std::abs(scene.joints["hinge0"]->GetPosition(0) - 0.5));
}

constexpr std::size_t kAxes = 7;
std::string hinge(std::size_t i) { return "hinge" + std::to_string(i); }

// Torques that vary in time, those of the middle of each step; where the joints are after a second.
std::array<double, kAxes> swing(Scene<Common>& scene, double step) {
  scene.run(1, step, [&](double time) {
    for (std::size_t i = 0; i < kAxes; ++i)
      scene.joints[hinge(i)]->SetForce(0, 0.5 * std::sin(3 * (time + step / 2) + static_cast<double>(i)));
  });
  std::array<double, kAxes> q;
  for (std::size_t i = 0; i < kAxes; ++i) q[i] = scene.joints[hinge(i)]->GetPosition(0);
  return q;
}

Result torques(const Engine& engine, const Engine& fine) {
  static const std::array<double, kAxes> reference = [&] {
    auto scene = build<Common>(fine, arm());
    return swing(scene, kFineStep);
  }();
  auto scene = build<Common>(engine, arm());
  const auto q = swing(scene, kStep);
  double error = 0;
  for (std::size_t i = 0; i < kAxes; ++i) error = std::max(error, std::abs(q[i] - reference[i]));
  return result(scene, error);
}

// Velocities that vary in time, held against gravity: the joints must be where these lead.
Result velocities(const Engine& engine) {
  constexpr double kTime = 2, kLargest = 0.5, kRate = 2;
  auto scene = build<Common>(engine, arm());
  scene.run(kTime, kStep, [&](double time) {
    for (std::size_t i = 0; i < kAxes; ++i)
      scene.joints[hinge(i)]->SetVelocityCommand(0, kLargest * std::sin(kRate * time + static_cast<double>(i)));
  });
  double error = 0;
  for (std::size_t i = 0; i < kAxes; ++i) {
    const double phase = static_cast<double>(i), wanted = kLargest / kRate * (std::cos(phase) - std::cos(kRate * kTime + phase));
    error = std::max(error, std::abs(scene.joints[hinge(i)]->GetPosition(0) - wanted));
  }
  return result(scene, error);
}

Result dropped(const Engine& engine) {
  auto scene = build<Common>(engine, boxes(1, 0.5));
  scene.run(2, kStep);
  return result(scene, std::abs(scene.frame("box0").pose.translation().z() - 0.1));
}

Result weighed(const Engine& engine) {
  auto scene = build<Touching>(engine, boxes(1, 0));
  scene.run(2, kStep);
  double force = 0;
  for (const auto& contact : scene.world->GetContactsFromLastStep())
    if (const auto* extra = contact.template Query<physics::GetContactsFromLastStepFeature::ExtraContactDataT<physics::FeaturePolicy3d>>())
      force += std::abs(extra->force.z());
  return result(scene, std::abs(force - kGravity));
}

Result tower(const Engine& engine) {
  auto scene = build<Common>(engine, boxes(10, 0));
  scene.run(5, kStep);
  return result(scene, (scene.frame("box9").pose.translation() - Vector(0, 0, 1.9)).norm());
}

// How far the cube got along the board, beyond what Coulomb's law says.
Result slide(const Engine& engine, double degrees, double friction) {
  const double angle = degrees * kPi / 180, pull = kGravity * (std::sin(angle) - friction * std::cos(angle));
  auto scene = build<Common>(engine, incline(angle, friction));
  const Vector start = scene.frame("box0").pose.translation();
  scene.run(1, kStep);
  const double way = (scene.frame("box0").pose.translation() - start).dot(Vector(std::cos(angle), 0, -std::sin(angle)));
  return result(scene, std::abs(way - std::max(0.0, pull / 2)));
}

}  // namespace

std::vector<SceneRow> sceneRows(const Engine& fine) {
  return {{"free fall", "height after 1 s", "m", 1e-9, freeFall},
          {"body pushed by a force", "speed after 2 s", "m/s", 1e-9, pushed},
          {"body that tumbles", "angular momentum after 10 s, relative", "1", 1e-5, tumbling},
          {"pendulum", "angle after 5 s", "rad", 1e-4, onePendulum},
          {"double pendulum", "angles after 2 s", "rad", 1e-3, twoPendulums},
          {"pendulum on its stop", "angle after 3 s", "rad", 1e-6, stopped},
          {"arm of 7, torques", "angles after 1 s", "rad", 1e-3, [&fine](const Engine& engine) { return torques(engine, fine); }},
          {"arm of 7, velocities", "angles after 2 s", "rad", 2e-3, velocities},
          {"box dropped on a plane", "height after 2 s", "m", 1e-4, dropped},
          {"box on a plane", "contact force", "N", 1e-3, weighed},
          {"tower of 10 boxes", "place of the top after 5 s", "m", 1e-3, tower},
          {"box on a slope, holds", "way in 1 s", "m", 1e-4, [](const Engine& engine) { return slide(engine, 10, 0.3); }},
          {"box on a slope, slides", "way in 1 s", "m", 5e-3, [](const Engine& engine) { return slide(engine, 25, 0.3); }}};
}

}  // namespace compare
