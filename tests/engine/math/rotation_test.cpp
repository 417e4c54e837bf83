// Conversions between descriptions of a rotation.
#include "engine/math/rotation.hpp"

#include "tests/support.hpp"

using namespace vertebra;

namespace {
Quat randomQuat(test::Random& r) {
  Vec3 v(r.range(-1, 1), r.range(-1, 1), r.range(-1, 1));
  return quatExp(3 * v);
}
double distance(const Quat& a, const Quat& b) { return quatLog(a.conjugate() * b).norm(); }
}  // namespace

TEST_CASE("exponential and logarithm are inverse", "[math]") {
  test::Random r(3);
  for (int i = 0; i < 2000; i++) {
    Vec3 v = Vec3(r.range(-1, 1), r.range(-1, 1), r.range(-1, 1)) * std::pow(10.0, r.range(-9, 0.2));
    REQUIRE((quatLog(quatExp(v)) - v).norm() < 1e-14 * (1 + v.norm()));
  }
}
TEST_CASE("Euler angles of all twelve orders come back as the same rotation", "[math]") {
  test::Random r(4);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      for (int c = 0; c < 3; c++) {
        if (a == b || b == c) continue;
        EulerOrder o{a, b, c};
        for (int i = 0; i < 300; i++) {
          Quat q = randomQuat(r);
          REQUIRE(distance(quatFromEuler(o, eulerFromQuat(o, q)), q) < 1e-12);
        }
        for (double middle : {kPi / 2, -kPi / 2, 0.0, kPi}) {  // at the poles
          Quat q = quatFromEuler(o, Vec3(0.3, middle, -0.7));
          REQUIRE(distance(quatFromEuler(o, eulerFromQuat(o, q)), q) < 1e-7);
        }
      }
}
TEST_CASE("matrix, axis-angle and roll-pitch-yaw agree with Eigen", "[math]") {
  test::Random r(5);
  for (int i = 0; i < 500; i++) {
    Quat q = randomQuat(r);
    REQUIRE(distance(quatFromMatrix(q.toRotationMatrix()), q) < 1e-13);
    Vec3 rpy(r.range(-3, 3), r.range(-1.5, 1.5), r.range(-3, 3));
    Mat3 m =
        (Eigen::AngleAxisd(rpy.z(), Vec3::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Vec3::UnitY()) * Eigen::AngleAxisd(rpy.x(), Vec3::UnitX()))
            .toRotationMatrix();
    REQUIRE((quatFromRpy(rpy.x(), rpy.y(), rpy.z()).toRotationMatrix() - m).norm() < 1e-14);
    Vec3 a = (q * Vec3::UnitX()), b = randomQuat(r) * Vec3::UnitZ();
    REQUIRE((quatBetween(a, b) * a - b).norm() < 1e-14);
  }
}
TEST_CASE("the shortest arc is exact for nearly opposite vectors too", "[math]") {
  test::Random r(6);
  for (int i = 0; i < 300; i++) {
    const Vec3 a = randomQuat(r) * Vec3::UnitX();
    const Vec3 aside = Vec3(r.range(-1, 1), r.range(-1, 1), r.range(-1, 1)) * std::pow(10.0, -0.05 * i);
    const Vec3 b = (-a + aside).normalized();
    REQUIRE((quatBetween(a, b) * a - b).norm() < 1e-14);
  }
}
