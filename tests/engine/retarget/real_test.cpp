// Real motions on real robots (../shared/data): none fails, and feet, limits and ground hold in every frame.
#include "engine/retarget/retarget.hpp"
#include "engine/retarget/source.hpp"
#include "engine/retarget/target.hpp"
#include "tests/engine/retarget/walker.hpp"
#include "tests/support.hpp"

using namespace vertebra;
using namespace vertebra::retarget;

namespace {

struct Worst {
  double limit = -kInf;  // beyond a limit, rad or m
  double ground = 0;     // depth of the deepest point, m
  double sole = 0;       // height of soles in contact, m, either way
};

Worst measure(const Source& source, const Target& target, const figure::Trajectory& t) {
  Worst w;
  Kinematics k(target.model);
  const figure::FigureModel& m = *target.model;
  for (int i = 0; i < t.frames(); i++) {
    for (int c = 0; c < t.nq(); c++) REQUIRE(std::isfinite(t.frame(i)[c]));
    for (const figure::CoordinatePart& part : m.coordinates.parts) {
      if (part.joint < 0 || part.q < 0 || dynamics::jointNq(part.type) != 1) continue;
      const dynamics::AxisParameters& axis = m.skeleton->joints[static_cast<std::size_t>(part.joint)].axes[0];
      if (axis.lower <= axis.upper) w.limit = std::max({w.limit, axis.lower - t.frame(i)[part.q], t.frame(i)[part.q] - axis.upper});
    }
    k.update(t.frame(i));
    for (std::size_t b = 0; b < target.model->surface().size(); b++)
      for (const figure::SurfacePoint& ball : target.model->surface()[b])
        w.ground = std::max(w.ground, ball.radius - k.position({static_cast<int>(b), ball.point}).z());
    for (int side = 0; side < 2; side++) {
      if (!source.inContact[side][static_cast<std::size_t>(i)]) continue;
      const std::size_t foot = static_cast<std::size_t>(target.ankle[side].body);
      if (target.model->surface()[foot].empty()) continue;
      double z = kInf;
      for (const figure::SurfacePoint& ball : target.model->surface()[foot])
        z = std::min(z, k.position({static_cast<int>(foot), ball.point}).z() - ball.radius);
      w.sole = std::max(w.sole, std::fabs(z));
    }
  }
  return w;
}

}  // namespace

TEST_CASE("real motions on real robots: no failure, no limit passed, nothing in the ground, soles where they stand") {
  REQUIRE_SHARED_DATA();
  const std::string data = test::sharedData();
  for (const char* robot : {"/urdf/g1_description/g1_29dof_rev_1_0.urdf", "/urdf/talos_data/robots/talos_reduced.urdf",
                            "/urdf/icub_description/robots/icub.urdf", "/urdf/simple_humanoid_description/urdf/simple_humanoid.urdf"}) {
    const auto model = walker::modelAt(data + robot);
    Target target;
    REQUIRE(readTarget(model, {}, target).empty());
    for (const auto& file : std::filesystem::directory_iterator(data + "/bvh")) {
      if (file.path().extension() != ".bvh" || file.path().string().find("dance") != std::string::npos) continue;
      INFO(robot << " " << file.path().filename().string());
      figure::Motion motion;
      Diagnostics findings;
      REQUIRE(loadBvhFile(file.path().string(), {}, motion, findings));
      Result result;
      const std::string wrong = retarget::retarget(motion, model, {.rate = 30}, result);
      INFO(wrong);
      REQUIRE(wrong.empty());
      Source source;
      REQUIRE(readSource(motion, 30, {}, source).empty());
      const Worst w = measure(source, target, result.trajectory);
      CHECK(w.limit < -1e-3);
      // A cylinder of 1 m radius is round that one's waist.
      if (model->skeleton->name.find("simple_humanoid") == std::string::npos) CHECK(w.ground < 5e-3);
      CHECK(w.sole < 5e-3);
    }
  }
}
