// Preparation: a foot that stands alone is turned back flat about the soles that it stands on; what stands flat stays; the root goes down
// around steps; feet stand while they roll onto and off the ground, and do not slide then.
#include "engine/control/preparation.hpp"

#include "engine/retarget/retarget.hpp"
#include "engine/retarget/target.hpp"
#include "tests/engine/retarget/walker.hpp"

using namespace vertebra;
using namespace vertebra::control;

namespace {

using Model = std::shared_ptr<const figure::FigureModel>;
using Path = std::shared_ptr<const figure::Trajectory>;

// The walk, whose feet lift their heels by an angle in the last two fifths of a stance and lower them in the swing.
figure::Motion heelWalk(double angle) {
  figure::Motion m = walker::motion(walker::bvh(4));
  for (std::size_t j = 0; j < m.joints.size(); j++)
    for (int side = 0; side < 2; side++) {
      if (m.joints[j].name != (side ? "RightFoot" : "LeftFoot")) continue;
      for (int i = 0; i < m.frames(); i++) {
        const double phase = i * m.frameTime / walker::kPeriod + 0.5 * side, share = phase - std::floor(phase);
        const double up = share < 0.5 ? std::max(0.0, (share - 0.3) / 0.2) : 1 - walker::smooth(2 * share - 1);
        m.values[static_cast<std::size_t>(i) * static_cast<std::size_t>(m.channelCount) +
                 static_cast<std::size_t>(m.joints[j].firstChannel) + 1] += angle / walker::kDegree * up * up;
      }
    }
  return m;
}

Path retargeted(const figure::Motion& motion, const Model& model) {
  retarget::Result result;
  REQUIRE(retarget::retarget(motion, model, {}, result).empty());
  return std::make_shared<const figure::Trajectory>(result.trajectory);
}

struct Feet {
  double tilt = 0;  // rad: mean against the foot's first stand, of a foot that stands alone
  double low = 0;   // m: farthest that its lowest sole is off the ground then
};

// Of frames in which the course stands on one foot alone.
Feet measured(const Model& model, const Course& course, const figure::Trajectory& t) {
  Feet out;
  int frames = 0;
  retarget::Kinematics k(model);
  for (std::size_t f = 0; f < course.feet().size(); f++) {
    const int body = course.feet()[f];
    Vec3 up = Vec3::Zero();
    for (int i = 0; i < t.frames(); i++) {
      bool alone = true;
      for (std::size_t other = 0; other < course.feet().size(); other++)
        alone = alone && course.stands(other, i * course.frameTime()) == (other == f);
      if (!alone) continue;
      k.update(t.frame(i));
      const Vec3 now = k.bodyRotation(body).transpose() * Vec3::UnitZ();
      if (up.isZero(0)) up = now;  // the heel lifts later
      const double tilt = std::acos(std::clamp(up.dot(now), -1.0, 1.0));
      out.tilt += tilt, frames++;
      double low = kInf;
      for (const SolePoint& s : course.soles())
        if (s.at.body == body) low = std::min(low, k.position(s.at).z() - s.radius);
      out.low = std::max(out.low, std::fabs(low));
    }
  }
  out.tilt /= frames;
  return out;
}

// m: the longest way that the lowest soles of a foot go along the ground in one contact.
double slide(const Model& model, const Course& course, const figure::Trajectory& t) {
  double out = 0;
  retarget::Kinematics k(model);
  for (std::size_t f = 0; f < course.feet().size(); f++) {
    std::vector<Vec3> last, now;
    Vec3 drift = Vec3::Zero();
    for (int i = 0; i < t.frames(); i++) {
      k.update(t.frame(i));
      last.swap(now);
      now.clear();
      double low = kInf;
      for (const SolePoint& s : course.soles())
        if (s.at.body == course.feet()[f]) now.push_back(k.position(s.at)), low = std::min(low, now.back().z() - s.radius);
      if (i == 0 || !course.stands(f, i * course.frameTime()) || !course.stands(f, (i - 1) * course.frameTime())) {
        drift.setZero();
        continue;
      }
      int count = 0;
      Vec3 sum = Vec3::Zero();
      for (std::size_t s = 0; s < now.size(); s++)
        if (now[s].z() <= low + 5e-3) sum += now[s] - last[s], count++;  // soles of one radius
      drift += sum / count;
      out = std::max(out, drift.head<2>().norm());
    }
  }
  return out;
}

}  // namespace

TEST_CASE("a foot in contact rolls and does not slide, also while it comes down and leaves") {
  const Model model = walker::model(walker::robot());
  for (const double angle : {0.0, 0.35}) {
    const Path given = retargeted(heelWalk(angle), model);
    const Course course(model, given);
    double shift = 0;
    const Path made = prepare(model, given, {}, shift);
    const double before = slide(model, course, *given), after = slide(model, course, *made);
    INFO("heels lifted by " << angle << ": slide " << before << " -> " << after);
    CHECK(before > 5e-3);
    CHECK(after < 1e-3);
  }
}

TEST_CASE("a body stands for 0.14 s while it rolls off the ground, not while it slides on or swings") {
  const Model model = walker::model(R"(<robot name="plate"><link name="plate">
        <inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
        <collision><geometry><box size="0.2 0.1 0.02"/></geometry></collision></link></robot>)");
  // Still for 0.5 s, then it turns about its front edge by 3 rad/s while that edge moves on.
  const auto stands = [&](double speed, double height) {
    figure::Trajectory t;
    t.names.resize(7);
    t.frameTime = 1.0 / 60;
    for (int i = 0; i < 60; i++) {
      const double later = std::max(0.0, i * t.frameTime - 0.5), angle = 3 * later;
      const Quat turn(Eigen::AngleAxisd(angle, Vec3::UnitY()));
      const Vec3 p = Vec3(0.1 + speed * later, 0, later > 0 ? height : 0) + turn * Vec3(-0.1, 0, 0.01);
      for (const double x : {p.x(), p.y(), p.z(), turn.x(), turn.y(), turn.z(), turn.w()}) t.q.push_back(x);
    }
    const Course course(model, std::make_shared<const figure::Trajectory>(t));
    double until = 0;
    for (int i = 0; i < 60; i++)
      if (course.stands(0, i * t.frameTime)) until = i * t.frameTime;
    return until;
  };
  CHECK(stands(0.4, 0) == Approx(0.5 + 0.14).margin(1.0 / 60));
  CHECK(stands(0.9, 0) == Approx(0.5).margin(1.0 / 60));
  CHECK(stands(0.4, 0.015) == Approx(0.5).margin(1.0 / 60));
}

TEST_CASE("a trajectory at one frame a second, in which nothing is still, has no feet; it is prepared as flight") {
  const Model model = walker::model(walker::robot());
  figure::Trajectory t = *retargeted(heelWalk(0), model);
  const std::size_t nq = static_cast<std::size_t>(model->nq());
  std::vector<double> first(t.frame(10), t.frame(10) + nq);  // a foot is on the ground
  t.q.clear();
  t.frameTime = 1;
  for (int i = 0; i < 4; i++, first[0] += 3) t.q.insert(t.q.end(), first.begin(), first.end());
  const Path given = std::make_shared<const figure::Trajectory>(t);
  CHECK(Course(model, given).feet().empty());
  double shift = 0;
  const Path made = prepare(model, given, {}, shift);
  CHECK(made->q == given->q);
}

TEST_CASE("an ankle just above its foot's sole does not stand, a shin on which a figure kneels does") {
  // The box of the upper link ends 12 mm above the ground, that of the lower one on it; turned up, the lower link is off the ground.
  const Model model = walker::model(R"(<robot name="ankle">
      <link name="shin"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
        <collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
      <link name="foot"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
        <collision><origin xyz="0.15 0 -0.052"/><geometry><box size="0.1 0.1 0.02"/></geometry></collision></link>
      <joint name="ankle" type="revolute"><parent link="shin"/><child link="foot"/><axis xyz="0 1 0"/>
        <limit lower="-3" upper="3" effort="10" velocity="10"/></joint></robot>)");
  std::vector<SolePoint> soles;
  std::vector<int> feet;
  std::vector<double> q{0, 0, 0.062, 0, 0, 0, 1, 0};
  REQUIRE(model->nq() == 8);
  REQUIRE(solesOfPose(model, q, soles, feet));
  CHECK(feet == std::vector<int>{1});
  q[2] = 0.05, q[7] = -1.5;
  REQUIRE(solesOfPose(model, q, soles, feet));
  CHECK(feet == std::vector<int>{0});
}

TEST_CASE("a foot that stands alone is turned back flat, on the ground") {
  const Model model = walker::model(walker::robot());
  for (const double angle : {0.2, 0.35}) {
    INFO("heels lifted by " << angle);
    const Path given = retargeted(heelWalk(angle), model);
    const Course course(model, given);
    REQUIRE(course.feet().size() == 2);
    double shift = 0;
    const Path made = prepare(model, given, {}, shift);
    const Feet before = measured(model, course, *given), after = measured(model, course, *made);
    INFO("tilt " << before.tilt << " -> " << after.tilt << ", off the ground " << before.low << " -> " << after.low);
    CHECK(before.tilt > 0.1 * angle);
    CHECK(after.tilt < 0.35 * before.tilt);
    CHECK(after.low < before.low + 2e-3);
  }
}

TEST_CASE("flat feet stay as they are") {
  const Model model = walker::model(walker::robot());
  const Path given = retargeted(heelWalk(0), model);
  const Course course(model, given);
  double shift = 0;
  const Path made = prepare(model, given, {}, shift);
  CHECK(measured(model, course, *given).tilt < 0.01);
  CHECK(measured(model, course, *made).tilt < 0.01);
}

TEST_CASE("the root goes down around steps, and stays where both feet stand") {
  const Model model = walker::model(walker::robot());
  const Path walk = retargeted(heelWalk(0), model);
  const double height = walk->frame(0)[2];
  double shift = 0;
  const Path made = prepare(model, walk, {}, shift);
  for (int i = 0; i < walk->frames(); i++) {
    const double lowered = walk->frame(i)[2] - made->frame(i)[2];
    INFO("frame " << i << " of a walk, lowered by " << lowered);
    CHECK(lowered > 0.01 * height);
    CHECK(lowered < 0.03 * height);
  }
  figure::Trajectory rest = *walk;
  std::vector<double> q(static_cast<std::size_t>(model->nq()));
  figure::neutral(model->coordinates, q.data());
  q[2] = 0.02 + 0.33 + 0.35 + 0.065;  // hip, thigh, shin, sole
  rest.q.clear();
  for (int i = 0; i < 60; i++) rest.q.insert(rest.q.end(), q.begin(), q.end());
  const Path given = std::make_shared<const figure::Trajectory>(rest), still = prepare(model, given, {}, shift);
  const Course course(model, given);
  REQUIRE(course.stands(0, 1));
  REQUIRE(course.stands(1, 1));
  for (int i = 0; i < given->frames(); i++) CHECK(std::fabs(still->frame(i)[2] - q[2]) < 1e-3);
}

TEST_CASE("the corners of a sole that is rounded by some millimetres are level with its lowest point; a flat sole's are where they are") {
  // A plate, and a knob in the middle of its lower side that is 3 mm below it, or level with it: as it stands, the corners hang in the air.
  for (const double below : {3e-3, 0.0}) {
    const std::string urdf = R"(<robot name="plate"><link name="plate">
        <inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
        <collision><geometry><box size="0.2 0.1 0.02"/></geometry></collision>
        <collision><origin xyz="0 0 )" +
                             std::to_string(-below) + R"("/><geometry><sphere radius="0.01"/></geometry></collision></link></robot>)";
    const Model model = walker::model(urdf);
    std::vector<double> q(7, 0.0);
    q[2] = 0.01 + below;
    q[6] = 1;
    std::vector<SolePoint> soles;
    std::vector<int> feet;
    CHECK(solesOfPose(model, q, soles, feet));
    REQUIRE(soles.size() >= 4);
    double reach = 0;
    for (const SolePoint& s : soles) {
      CHECK(q[2] + s.at.point.z() - s.radius == Approx(0).margin(1e-9));
      reach = std::max(reach, s.at.point.head<2>().norm());
    }
    CHECK(reach == Approx(std::hypot(0.1, 0.05)).epsilon(1e-6));
  }
}
