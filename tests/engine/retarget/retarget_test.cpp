// Retargeting by its properties: feet that stand, limits, directions of limbs; what must not matter (size, heading, the robot's own axes).
#include "engine/retarget/retarget.hpp"

#include "engine/retarget/pose_solver.hpp"
#include "tests/engine/retarget/walker.hpp"
#include "tests/support.hpp"

using namespace vertebra;
using namespace vertebra::retarget;

namespace {

Result run(const figure::Motion& motion, const std::shared_ptr<const figure::FigureModel>& model, double rate = 0) {
  Result result;
  const std::string wrong = retarget::retarget(motion, model, {.rate = rate}, result);
  INFO(wrong);
  REQUIRE(wrong.empty());
  return result;
}

std::vector<double> frame(const figure::Trajectory& t, int i) { return {t.frame(i), t.frame(i) + t.nq()}; }

// Largest angle between bones of two roles, in the motion and on the figure.
double worstAngle(const Source& source, const Target& target, const figure::Trajectory& t, Role from, Role to) {
  Kinematics k(target.model);
  double worst = 0;
  for (int i = 0; i < t.frames(); i++) {
    k.update(t.frame(i));
    const ByRole<Vec3>& p = source.frames[static_cast<std::size_t>(i)].p;
    const Vec3 a = (p[to] - p[from]).normalized(), b = (k.position(target.at[to]) - k.position(target.at[from])).normalized();
    worst = std::max(worst, std::acos(std::clamp(a.dot(b), -1.0, 1.0)));
  }
  return worst;
}

}  // namespace

TEST_CASE("a walk on a biped: feet stand where the motion's stand, at height 0, and keep still") {
  const figure::Motion walk = walker::motion(walker::bvh());
  const auto model = walker::model(walker::robot());
  const Result result = run(walk, model);
  const figure::Trajectory& t = result.trajectory;
  REQUIRE(t.frames() == walk.frames());
  Source source;
  REQUIRE(readSource(walk, 0, {}, source).empty());
  Target target;
  REQUIRE(readTarget(model, {}, target).empty());
  for (int side = 0; side < 2; side++) {
    REQUIRE(source.contacts[side].size() >= 3);
    Kinematics k(model);
    for (const Interval& c : source.contacts[side]) {
      Vec3 first = Vec3::Zero();
      for (int i = c.first; i <= c.last; i++) {
        k.update(t.frame(i));
        double lowest = kInf;
        for (const figure::SurfacePoint& b : target.model->surface()[static_cast<std::size_t>(target.ankle[side].body)])
          lowest = std::min(lowest, k.position({target.ankle[side].body, b.point}).z() - b.radius);
        CHECK(std::fabs(lowest) < 1e-3);
        const Vec3 at =
            k.position({target.ankle[side].body, target.model->surface()[static_cast<std::size_t>(target.ankle[side].body)][0].point});
        if (i == c.first) first = at;
        CHECK((at - first).head<2>().norm() < 2e-3);
      }
    }
  }
  for (int side = 0; side < 2; side++) {
    CHECK(worstAngle(source, target, t, sided(side, Role::LeftHip), sided(side, Role::LeftKnee)) < 6 * walker::kDegree);
    CHECK(worstAngle(source, target, t, sided(side, Role::LeftKnee), sided(side, Role::LeftFoot)) < 6 * walker::kDegree);
    CHECK(worstAngle(source, target, t, sided(side, Role::LeftShoulder), sided(side, Role::LeftElbow)) < 3 * walker::kDegree);
    CHECK(worstAngle(source, target, t, sided(side, Role::LeftElbow), sided(side, Role::LeftHand)) < 3 * walker::kDegree);
  }
  // The path is scaled by the legs: 0.68 m of 0.82 m.
  CHECK(frame(t, t.frames() - 1)[0] - frame(t, 0)[0] == Approx(0.0).margin(0.02));
  CHECK(std::fabs(frame(t, t.frames() - 1)[1] - frame(t, 0)[1]) == Approx(0.68 / 0.82 * 3.3).margin(0.03));
}

TEST_CASE("joints keep their limits, also where the motion asks for more, and links keep above the ground") {
  const figure::Motion walk = walker::motion(walker::bvh());
  const auto model = walker::model(walker::robot(0, 0.7));  // knees that bend too little for the swing
  const figure::Trajectory t = run(walk, model).trajectory;
  Target target;
  REQUIRE(readTarget(model, {}, target).empty());
  Kinematics k(model);
  double bent = 0;
  for (int i = 0; i < t.frames(); i++) {
    for (const figure::CoordinatePart& part : model->coordinates.parts) {
      if (part.joint < 0) continue;
      const dynamics::AxisParameters& axis = model->skeleton->joints[static_cast<std::size_t>(part.joint)].axes[0];
      CHECK(t.frame(i)[part.q] > axis.lower + 1e-3);
      CHECK(t.frame(i)[part.q] < axis.upper - 1e-3);
      if (model->skeleton->joints[static_cast<std::size_t>(part.joint)].name == "left_knee_joint")
        bent = std::max(bent, t.frame(i)[part.q]);
    }
    k.update(t.frame(i));
    for (std::size_t b = 0; b < target.model->surface().size(); b++)
      for (const figure::SurfacePoint& ball : target.model->surface()[b])
        CHECK(k.position({static_cast<int>(b), ball.point}).z() - ball.radius > -2e-3);
  }
  CHECK(bent > 0.65);  // the limit is reached
}

TEST_CASE("neither the motion's size nor the robot's own axes matter") {
  const auto model = walker::model(walker::robot());
  const figure::Trajectory one = run(walker::motion(walker::bvh()), model).trajectory;
  const figure::Trajectory small = run(walker::motion(walker::bvh(3, 30, {}, 0.9)), model).trajectory;
  REQUIRE(one.q.size() == small.q.size());
  for (std::size_t i = 0; i < one.q.size(); i++) CHECK(one.q[i] == Approx(small.q[i]).margin(1e-4));  // digits of the file
  const auto away = walker::model(walker::robot(kPi));                                                // its root link faces backwards
  const figure::Trajectory turned = run(walker::motion(walker::bvh()), away).trajectory;
  for (int i = 0; i < one.frames(); i++)
    for (int c = 7; c < one.nq(); c++) CHECK(one.frame(i)[c] == Approx(turned.frame(i)[c]).margin(1e-3));
}

TEST_CASE("a walk in another direction is the same walk, turned") {
  const auto model = walker::model(walker::robot());
  const figure::Trajectory one = run(walker::motion(walker::bvh()), model).trajectory;
  const double heading = 0.7;
  const figure::Trajectory other = run(walker::motion(walker::bvh(3, 30, {}, 1, heading)), model).trajectory;
  const Mat3 turn = Eigen::AngleAxisd(heading, Vec3::UnitZ()).toRotationMatrix();
  for (int i = 0; i < one.frames(); i++) {
    const Vec3 a(one.frame(i)[0], one.frame(i)[1], one.frame(i)[2]), b(other.frame(i)[0], other.frame(i)[1], other.frame(i)[2]);
    CHECK((turn * a - b).norm() < 2e-3);
    for (int c = 7; c < one.nq(); c++) CHECK(one.frame(i)[c] == Approx(other.frame(i)[c]).margin(5e-3));
  }
}

TEST_CASE("what cannot be retargeted is refused with the reason") {
  const auto model = walker::model(walker::robot());
  Result result;
  const std::string stick =
      "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\nJOINT b\n{\nOFFSET 0 10 0\n"
      "CHANNELS 3 Xrotation Yrotation Zrotation\nEnd Site\n{\nOFFSET 0 10 0\n}\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0 0 0 0\n";
  CHECK(retarget::retarget(walker::motion(stick), model, {}, result).find("left_foot") != std::string::npos);
  const auto fixed = figure::makeFigureModel(model->skeleton, figure::BaseKind::Fixed);
  CHECK(retarget::retarget(walker::motion(walker::bvh(1)), fixed, {}, result).find("fixed") != std::string::npos);
  const auto box = walker::model(
      "<robot name=\"box\"><link name=\"box\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" "
      "ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link></robot>");
  CHECK(retarget::retarget(walker::motion(walker::bvh(1)), box, {}, result).find("left_hip") != std::string::npos);
  CHECK(retarget::retarget(walker::motion(walker::bvh(1)), model, {.rate = 1e12}, result).find("million") != std::string::npos);
  CHECK(result.trajectory.frames() == 0);
  // One frame, and other rates than the file's, are no errors.
  CHECK(run(walker::motion(walker::bvh(0)), model).trajectory.frames() == 1);
  CHECK(run(walker::motion(walker::bvh(1)), model, 100).trajectory.frames() == 101);
  CHECK(run(walker::motion(walker::bvh(1)), model, 1).trajectory.frames() == 2);
}
