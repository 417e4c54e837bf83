// Own elementary functions against the C library in extended precision.
#include "engine/math/elementary.hpp"

#include <cmath>

#include "tests/support.hpp"

using namespace vertebra;

namespace {
double ulps(double got, long double want) {
  if (want == 0) return got == 0 ? 0 : 1e9;
  return static_cast<double>(std::fabs((got - want) / want)) / 2.220446049250313e-16;
}
}  // namespace

TEST_CASE("sine and cosine are accurate to a few ulp of one", "[math]") {
  test::Random r(1);
  for (int i = 0; i < 200000; i++) {
    double x = r.range(-1, 1) * std::pow(10.0, r.range(-6, 5));
    SinCos sc = sincos(x);
    REQUIRE(std::fabs(sc.s - std::sin(static_cast<long double>(x))) < 3e-16);
    REQUIRE(std::fabs(sc.c - std::cos(static_cast<long double>(x))) < 3e-16);
    REQUIRE(std::fabs(sc.s * sc.s + sc.c * sc.c - 1) < 6e-16);
  }
}
TEST_CASE("arctan2, arccos, arcsin and exponential are accurate to 4 ulp", "[math]") {
  test::Random r(2);
  for (int i = 0; i < 200000; i++) {
    double y = r.range(-1, 1) * std::pow(10.0, r.range(-3, 3)), x = r.range(-1, 1) * std::pow(10.0, r.range(-3, 3));
    REQUIRE(ulps(arctan2(y, x), std::atan2(static_cast<long double>(y), static_cast<long double>(x))) < 4);
    double c = r.range(-1, 1);
    REQUIRE(ulps(arccos(c), std::acos(static_cast<long double>(c))) < 4);
    REQUIRE(ulps(arcsin(c), std::asin(static_cast<long double>(c))) < 4);
    double e = r.range(-700, 700);
    REQUIRE(ulps(exponential(e), std::exp(static_cast<long double>(e))) < 4);
  }
  CHECK(arctan2(0, 0) == 0);
  CHECK(arctan2(0, -1) == Approx(3.14159265358979).epsilon(1e-15));
  CHECK(arccos(2) == 0);
  CHECK(std::isinf(exponential(1000)));
  CHECK(exponential(-1000) == 0);
  CHECK(std::isnan(sine(std::nan(""))));
}
