// Retargeting frame by frame against the whole-clip form; largest speeds of axes; ranges of a clip.
#include "engine/retarget/online.hpp"

#include "engine/retarget/kinematics.hpp"
#include "tests/engine/retarget/walker.hpp"
#include "tests/support.hpp"

using namespace vertebra;
using namespace vertebra::retarget;

namespace {

figure::Trajectory whole(const figure::Motion& motion, const std::shared_ptr<const figure::FigureModel>& model, const Settings& settings) {
  Result result;
  const std::string wrong = retarget::retarget(motion, model, settings, result);
  INFO(wrong);
  REQUIRE(wrong.empty());
  return result.trajectory;
}

// All frames of the motion through the online form.
figure::Trajectory online(Online& o, const figure::Motion& motion, const figure::Trajectory& like) {
  figure::Trajectory out = like;
  out.q.clear();
  std::vector<Pose> poses(motion.joints.size());
  std::vector<double> q(static_cast<std::size_t>(o.nq()));
  for (int i = 0; i < like.frames(); i++) {
    figure::motionWorldPosesAt(motion, i * o.frameTime(), false, poses.data());
    const bool ready = o.push(poses.data(), q.data());
    REQUIRE(ready == (i >= o.latency()));
    if (ready) out.q.insert(out.q.end(), q.begin(), q.end());
  }
  while (o.finish(q.data())) out.q.insert(out.q.end(), q.begin(), q.end());
  REQUIRE(out.frames() == like.frames());
  return out;
}

// Mean distance of the bodies of two trajectories, m.
double apart(const std::shared_ptr<const figure::FigureModel>& model, const figure::Trajectory& a, const figure::Trajectory& b) {
  Kinematics x(model), y(model);
  double sum = 0;
  int count = 0;
  for (int i = 0; i < a.frames(); i++) {
    x.update(a.frame(i));
    y.update(b.frame(i));
    for (int k = 0; k < static_cast<int>(model->bodies.size()); k++, count++) sum += (x.bodyPosition(k) - y.bodyPosition(k)).norm();
  }
  return sum / count;
}

// Largest speed of a joint's coordinate over its largest, in all frames.
double fastest(const figure::FigureModel& model, const figure::Trajectory& t) {
  double most = 0;
  for (const figure::CoordinatePart& part : model.coordinates.parts) {
    if (part.joint < 0) continue;
    const double limit = model.skeleton->joints[static_cast<std::size_t>(part.joint)].axes[0].velocity;
    for (int i = 1; i < t.frames(); i++)
      most = std::max(most, std::fabs(t.frame(i)[part.q] - t.frame(i - 1)[part.q]) / (limit * t.frameTime));
  }
  return most;
}

// Largest distance that a sole moves from where it stood at the start of a contact, and largest height of it either way, m.
void measureFeet(const figure::Motion& motion, const std::shared_ptr<const figure::FigureModel>& model, const figure::Trajectory& t,
                 double& slide, double& height) {
  Source source;
  REQUIRE(readSource(motion, 0, {}, source).empty());
  Target target;
  REQUIRE(readTarget(model, {}, target).empty());
  Kinematics k(model);
  slide = height = 0;
  for (int side = 0; side < 2; side++) {
    const int foot = target.ankle[side].body;
    for (const Interval& c : source.contacts[side]) {
      Vec3 first = Vec3::Zero();
      for (int i = c.first; i <= c.last; i++) {
        k.update(t.frame(i));
        double lowest = kInf;
        for (const figure::SurfacePoint& b : target.model->surface()[static_cast<std::size_t>(foot)])
          lowest = std::min(lowest, k.position({foot, b.point}).z() - b.radius);
        const Vec3 at = k.position({foot, target.model->surface()[static_cast<std::size_t>(foot)][0].point});
        if (i == c.first) first = at;
        slide = std::max(slide, (at - first).head<2>().norm());
        height = std::max(height, std::fabs(lowest));
      }
    }
  }
}

}  // namespace

TEST_CASE("frame by frame, feet stand as still as in the whole-clip form, near to it, the nearer the farther it looks ahead") {
  const figure::Motion walk = walker::motion(walker::bvh(5));
  const auto model = walker::model(walker::robot());
  const figure::Trajectory all = whole(walk, model, {});
  double before = kInf;
  for (const double latency : {0.0, 0.1, 0.2}) {
    INFO("latency " << latency);
    std::unique_ptr<Online> o;
    REQUIRE(Online::create(walk, model, {}, latency, o).empty());
    CHECK(o->latency() == std::lround(latency * 30));
    const figure::Trajectory t = online(*o, walk, all);
    double slide = 0, height = 0;
    measureFeet(walk, model, t, slide, height);
    CHECK(slide < (latency > 0 ? 3e-3 : 8e-3));
    CHECK(height < 2e-3);
    const double now = apart(model, all, t);
    CHECK(now < (latency > 0 ? 10e-3 : 15e-3));
    CHECK(now < 1.1 * before);
    before = now;
    CHECK(fastest(*model, t) <= 1);
    // Twice the same.
    o->restart();
    CHECK(online(*o, walk, all).q == t.q);
  }
}

TEST_CASE("no axis passes its largest speed, and feet still stand where the motion's do") {
  const figure::Motion walk = walker::motion(walker::bvh());
  for (const double speed : {6.0, 4.0}) {
    INFO("largest speed " << speed);
    const auto free = walker::model(walker::robot()), slow = walker::model(walker::robot(0, 2.4, speed));
    CHECK(fastest(*slow, whole(walk, free, {})) > 1.02);  // more is asked for
    const figure::Trajectory t = whole(walk, slow, {});
    CHECK(fastest(*slow, t) <= 1);
    CHECK(fastest(*slow, t) > 0.95);
    double slide = 0, height = 0;
    measureFeet(walk, slow, t, slide, height);
    CHECK(slide < 5e-3);
    CHECK(height < 2e-3);
    std::unique_ptr<Online> o;
    REQUIRE(Online::create(walk, slow, {}, 0.1, o).empty());
    CHECK(fastest(*slow, online(*o, walk, t)) <= 1);
  }
}

TEST_CASE("a range of a clip is the same as in the whole") {
  const figure::Motion walk = walker::motion(walker::bvh());
  const auto model = walker::model(walker::robot());
  const figure::Trajectory all = whole(walk, model, {});
  for (const double start : {0.0, 0.4, 1.5}) {
    const figure::Trajectory part = whole(walk, model, {.start = start, .end = 2});
    const int first = static_cast<int>(std::lround(start * 30));
    REQUIRE(part.frames() == 60 - first + 1);
    for (int i = 0; i < part.frames(); i++)
      for (int c = 0; c < all.nq(); c++) CHECK(part.frame(i)[c] == all.frame(first + i)[c]);
  }
  Result none;
  CHECK(retarget::retarget(walk, model, {.start = 2, .end = 1}, none).find("range") != std::string::npos);
  CHECK(retarget::retarget(walk, model, {.start = 9}, none).find("range") != std::string::npos);
}
