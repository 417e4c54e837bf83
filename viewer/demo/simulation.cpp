// See simulation.hpp.
#include "viewer/demo/simulation.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

namespace vertebra::viewer {
namespace {

constexpr double kHit = 0.43;     // of the duration: the moment the ball arrives
constexpr double kFlight = 0.42;  // s
constexpr double kBallRadius = 0.15;

client::World makeWorld() {
  vtb_world_def def;
  check(vtb_world_def_init(&def, sizeof def));
  def.time_step = kStep;
  def.gravity[2] = -kGravity;
  vtb_world* world = nullptr;
  check(vtb_world_create(&def, &world));
  vtb_shape_def ground;
  check(vtb_shape_def_init(&ground, sizeof ground));
  ground.type = VTB_SHAPE_TYPE_PLANE;
  ground.surface.friction = 0.9;
  vtb_shape shape{};
  check(vtb_shape_create(world, vtb_body{}, &ground, &shape));
  return client::World(world);
}

}  // namespace

Simulation::Simulation(const std::string& models, double duration)
    : world_(makeWorld()),
      walker_(world_.get(), models + "/motions/walk.bvh", kGravity),
      arm_(world_.get(), models + "/urdf/arm7.urdf", kArmY),
      throwTime_(std::max(0.0, kHit * duration - kFlight)) {}

void Simulation::control(double time) {
  if (!thrown() && time >= throwTime_) throwBall();
  walker_.control(time);
  Measures& m = measures_;
  if (m.hitTime < 0 && thrown() && ballTouches()) m.hitTime = time;
  double& largest = m.hitTime < 0 ? m.errorBefore : m.errorAfter;
  largest = std::max(largest, walker_.takeJointError());
  if (m.limpTime < 0 && walker_.limpCount() > 0) m.limpTime = time;
  m.sag = std::max(m.sag, arm_.sag());
}

void Simulation::step() {
  const auto start = std::chrono::steady_clock::now();
  check(vtb_world_step(world_.get(), 1));
  measures_.wall += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  vtb_world_stats stats{};
  stats.struct_size = sizeof stats;
  check(vtb_world_get_stats(world_.get(), &stats));
  measures_.separation = std::max(measures_.separation, stats.max_joint_error);
  measures_.penetration = std::max(measures_.penetration, stats.max_penetration);
}

// So that it reaches after its flight where the chest then is in the clip.
void Simulation::throwBall() {
  double aim[3];
  walker_.clipPosition(throwTime_ + kFlight, "Chest", aim);
  aim[2] += 0.02;
  const double start[3] = {aim[0] - 0.9, aim[1] - 3.4, 1.1};
  vtb_body_def def;
  check(vtb_body_def_init(&def, sizeof def));
  def.mass = kBallMass;
  for (int i = 0; i < 3; i++) {
    def.pose[i] = start[i];
    def.twist[i] = (aim[i] - start[i]) / kFlight;
    def.inertia[i == 0 ? 0 : i == 1 ? 3 : 5] = 0.4 * kBallMass * kBallRadius * kBallRadius;
  }
  def.twist[2] += 0.5 * kGravity * kFlight;
  check(vtb_body_create(world_.get(), &def, &ball_));
  vtb_shape_def shape;
  check(vtb_shape_def_init(&shape, sizeof shape));
  shape.size[0] = kBallRadius;
  shape.surface.restitution = 0.3;
  vtb_shape made{};
  check(vtb_shape_create(world_.get(), ball_, &shape, &made));
}

bool Simulation::ballTouches() const {
  std::vector<vtb_contact> contacts(256);
  std::size_t total = 0;
  check(vtb_world_get_contacts(world_.get(), contacts.data(), contacts.size(), 0, &total));
  contacts.resize(std::min(total, contacts.size()));
  return std::any_of(contacts.begin(), contacts.end(),
                     [&](const vtb_contact& c) { return c.gap < 0 && (c.body_a.bits == ball_.bits || c.body_b.bits == ball_.bits); });
}

}  // namespace vertebra::viewer
