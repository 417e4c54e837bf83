// Names, order and indices of generalised coordinates, mimic chains and their ends, and motion along velocities.
#include "engine/figure/figure_model.hpp"
#include "tests/engine/figure/random_skeleton.hpp"

using namespace vertebra;
using namespace test;

namespace {

// base - spherical - universal - (planar, floating, revolute ...): links in a chain, joints listed in the given order.
std::shared_ptr<figure::Skeleton> chain(const std::vector<std::pair<std::string, dynamics::JointType>>& joints) {
  auto s = std::make_shared<figure::Skeleton>();
  s->links.resize(joints.size() + 1);
  for (std::size_t i = 0; i < s->links.size(); i++) {
    s->links[i].name = i == 0 ? "base" : "link" + std::to_string(i);
    s->links[i].mass = 1;
    s->links[i].inertia = 0.1 * Mat3::Identity();
  }
  for (std::size_t i = 0; i < joints.size(); i++) {
    figure::JointDescription j;
    j.name = joints[i].first;
    j.type = joints[i].second;
    j.parent = static_cast<int>(i);
    j.child = static_cast<int>(i) + 1;
    s->joints.push_back(j);
  }
  return s;
}
using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("Coordinates are named in file order, the floating base first") {
  const auto s = chain({{"ball", dynamics::JointType::Spherical},
                        {"weld", dynamics::JointType::Fixed},
                        {"cross", dynamics::JointType::Universal},
                        {"disc", dynamics::JointType::Planar},
                        {"loose", dynamics::JointType::Floating},
                        {"hinge", dynamics::JointType::Revolute},
                        {"wheel", dynamics::JointType::Continuous},
                        {"slide", dynamics::JointType::Prismatic}});
  const figure::Coordinates c = figure::makeCoordinates(*s, true, true);
  CHECK(c.qNames == Names{"base.px",  "base.py", "base.pz", "base.x",  "base.y",  "base.z", "base.w",     "ball.x",   "ball.y",
                          "ball.z",   "ball.w",  "cross.1", "cross.2", "disc.x",  "disc.y", "disc.angle", "loose.px", "loose.py",
                          "loose.pz", "loose.x", "loose.y", "loose.z", "loose.w", "hinge",  "wheel",      "slide"});
  CHECK(c.vNames == Names{"base.vx",  "base.vy",  "base.vz",  "base.rx",  "base.ry", "base.rz",    "ball.rx",  "ball.ry",
                          "ball.rz",  "cross.1",  "cross.2",  "disc.x",   "disc.y",  "disc.angle", "loose.vx", "loose.vy",
                          "loose.vz", "loose.rx", "loose.ry", "loose.rz", "hinge",   "wheel",      "slide"});
  CHECK(c.nq == 26);
  CHECK(c.nv == 23);
  CHECK(c.jointQ(0) == 7);
  CHECK(c.jointV(0) == 6);
  CHECK(c.jointQ(1) == -1);
  CHECK(c.jointQ(5) == 23);
  CHECK(c.jointV(5) == 20);
  const figure::Coordinates fixed = figure::makeCoordinates(*s, false, true);
  CHECK(fixed.nq == 19);
  CHECK(fixed.qNames.front() == "ball.x");
  std::vector<double> q(c.nq, 5);
  figure::neutral(c, q.data());
  for (int k = 0; k < c.nq; k++) CHECK(q[k] == (c.qNames[k].substr(c.qNames[k].size() - 2) == ".w" ? 1 : 0));
}

TEST_CASE("File order is not the order of the tree") {
  auto s = chain({{"a", dynamics::JointType::Revolute}, {"b", dynamics::JointType::Prismatic}, {"c", dynamics::JointType::Revolute}});
  std::swap(s->joints[0], s->joints[2]);
  const auto model = figure::makeFigureModel(s, figure::BaseKind::Fixed);
  CHECK(model->coordinates.qNames == Names{"c", "b", "a"});
  figure::FigureWorkspace work(model);
  const double q[] = {0, 0.3, kPi / 2};  // the first hinge, about x, then the slide along its x
  s->joints[1].axis = Vec3::UnitY();
  figure::FigureWorkspace turned(figure::makeFigureModel(s, figure::BaseKind::Fixed));
  CHECK((work.poses(q)[3].p - Vec3(0.3, 0, 0)).norm() < 1e-15);
  CHECK((turned.poses(q)[3].p - Vec3(0, 0, 0.3)).norm() < 1e-15);
}

TEST_CASE("Base: fixed, floating, or as the skeleton says") {
  auto s = chain({{"a", dynamics::JointType::Revolute}});
  s->floatingByDefault = true;
  CHECK(figure::makeFigureModel(s, figure::BaseKind::Default)->nv() == 7);
  CHECK(figure::makeFigureModel(s, figure::BaseKind::Fixed)->nv() == 1);
  s->floatingByDefault = false;
  CHECK(figure::makeFigureModel(s, figure::BaseKind::Default)->nv() == 1);
  CHECK(figure::makeFigureModel(s, figure::BaseKind::Floating)->nv() == 7);
}

TEST_CASE("Mimic chains are composed; their ends are a joint, a constant or, at a loop joint, free") {
  auto s = chain({{"a", dynamics::JointType::Revolute},
                  {"b", dynamics::JointType::Revolute},
                  {"c", dynamics::JointType::Prismatic},
                  {"weld", dynamics::JointType::Fixed},
                  {"d", dynamics::JointType::Revolute},
                  {"e", dynamics::JointType::Revolute},
                  {"f", dynamics::JointType::Revolute}});
  s->joints[1].mimic = {2, -2, 0.5};  // b = -2 c + 0.5, listed before its master
  s->joints[2].mimic = {0, 3, 0.1};   // c = 3 a + 0.1
  s->joints[4].mimic = {3, 7, 0.25};  // d follows a weld
  figure::JointDescription loop;
  loop.name = "loop";
  loop.type = dynamics::JointType::Revolute;
  loop.parent = 0;
  loop.child = 7;
  loop.loop = true;
  s->joints.push_back(loop);
  s->joints[5].mimic = {7, 1, 0};     // e follows the loop joint
  s->joints[6].mimic = {5, 0.5, -1};  // f follows e
  REQUIRE(figure::checkSkeleton(*s) == "");
  const figure::Coordinates c = figure::makeCoordinates(*s, false, true);
  REQUIRE(c.qNames == Names{"a", "e"});
  const double q[] = {0.2, -0.4}, v[] = {1, 10}, treeTau[] = {1, 2, 4, 8, 16, 32};
  double treeQ[6], treeV[6], tau[2];
  figure::treeCoordinates(c, q, treeQ);
  figure::treeVelocities(c, v, treeV);
  figure::generalizedForces(c, treeTau, tau);
  const double expectedQ[] = {0.2, -2 * (3 * 0.2 + 0.1) + 0.5, 3 * 0.2 + 0.1, 0.25, -0.4, 0.5 * -0.4 - 1},
               expectedV[] = {1, -6, 3, 0, 10, 5};
  for (int k = 0; k < 6; k++) {
    CHECK(treeQ[k] == Approx(expectedQ[k]));
    CHECK(treeV[k] == Approx(expectedV[k]));
  }
  CHECK(tau[0] == Approx(1 - 6 * 2 + 3 * 4));
  CHECK(tau[1] == Approx(16 + 0.5 * 32));
  CHECK(c.jointQ(1) == -1);
  CHECK(c.jointV(4) == -1);
  CHECK(c.jointQ(7) == -1);
  CHECK(figure::makeCoordinates(*s, false, false).qNames == Names{"a", "b", "c", "d", "e", "f"});
}

TEST_CASE("Difference undoes integrate; quaternions stay of unit length") {
  for (std::uint64_t seed = 1; seed <= 20; seed++) {
    const auto s = randomSkeleton(seed);
    const figure::Coordinates c = figure::makeCoordinates(*s, seed % 2 == 0, true);
    Random r(seed);
    const auto q = randomCoordinates(r, c), v = randomValues(r, c.nv, 3);
    std::vector<double> to(c.nq), back(c.nv);
    figure::integrate(c, q.data(), v.data(), 0.3, to.data());
    figure::difference(c, q.data(), to.data(), back.data());
    for (int k = 0; k < c.nv; k++) CHECK(back[k] == Approx(0.3 * v[k]).margin(1e-13));
    for (int k = 0; k < 1000; k++) figure::integrate(c, to.data(), v.data(), 0.1, to.data());
    for (const figure::CoordinatePart& part : c.parts)
      if (const int n = dynamics::jointNq(part.type); part.q >= 0 && n != dynamics::jointNv(part.type)) {
        double norm = 0;
        for (int k = n - 4; k < n; k++) norm += to[part.q + k] * to[part.q + k];
        CHECK(norm == Approx(1).epsilon(1e-15));
      }
  }
}
