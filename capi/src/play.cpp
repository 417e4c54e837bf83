// See play.hpp.
#include "capi/src/play.hpp"

#include "capi/src/controllers.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {

// The clip's root is the pose of the root link in the joint's frame in a; the joint's frame in b is carried along.
void driveRoot(vtb_world& world, const Player& p) {
  const int joint = world.joints.find(p.root.bits);
  if (joint < 0) return;
  const Pose root = capi::pose(p.q.data(), "q"), target = root * world.engine.joint(joint).frameB;
  const Vec3 omega = vector(&p.v[3], "v"), velocity = vector(p.v.data(), "v") + omega.cross(target.p - root.p);
  check(world.engine.setMotorTarget(joint, target, velocity, omega));
}

void keepDrives(vtb_world& world, Player& p) {
  p.before.clear();
  for (int joint : figureOf(world, p.figure).joints())
    if (joint >= 0) p.before.emplace_back(joint, world.engine.jointDrive(joint));
  if (const int root = world.joints.find(p.root.bits); root >= 0) p.before.emplace_back(root, world.engine.jointDrive(root));
}

}  // namespace

double Player::timeAt(double worldTime) const {
  const double t = start + speed * worldTime, length = motion->duration();
  return loop && length > 0 ? t - length * std::floor(t / length) : t;
}

PlayedMotions::PlayedMotions(vtb_world& world) : world_(world) {
  auto& players = world.players;
  players.erase(std::remove_if(players.begin(), players.end(), [&](const auto& p) { return world.figures.find(p->figure.bits) < 0; }),
                players.end());
  for (const auto& p : players) keepDrives(world, *p);
  dropControllers(world);
  for (const auto& c : world.controlled) c->keep(world);
  try {
    play();
  } catch (...) {
    takeBack();
    throw;
  }
}

PlayedMotions::~PlayedMotions() {
  if (!kept_) takeBack();
}

void PlayedMotions::play() {
  world_.engine.drivesOfStep(true);
  for (const auto& p : world_.players) {
    const double t = p->timeAt(world_.engine.time() + world_.engine.settings().timeStep);
    p->binding.coordinates(t, p->q.data());
    p->binding.velocities(t, p->v.data());
    const bool within = p->loop || (t > 0 && t < p->motion->duration());  // at its ends the clip stands still
    for (double& v : p->v) v = within ? v * p->speed : 0;
    check(figureOf(world_, p->figure).setMotors(world_.engine, p->q.data(), p->v.data(), nullptr, nullptr, nullptr));
    driveRoot(world_, *p);
  }
  for (const auto& c : world_.controlled) c->act(world_);
  world_.engine.drivesOfStep(false);
}

void PlayedMotions::takeBack() {
  world_.engine.drivesOfStep(false);
  const auto& players = world_.players;
  for (auto p = players.rbegin(); p != players.rend(); ++p)
    for (const auto& [joint, drive] : (*p)->before) world_.engine.takeBackDrive(joint, drive);
  world_.engine.takeBackForces();
  for (const auto& c : world_.controlled) c->takeBack(world_);
}

vtb_status vtb_figure_play(vtb_world* world, vtb_figure figure, vtb_motion* motion, double start, double speed, int32_t loop) {
  return changing(__func__, world, [&](vtb_world& w) {
    const figure::Figure& f = figureOf(w, figure);
    std::shared_ptr<Player> player;
    if (motion) {
      if (hasControllers(w, figure))
        refuse(VTB_E_ARG, "the figure has controllers; to mend: give the clip to an animation, see vtb_animation_play");
      player = std::make_shared<Player>(figure, motion->clip, f.sharedModel());
      player->start = finite(start, "start");
      player->speed = finite(speed, "speed");
      player->loop = boolean(loop, "loop");
      if (player->binding.matched() == 0) refuse(VTB_E_ARG, "no joint of the motion has the same name as a joint of the figure");
    }
    auto& players = w.players;
    players.erase(std::remove_if(players.begin(), players.end(), [&](const auto& p) { return p->figure.bits == figure.bits; }),
                  players.end());
    if (player) players.push_back(player);
  });
}

vtb_status vtb_figure_play_root(vtb_world* world, vtb_figure figure, vtb_joint joint) {
  return changing(__func__, world, [&](vtb_world& w) {
    const figure::Figure& f = figureOf(w, figure);
    const auto player = std::find_if(w.players.begin(), w.players.end(), [&](const auto& p) { return p->figure.bits == figure.bits; });
    if (player == w.players.end()) refuse(VTB_E_ARG, "the figure follows no motion; to mend: call vtb_figure_play first");
    if (joint.bits != 0) {
      if (!f.model().coordinates.floatingBase) refuse(VTB_E_ARG, "the figure's base is fixed: nothing can move its root");
      const JointDefinition& d = w.engine.joint(jointOf(w, joint));
      if (d.constraint != ConstraintType::Motor || d.b != f.bodies()[static_cast<std::size_t>(f.model().skeleton->root)])
        refuse(VTB_E_ARG, "the joint must be of type VTB_JOINT_TYPE_MOTOR with the figure's root link as body_b");
    }
    (*player)->root = joint;
  });
}
