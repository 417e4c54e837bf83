// ignition_behaviour VERTEBRA_PLUGIN - what a host sees of the plugin beyond motion: entities, groups, joints attached and detached,
// limits, masks, and how wrong calls are answered. Exit 0: all as it should be; 1: not, each failure told with its line; 2: usage.
#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <ignition/common/Console.hh>
#include <ignition/common/MeshManager.hh>

#include "plugins/ignition/test/engines.hpp"
#include "plugins/ignition/test/reference.hpp"
#include "plugins/ignition/test/worlds.hpp"

namespace {

using namespace compare;
using Vector = Eigen::Vector3d;

struct Whole
    : physics::FeatureList<Common, physics::GetEntities, physics::RemoveEntities, physics::FindFreeGroupFeature,
                           physics::SetFreeGroupWorldPose, physics::SetFreeGroupWorldVelocity, physics::AttachFixedJointFeature,
                           physics::DetachJointFeature, physics::SetJointTransformFromParentFeature, physics::RevoluteJointCast,
                           physics::SetJointPositionLimitsFeature, physics::CollisionFilterMaskFeature, physics::Gravity, physics::Solver,
                           physics::AttachSphereShapeFeature, physics::mesh::AttachMeshShapeFeature, physics::GetShapeBoundingBox> {};

int failures = 0;

void check(bool holds, const char* what, int line) {
  if (holds) return;
  std::fprintf(stderr, "line %d: %s does not hold\n", line, what);
  ++failures;
}
#define CHECK(...) check(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __LINE__)

Vector place(const Scene<Whole>& scene, const std::string& link) { return scene.frame(link).pose.translation(); }

void entities(const Engine& engine) {
  auto scene = build<Whole>(engine, boxes(3, 0));
  CHECK(scene.world->GetModelCount() == 4);
  CHECK(scene.world->GetModel("box1")->GetLink(0)->GetName() == "box1");
  CHECK(!scene.world->GetModel("nobody"));
  CHECK(!scene.world->GetModel(4));
  CHECK(scene.links["box1"]->GetShape(0)->GetAxisAlignedBoundingBox(physics::FrameID::World()).sizes().isApprox(Vector::Constant(0.2)));
  scene.run(0.1, 1e-3);
  CHECK(scene.world->GetModel("box0")->Remove());
  CHECK(scene.models["box0"]->Removed());
  CHECK(scene.world->GetModelCount() == 3);
  CHECK(!scene.models["box0"]->Remove());
  scene.run(2, 1e-3);  // those above come down by one
  CHECK(std::abs(place(scene, "box2").z() - 0.3) < 1e-3);
  CHECK(std::abs(scene.world->GetGravity().z() + 9.8) < 1e-12);
  scene.world->SetSolver("dantzig");
  CHECK(scene.world->GetSolver() == "dantzig");
  scene.world->SetSolver("magic");
  CHECK(scene.world->GetSolver() == "dantzig");
}

void groups(const Engine& engine) {
  auto hanging = build<Whole>(engine, rods(2));
  CHECK(!hanging.models["rods"]->FindFreeGroup());
  CHECK(!hanging.links["rod1"]->FindFreeGroup());
  hanging.joints["hinge0"]->Detach();
  hanging.joints["hinge1"]->SetPosition(0, 0.7);
  const auto group = hanging.links["rod1"]->FindFreeGroup();
  CHECK(group);
  CHECK(group->RootLink()->GetName() == "rod0");
  physics::Pose3d pose = physics::Pose3d::Identity();
  pose.translation() = Vector(1, 2, 3);
  group->SetWorldPose(pose);
  CHECK((place(hanging, "rod0") - Vector(1, 2, 3)).norm() < 1e-9);
  CHECK((place(hanging, "rod1") - Vector(2, 2, 3)).norm() < 1e-9);
  CHECK(std::abs(hanging.joints["hinge1"]->GetPosition(0) - 0.7) < 1e-9);
  group->SetWorldAngularVelocity(Vector(0, 0, 2));
  CHECK((hanging.frame("rod1").linearVelocity - Vector(0, 2, 0)).norm() < 1e-9);
  CHECK(std::abs(hanging.joints["hinge1"]->GetVelocity(0)) < 1e-9);
  CHECK(std::isnan(hanging.joints["hinge0"]->GetPosition(0)));
}

void attached(const Engine& engine) {
  auto scene = build<Whole>(engine, boxes(2, 2));
  const physics::Pose3d apart = scene.frame("box0").pose.inverse() * scene.frame("box1").pose;
  const auto joint = scene.links["box1"]->AttachFixedJoint(scene.links["box0"], "glue");
  CHECK(joint);
  joint->SetTransformFromParent(apart);
  scene.models["box0"]->FindFreeGroup()->SetWorldAngularVelocity(Vector(3, 2, 1));
  scene.run(0.3, 1e-3);
  CHECK((scene.frame("box0").pose.inverse() * scene.frame("box1").pose).isApprox(apart, 1e-9));
  CHECK(!scene.links["box1"]->AttachFixedJoint(scene.links["box0"], "again"));
  joint->Detach();
  scene.run(0.2, 1e-3);
  CHECK(!(scene.frame("box0").pose.inverse() * scene.frame("box1").pose).isApprox(apart, 1e-3));
}

void limitsAndWrongCalls(const Engine& engine) {
  auto scene = build<Whole>(engine, rods(1));
  const auto hinge = scene.joints["hinge0"];
  CHECK(hinge->CastToRevoluteJoint());
  CHECK(!hinge->CastToFixedJoint());
  hinge->SetMaxPosition(0, 0.3);
  hinge->SetForce(0, NAN);
  hinge->SetVelocity(0, INFINITY);
  hinge->SetPosition(1, 0.5);
  CHECK(std::isnan(hinge->GetPosition(1)));
  CHECK(hinge->GetPosition(0) == 0 && hinge->GetVelocity(0) == 0);
  scene.run(1e-3, 1e-3);
  const double arm = kLength / 2, expected = kMass * kGravity * arm / (kInertia + kMass * arm * arm);
  CHECK(std::abs(hinge->GetAcceleration(0) - expected) < 1e-3 * expected);
  scene.run(2, 1e-3);
  CHECK(std::abs(hinge->GetPosition(0) - 0.3) < 1e-6);
}

void masks(const Engine& engine) {
  auto scene = build<Whole>(engine, boxes(1, 0.1));
  const auto floor = scene.links["floor"]->GetShape(0), box = scene.links["box0"]->GetShape(0);
  floor->SetCollisionFilterMask(1);
  box->SetCollisionFilterMask(2);
  scene.run(0.5, 1e-3);
  CHECK(place(scene, "box0").z() < -0.5);  // through the floor
  auto other = build<Whole>(engine, boxes(1, 0.1));
  other.links["floor"]->GetShape(0)->SetCollisionFilterMask(3);
  other.links["box0"]->GetShape(0)->SetCollisionFilterMask(2);
  other.run(0.5, 1e-3);
  CHECK(std::abs(place(other, "box0").z() - 0.1) < 1e-3);
}

// A ball, then a mesh, larger than the cube that carries it, carries it on the floor.
void shapes(const Engine& engine) {
  auto scene = build<Whole>(engine, boxes(1, 0.3));
  CHECK(scene.links["box0"]->AttachSphereShape("ball", 0.25));
  scene.run(1, 1e-3);
  CHECK(std::abs(place(scene, "box0").z() - 0.25) < 1e-3);
  const auto* cube = ignition::common::MeshManager::Instance()->MeshByName("unit_box");
  const auto mesh = scene.links["box0"]->AttachMeshShape("mesh", *cube, physics::Pose3d::Identity(), Vector(0.6, 0.6, 0.8));
  CHECK(mesh);
  CHECK(mesh->GetAxisAlignedBoundingBox(mesh->GetFrameID()).sizes().isApprox(Vector(0.6, 0.6, 0.8)));
  physics::Pose3d pose = physics::Pose3d::Identity();
  pose.translation() = Vector(0, 0, 0.5);
  scene.models["box0"]->FindFreeGroup()->SetWorldPose(pose);
  scene.run(2, 1e-3);
  CHECK(std::abs(place(scene, "box0").z() - 0.4) < 1e-3);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: ignition_behaviour VERTEBRA_PLUGIN\n"), 2;
  ignition::common::Console::SetVerbosity(0);  // wrong calls are told; that is wanted here
  dlopen(argv[1], RTLD_LAZY | RTLD_NODELETE);  // it stays: what its globals hold is no leak at the end
  ignition::plugin::Loader loader;
  if (loader.LoadLib(argv[1]).empty()) return std::fprintf(stderr, "%s is no plugin of ignition-physics\n", argv[1]), 1;
  const Engine engine{"vertebra", [&] { return loader.Instantiate("ignition::physics::vertebra::Plugin"); }};
  entities(engine);
  groups(engine);
  attached(engine);
  limitsAndWrongCalls(engine);
  masks(engine);
  shapes(engine);
  if (!failures) std::printf("entities, groups, joints, limits, masks, shapes: as a host expects\n");
  return failures ? 1 : 0;
}
