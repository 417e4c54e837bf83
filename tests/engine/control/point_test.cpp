// Point over a pose, with balance after it: a hand at a place, an object upright, the head on a point, feet still, while pushes move the
// body.
#include "engine/control/point.hpp"

#include "loaders/urdf/urdf.hpp"
#include "tests/engine/control/pushed.hpp"
#include "tests/support.hpp"

using namespace vertebra;
using namespace vertebra::control;

namespace {

constexpr double kDegree = kPi / 180;

std::shared_ptr<const figure::FigureModel> humanoid() {
  auto skeleton = std::make_shared<figure::Skeleton>();
  Diagnostics findings;
  REQUIRE(loadUrdfFile(test::sourceDir() + "/models/urdf/humanoid.urdf", {}, *skeleton, findings));
  return figure::makeFigureModel(skeleton, figure::BaseKind::Floating);
}

int linkOf(const figure::FigureModel& m, const std::string& name) {
  for (std::size_t l = 0; l < m.links.size(); l++)
    if (m.skeleton->links[l].name == name) return static_cast<int>(l);
  FAIL("no link " << name);
  return -1;
}

class Both : public Controller {
 public:
  Both(Point& p, Balance& b) : point_(p), balance_(b) {}
  Failure apply(const Moment& now, Command& command) override {
    if (Failure f = point_.apply(now, command)) return f;
    return balance_.apply(now, command);
  }

 private:
  Point& point_;
  Balance& balance_;
};

}  // namespace

TEST_CASE("a hand reaches a place, the other holds upright, the head looks, feet stay, under pushes; then all is let go") {
  const auto model = humanoid();
  pushed::Stand s(model, 1.0 / 240);
  s.stand(model->surface());
  REQUIRE_FALSE(s.failure);
  Point point(model, {});
  const int torso = linkOf(*model, "torso");
  PointGoal place, upright, look;
  place.link = linkOf(*model, "right_hand");
  place.point = Vec3(0, 0, -0.15);
  place.target = Vec3(0.35, -0.25, 1.2);
  upright.kind = PointKind::Direction;
  upright.link = linkOf(*model, "left_hand");
  upright.direction = Vec3::UnitX();
  upright.target = Vec3::UnitZ();
  look.kind = PointKind::Aim;
  look.link = linkOf(*model, "head");
  look.target = Vec3(2, 0.8, 1.2);
  for (PointGoal* g : {&place, &upright, &look}) {
    g->from = torso;
    g->begin = 0.5;
    g->end = 8;
  }
  point.goals() = {place, upright, look};
  Balance balance(model, {});
  Both both(point, balance);
  const std::vector<pushed::Push> pushes = {{3, 0.2, 40, 0}, {5, 0.2, 40, 2}};
  double worst[3] = {0, 0, 0}, moved = 0;
  std::vector<Vec3> first;
  retarget::Kinematics now(model);
  while (s.world.time() < 11) {
    const Failure f = s.step(both, pushed::forceAt(s.world.time(), pushes));
    INFO(f.text());
    REQUIRE_FALSE(f);
    if (s.world.time() > 2.5 && s.world.time() < 8)
      for (std::size_t g = 0; g < 3; g++) worst[g] = std::max(worst[g], point.error(g, s.q.data()));
    now.update(s.q.data());
    for (std::size_t p = 0; p < balance.soles().size(); p++) {
      const Vec3 at = now.position(balance.soles()[p].at);
      if (first.size() < balance.soles().size()) first.push_back(at);
      moved = std::max(moved, (at - first[p]).norm());
    }
  }
  INFO("hand " << worst[0] << " m, upright " << worst[1] / kDegree << ", look " << worst[2] / kDegree << " degrees, feet " << moved);
  CHECK(worst[0] < 0.02);
  CHECK(worst[1] < 10 * kDegree);
  CHECK(worst[2] < 5 * kDegree);
  CHECK(moved < 2e-3);
  for (std::size_t k = 7; k < s.q.size(); k++) CHECK(std::fabs(s.q[k] - s.reference[k]) < 0.1);
  for (const figure::CoordinatePart& part : model->coordinates.parts)
    if (part.joint >= 0 && part.q >= 0) {
      const auto& axis = model->skeleton->joints[static_cast<std::size_t>(part.joint)].axes[0];
      CHECK(s.q[static_cast<std::size_t>(part.q)] > axis.lower - 0.02);
      CHECK(s.q[static_cast<std::size_t>(part.q)] < axis.upper + 0.02);
    }
}

TEST_CASE("a place out of reach: the arm stretches towards it within its limits; feet that are held follow a root that moves") {
  const auto model = humanoid();
  pushed::Stand s(model, 1.0 / 240);
  Point point(model, {});
  Command command;
  const std::size_t nv = s.v.size();
  command.q = s.reference;
  command.driven.assign(nv, false);
  command.limit.assign(nv, kInf);
  PointGoal far;
  far.link = linkOf(*model, "right_hand");
  far.from = linkOf(*model, "torso");
  far.target = Vec3(5, 0, 0.5);
  PointGoal still;
  still.kind = PointKind::Still;
  still.link = linkOf(*model, "left_foot");
  point.goals() = {far, still};
  std::vector<double> q = s.reference, v(nv, 0);
  for (int i = 0; i < 400; i++) {
    command.q = s.reference;
    for (std::vector<double>* x : {&command.v, &command.a, &command.stiffness, &command.damping, &command.torque}) x->assign(nv, 0);
    q = s.reference;
    q[2] -= 0.1 * std::min(1.0, i / 200.0);
    REQUIRE_FALSE(point.apply({s.world, s.figure, q, v, i / 240.0, 1.0 / 240}, command));
  }
  std::vector<double> reached = command.q;
  reached[2] = q[2];
  for (const figure::CoordinatePart& part : model->coordinates.parts)
    if (part.joint >= 0 && part.q >= 0) CHECK(std::isfinite(command.q[static_cast<std::size_t>(part.q)]));
  INFO("hand " << point.error(0, reached.data()) << " foot " << point.error(1, reached.data()));
  CHECK(point.error(0, reached.data()) > 3);
}

TEST_CASE("goals of links that a figure does not have are refused") {
  const auto model = humanoid();
  Point point(model, {});
  PointGoal g;
  g.link = 1000;
  point.goals() = {g};
  const Failure f = point.refresh();
  CHECK(f);
  CHECK(f.text().find("goal 0") != std::string::npos);
  point.goals()[0].link = point.goals()[0].from = 5;
  CHECK(point.refresh());
}
