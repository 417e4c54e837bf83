// Stepping: a course that nothing deviates from stays as it is; deviations move landings, within bounds; walks and pushed figures stay up
// without assistance where they fell before.
#include "engine/control/physics.hpp"
#include "engine/retarget/retarget.hpp"
#include "loaders/bvh/figure.hpp"
#include "loaders/urdf/urdf.hpp"
#include "tests/engine/control/pushed.hpp"
#include "tests/engine/retarget/walker.hpp"
#include "tests/support.hpp"

using namespace vertebra;
using namespace vertebra::control;

namespace {

using Model = std::shared_ptr<const figure::FigureModel>;
using Path = std::shared_ptr<const figure::Trajectory>;

Model humanoid() {
  auto skeleton = std::make_shared<figure::Skeleton>();
  Diagnostics findings;
  REQUIRE(loadUrdfFile(test::sourceDir() + "/models/urdf/humanoid.urdf", {}, *skeleton, findings));
  return figure::makeFigureModel(skeleton, figure::BaseKind::Floating);
}

Path retargeted(const Model& model, const std::string& file) {
  Diagnostics findings;
  figure::Motion motion;
  REQUIRE(loadBvhFile(file, {}, motion, findings));
  retarget::Result result;
  REQUIRE(retarget::retarget(motion, model, {.rate = 30}, result).empty());
  double shift = 0;
  return prepare(model, std::make_shared<const figure::Trajectory>(result.trajectory), {}, shift);
}

Path walk(const Model& model) { return retargeted(model, test::sourceDir() + "/models/motions/walk.bvh"); }

// Without assistance, pushed on its root. The time of the fall, negative: none.
TrackMeasures alone(const Model& model, const Path& path, bool stepping, const std::vector<pushed::Push>& pushes) {
  WorldSettings of;
  of.timeStep = 1.0 / 240;
  of.sleeping = false;
  world::World world(of);
  geometry::Shape ground;
  ground.geometry.type = geometry::ShapeType::Plane;
  ground.surface.friction = 0.8;
  ground.surface.frictionRule = geometry::Combine::Minimum;
  int id = -1;
  REQUIRE_FALSE(world.createShape(-1, ground, -1, id));
  figure::Figure figure;
  figure::FigureDefinition d;
  d.model = model;
  d.selfCollision = false;
  REQUIRE_FALSE(figure::Figure::create(world, d, figure));
  const auto course = std::make_shared<const Course>(model, path);
  TrackSettings settings;
  settings.assistForce = settings.assistMoment = 0;
  settings.stepping = stepping;
  Tracker tracker(course, figure, settings);
  REQUIRE_FALSE(tracker.start(world, 0));
  while (world.time() < course->duration() - 1e-9 && !tracker.fallen()) {
    REQUIRE_FALSE(tracker.before(world));
    const Vec3 force = pushed::forceAt(world.time(), pushes);
    if (force.squaredNorm() > 0) world.addForce(figure.bodies()[static_cast<std::size_t>(model->skeleton->root)], force, nullptr, false);
    REQUIRE_FALSE(world.step());
    tracker.after(world);
  }
  CHECK(tracker.measures().assistPeak == 0);
  CHECK(tracker.measures().assistMomentPeak == 0);
  return tracker.measures();
}

struct Standing {
  Model model = humanoid();
  std::shared_ptr<const Course> course = std::make_shared<const Course>(model, walk(model));
  SteppingSettings settings;
  Stepping stepping = Stepping(course, settings);
  std::vector<double> q = std::vector<double>(static_cast<std::size_t>(model->nq())),
                      v = std::vector<double>(static_cast<std::size_t>(model->nv())), a = v;
};

}  // namespace

TEST_CASE("a figure on its course: stepping changes neither its accelerations nor its course") {
  Standing s;
  REQUIRE(s.stepping.able());
  retarget::Kinematics k(s.model);
  double most = 0, moved = 0;
  for (double t = 0.1; t < s.course->duration() - 0.2; t += 0.07) {
    s.course->at(t, s.q.data(), s.v.data(), s.a.data());
    const std::vector<double> given = s.a;
    s.stepping.start(t);
    k.update(s.q.data());
    s.stepping.read(t, k);
    s.stepping.balance(t, 1e-7, 9.81, s.q.data(), s.v.data(), s.q.data(), s.v.data(), s.a.data());
    for (std::size_t i = 0; i < given.size(); i++) most = std::max(most, std::fabs(s.a[i] - given[i]));
    std::vector<double> q = s.q, v = s.v;
    s.stepping.move(1e-7, s.q.data(), s.v.data(), q.data(), v.data());
    for (std::size_t i = 0; i < q.size(); i++) moved = std::max(moved, std::fabs(q[i] - s.q[i]));
    CHECK(s.stepping.shift().norm() < 1e-9);
  }
  INFO("acceleration " << most << " course " << moved);
  CHECK(most < 1e-6);
  CHECK(moved < 1e-6);
}

TEST_CASE("a centre of mass that runs away moves the landing after it, within the leg's reach and not across the other leg") {
  Standing s;
  retarget::Kinematics k(s.model);
  std::vector<int> feet, tops;
  for (int foot : s.course->feet())
    if (s.stepping.leads(foot)) {
      feet.push_back(foot);
      tops.push_back(foot);
      while (s.model->bodies[static_cast<std::size_t>(tops.back())].parent > 0)
        tops.back() = s.model->bodies[static_cast<std::size_t>(tops.back())].parent;
    }
  REQUIRE(feet.size() == 2);
  const double h = 1.0 / 240;
  int landings = 0;
  for (const double speed : {0.4, 40.0})
    for (const double angle : {0.0, 1.2, 2.5, 3.9, 5.2}) {
      const Eigen::Vector2d along(std::cos(angle), std::sin(angle));
      double after = 0;  // m: farthest way of a landing after the centre of mass
      for (double begin = 0.5; begin < 3; begin += 0.31) {
        s.stepping.start(begin);
        double beside[2] = {kInf, kInf}, least[2] = {0, 0};
        for (int i = 0; i < 100; i++) {
          const double t = begin + i * h;
          s.course->at(t, s.q.data(), s.v.data(), s.a.data());
          std::vector<double> v = s.v;
          for (int c = 0; c < 2; c++) v[static_cast<std::size_t>(c)] += speed * along[c];
          k.update(s.q.data());
          s.stepping.read(t, k);
          s.stepping.balance(t, h, 9.81, s.q.data(), v.data(), s.q.data(), s.v.data(), s.a.data());
          for (std::size_t f = 0; f < 2; f++) {
            const Eigen::Vector2d offset = s.stepping.offset(feet[f]);
            CHECK(offset.norm() < s.settings.reach * 1.0 + 0.3);
            if (s.stepping.stands(feet[f])) {
              if (beside[f] < kInf && i > 40) {
                INFO("beside " << beside[f] << " least " << least[f] << " at " << t);
                CHECK(beside[f] > least[f] - 0.02);
                landings++;
              }
              beside[f] = kInf;
              continue;
            }
            after = std::max(after, offset.dot(along));
            const Vec3 hips = k.linkPose(s.model->bodyLink[static_cast<std::size_t>(tops[f])]).p -
                              k.linkPose(s.model->bodyLink[static_cast<std::size_t>(tops[1 - f])]).p;
            const Vec3 apart = k.bodyPosition(feet[f]) - k.bodyPosition(feet[1 - f]);
            const Eigen::Vector2d side = hips.head<2>().normalized();
            beside[f] = side.dot(Eigen::Vector2d(apart.head<2>()) + offset);
            least[f] = std::min(s.settings.apart * hips.head<2>().norm(), side.dot(Eigen::Vector2d(apart.head<2>())));
          }
        }
      }
      INFO("after " << after << " angle " << angle << " speed " << speed);
      CHECK(after > 0.05);
    }
  CHECK(landings > 20);
}

TEST_CASE("without assistance our humanoid walks to the end, pushed too, and falls without steps") {
  const Model model = humanoid();
  const Path path = walk(model);
  const std::vector<pushed::Push> pushes = {{1.0, 0.1, 120, 0.0}, {2.0, 0.1, 120, 2.1}, {3.0, 0.1, 120, 4.2}};
  const TrackMeasures steps = alone(model, path, true, {}), stiff = alone(model, path, false, {});
  const TrackMeasures struck = alone(model, path, true, pushes), lost = alone(model, path, false, pushes);
  INFO("steps " << steps.fall << " of " << steps.time << " moved " << steps.moved << "; none " << stiff.fall << "; pushed " << struck.fall
                << " moved " << struck.moved << ", none " << lost.fall);
  CHECK(steps.fall < 0);
  CHECK(struck.fall < 0);
  CHECK(lost.fall > 0);
  CHECK(steps.depth < 3e-3);
  CHECK(struck.moved < 1.0);
}

TEST_CASE("two runs are the same to the last bit") {
  const Model model = humanoid();
  const Path path = walk(model);
  const TrackMeasures a = alone(model, path, true, {}), b = alone(model, path, true, {});
  CHECK(a.errorMean == b.errorMean);
  CHECK(a.moved == b.moved);
}

TEST_CASE("walks of the shared data on the G1 without assistance: upright to the end") {
  REQUIRE_SHARED_DATA();
  const std::string data = test::sharedData();
  auto skeleton = std::make_shared<figure::Skeleton>();
  Diagnostics findings;
  REQUIRE(loadUrdfFile(data + "/urdf/g1_description/g1_29dof_rev_1_0.urdf", {}, *skeleton, findings));
  const auto model = figure::makeFigureModel(skeleton, figure::BaseKind::Floating);
  for (const char* clip : {"bandai1_walk_normal_001", "bandai2_walk_normal_001", "bandai1_walk-left_normal_001"}) {
    INFO(clip);
    const Path path = retargeted(model, data + "/bvh/" + clip + ".bvh");
    const TrackMeasures m = alone(model, path, true, {});
    INFO("fall " << m.fall << " moved " << m.moved);
    CHECK(m.fall < 0);
    CHECK(m.moved < 1.0);
    CHECK(m.depth < 3e-3);
  }
}
