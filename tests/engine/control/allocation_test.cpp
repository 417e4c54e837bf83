// Controllers make no objects in a step after the first second: operator new is counted, so this is a program of its own. (The solvers'
// matrices take their memory by malloc, once; that is not counted.)
#include <cstdlib>
#include <new>

#include "engine/control/animation.hpp"
#include "engine/control/balance.hpp"
#include "engine/control/inverse_dynamics.hpp"
#include "engine/control/marker_drive.hpp"
#include "engine/control/point.hpp"
#include "engine/control/root_drive.hpp"
#include "engine/control/stack.hpp"
#include "loaders/urdf/urdf.hpp"
#include "tests/support.hpp"

namespace {
bool counting = false;
long allocations = 0;
}  // namespace

[[gnu::noinline]] void* operator new(std::size_t n) {
  if (counting) allocations++;
  if (void* p = std::malloc(n ? n : 1)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t n, std::align_val_t a) {
  if (counting) allocations++;
  const std::size_t align = static_cast<std::size_t>(a);
  if (void* p = std::aligned_alloc(align, (n + align - 1) / align * align)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

using namespace vertebra;
using namespace vertebra::control;

TEST_CASE("each controller by itself, and its state, allocate nothing in a step") {
  auto skeleton = std::make_shared<figure::Skeleton>();
  Diagnostics findings;
  REQUIRE(loadUrdfFile(test::sourceDir() + "/models/urdf/humanoid.urdf", {}, *skeleton, findings));
  const auto model = figure::makeFigureModel(skeleton, figure::BaseKind::Floating);
  for (const std::string name :
       {"drive", "animation", "root drive", "marker drive", "inverse dynamics", "point", "balance", "balance that steps"}) {
    WorldSettings settings;
    settings.timeStep = 1.0 / 240;
    world::World world(settings);
    geometry::Shape ground;
    ground.geometry.type = geometry::ShapeType::Plane;
    int id = -1;
    REQUIRE_FALSE(world.createShape(-1, ground, -1, id));
    figure::Figure figure;
    figure::FigureDefinition d;
    d.model = model;
    d.pose.p.z() = name.starts_with("balance") ? 0.82 : 3;
    REQUIRE_FALSE(figure::Figure::create(world, d, figure));
    Stack stack(model);
    std::shared_ptr<Controller> made;
    if (name == "drive") made = std::make_shared<Drive>(model, DriveSettings());
    if (name == "animation") {
      auto clip = std::make_shared<figure::Trajectory>();
      clip->names.resize(static_cast<std::size_t>(model->nq()));
      std::vector<double> q(clip->names.size());
      figure::neutral(model->coordinates, q.data());
      for (int i = 0; i < 30; i++) clip->q.insert(clip->q.end(), q.begin(), q.end());
      AnimationSettings limits;
      limits.largestError = limits.largestImpact = 1e6;
      auto animation = std::make_shared<Animation>(model, limits);
      PlayedClip played;
      played.clip = clipOfTrajectory(clip, model);
      played.repeat = Repeat::Travel;
      animation->play(played, 0);
      made = animation;
    }
    if (name == "root drive") made = std::make_shared<RootDrive>(model, RootDriveSettings());
    if (name == "marker drive") {
      auto markers =
          std::make_shared<MarkerDrive>(model, MarkerDriveSettings(), std::vector<MarkerSite>{{0, Vec3::Zero()}, {5, Vec3::Zero()}});
      for (double& x : markers->places()) x = 1;
      made = markers;
    }
    if (name == "inverse dynamics") made = std::make_shared<InverseDynamics>(model, InverseDynamicsSettings());
    if (name == "point") {
      auto point = std::make_shared<Point>(model, PointSettings());
      PointGoal goal;
      goal.link = 5;
      point->goals().push_back(goal);
      made = point;
    }
    if (name.starts_with("balance")) made = std::make_shared<Balance>(model, BalanceSettings());
    REQUIRE(made);
    stack.controllers().push_back(made);
    std::vector<double> state;
    for (int i = 0; i < 480; i++) {
      allocations = 0;
      counting = i >= 240;
      const Failure failure = stack.before(world, figure);
      state.clear();
      ControllerState out(state);
      stack.exchange(out);
      counting = false;
      INFO(name << " in step " << i << " " << failure.text());
      REQUIRE_FALSE(failure);
      REQUIRE(allocations == 0);
      if (name == "balance that steps" && i >= 240 && i < 288)
        world.addForce(figure.bodies()[static_cast<std::size_t>(model->skeleton->root)], Vec3(240, 0, 0), nullptr, false);
      REQUIRE_FALSE(world.step());
    }
    if (name == "balance that steps") CHECK(dynamic_cast<const Balance&>(*made).state().steps > 0);
  }
}
