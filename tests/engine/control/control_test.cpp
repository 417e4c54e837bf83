// Gains, limits of torque, sharing of a wrench among contacts, inverse dynamics with contact: closed forms.
#include "engine/control/feed_forward.hpp"
#include "engine/control/gains.hpp"
#include "tests/engine/retarget/walker.hpp"
#include "tests/support.hpp"

using namespace vertebra;
using namespace vertebra::control;

namespace {

std::shared_ptr<const figure::FigureModel> modelOf(const std::string& urdf, figure::BaseKind base) {
  auto skeleton = std::make_shared<figure::Skeleton>();
  Diagnostics findings;
  REQUIRE(loadUrdfText(urdf, "made.urdf", {}, *skeleton, findings));
  return figure::makeFigureModel(skeleton, base);
}

// A rod's mass at its end, `length` below a hinge about y.
std::string pendulum(double mass, double length, const std::string& effort) {
  const std::string m = walker::precise(mass), l = walker::precise(-length), i = walker::precise(1e-6 * mass * length * length);
  return "<robot name=\"p\"><link name=\"base\"/><link name=\"bob\"><inertial><origin xyz=\"0 0 " + l + "\"/><mass value=\"" + m +
         "\"/><inertia ixx=\"" + i + "\" iyy=\"" + i + "\" izz=\"" + i +
         "\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link><joint name=\"hinge\" type=\"revolute\"><parent link=\"base\"/><child "
         "link=\"bob\"/><axis xyz=\"0 1 0\"/><limit lower=\"-3\" upper=\"3\" velocity=\"0\" effort=\"" +
         effort + "\"/></joint></robot>";
}

}  // namespace

TEST_CASE("gains have the same frequency and damping for 20 g and 20 kg") {
  for (double mass : {0.02, 20.0})
    for (double length : {0.1, 1.0}) {
      const Gains g = defaultGains(modelOf(pendulum(mass, length, "0"), figure::BaseKind::Fixed), 15, 0.7);
      const double inertia = mass * length * length * (1 + 1e-6);
      CHECK(g.inertia[0] == Approx(inertia).epsilon(1e-9));
      CHECK(g.stiffness[0] == Approx(225 * inertia).epsilon(1e-9));
      CHECK(g.damping[0] == Approx(2 * 0.7 * 15 * inertia).epsilon(1e-9));
    }
}

TEST_CASE("limits of torque are the skeleton's, and twice the weight at its arm where it has none") {
  const Efforts given = effortLimits(modelOf(pendulum(2, 0.5, "7"), figure::BaseKind::Fixed), {}, 9.81);
  CHECK(given.limit[0] == 7);
  CHECK_FALSE(given.derived[0]);
  const Efforts made = effortLimits(modelOf(pendulum(2, 0.5, "0"), figure::BaseKind::Fixed), {}, 9.81);
  CHECK(made.limit[0] == Approx(2 * 2 * 9.81 * 0.5).epsilon(1e-9));
  CHECK(made.derived[0]);
}

TEST_CASE("the feed-forward of a fixed pendulum is its static and its inertial torque") {
  const auto model = modelOf(pendulum(2, 0.5, "7"), figure::BaseKind::Fixed);
  FeedForward forward(model, {});
  for (double angle : {-1.0, 0.0, 0.4, 2.0}) {
    const double v = 3, a = 5;
    double tau = 0;
    forward.compute(&angle, &v, &a, Vec3(0, 0, -9.81), {}, 0.8, 1, &tau);
    CHECK(tau == Approx(2 * 0.25 * (1 + 1e-6) * a + 2 * 9.81 * 0.5 * std::sin(angle)).margin(1e-9));
  }
}

TEST_CASE("contacts share a weight evenly, keep to friction and to pushing, and tell what they lack") {
  const auto square = [](ContactSharing& s) {
    s.clear();
    for (double x : {-0.1, 0.1})
      for (double y : {-0.05, 0.05}) s.add(Vec3(x, y, -0.7), 0.5);
  };
  ContactSharing sharing;
  std::vector<Vec3> f;
  Vec6 weight = Vec6::Zero();
  weight[2] = 300;
  square(sharing);
  CHECK(sharing.share(weight, 0.2, f).norm() < 0.05);
  for (const Vec3& at : f) CHECK((at - Vec3(0, 0, 75)).norm() < 0.05);

  Vec6 up = -weight;  // contacts do not pull
  square(sharing);
  CHECK((sharing.share(up, 0.2, f) - up).norm() < 1e-9);
  for (const Vec3& at : f) CHECK(at.norm() < 1e-9);

  test::Random random(3);
  for (int i = 0; i < 200; i++) {  // whatever is asked: in the pyramids, and the sum and what is lacking make up the wrench
    Vec6 wrench;
    for (int k = 0; k < 6; k++) wrench[k] = random.range(-300, 300);
    square(sharing);
    const Vec6 left = sharing.share(wrench, 0.2, f);
    Vec6 sum = left;
    std::size_t p = 0;
    for (double x : {-0.1, 0.1})
      for (double y : {-0.05, 0.05}) {
        const Vec3& at = f[p++];
        CHECK(at.z() >= 0);
        CHECK(std::fabs(at.x()) + std::fabs(at.y()) <= 0.5 * at.z() + 1e-9);
        sum.head<3>() += at;
        sum.tail<3>() += Vec3(x, y, -0.7).cross(at);
      }
    CHECK((sum - wrench).norm() < 1e-9);
  }
}

TEST_CASE("a figure that stands still: its soles bear its weight under its centre of mass, and the torques hold it") {
  const auto model = modelOf(walker::robot(), figure::BaseKind::Floating);
  std::vector<double> q(static_cast<std::size_t>(model->nq())), still(static_cast<std::size_t>(model->nv())), tau(still.size());
  figure::neutral(model->coordinates, q.data());
  auto standing = std::make_shared<figure::Trajectory>();
  standing->names.resize(q.size());
  q[2] = 0.02 + 0.33 + 0.35 + 0.065;  // hip, thigh, shin, sole
  for (int i = 0; i < 5; i++) standing->q.insert(standing->q.end(), q.begin(), q.end());
  const Course course(model, standing);
  REQUIRE(course.soles().size() == 8);
  FeedForward forward(model, course.soles());
  const Vec6 left =
      forward.compute(q.data(), still.data(), still.data(), Vec3(0, 0, -9.81), std::vector<bool>(8, true), 0.8, 1, tau.data());
  const double weight = 9.81 * model->mass;
  CHECK(left.norm() < 1e-3 * weight);
  Vec3 sum = Vec3::Zero();
  for (std::size_t s = 0; s < 8; s++) {
    sum += forward.forces()[s];
    CHECK(forward.forces()[s].z() >= 0);
  }
  CHECK((sum - Vec3(0, 0, weight)).norm() < 1e-3 * weight);
  // With these torques and forces the figure does not move.
  figure::FigureWorkspace workspace(model);
  std::vector<double> J(6 * still.size()), moved(still.size());
  for (std::size_t s = 0; s < 8; s++) {
    const SolePoint& sole = course.soles()[s];
    const int link = model->bodyLink[static_cast<std::size_t>(sole.at.body)];
    // Forces act three quarters of the way from the middle of the foot to its corners.
    Vec3 middle = Vec3::Zero();
    for (const SolePoint& other : course.soles())
      if (other.at.body == sole.at.body) middle += 0.25 * other.at.point;
    const Vec3 point = model->links[static_cast<std::size_t>(link)].pose.inverse() * Vec3(0.75 * sole.at.point + 0.25 * middle);
    workspace.jacobian(q.data(), link, point, J.data());
    for (std::size_t i = 0; i < still.size(); i++)
      for (std::size_t r = 0; r < 3; r++) tau[i] += J[r * still.size() + i] * forward.forces()[s][static_cast<int>(r)];
  }
  REQUIRE(workspace.forward(q.data(), still.data(), tau.data(), Vec3(0, 0, -9.81), moved.data()) < 0);
  for (double acceleration : moved) CHECK(std::fabs(acceleration) < 0.05);
}
