// One contact alone (engine/solve/contact_block.cpp): its impulses meet the definition of Coulomb's law to round-off.
#include "engine/solve/sweep.hpp"
#include "tests/engine/solve/row_cases.hpp"

using namespace vertebra;
using namespace test;

TEST_CASE("a contact alone opens, sticks or slides as Coulomb's law says", "[solve][contact]") {
  Random r(36);
  int open = 0, sticking = 0, sliding = 0;
  for (int repeat = 0; repeat < 2000; repeat++) {
    Eigen::Matrix3d D = randomSpd(r, 3);
    const double mass = std::pow(10, r.range(-4, 4)), mu = r.range(0.01, 1.5);
    D /= mass;
    const Vec3 q(r.range(-1, 0.3), r.range(-3, 3), r.range(-3, 3));
    const double own[6] = {D(0, 0), D(0, 1), D(0, 2), D(1, 1), D(1, 2), D(2, 2)};
    Vec3 lambda;
    const double start = repeat % 2 == 0 ? 0 : std::pow(10, r.range(-6, 6)) / mass;  // any, near or far
    solve::solveContact(own, q.data(), mu, start, lambda.data());
    const Vec3 u = D * lambda + q;
    const Eigen::Vector2d friction = lambda.tail<2>(), slip = u.tail<2>();
    const double bound = mu * lambda[0], round = 1e-10;
    INFO(repeat << ": mu " << mu << ", lambda " << lambda.transpose() << ", u " << u.transpose());
    if (lambda[0] == 0) {
      open++;
      CHECK(u[0] >= 0);
      CHECK(friction.norm() == 0);
      continue;
    }
    CHECK(lambda[0] > 0);
    CHECK(std::fabs(u[0]) < round);
    CHECK(friction.norm() <= bound * (1 + 1e-14));
    if (slip.norm() < round) {
      sticking++;
      continue;
    }
    sliding++;
    CHECK(bound - friction.norm() <= 1e-12 * bound);
    CHECK(friction.dot(slip) <= (1e-12 - 1) * friction.norm() * slip.norm() + round * friction.norm());
  }
  CHECK(open > 100);
  CHECK(sticking > 50);
  CHECK(sliding > 500);
}

TEST_CASE("a contact alone without friction, with boundless friction, with a tangent that changes no velocity", "[solve][contact]") {
  const double q[3] = {-1, 2, 0.5}, own[6] = {2, 0.3, 0, 1, 0, 1}, flat[6] = {2, 0.3, 0, 1, 0, 0};
  double lambda[3];
  solve::solveContact(own, q, 0, 0, lambda);
  CHECK(lambda[0] == 0.5);
  CHECK((lambda[1] == 0 && lambda[2] == 0));
  solve::solveContact(own, q, kBoundless, 0, lambda);
  CHECK(std::fabs(own[0] * lambda[0] + own[1] * lambda[1] + q[0]) < 1e-14);
  CHECK(std::fabs(own[1] * lambda[0] + own[3] * lambda[1] + q[1]) < 1e-14);
  CHECK(std::fabs(lambda[2] + q[2]) < 1e-14);
  solve::solveContact(flat, q, 0.5, 0, lambda);
  CHECK(std::fabs(flat[0] * lambda[0] + flat[1] * lambda[1] + q[0]) < 1e-9);
  CHECK(std::hypot(lambda[1], lambda[2]) <= 0.5 * lambda[0] * (1 + 1e-14));
}
