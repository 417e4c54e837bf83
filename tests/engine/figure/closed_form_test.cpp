// Pendulums and free bodies against their textbook formulas; rejected input; and no allocation in any call.
#include <cstdlib>
#include <new>

#include "engine/figure/figure_model.hpp"
#include "tests/engine/figure/random_skeleton.hpp"

using namespace vertebra;
using namespace test;

namespace {
long allocations = 0;
}
[[gnu::noinline]] void* operator new(std::size_t size) {
  allocations++;
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace {

const Vec3 kDown(0, 0, -9.81);

// Rods in the x-z plane, hanging down at 0: hinges about y, centre of mass at distance `com` below the hinge, next hinge at `length`.
struct Rod {
  double mass, com, length, inertia;
};
std::shared_ptr<figure::Skeleton> pendulum(const std::vector<Rod>& rods) {
  auto s = std::make_shared<figure::Skeleton>();
  s->links.resize(rods.size() + 1);
  s->links[0].name = "stand";
  for (std::size_t i = 0; i < rods.size(); i++) {
    figure::LinkDescription& link = s->links[i + 1];
    link.name = "rod" + std::to_string(i + 1);
    link.mass = rods[i].mass;
    link.com = Vec3(0, 0, -rods[i].com);
    link.inertia = Vec3(0.3, rods[i].inertia, 0.2).asDiagonal();
    figure::JointDescription j;
    j.name = "hinge" + std::to_string(i + 1);
    j.type = dynamics::JointType::Revolute;
    j.parent = static_cast<int>(i);
    j.child = static_cast<int>(i) + 1;
    j.axis = Vec3::UnitY();
    if (i > 0) j.inParent.p = Vec3(0, 0, -rods[i - 1].length);
    s->joints.push_back(j);
  }
  return s;
}

}  // namespace

TEST_CASE("Pendulum: (I + m l^2) q'' = -m g l sin q, with a rotor's inertia added") {
  const Rod rod{2.5, 0.4, 1, 0.07};
  auto s = pendulum({rod});
  s->joints[0].axes[0].armature = 0.3;
  figure::FigureWorkspace work(figure::makeFigureModel(s, figure::BaseKind::Fixed));
  const double I = rod.inertia + rod.mass * rod.com * rod.com + 0.3;
  for (double q = -7; q < 7; q += 0.37) {
    const double v = 1.7 - q, tau = 0.2 * q;
    double a, M, bias, kinetic, potential;
    REQUIRE(work.forward(&q, &v, &tau, kDown, &a) == -1);
    work.massMatrix(&q, &M);
    work.bias(&q, &v, kDown, &bias);
    work.energy(&q, &v, kDown, kinetic, potential);
    const double weight = rod.mass * 9.81 * rod.com;
    CHECK(M == Approx(I).epsilon(1e-14));
    CHECK(bias == Approx(weight * std::sin(q)).epsilon(1e-13).margin(1e-14));
    CHECK(a == Approx((tau - weight * std::sin(q)) / I).epsilon(1e-13).margin(1e-14));
    CHECK(kinetic == Approx(0.5 * I * v * v).epsilon(1e-14));
    CHECK(potential == Approx(-weight * std::cos(q)).epsilon(1e-13).margin(1e-14));
  }
}

TEST_CASE("Double pendulum: the textbook's mass matrix, Coriolis and gravity terms in relative angles") {
  const Rod a{1.3, 0.35, 0.8, 0.05}, b{0.7, 0.45, 0.9, 0.04};
  figure::FigureWorkspace work(figure::makeFigureModel(pendulum({a, b}), figure::BaseKind::Fixed));
  Random r(5);
  for (int k = 0; k < 50; k++) {
    const double q[] = {r.range(-3, 3), r.range(-3, 3)}, v[] = {r.range(-5, 5), r.range(-5, 5)};
    double M[4], bias[2];
    work.massMatrix(q, M);
    work.bias(q, v, kDown, bias);
    const double c2 = std::cos(q[1]), s2 = std::sin(q[1]), h = b.mass * a.length * b.com * s2, g = 9.81;
    const double m22 = b.inertia + b.mass * b.com * b.com, m12 = m22 + b.mass * a.length * b.com * c2;
    const double m11 = a.inertia + a.mass * a.com * a.com + b.mass * a.length * a.length + 2 * b.mass * a.length * b.com * c2 + m22;
    const double g2 = b.mass * g * b.com * std::sin(q[0] + q[1]), g1 = (a.mass * a.com + b.mass * a.length) * g * std::sin(q[0]) + g2;
    CHECK(M[0] == Approx(m11).epsilon(1e-13));
    CHECK(M[1] == Approx(m12).epsilon(1e-13).margin(1e-14));
    CHECK(M[2] == M[1]);
    CHECK(M[3] == Approx(m22).epsilon(1e-13));
    CHECK(bias[0] == Approx(-h * v[1] * (2 * v[0] + v[1]) + g1).epsilon(1e-12).margin(1e-13));
    CHECK(bias[1] == Approx(h * v[0] * v[0] + g2).epsilon(1e-12).margin(1e-13));
  }
}

TEST_CASE("A free body: Newton's and Euler's laws for the origin of its link frame") {
  Random r(8);
  for (int k = 0; k < 50; k++) {
    auto s = std::make_shared<figure::Skeleton>();
    s->links.resize(1);
    figure::LinkDescription& link = s->links[0];
    link.name = "body";
    link.mass = 1.7;
    link.com = randomVector(r, 0.4);
    link.inertia = randomInertia(r, 1.7, 0.3);
    const auto model = figure::makeFigureModel(s, figure::BaseKind::Floating);
    figure::FigureWorkspace work(model);
    const auto q = randomCoordinates(r, model->coordinates), v = randomValues(r, 6), tau = randomValues(r, 6);
    double a[6];
    REQUIRE(work.forward(q.data(), v.data(), tau.data(), kDown, a) == -1);
    const Mat3 R = Quat(q[6], q[3], q[4], q[5]).toRotationMatrix(), I = R * link.inertia * R.transpose();
    const Vec3 d = R * link.com, w(v[3], v[4], v[5]), force(tau[0], tau[1], tau[2]), torque(tau[3], tau[4], tau[5]);
    const Vec3 angular = I.inverse() * (torque - d.cross(force) - w.cross(I * w));  // tau acts at the frame's origin
    const Vec3 linear = force / link.mass + kDown - angular.cross(d) - w.cross(w.cross(d));
    CHECK((Vec3(a[0], a[1], a[2]) - linear).norm() < 1e-11 * (1 + linear.norm()));
    CHECK((Vec3(a[3], a[4], a[5]) - angular).norm() < 1e-11 * (1 + angular.norm()));
  }
}

TEST_CASE("Links without inertia along their joint are named, and the output is unchanged") {
  auto s = pendulum({{1, 0.3, 1, 0.1}, {1, 0.3, 1, 0.1}, {0, 0, 1, 0}});
  s->links[3].inertia.setZero();
  const double q[] = {0.1, 0.2, 0.3, 0.4}, zero[10] = {};
  double a[] = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
  for (const double multiplier : {0.0, 1.0}) {  // 1: with a mimic joint, which uses the dense solution
    if (multiplier != 0) s->joints[1].mimic = {0, multiplier, 0};
    const auto model = figure::makeFigureModel(s, figure::BaseKind::Fixed);
    figure::FigureWorkspace work(model);
    REQUIRE(work.forward(q, zero, zero, kDown, a) == 3);
    CHECK(figure::noInertiaText(*model, 3).find("link 'rod3'") == 0);
    CHECK(std::all_of(a, a + 10, [](double x) { return x == 7; }));
  }
  s->joints[2].axes[0].armature = 1e-6;
  figure::FigureWorkspace rotor(figure::makeFigureModel(s, figure::BaseKind::Fixed));
  CHECK(rotor.forward(q, zero, zero, kDown, a) == -1);
  figure::Skeleton nothing;
  nothing.links.resize(1);
  nothing.links[0].name = "ghost";
  const auto ghost = figure::makeFigureModel(std::make_shared<figure::Skeleton>(nothing), figure::BaseKind::Floating);
  figure::FigureWorkspace work(ghost);
  const double pose[] = {0, 0, 0, 0, 0, 0, 1};
  CHECK(work.forward(pose, zero, zero, kDown, a) == 0);
  Vec3 com;
  CHECK_FALSE(work.centerOfMass(pose, zero, com, nullptr));
  figure::FigureWorkspace fixed(
      figure::makeFigureModel(std::make_shared<figure::Skeleton>(nothing), figure::BaseKind::Fixed));  // no coordinates at all
  CHECK(fixed.forward(pose, zero, zero, kDown, a) == -1);
  CHECK(fixed.poses(pose)[0].p.norm() == 0);
}

TEST_CASE("No call on a workspace allocates") {
  for (const bool mimic : {false, true}) {
    RandomSkeletonOptions options;
    options.links = 25;
    options.mimic = mimic;
    const auto model = figure::makeFigureModel(randomSkeleton(3, options), figure::BaseKind::Floating);
    figure::FigureWorkspace work(model);
    Random r(1);
    const int n = model->nv();
    const auto q = randomCoordinates(r, model->coordinates), v = randomValues(r, n);
    std::vector<double> out(static_cast<std::size_t>(n) * n + 6 * n + model->nq());
    Vec3 x, y;
    double kinetic, potential;
    const long before = allocations;
    work.poses(q.data());
    work.twists(q.data(), v.data());
    work.jacobian(q.data(), 10, Vec3::Zero(), out.data());
    work.massMatrix(q.data(), out.data());
    work.inverse(q.data(), v.data(), v.data(), kDown, out.data());
    work.bias(q.data(), v.data(), kDown, out.data());
    work.gravity(q.data(), kDown, out.data());
    const int failed = work.forward(q.data(), v.data(), v.data(), kDown, out.data());
    work.centerOfMass(q.data(), v.data(), x, &y);
    work.momentum(q.data(), v.data(), x, y);
    work.energy(q.data(), v.data(), kDown, kinetic, potential);
    figure::integrate(model->coordinates, q.data(), v.data(), 0.1, out.data());
    figure::difference(model->coordinates, q.data(), q.data(), out.data());
    const long made = allocations - before;
    CHECK(made == 0);
    CHECK(failed == -1);
  }
}
