// Trajectories tracked in simulation: a made walk on a made biped, standing, a blow, playing forward.
#include "engine/control/physics.hpp"
#include "engine/retarget/retarget.hpp"
#include "loaders/bvh/figure.hpp"
#include "tests/engine/retarget/walker.hpp"
#include "tests/support.hpp"

using namespace vertebra;
using namespace vertebra::control;

namespace {

std::shared_ptr<const figure::FigureModel> biped() {
  auto skeleton = std::make_shared<figure::Skeleton>();
  Diagnostics findings;
  REQUIRE(loadUrdfText(walker::robot(), "made.urdf", {}, *skeleton, findings));
  return figure::makeFigureModel(skeleton, figure::BaseKind::Floating);
}

std::shared_ptr<const figure::Trajectory> walk(const std::shared_ptr<const figure::FigureModel>& model) {
  retarget::Result result;
  const std::string wrong = retarget::retarget(walker::motion(walker::bvh()), model, {.rate = 30}, result);
  INFO(wrong);
  REQUIRE(wrong.empty());
  return std::make_shared<const figure::Trajectory>(result.trajectory);
}

PhysicsResult played(const std::shared_ptr<const figure::FigureModel>& model, const std::shared_ptr<const figure::Trajectory>& trajectory,
                     const PhysicsSettings& settings) {
  PhysicsResult out;
  const std::string wrong = playByPhysics(model, trajectory, settings, out);
  INFO(wrong);
  REQUIRE(wrong.empty());
  return out;
}

// Frames of the walk's first pose.
std::shared_ptr<const figure::Trajectory> standing(const std::shared_ptr<const figure::FigureModel>& model, double seconds) {
  std::vector<double> q(static_cast<std::size_t>(model->nq()));
  figure::neutral(model->coordinates, q.data());
  const std::shared_ptr<const figure::Trajectory> of = walk(model);
  auto out = std::make_shared<figure::Trajectory>(*of);
  out->q.clear();
  q[2] = 0.02 + 0.33 + 0.35 + 0.065;  // hip, thigh, shin, sole
  for (int i = 0; i <= std::lround(seconds / out->frameTime); i++) out->q.insert(out->q.end(), q.begin(), q.end());
  return out;
}

}  // namespace

TEST_CASE("a walk by physics stays up near its course, with assistance within its bounds") {
  const auto model = biped();
  const PhysicsResult r = played(model, walk(model), {});
  const TrackMeasures& m = r.measures;
  INFO("fall " << m.fall << " assist " << m.assistMean << " " << m.assistPeak << " error " << m.errorMean << " " << m.errorPeak << " slide "
               << m.slideMean << " " << m.slidePeak << " depth " << m.depth << " clamped " << m.clamped);
  CHECK(m.fall < 0);
  CHECK(m.errorMean < 0.02);
  CHECK(m.assistPeak <= 0.5 + 1e-9);
  CHECK(m.depth < 3e-3);
  CHECK(m.derivedEfforts == 0);
  CHECK(r.trajectory.frames() == walk(model)->frames());
}

TEST_CASE("a figure of ball joints walks: their feed-forward acts too") {
  Diagnostics findings;
  figure::Motion motion;
  REQUIRE(loadBvhFile(test::sourceDir() + "/models/motions/walk.bvh", {}, motion, findings));
  auto skeleton = std::make_shared<figure::Skeleton>();
  REQUIRE(skeletonFromMotion(motion, {}, *skeleton, findings));
  const auto model = figure::makeFigureModel(skeleton, figure::BaseKind::Floating);
  retarget::Result result;
  REQUIRE(retarget::retarget(motion, model, {.rate = 30}, result).empty());
  const auto course = std::make_shared<const figure::Trajectory>(result.trajectory);
  const TrackMeasures m = played(model, course, {}).measures;
  INFO("fall " << m.fall << " assist " << m.assistMean << " error " << m.errorMean << " " << m.errorPeak);
  CHECK(m.fall < 0);
  CHECK(m.time > 4.9);
  CHECK(m.assistMean < 0.1);
  CHECK(m.errorMean < 0.015);
  CHECK(m.depth < 3e-3);
  PhysicsSettings back;  // feedback alone falls
  back.track.feedForward = false;
  CHECK(played(model, course, back).measures.fall > 0);
}

TEST_CASE("without assistance the root gets none, and the time of the fall is told") {
  const auto model = biped();
  PhysicsSettings settings;
  settings.track.assistForce = settings.track.assistMoment = 0;
  const PhysicsResult r = played(model, walk(model), settings);
  INFO("fall " << r.measures.fall);
  CHECK(r.measures.assistPeak == 0);
  CHECK(r.measures.assistMomentPeak == 0);
  if (r.measures.fall >= 0) CHECK(r.trajectory.frames() <= static_cast<int>(r.measures.fall * 30) + 2);
}

TEST_CASE("a figure of which nothing could stand on the ground is refused") {
  std::string bare = walker::robot();
  for (std::size_t a; (a = bare.find("<collision>")) != std::string::npos;) bare.erase(a, bare.find("</collision>", a) + 12 - a);
  const auto model = walker::model(bare);
  auto rest = std::make_shared<figure::Trajectory>();
  rest->names.resize(static_cast<std::size_t>(model->nq()));
  std::vector<double> q(rest->names.size());
  figure::neutral(model->coordinates, q.data());
  for (int i = 0; i < 10; i++) rest->q.insert(rest->q.end(), q.begin(), q.end());
  PhysicsResult r;
  CHECK(playByPhysics(model, rest, {}, r).find("no link of the figure has a collision shape") != std::string::npos);
}

TEST_CASE("starts behind the end and frames of too many steps are refused") {
  const auto model = biped();
  const auto trajectory = walk(model);
  for (const double start : {trajectory->frameTime * (trajectory->frames() - 1), 1e300}) {
    PhysicsSettings settings;
    settings.start = start;
    PhysicsResult r;
    CHECK(playByPhysics(model, trajectory, settings, r).find("start") != std::string::npos);
  }
  auto slow = std::make_shared<figure::Trajectory>(*trajectory);
  slow->frameTime = 1e9;
  PhysicsSettings settings;
  settings.prepares = false;
  PhysicsResult r;
  CHECK(playByPhysics(model, slow, settings, r).find("longer step") != std::string::npos);
}

TEST_CASE("two starts of one trajectory come together") {
  const auto model = biped();
  PhysicsSettings later;
  later.start = 0.2;
  const PhysicsResult a = played(model, walk(model), {}), b = played(model, walk(model), later);
  const int frame = 36 + 6, skipped = 6;  // a second after the later start
  double most = 0;
  for (int k = 0; k < 3; k++) most = std::max(most, std::fabs(a.trajectory.frame(frame)[k] - b.trajectory.frame(frame - skipped)[k]));
  INFO("apart " << most);
  CHECK(most < 5e-3);
}

TEST_CASE("standing without assistance, feedback holds within 5 mm; forward alone drifts and tells it") {
  const auto model = biped();
  const auto trajectory = standing(model, 0.5);
  PhysicsSettings settings;
  settings.track.assistForce = settings.track.assistMoment = 0;
  const PhysicsResult held = played(model, trajectory, settings);
  INFO("held " << held.measures.errorPeak);
  CHECK(held.measures.fall < 0);
  CHECK(held.measures.errorPeak < 5e-3);
  CHECK(held.measures.contacts == 2);  // which last
  CHECK(held.measures.slidePeak >= held.measures.slideMean);
  CHECK(held.measures.slideMean > 0);
  CHECK(held.measures.slidePeak < 5e-3);
  settings.track.feedback = false;
  const PhysicsResult forward = played(model, trajectory, settings);
  INFO("forward " << forward.measures.errorPeak);
  CHECK(forward.measures.errorPeak > 0);
  CHECK(forward.measures.errorPeak < 0.01);
}

TEST_CASE("a ball of 5 kg at 5 m/s strikes the trunk, and the figure is back within a second") {
  const auto model = biped();
  const auto course = std::make_shared<const Course>(model, standing(model, 3));
  WorldSettings of;
  of.sleeping = false;
  world::World world(of);
  geometry::Shape ground;
  ground.geometry.type = geometry::ShapeType::Plane;
  int id = -1;
  REQUIRE_FALSE(world.createShape(-1, ground, -1, id));
  figure::Figure figure;
  figure::FigureDefinition d;
  d.model = model;
  d.selfCollision = false;
  REQUIRE_FALSE(figure::Figure::create(world, d, figure));
  BodyDefinition ball;
  ball.mass = 5;
  ball.inertia = 0.02 * Mat3::Identity();
  ball.pose.p = Vec3(1.2, 0, 1.05);
  ball.velocity = Vec3(-5, 0, 1);
  const int struck = world.createBody(ball);
  geometry::Shape sphere;
  sphere.geometry.type = geometry::ShapeType::Sphere;
  sphere.geometry.size = Vec3(0.1, 0.1, 0.1);
  REQUIRE_FALSE(world.createShape(struck, sphere, -1, id));
  Tracker tracker(course, figure, {});
  REQUIRE_FALSE(tracker.start(world, 0));
  std::vector<double> q(static_cast<std::size_t>(model->nq()));
  double most = 0, last = 0;
  for (int i = 0; i < 360; i++) {
    REQUIRE_FALSE(tracker.before(world));
    REQUIRE_FALSE(world.step());
    tracker.after(world);
    figure.q(world, q.data());
    last = 0;
    for (int k = 0; k < 3; k++)
      last = std::max(last, std::fabs(q[static_cast<std::size_t>(k)] - tracker.reference()[static_cast<std::size_t>(k)]));
    most = std::max(most, last);
  }
  INFO("most " << most << " last " << last);
  CHECK(most > 5e-3);
  CHECK(last < 5e-3);
}

TEST_CASE("walks of the shared data on the G1: upright to the end, key points within 20 mm, hardly into the ground") {
  REQUIRE_SHARED_DATA();
  const std::string data = test::sharedData();
  auto skeleton = std::make_shared<figure::Skeleton>();
  Diagnostics findings;
  REQUIRE(loadUrdfFile(data + "/urdf/g1_description/g1_29dof_rev_1_0.urdf", {}, *skeleton, findings));
  const auto model = figure::makeFigureModel(skeleton, figure::BaseKind::Floating);
  struct Case {
    const char* clip;
    double assistance, clamped;  // share of the weight; of the time
  };
  // The floors of the last two lean; cmu_example begins with a T-pose.
  for (const auto& [clip, assistance, clamped] : {Case{"bandai1_walk_normal_001", 0.02, 0.12}, Case{"bandai2_walk_normal_001", 0.02, 0.1},
                                                  Case{"cmu_example_278", 0.06, 0.2}, Case{"hvha_8walk_1064", 0.1, 0.21}}) {
    INFO(clip);
    figure::Motion motion;
    REQUIRE(loadBvhFile(data + "/bvh/" + clip + ".bvh", {}, motion, findings));
    retarget::Result kinematic;
    REQUIRE(retarget::retarget(motion, model, {.rate = 30}, kinematic).empty());
    const TrackMeasures m = played(model, std::make_shared<const figure::Trajectory>(kinematic.trajectory), {}).measures;
    CHECK(m.fall < 0);
    CHECK(m.errorMean < 0.02);
    CHECK(m.depth < 3e-3);
    CHECK(m.assistMean < assistance);
    CHECK(m.clamped < clamped);
    CHECK(m.assistPeak <= 0.5 + 1e-9);
    CHECK(m.slideMean < (assistance > 0.06 ? 0.02 : 0.01));
  }
}
