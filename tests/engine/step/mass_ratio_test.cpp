// A heavy ball on a light chain, 10,000 : 1, at rest in joint coordinates and in free poses, and pushed.
#include <cmath>

#include "tests/engine/step/scenes.hpp"

using namespace vertebra;

TEST_CASE("a heavy ball on a light chain: joints hold and nothing trembles", "[step]") {
  for (bool freePoses : {false, true}) {
    WorldSettings s;
    s.sleeping = false;
    s.freePoses = freePoses;
    s.energyAccount = true;
    World w(s);
    const int links = 10;
    const double length = 0.1;
    std::vector<int> bodies;
    auto hang = [&](const BodyDefinition& d, const Vec3& inChild) {
      bodies.push_back(w.createBody(d));
      const int i = static_cast<int>(bodies.size()) - 1;
      test::addJoint(w, JointType::Spherical, i ? bodies[i - 1] : -1, bodies[i], i ? Vec3(0, 0, -0.5 * length) : Vec3(0, 0, 0), inChild);
    };
    for (int i = 0; i < links; i++) {
      BodyDefinition d;
      d.pose.p = Vec3(0, 0, -length * (i + 0.5));
      d.mass = 0.01;
      d.inertia = Vec3(8.5e-6, 8.5e-6, 1e-6).asDiagonal();
      hang(d, Vec3(0, 0, 0.5 * length));
    }
    BodyDefinition ball;
    ball.pose.p = Vec3(0, 0, -length * links - 0.2);
    ball.mass = 100;
    ball.inertia = 1.6 * Mat3::Identity();
    hang(ball, Vec3(0, 0, 0.2));
    double worst = 0, trembling = 0;
    for (int i = 0; i < 480; i++) {
      test::advance(w, 1);
      worst = std::max(worst, w.statistics().maxJointError);
      Vec3 v, spin;
      w.bodyTwist(bodies[links / 2], v, spin);
      trembling = std::max(trembling, v.norm());
    }
    INFO("free poses " << freePoses << " joints " << worst << " trembling " << trembling);
    CHECK(worst <= 1e-9);
    CHECK(trembling < 1e-6);
    if (freePoses) continue;  // pushed, they come apart: docs/design.md, Known gaps
    w.addImpulse(bodies[links], Vec3(100, 0, 0), nullptr);
    for (int i = 0; i < 480; i++) {
      test::advance(w, 1);
      worst = std::max(worst, w.statistics().maxJointError);
    }
    CHECK(worst <= 1e-9);
  }
}
