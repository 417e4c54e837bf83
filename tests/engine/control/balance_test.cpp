// Balance: figures that stand without any force on their root are pushed from eight sides.
#include "engine/control/balance.hpp"

#include "engine/control/support.hpp"
#include "tests/engine/control/pushed.hpp"
#include "tests/engine/retarget/walker.hpp"
#include "tests/support.hpp"

using namespace vertebra;
using namespace vertebra::control;

namespace {

std::shared_ptr<const figure::FigureModel> modelOfFile(const std::string& path) {
  auto skeleton = std::make_shared<figure::Skeleton>();
  Diagnostics findings;
  REQUIRE(loadUrdfFile(path, {}, *skeleton, findings));
  return figure::makeFigureModel(skeleton, figure::BaseKind::Floating);
}

struct Outcome {
  double fell = -1;       // s
  double moved = 0;       // m: farthest that a sole was from where it stood at first
  double lifted = 0;      // m: highest that one was
  double outside = 0;     // m: farthest that the centre of pressure was outside of the soles as they stood at first
  double assistance = 0;  // largest force or moment on the root in a command
  double overLimit = 0;   // largest drive's force over its limit
  double rise = 0;        // J: most energy after the last push beyond that at rest
  double rest = 0;        // m/s: speed of the root at the end
};

// Eight pushes, the first after a second, in turn from each side, then `every` seconds apart.
Outcome pushAround(const std::shared_ptr<const figure::FigureModel>& model, double newtons, double seconds, double step,
                   const BalanceSettings& settings = {}) {
  const figure::Surface& surface = model->surface();
  pushed::Stand s(model, step);
  s.stand(surface);
  REQUIRE_FALSE(s.failure);
  std::vector<pushed::Push> pushes;
  const double every = (seconds - 4) / 8;
  for (int k = 0; k < 8; k++) pushes.push_back({1 + k * every, 0.2, newtons, k * kPi / 4});
  Balance balance(model, settings);
  retarget::Kinematics now(model);
  figure::FigureWorkspace workspace(model);
  const Efforts efforts = effortLimits(model, {}, 9.81);
  std::vector<Vec3> first;
  std::vector<Eigen::Vector2d> soles;
  std::vector<double> forces(static_cast<std::size_t>(model->nv()));
  const Vec3 gravity(0, 0, -9.81);
  double kinetic = 0, potential = 0, before = 0;
  workspace.energy(s.reference.data(), std::vector<double>(forces.size()).data(), gravity, kinetic, before);
  Outcome out;
  while (s.world.time() < seconds) {
    const Failure f = s.step(balance, pushed::forceAt(s.world.time(), pushes));
    INFO(f.text());
    REQUIRE_FALSE(f);
    now.update(s.q.data());
    if (first.empty())
      for (const SolePoint& p : balance.soles()) {
        first.push_back(now.position(p.at));
        soles.push_back(first.back().head<2>());
      }
    for (std::size_t p = 0; p < first.size(); p++) {
      const Vec3 d = now.position(balance.soles()[p].at) - first[p];
      out.moved = std::max(out.moved, d.norm());
      out.lifted = std::max(out.lifted, d.z());
    }
    double load = 0;
    const Eigen::Vector2d cop = s.pressure(load).head<2>();
    if (load > 0) out.outside = std::max(out.outside, (nearestInHull(cop, soles) - cop).norm());
    out.assistance = std::max(out.assistance, s.stack.command().moment.norm());
    for (const PointForce& f : s.stack.command().forces) out.assistance = std::max(out.assistance, f.force.norm());
    s.figure.motorForces(s.world, forces.data());
    for (std::size_t i = 6; i < forces.size(); i++) out.overLimit = std::max(out.overLimit, std::fabs(forces[i]) - efforts.limit[i]);
    workspace.energy(s.q.data(), s.v.data(), gravity, kinetic, potential);
    if (s.world.time() > pushes.back().at + 0.2) out.rise = std::max(out.rise, kinetic + potential - before);
    out.rest = Vec3(s.v[0], s.v[1], s.v[2]).norm();
    if (s.q[2] < 0.7 * s.reference[2]) {
      out.fell = s.world.time();
      break;
    }
  }
  UNSCOPED_INFO("fell " << out.fell << " moved " << out.moved << " lifted " << out.lifted << " outside " << out.outside << " over limit "
                        << out.overLimit << " rise " << out.rise << " rest " << out.rest);
  return out;
}

}  // namespace

TEST_CASE("the humanoid stands for 60 s and keeps its feet under pushes of 50 N for 0.2 s from eight sides, without assistance") {
  const Outcome o = pushAround(modelOfFile(test::sourceDir() + "/models/urdf/humanoid.urdf"), 50, 60, 1.0 / 240);
  CHECK(o.fell < 0);
  CHECK(o.moved < 1e-3);
  CHECK(o.lifted < 1e-3);
  CHECK(o.outside < 2e-3);
  CHECK(o.assistance == 0);
  CHECK(o.overLimit < 1e-6);
  CHECK(o.rise < 10);
  CHECK(o.rest < 1e-3);
}

TEST_CASE("the same pushes at steps of 1/120 s and 1/1000 s") {
  const auto model = modelOfFile(test::sourceDir() + "/models/urdf/humanoid.urdf");
  for (double step : {1.0 / 120, 1e-3}) {
    const Outcome o = pushAround(model, 50, 24, step);
    CHECK(o.fell < 0);
    CHECK(o.moved < 1e-3);
    CHECK(o.outside < 2e-3);
  }
}

TEST_CASE("a push beyond what feet and steps can stop brings the humanoid down: the test above can fail") {
  CHECK(pushAround(modelOfFile(test::sourceDir() + "/models/urdf/humanoid.urdf"), 600, 12, 1.0 / 240).fell > 0);
}

namespace {

struct AfterPush {
  bool stands = true;
  int steps = 0;
  double speed = 0, moved = 0, deepest = 0;  // m/s at the end; m: how far the root came; m: of contacts
};

// One push for 0.2 s, of so many newtons for 60 kg, and what is after `seconds`.
AfterPush pushOnce(const std::shared_ptr<const figure::FigureModel>& model, double newtons, double degrees, double step, double seconds,
                   const BalanceSettings& settings = {}) {
  pushed::Stand s(model, step);
  s.stand(model->surface());
  REQUIRE_FALSE(s.failure);
  Balance balance(model, settings);
  AfterPush out;
  while (out.stands && s.world.time() < seconds) {
    const Failure f = s.step(balance, pushed::forceAt(s.world.time(), {{0.5, 0.2, newtons * model->mass / 60, degrees * kPi / 180}}));
    INFO(f.text());
    REQUIRE_FALSE(f);
    for (const Contact& c : s.world.contacts()) out.deepest = std::max(out.deepest, -c.gap);
    out.stands = s.q[2] > 0.7 * s.reference[2];
  }
  out.steps = balance.state().steps;
  out.speed = Vec3(s.v[0], s.v[1], s.v[2]).norm();
  out.moved = std::hypot(s.q[0], s.q[1]);
  UNSCOPED_INFO(newtons << " N at " << degrees << ": stands " << out.stands << " steps " << out.steps << " speed " << out.speed << " moved "
                        << out.moved << " deepest " << out.deepest);
  return out;
}

}  // namespace

TEST_CASE("the humanoid steps where its feet do not suffice, and stands again") {
  const auto model = modelOfFile(test::sourceDir() + "/models/urdf/humanoid.urdf");
  const double pushes[5][2] = {{240, 0}, {240, 45}, {190, 90}, {175, 135}, {160, 180}};  // N, degrees
  BalanceSettings still;
  still.step.time = 0;
  for (const auto& push : pushes) {
    for (double step : {1.0 / 120, 1.0 / 240, 1e-3}) {
      INFO("step " << step);
      const AfterPush after = pushOnce(model, push[0], push[1], step, 10);
      CHECK(after.stands);
      CHECK(after.steps > 0);
      CHECK(after.steps < 12);
      CHECK(after.speed < 0.02);
      CHECK(after.moved > 0.05);
      CHECK(after.deepest < 3e-3);
    }
    CHECK_FALSE(pushOnce(model, push[0], push[1], 1.0 / 240, 10, still).stands);
  }
}

TEST_CASE("the G1 of the shared data steps where its feet do not suffice") {
  REQUIRE_SHARED_DATA();
  const auto model = modelOfFile(test::sharedData() + "/urdf/g1_description/g1_29dof_rev_1_0.urdf");
  BalanceSettings still;
  still.step.time = 0;
  for (const auto& push : {std::pair(150.0, 0.0), std::pair(180.0, 45.0)}) {
    const AfterPush after = pushOnce(model, push.first, push.second, 1.0 / 240, 10);
    CHECK(after.stands);
    CHECK(after.steps > 0);
    CHECK(after.speed < 0.02);
    CHECK_FALSE(pushOnce(model, push.first, push.second, 1.0 / 240, 10, still).stands);
  }
}

TEST_CASE("a figure that is put back to its start after steps stands there as at first") {
  const auto model = modelOfFile(test::sourceDir() + "/models/urdf/humanoid.urdf");
  pushed::Stand s(model, 1.0 / 240);
  s.stand(model->surface());
  Balance balance(model, {});
  for (int i = 0; i < 720; i++) REQUIRE_FALSE(s.step(balance, pushed::forceAt(s.world.time(), {{0.5, 0.2, 240, 0}})));
  CHECK(balance.state().steps > 0);
  CHECK(s.q[0] > 0.1);
  const int before = balance.state().steps;
  REQUIRE_FALSE(s.figure.setState(s.world, s.reference.data(), nullptr));
  for (int i = 0; i < 720; i++) REQUIRE_FALSE(s.step(balance, Vec3::Zero()));
  CHECK(balance.state().steps == before);
  for (int i = 0; i < 3; i++) CHECK(std::fabs(s.q[static_cast<std::size_t>(i)] - s.reference[static_cast<std::size_t>(i)]) < 0.03);
}

TEST_CASE("a balance whose state is read in the middle of a step goes on with it") {
  const auto model = modelOfFile(test::sourceDir() + "/models/urdf/humanoid.urdf");
  std::vector<double> last[2];
  for (bool reads : {false, true}) {
    pushed::Stand s(model, 1.0 / 240);
    s.stand(model->surface());
    Balance first(model, {}), second(model, {});
    Balance* balance = &first;
    struct Relay : Controller {
      explicit Relay(Balance*& to) : to(to) {}
      Failure apply(const Moment& now, Command& command) override { return to->apply(now, command); }
      Balance*& to;
    } relay(balance);
    for (int i = 0; i < 480; i++) {
      REQUIRE_FALSE(s.step(relay, pushed::forceAt(s.world.time(), {{0.5, 0.2, 240, 0}})));
      if (!reads || first.state().steps != 1 || balance == &second) continue;
      std::vector<double> numbers;
      ControllerState out(numbers);
      first.exchange(out);
      ControllerState in(numbers.data(), numbers.size());
      second.exchange(in);
      CHECK_FALSE(in.failed());
      CHECK(in.left() == 0);
      balance = &second;
    }
    if (reads) CHECK(balance == &second);
    last[reads] = s.q;
  }
  CHECK(last[0] == last[1]);
}

TEST_CASE("a biped of other proportions keeps its feet under pushes that change its speed as much") {
  auto skeleton = std::make_shared<figure::Skeleton>();
  Diagnostics findings;
  REQUIRE(loadUrdfText(walker::robot(), "made.urdf", {}, *skeleton, findings));
  const auto model = figure::makeFigureModel(skeleton, figure::BaseKind::Floating);
  const Outcome o = pushAround(model, 50 * model->mass / 60, 40, 1.0 / 240);
  CHECK(o.fell < 0);
  CHECK(o.moved < 1e-3);
  CHECK(o.outside < 2e-3);
}

TEST_CASE("the G1 of the shared data stands for 60 s under pushes that change its speed as much") {
  REQUIRE_SHARED_DATA();
  const auto model = modelOfFile(test::sharedData() + "/urdf/g1_description/g1_29dof_rev_1_0.urdf");
  const Outcome o = pushAround(model, 50 * model->mass / 60, 60, 1.0 / 240);
  CHECK(o.fell < 0);
  CHECK(o.moved < 1.5e-3);  // 1.07 mm as it comes to stand: the first step, without contacts yet, is of second order
  CHECK(o.assistance == 0);
}

TEST_CASE("a figure in the air is told to be set on the ground") {
  const auto model = modelOfFile(test::sourceDir() + "/models/urdf/humanoid.urdf");
  pushed::Stand s(model, 1.0 / 240);
  s.reference[2] = 3;
  REQUIRE_FALSE(s.figure.setState(s.world, s.reference.data(), nullptr));
  Balance balance(model, {});
  const Failure f = s.step(balance, Vec3::Zero());
  CHECK(f);
  CHECK(f.text().find("set it on the ground") != std::string::npos);
}

TEST_CASE("the nearest point of a support: inside itself, outside on the edge") {
  const std::vector<Eigen::Vector2d> square = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.5, 0.5}};
  CHECK((nearestInHull({0.2, 0.7}, square) - Eigen::Vector2d(0.2, 0.7)).norm() < 1e-12);
  CHECK((nearestInHull({2, 0.5}, square) - Eigen::Vector2d(1, 0.5)).norm() < 1e-12);
  CHECK((nearestInHull({-1, -1}, square) - Eigen::Vector2d(0, 0)).norm() < 1e-12);
}
