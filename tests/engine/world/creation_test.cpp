// Creation beside a running world: its trees stay, new things get trees of their own, and when trees are made has no effect. The work of
// creating many things is proportional to their number.
#include <memory>

#include "engine/figure/figure.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

// The same edits of a world, with trees made after each of them, or only where a step needs them.
struct Script {
  world::World w;
  bool eager;
  Script(const WorldSettings& s, bool eagerly) : w(s), eager(eagerly) {}
  void made() {
    if (eager) (void)w.energy();
  }
  int box(double x, double z) {
    const int id = test::addBox(w, Vec3(0.1, 0.12, 0.08), 1, Vec3(x, 0, z), 0.5, 0);
    made();
    return id;
  }
  test::Chain chain(int n, double x, int base = -1, dynamics::JointType type = dynamics::JointType::Revolute) {
    test::Chain c;
    BodyDefinition d;
    d.inertia = Vec3(0.02, 0.021, 0.003).asDiagonal();
    for (int i = 0; i < n; i++) {
      d.pose.p = Vec3(x, 0, 5 - 0.3 * (i + 0.5));
      c.bodies.push_back(w.createBody(d));
      made();
      const int above = i == 0 ? base : c.bodies[i - 1];
      const Vec3 inAbove = above < 0 ? Vec3(x, 0, 5) : i == 0 ? Vec3(0, 0, 0) : Vec3(0, 0, -0.15);
      c.joints.push_back(test::addJoint(w, type, above, c.bodies[i], inAbove, Vec3(0, 0, 0.15)));
      made();
      dynamics::AxisParameters p;
      p.damping = 0.02;
      p.lower = -1;
      p.upper = 1.5;
      if (type == dynamics::JointType::Revolute) REQUIRE_FALSE(w.setAxis(c.joints.back(), 0, p));
      made();
    }
    return c;
  }
  int couple(int a, int b) {
    int id = -1;
    REQUIRE_FALSE(w.createCoupling(ratioCoupling(a, b, 1, 0), id));
    made();
    return id;
  }
  int rotor() {
    JointDefinition d;
    d.rotor = true;
    int id = -1;
    REQUIRE_FALSE(w.createJoint(d, id));
    made();
    return id;
  }
  void tie(int a, int b, const Vec3& bInA) {
    test::addJoint(w, dynamics::JointType::Spherical, a, b, bInA, Vec3(0, 0, 0));
    made();
  }
  void destroy(int body) {
    w.destroyBody(body);
    made();
  }
  void advance(int steps) {
    for (int i = 0; i < steps; i++) {
      const Failure f = w.step();
      INFO(f.text());
      REQUIRE((!f || f.kind() == Failure::Infeasible));
    }
  }
};

void edit(Script& s, bool destroying) {
  test::addGround(s.w, 0.6, 0);
  const int low = s.box(0, 0.3);
  const test::Chain hung = s.chain(3, 2);
  s.box(0.02, 0.6);
  BodyDefinition stand;
  stand.kind = BodyKind::Static;
  stand.pose.p = Vec3(4, 0, 5);
  const int base = s.w.createBody(stand);
  s.made();
  const test::Chain onStand = s.chain(3, 4, base);
  s.couple(onStand.joints[1], onStand.joints[2]);
  const int shaft = s.rotor();
  // A free figure with a cycle, and one created before the base that holds it.
  const test::Chain loop = s.chain(4, 6, s.box(6, 5));
  s.tie(loop.bodies[0], loop.bodies[3], Vec3(0, 0, -0.9));
  s.chain(2, 8, -1, dynamics::JointType::Spherical);
  s.advance(15);
  s.box(0.04, 1);  // beside moving bodies
  const test::Chain late = s.chain(3, 10);
  s.couple(late.joints[0], hung.joints[1]);  // a new joint to an old one
  s.advance(10);
  if (destroying) {
    s.destroy(low);
    s.destroy(hung.bodies[2]);
    s.chain(2, 12);                                            // into the free slots
    s.destroy(loop.bodies[2]);                                 // opens the cycle
    s.tie(late.bodies[2], onStand.bodies[2], Vec3(-6, 0, 0));  // old bodies
    s.w.destroyJoint(shaft);
    s.made();
    s.box(14, 0.4);
    s.rotor();
    s.chain(3, 16, s.box(16, 5));
  }
}

WorldSettings settingsOf(int kind) {
  WorldSettings s;
  s.sleepTime = 0.05;
  if (kind == 1) s.stepper = Stepper::Variational;
  if (kind == 2) s.planar = true;
  if (kind == 3) s.freePoses = true;
  if (kind == 4) s.treeSolver = TreeSolver::Sparse;
  if (kind == 5) s.stepper = Stepper::Displacement;
  return s;
}

std::shared_ptr<const figure::FigureModel> figureModel(int links) {
  auto s = std::make_shared<figure::Skeleton>();
  s->name = "chain";
  for (int i = 0; i < links; i++) {
    figure::LinkDescription l;
    l.name = "link" + std::to_string(i);
    l.mass = 1;
    l.inertia = 0.01 * Mat3::Identity();
    geometry::Shape shape;
    shape.geometry.type = geometry::ShapeType::Sphere;
    shape.geometry.size = Vec3(0.05, 0, 0);
    l.shapes.push_back(shape);
    s->links.push_back(l);
    if (i == 0) continue;
    figure::JointDescription j;
    j.name = "joint" + std::to_string(i);
    j.type = dynamics::JointType::Revolute;
    j.parent = i - 1;
    j.child = i;
    j.inParent.p = Vec3(0, 0, -0.2);
    j.axes[0].lower = -1;
    j.axes[0].upper = 1;
    if (i == 3) j.mimic = {0, 0.5, 0};
    s->joints.push_back(j);
  }
  return figure::makeFigureModel(s, figure::BaseKind::Floating);
}

}  // namespace

TEST_CASE("the time at which trees are made has no effect") {
  for (const bool destroying : {false, true})
    for (int kind = 0; kind < 6; kind++) {
      INFO("settings " << kind << ", with destroying " << destroying);
      Script lazy(settingsOf(kind), false), eager(settingsOf(kind), true);
      edit(lazy, destroying);
      edit(eager, destroying);
      CHECK(lazy.w.hash() == eager.w.hash());
      lazy.advance(200);
      eager.advance(200);
      CHECK(lazy.w.hash() == eager.w.hash());
    }
}

TEST_CASE("creation leaves the other trees unchanged") {
  world::World w{WorldSettings()};
  const test::Chain chain = test::addChain(w, 4, 0.3, 1);
  const double bent = 0.5;
  REQUIRE_FALSE(w.setJointState(chain.joints[1], &bent, nullptr));
  test::advance(w, 30);
  const std::uint64_t made = w.linksMade();
  double before[4], after[4];
  for (int i = 0; i < 4; i++) w.jointState(chain.joints[i], &before[i], nullptr);
  test::addChain(w, 5, 0.3, 1);
  for (int i = 0; i < 4; i++) w.jointState(chain.joints[i], &after[i], nullptr);
  CHECK(std::equal(before, before + 4, after));
  CHECK(w.linksMade() == made + 5);
}

TEST_CASE("the work of creating figures is proportional to their number") {
  const auto model = figureModel(30);
  for (const bool reading : {false, true})
    for (const int count : {100, 1000}) {
      world::World w{WorldSettings()};
      test::addGround(w, 0.5, 0);
      std::vector<figure::Figure> figures(count);
      for (int i = 0; i < count; i++) {
        figure::FigureDefinition d;
        d.model = model;
        d.pose.p = Vec3(3 * i, 0, 10);
        REQUIRE_FALSE(figure::Figure::create(w, d, figures[i]));
        if (reading) {
          std::vector<double> q(model->nq());
          figures[i].q(w, q.data());
          CHECK(q[0] == 3 * i);
        }
      }
      REQUIRE_FALSE(w.step());
      CHECK(w.linksMade() == 30 * static_cast<std::uint64_t>(count));
      for (int i = 0; i < count; i += 2) figures[i].destroy(w);
      REQUIRE_FALSE(w.step());
      CHECK(w.linksMade() == 45 * static_cast<std::uint64_t>(count));
    }
}
