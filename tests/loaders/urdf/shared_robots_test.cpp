// Shared robots: each loads, reports exactly what was reviewed into tests/golden/urdf_diagnostics.txt, and has the numbers that urdfdom
// reads from the same file.
#include <console_bridge/console.h>
#include <urdf_parser/urdf_parser.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "tests/loaders/urdf/urdf_support.hpp"

using namespace vertebra;

namespace {

std::vector<std::string> robots() {
  std::vector<std::string> out;
  std::string root = test::sharedData() + "/urdf";
  for (const auto& e : std::filesystem::recursive_directory_iterator(root))
    if (e.path().extension() == ".urdf") out.push_back(std::filesystem::relative(e.path(), root).string());
  std::sort(out.begin(), out.end());
  return out;
}

std::string pathOf(const std::string& robot) { return test::sharedData() + "/urdf/" + robot; }

bool close(const urdf::Pose& a, const Pose& b) {
  Quat q(a.rotation.w, a.rotation.x, a.rotation.y, a.rotation.z);
  return (Vec3(a.position.x, a.position.y, a.position.z) - b.p).norm() < 1e-14 && std::abs(std::abs(q.dot(b.q)) - 1) < 1e-12;
}

}  // namespace

TEST_CASE("Every shared robot loads and reports what was reviewed") {
  REQUIRE_SHARED_DATA();
  std::string said;
  for (const std::string& robot : robots()) {
    INFO(robot);
    figure::Skeleton s;
    Diagnostics d;
    CHECK(loadUrdfFile(pathOf(robot), {}, s, d));
    CHECK(figure::checkSkeleton(s) == "");
    said += robot + ": " + std::to_string(s.links.size()) + " links, " + std::to_string(s.joints.size()) + " joints\n";
    for (const Diagnostic& e : d.entries)
      said += "  " + std::to_string(e.line) + " " + severityName(e.severity) + " " + e.code + " " + e.element + "\n";
  }
  const std::string golden = test::sourceDir() + "/tests/golden/urdf_diagnostics.txt";
  std::istringstream expected(test::readFile(golden)), found(said);
  std::string e, f, reviewed;  // the head of the file says why each finding is right
  while (std::getline(expected, e) && e.rfind("#", 0) == 0) reviewed += e + "\n";
  if (std::getenv("VERTEBRA_WRITE_GOLDEN") != nullptr) std::ofstream(golden) << reviewed << said;
  do {
    std::getline(found, f);
    CHECK(f == e);
  } while (std::getline(expected, e));
  CHECK(!std::getline(found, f));
}

TEST_CASE("urdfdom reads the same model from the same file") {
  REQUIRE_SHARED_DATA();
  console_bridge::setLogLevel(console_bridge::CONSOLE_BRIDGE_LOG_NONE);
  int compared = 0;
  for (const std::string& robot : robots()) {
    INFO(robot);
    urdf::ModelInterfaceSharedPtr model = urdf::parseURDF(test::readFile(pathOf(robot)));
    if (model == nullptr) continue;  // urdfdom rejects capsules
    ++compared;
    figure::Skeleton s;
    Diagnostics d;
    UrdfOptions options;
    options.loadMeshes = false;
    options.invalidInertia = UrdfOptions::InvalidInertia::Keep;
    REQUIRE(loadUrdfFile(pathOf(robot), options, s, d));
    CHECK(s.links.size() == model->links_.size());
    CHECK(s.joints.size() == model->joints_.size());
    CHECK(s.links[s.root].name == model->getRoot()->name);
    double mass = 0, theirs = 0;
    for (const figure::LinkDescription& link : s.links) {
      INFO(link.name);
      auto at = model->links_.find(link.name);
      REQUIRE(at != model->links_.end());
      mass += link.mass;
      if (at->second->inertial == nullptr) continue;
      const urdf::Inertial& in = *at->second->inertial;
      theirs += in.mass;
      CHECK(link.mass == in.mass);
      CHECK(link.com == Vec3(in.origin.position.x, in.origin.position.y, in.origin.position.z));
      Mat3 i, turn = Quat(in.origin.rotation.w, in.origin.rotation.x, in.origin.rotation.y, in.origin.rotation.z).toRotationMatrix();
      i << in.ixx, in.ixy, in.ixz, in.ixy, in.iyy, in.iyz, in.ixz, in.iyz, in.izz;
      CHECK((link.inertia - turn * i * turn.transpose()).norm() <= 1e-12 * (i.norm() + link.mass));
    }
    CHECK(std::abs(mass - theirs) <= 1e-12 * theirs);
    for (const figure::JointDescription& j : s.joints) {
      INFO(j.name);
      auto at = model->joints_.find(j.name);
      REQUIRE(at != model->joints_.end());
      const urdf::Joint& o = *at->second;
      CHECK(s.links[j.parent].name == o.parent_link_name);
      CHECK(s.links[j.child].name == o.child_link_name);
      CHECK(close(o.parent_to_joint_origin_transform, j.inParent));
      if (dynamics::jointNv(j.type) != 1) continue;
      CHECK((Vec3(o.axis.x, o.axis.y, o.axis.z).normalized() - j.axis).norm() < 1e-15);
      if (o.mimic != nullptr) {
        REQUIRE(j.mimic.master >= 0);
        CHECK(s.joints[j.mimic.master].name == o.mimic->joint_name);
        CHECK(j.mimic.multiplier == o.mimic->multiplier);
        CHECK(j.mimic.offset == o.mimic->offset);
      }
      if (o.limits == nullptr || j.type == dynamics::JointType::Continuous) continue;
      if (o.limits->effort > 0) CHECK(j.axes[0].effort == o.limits->effort);
      if (o.limits->velocity > 0) CHECK(j.axes[0].velocity == o.limits->velocity);
      if (o.limits->lower < o.limits->upper) {
        CHECK(j.axes[0].lower == o.limits->lower);
        CHECK(j.axes[0].upper == o.limits->upper);
      }
      if (o.dynamics != nullptr) {
        CHECK(j.axes[0].damping == o.dynamics->damping);
        CHECK(j.axes[0].friction == o.dynamics->friction);
      }
    }
  }
  CHECK(compared >= 25);
}

TEST_CASE("Masses of known robots, added up by hand from their files") {
  REQUIRE_SHARED_DATA();
  const std::map<std::string, double> masses = {
      {"a1_description/urdf/a1.urdf", 13.741}, {"solo_description/robots/solo12.urdf", 2.50000279}, {"bullet/cartpole.urdf", 11}};
  for (const auto& [robot, mass] : masses) {
    INFO(robot);
    UrdfOptions options;
    options.loadMeshes = false;
    figure::Skeleton s;
    Diagnostics d;
    REQUIRE(loadUrdfFile(pathOf(robot), options, s, d));
    double sum = 0;
    for (const figure::LinkDescription& l : s.links) sum += l.mass;
    CHECK(std::abs(sum - mass) < 1e-12 * mass);
  }
}
