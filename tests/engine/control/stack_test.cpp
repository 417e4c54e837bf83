// Controllers by themselves and together: drives, clips with seams, letting go, the root, markers, computed torque; their state kept.
#include "engine/control/stack.hpp"

#include "engine/control/animation.hpp"
#include "engine/control/drive.hpp"
#include "engine/control/inverse_dynamics.hpp"
#include "engine/control/marker_drive.hpp"
#include "engine/control/root_drive.hpp"
#include "loaders/urdf/urdf.hpp"
#include "tests/support.hpp"

using namespace vertebra;
using namespace vertebra::control;

namespace {

std::shared_ptr<const figure::FigureModel> load(const std::string& file, figure::BaseKind base) {
  auto skeleton = std::make_shared<figure::Skeleton>();
  Diagnostics findings;
  REQUIRE(loadUrdfFile(test::sourceDir() + "/models/urdf/" + file, {}, *skeleton, findings));
  return figure::makeFigureModel(skeleton, base);
}

struct Scene {
  world::World world;
  figure::Figure figure;
  Stack stack;
  std::vector<double> q, v;

  Scene(std::shared_ptr<const figure::FigureModel> model, double step, bool gravity, Pose pose = {})
      : world(settings(step, gravity)), stack(model) {
    figure::FigureDefinition d;
    d.model = model;
    d.pose = pose;
    d.selfCollision = false;
    const Failure f = figure::Figure::create(world, d, figure);
    INFO(f.text());
    REQUIRE_FALSE(f);
    q.resize(static_cast<std::size_t>(model->nq()));
    v.resize(static_cast<std::size_t>(model->nv()));
    read();
  }
  void read() {
    figure.q(world, q.data());
    figure.v(world, v.data());
  }
  void step() {
    Failure f = stack.before(world, figure);
    if (!f) f = world.step();
    INFO(f.text());
    REQUIRE_FALSE(f);
    read();
  }
  void run(double seconds) {
    for (const double end = world.time() + seconds; world.time() < end - 1e-9;) step();
  }
  template <class T, class... Rest>
  std::shared_ptr<T> add(Rest&&... rest) {
    auto made = std::make_shared<T>(figure.sharedModel(), std::forward<Rest>(rest)...);
    stack.controllers().push_back(made);
    return made;
  }
  static WorldSettings settings(double step, bool gravity) {
    WorldSettings s;
    s.timeStep = step;
    s.sleeping = false;
    if (!gravity) s.gravity = Vec3::Zero();
    return s;
  }
};

// Joints sway at their own frequencies while the root walks along a circle.
std::shared_ptr<figure::Trajectory> sway(const figure::FigureModel& m, double seconds, double size) {
  auto t = std::make_shared<figure::Trajectory>();
  t->names.resize(static_cast<std::size_t>(m.nq()));
  t->frameTime = 1.0 / 60;
  std::vector<double> q(static_cast<std::size_t>(m.nq()));
  for (int i = 0; i <= static_cast<int>(seconds * 60 + 0.5); i++) {
    const double time = i / 60.0;
    figure::neutral(m.coordinates, q.data());
    q[0] = 0.3 * time;
    q[2] = 1;
    for (const figure::CoordinatePart& part : m.coordinates.parts) {
      if (part.joint < 0 || part.q < 0) continue;
      const auto& axis = m.skeleton->joints[static_cast<std::size_t>(part.joint)].axes[0];
      const double wide = std::min(size, 0.45 * (axis.upper - axis.lower)), middle = std::clamp(0.0, axis.lower + wide, axis.upper - wide);
      q[static_cast<std::size_t>(part.q)] = middle + wide * std::sin((2 + 0.1 * part.q) * time + part.q);
    }
    t->q.insert(t->q.end(), q.begin(), q.end());
  }
  return t;
}

double largest(const std::vector<double>& a, const std::vector<double>& b, std::size_t from) {
  double most = 0;
  for (std::size_t i = from; i < a.size(); i++) most = std::max(most, std::fabs(a[i] - b[i]));
  return most;
}

}  // namespace

TEST_CASE("a drive holds an arm in a pose against its weight, and its sag is that of its stiffness; switched off, the arm falls") {
  auto skeleton = std::make_shared<figure::Skeleton>(*load("arm7.urdf", figure::BaseKind::Fixed)->skeleton);
  for (figure::JointDescription& joint : skeleton->joints) joint.axes[0].friction = 0;
  const auto model = figure::makeFigureModel(skeleton, figure::BaseKind::Fixed);
  Scene s(model, 1.0 / 240, true);
  const auto drive = s.add<Drive>(DriveSettings{.pose = DrivePose::Given, .omega = 40});
  drive->targetQ()[1] = 0.7;
  s.run(4);
  figure::FigureWorkspace work(model);
  std::vector<double> tau(s.v.size());
  work.gravity(s.q.data(), s.world.settings().gravity, tau.data());
  REQUIRE(std::fabs(tau[1]) > 1);
  for (std::size_t i = 0; i < tau.size(); i++) {
    CHECK(s.q[i] == Approx(drive->targetQ()[i] - tau[i] / drive->stiffness()[i]).margin(1e-4));
    CHECK(std::fabs(s.v[i]) < 1e-4);
  }
  s.stack.controllers().clear();
  REQUIRE(s.stack.acts());
  const double held = s.q[1];
  s.run(0.5);
  REQUIRE_FALSE(s.stack.acts());
  CHECK(std::fabs(s.q[1] - held) > 0.05);
}

TEST_CASE("axes that no controller drives stay as their owner set them") {
  const auto model = load("humanoid.urdf", figure::BaseKind::Fixed);
  Scene s(model, 1.0 / 240, false);
  const auto drive = s.add<Drive>(DriveSettings{.pose = DrivePose::Neutral});
  std::fill(drive->driven().begin(), drive->driven().end(), false);
  drive->driven()[0] = true;
  int own = -1;
  for (const figure::CoordinatePart& part : model->coordinates.parts)
    if (part.v == 3) own = s.figure.joints()[static_cast<std::size_t>(part.joint)];
  REQUIRE(own >= 0);
  MotorSettings mine;
  mine.mode = MotorMode::Velocity;
  mine.velocity = 0.25;
  mine.damping = 3;
  REQUIRE_FALSE(s.world.setMotor(own, 0, mine));
  s.run(0.1);
  CHECK(s.world.motor(own, 0).mode == MotorMode::Velocity);
  CHECK(s.world.motor(own, 0).damping == 3);
}

TEST_CASE("a clip's pose is followed; at a seam neither pose nor rate jumps, and a path that travels goes on") {
  const auto model = load("humanoid.urdf", figure::BaseKind::Floating);
  Scene s(model, 1.0 / 240, false);
  const auto clip = clipOfTrajectory(sway(*model, 2, 0.2), model);
  REQUIRE(clip);
  const auto animation = s.add<Animation>(AnimationSettings{});
  PlayedClip first;
  first.clip = clip;
  first.repeat = Repeat::Travel;
  first.seam = 0.4;
  first.place.heading = kPi / 2;
  animation->play(first, 0);
  s.add<RootDrive>(RootDriveSettings{});
  std::vector<double> before, rates;
  double jump = 0, rateJump = 0, wrong = 0, farthest = 0;
  for (int i = 0; i < 240 * 8; i++) {
    s.step();
    const Command& c = s.stack.command();
    if (i > 240) {
      jump = std::max(jump, largest(c.q, before, 0));
      rateJump = std::max(rateJump, largest(c.v, rates, 0));
      std::vector<double> difference(c.v.size());
      figure::difference(model->coordinates, before.data(), c.q.data(), difference.data());
      for (std::size_t k = 0; k < difference.size(); k++) wrong = std::max(wrong, std::fabs(difference[k] * 240 - (c.v[k] + rates[k]) / 2));
      farthest = std::max(farthest, largest(s.q, c.q, 7));
    }
    before = c.q;
    rates = c.v;
  }
  CHECK(jump < 0.03);     // rad or m in a step of 1/240 s: the joints' rates are below 1.7 rad/s, and the seam's
  CHECK(rateJump < 0.2);  // rad/s in a step
  CHECK(wrong < 0.02);    // the rate is the derivative of the pose
  CHECK(farthest < 0.1);  // rad: without gravity only accelerations bend the drives
  // 8 s less a blend at 0.3 m/s, turned to +y.
  CHECK(before[1] == Approx(0.3 * 8).margin(0.05));
  CHECK(std::fabs(before[0]) < 0.02);
  CHECK((Vec3(s.q[0], s.q[1], s.q[2]) - Vec3(before[0], before[1], before[2])).norm() < 0.02);
}

TEST_CASE("a place moved by itself many times is the same as one by one, and costs no more for a trillion") {
  const Place step = {0.3, Vec3(1, 2, 0)};
  Place one;
  for (int i = 0; i <= 40; i++, one = step.then(one)) {
    const Place many = step.repeated(i);
    CHECK(many.heading == Approx(one.heading).margin(1e-12));
    CHECK((many.shift - one.shift).norm() < 1e-12);
  }
  CHECK(Place{0, Vec3(1, 0, 0)}.repeated(1e12).shift.x() == 1e12);
  CHECK(step.repeated(1e12).shift.norm() < 2 * Vec3(1, 2, 0).norm() / (2 * std::sin(0.15)));  // on its circle
}

TEST_CASE("a clip that is repeated a million times a second costs a step no more") {
  const auto model = load("humanoid.urdf", figure::BaseKind::Floating);
  Scene s(model, 1.0 / 240, false);
  const auto animation = s.add<Animation>(AnimationSettings{});
  PlayedClip clip;
  clip.clip = clipOfTrajectory(sway(*model, 2, 0.2), model);
  clip.repeat = Repeat::Travel;
  clip.speed = 1e6;
  clip.to = 1;
  clip.begin = -1e5;
  animation->play(clip, 0);
  REQUIRE_FALSE(s.stack.before(s.world, s.figure));
  const std::vector<double>& q = s.stack.command().q;
  for (double x : q) CHECK(std::isfinite(x));
  CHECK(q[0] == Approx(0.3 * 1e11).epsilon(1e-3));
}

TEST_CASE("a second clip joins where the first has come to, with its heading") {
  const auto model = load("humanoid.urdf", figure::BaseKind::Floating);
  Scene s(model, 1.0 / 240, false);
  const auto clip = clipOfTrajectory(sway(*model, 3, 0.1), model);
  const auto animation = s.add<Animation>(AnimationSettings{});
  PlayedClip first, second;
  first.clip = second.clip = clip;
  first.place.heading = kPi / 2;
  first.blend = 0;
  second.begin = 2;
  second.from = 1;
  second.blend = 0.5;
  second.joins = true;
  animation->play(first, 0);
  animation->play(second, 0);
  double worst = 0;
  std::vector<double> last;
  for (int i = 0; i < 240 * 3; i++) {
    s.step();
    const std::vector<double>& q = s.stack.command().q;
    if (!last.empty()) worst = std::max(worst, std::hypot(q[0] - last[0], q[1] - last[1]) * 240);
    last = q;
  }
  CHECK(worst < 0.35);  // m/s: the clip's speed is 0.3
  CHECK(last[1] == Approx(0.9).margin(0.02));
  CHECK(std::fabs(last[0]) < 1e-6);
  CHECK(2 * std::atan2(last[5], last[6]) == Approx(kPi / 2).margin(1e-9));
}

TEST_CASE("a figure that is hit lets go, and takes its motion up again") {
  const auto model = load("humanoid.urdf", figure::BaseKind::Floating);
  Scene s(model, 1.0 / 240, true);
  const auto clip = clipOfTrajectory(sway(*model, 20, 0.1), model);
  AnimationSettings settings;
  settings.largestImpact = 100;
  const auto animation = s.add<Animation>(settings);
  PlayedClip p;
  p.clip = clip;
  p.blend = 0;
  animation->play(p, 0);
  RootDriveSettings root;
  root.weight = 1;
  s.add<RootDrive>(root);
  s.run(1);
  CHECK_FALSE(animation->letGo());
  BodyDefinition ball;
  ball.mass = 5;
  ball.inertia = Mat3::Identity() * 0.02;
  ball.pose.p = Vec3(s.q[0] + 1.2, s.q[1], s.q[2] + 0.3);
  ball.velocity = Vec3(-6, 0, 1);
  int shape = -1;
  const int body = s.world.createBody(ball);
  geometry::Shape sphere;
  sphere.geometry.type = geometry::ShapeType::Sphere;
  sphere.geometry.size = Vec3(0.1, 0.1, 0.1);
  REQUIRE_FALSE(s.world.createShape(body, sphere, -1, shape));
  bool released = false;
  double farthest = 0;
  for (int i = 0; i < 240 * 5; i++) {
    s.step();
    released = released || animation->letGo();
    if (released) farthest = std::max(farthest, largest(s.q, s.stack.command().q, 7));
  }
  CHECK(released);
  CHECK(farthest > 0.05);
  CHECK_FALSE(animation->letGo());
  CHECK(largest(s.q, s.stack.command().q, 7) < 0.05);
}

TEST_CASE("a root drive of any stiffness holds a limp figure without gaining energy, each axis by itself") {
  const auto model = load("humanoid.urdf", figure::BaseKind::Floating);
  for (const double omega : {5.0, 60.0, 5000.0}) {
    Scene s(model, 1.0 / 60, true);
    RootDriveSettings settings;
    settings.omega.fill(omega);
    settings.omega[1] = 0;  // free along y
    settings.weight = 1;
    s.add<RootDrive>(settings);
    std::vector<double> q = s.q, v(s.v.size());
    v[1] = 0.5;
    REQUIRE_FALSE(s.figure.setState(s.world, q.data(), v.data()));
    double fastest = 0;
    for (int i = 0; i < 600; i++) {
      s.step();
      for (double x : s.v) fastest = std::max(fastest, std::fabs(x));
    }
    INFO(omega);
    CHECK(fastest < 60);
    CHECK(std::fabs(s.q[0] - q[0]) < (omega < 10 ? 0.2 : 0.06));
    CHECK(std::fabs(s.q[2] - q[2]) < (omega < 10 ? 0.2 : 0.06));
    CHECK(s.q[1] > 0.5 * 5);  // nothing holds it there
  }
}

TEST_CASE("a root drive of a figure with drives has the stiffness that its frequency says") {
  // The drives hold the limbs, so the root carries the whole figure: its sag is g / omega^2, times (1 + h omega)^2 because the force is
  // that at the end of a step in which the root would rise, were there no weight.
  for (const char* file : {"humanoid.urdf", "quadruped.urdf"})
    for (const double step : {1.0 / 60, 1.0 / 240, 1.0 / 1000}) {
      const auto model = load(file, figure::BaseKind::Floating);
      Scene s(model, step, true);
      s.add<Drive>(DriveSettings{.pose = DrivePose::Neutral, .omega = 60, .strength = kInf});
      const auto root = s.add<RootDrive>(RootDriveSettings{});
      s.run(3);
      INFO(file << " at " << step);
      CHECK(s.q[2] == Approx(-9.81 / 625 * std::pow(1 + 25 * step, 2)).epsilon(0.05));
      CHECK(root->force().z() == Approx(9.81 * model->mass).epsilon(0.01));
      CHECK(std::hypot(s.q[3], s.q[4], s.q[5]) < 0.05);  // half the angle
      for (double x : s.v) CHECK(std::fabs(x) < 1e-3);
    }
}

TEST_CASE("markers draw a figure along a motion; absent ones draw nothing") {
  const auto model = load("humanoid.urdf", figure::BaseKind::Floating);
  for (const double step : {1.0 / 240, 1.0 / 60}) {
    Scene s(model, step, false);
    const auto course = clipOfTrajectory(sway(*model, 4, 0.15), model);
    std::vector<MarkerSite> sites;
    for (int link = 0; link < static_cast<int>(model->links.size()); link++)
      for (const Vec3& at : {Vec3(0.1, 0, 0), Vec3(0, 0.1, 0.05), Vec3(-0.05, -0.05, -0.1)}) sites.push_back({link, at});
    const auto markers = s.add<MarkerDrive>(MarkerDriveSettings{.omega = 40}, sites);
    s.step();
    CHECK(s.stack.command().forces.empty());
    std::vector<double> q(s.q.size()), v(s.v.size()), a(s.v.size());
    course->at(s.world.time(), q.data(), v.data(), a.data());
    REQUIRE_FALSE(s.figure.setState(s.world, q.data(), v.data()));
    figure::FigureWorkspace work(model);
    double worst = 0, away = 0;
    while (s.world.time() < 3.5) {
      course->at(s.world.time() + step, q.data(), v.data(), a.data());
      const Pose* poses = work.poses(q.data());
      const Vec6* twists = work.twists(q.data(), v.data());
      for (std::size_t i = 0; i < sites.size(); i++) {
        const Vec3 arm = poses[sites[i].link].q * sites[i].point, at = poses[sites[i].link].p + arm;
        const Vec3 rate = Vec3(twists[sites[i].link].head<3>()) + Vec3(twists[sites[i].link].tail<3>()).cross(arm);
        for (std::size_t k = 0; k < 3; k++) {
          markers->places()[3 * i + k] = i % 7 == 0 ? std::nan("") : at[static_cast<int>(k)];
          markers->velocities()[3 * i + k] = rate[static_cast<int>(k)];
        }
      }
      s.step();
      worst = std::max(worst, largest(s.q, q, 0));
      away = std::max(away, markers->error());
    }
    INFO("worst " << worst << " rad, markers " << away << " m at step " << step);
    CHECK(worst < (step < 0.01 ? 0.1 : 0.2));
    CHECK(away < (step < 0.01 ? 0.02 : 0.04));
  }
}

TEST_CASE("computed torque: a fixed robot follows a motion, also on a wall, far better than drives of the same gains") {
  auto skeleton = std::make_shared<figure::Skeleton>(*load("humanoid.urdf", figure::BaseKind::Fixed)->skeleton);
  for (figure::JointDescription& joint : skeleton->joints)
    joint.axes[0].friction = 0;  // dry friction turns with the rate, of which the sign is not known
  const auto model = figure::makeFigureModel(skeleton, figure::BaseKind::Fixed);
  Pose wall;
  wall.q = Quat(Eigen::AngleAxisd(1.1, Vec3(1, 2, 0).normalized()));
  const auto floating = load("humanoid.urdf", figure::BaseKind::Floating);
  const auto course = clipOfTrajectory(sway(*floating, 4, 0.2), floating);
  struct Follow : Controller {
    std::shared_ptr<Clip> clip;
    std::vector<double> q, v, a;
    explicit Follow(const std::shared_ptr<const figure::FigureModel>& m)
        : q(static_cast<std::size_t>(m->nq()) + 7), v(q.size()), a(q.size()) {}
    Failure apply(const Moment& now, Command& c) override {
      clip->at(now.time + now.step, q.data(), v.data(), a.data());
      std::copy_n(q.begin() + 7, c.q.size(), c.q.begin());
      std::copy_n(v.begin() + 6, c.v.size(), c.v.begin());
      std::copy_n(a.begin() + 6, c.a.size(), c.a.begin());
      return {};
    }
  };
  double worst[2];
  for (const bool computed : {false, true}) {
    Scene s(model, 1.0 / 240, true, wall);
    s.add<Follow>()->clip = course;
    if (computed) {
      InverseDynamicsSettings settings;
      settings.feedback = Feedback::Accelerations;
      settings.strength = 1e3;
      s.add<InverseDynamics>(settings);
    } else {
      s.add<Drive>(DriveSettings{.strength = 1e3});
    }
    s.run(1.5);
    worst[computed] = 0;
    while (s.world.time() < 3.5) {
      s.step();
      worst[computed] = std::max(worst[computed], largest(s.q, s.stack.command().q, 0));
    }
  }
  INFO(worst[0] << " rad by drives, " << worst[1] << " by computed torque");
  CHECK(worst[1] < 0.04);  // of the hips about the length of straight legs, which have hardly any inertia; others stay below 6 mrad
  CHECK(worst[1] < 0.15 * worst[0]);
}

TEST_CASE("inverse dynamics plays a sway of a figure on its feet; without feet the assistance bears it") {
  const auto model = load("humanoid.urdf", figure::BaseKind::Floating);
  Scene s(model, 1.0 / 240, true);
  const auto clip = clipOfTrajectory(sway(*model, 4, 0.1), model);
  std::vector<double> q(s.q.size()), v(s.v.size()), a(s.v.size());
  clip->at(0, q.data(), v.data(), a.data());
  q[2] = 5;
  REQUIRE_FALSE(s.figure.setState(s.world, q.data(), v.data()));
  const auto animation = s.add<Animation>(AnimationSettings{});
  PlayedClip p;
  p.clip = clip;
  p.blend = 0;
  p.place.shift.z() = 4;
  animation->play(p, 0);
  InverseDynamicsSettings settings;
  settings.assistForce = settings.assistMoment = 5;
  s.add<InverseDynamics>(settings);
  double worst = 0;
  while (s.world.time() < 3.5) {
    s.step();
    worst = std::max(worst, largest(s.q, s.stack.command().q, 0));
  }
  INFO(worst);
  CHECK(worst < 0.05);
}

TEST_CASE("what controllers keep comes back: a world that is set back goes the same way again") {
  const auto model = load("humanoid.urdf", figure::BaseKind::Floating);
  Scene s(model, 1.0 / 240, true);
  const auto clip = clipOfTrajectory(sway(*model, 1, 0.2), model);
  AnimationSettings settings;
  settings.largestError = 0.02;
  settings.rest = 0.2;
  const auto animation = s.add<Animation>(settings);
  PlayedClip p;
  p.clip = clip;
  p.repeat = Repeat::Travel;
  animation->play(p, 0);
  s.add<RootDrive>(RootDriveSettings{});
  s.run(1.3);
  std::vector<std::uint8_t> engine;
  std::vector<double> kept;
  s.world.save(engine);
  ControllerState out(kept);
  s.stack.exchange(out);
  s.run(2);
  const std::vector<double> there = s.q;
  REQUIRE_FALSE(s.world.restore(engine.data(), engine.size()));
  ControllerState in(kept.data(), kept.size());
  s.stack.exchange(in);
  CHECK_FALSE(in.failed());
  CHECK(in.left() == 0);
  s.run(2);
  CHECK(s.q == there);
  ControllerState cut(kept.data(), kept.size() - 1);
  s.stack.exchange(cut);
  CHECK(cut.failed());
}
