// Features of SDFormat's DOM: poses resolved in its frames, inertias, joints, surfaces. What the engine has no counterpart for is told.
// Meaning of the elements: the SDFormat 1.9 specification; of thread_pitch, as DART's plugin takes it: m in a turn.
#include "plugins/ignition/sdf_features.hpp"

#include <cmath>
#include <filesystem>
#include <ignition/common/Console.hh>
#include <ignition/common/MeshManager.hh>
#include <ignition/common/Util.hh>
#include <ignition/math/eigen3/Conversions.hh>
#include <sdf/Box.hh>
#include <sdf/Capsule.hh>
#include <sdf/Collision.hh>
#include <sdf/Cylinder.hh>
#include <sdf/Element.hh>
#include <sdf/Ellipsoid.hh>
#include <sdf/Geometry.hh>
#include <sdf/Joint.hh>
#include <sdf/JointAxis.hh>
#include <sdf/Link.hh>
#include <sdf/Mesh.hh>
#include <sdf/Model.hh>
#include <sdf/Physics.hh>
#include <sdf/Plane.hh>
#include <sdf/Sphere.hh>
#include <sdf/World.hh>

#include "plugins/ignition/joints_made.hpp"
#include "plugins/ignition/shapes_made.hpp"

namespace ignition::physics::vertebra {

namespace {

constexpr double kNoLimit = 1e16;  // SDFormat's default of a limit of position, and beyond

// Where a frame graph is missing, as of a description that a host made by calls, the pose as it is written counts.
Frame resolved(const ::sdf::SemanticPose& pose, const std::string& to, const std::string& what) {
  math::Pose3d result;
  const ::sdf::Errors errors = pose.Resolve(result, to);
  if (errors.empty()) return math::eigen3::convert(result);
  if (!pose.RelativeTo().empty())
    ignerr << "vertebra: pose of " << what << ": frame '" << pose.RelativeTo() << "' is not known (" << errors[0].Message()
           << "); the pose is taken as it is written\n";
  return math::eigen3::convert(pose.RawPose());
}

Vector axisOf(const ::sdf::JointAxis& axis, const std::string& what) {
  math::Vector3d xyz;
  if (!axis.ResolveXyz(xyz).empty()) {
    xyz = axis.Xyz();
    if (!axis.XyzExpressedIn().empty())
      ignerr << "vertebra: axis of " << what << ": frame '" << axis.XyzExpressedIn()
             << "' is not known; the axis is taken in the joint's\n";
  }
  return math::eigen3::convert(xyz).normalized();
}

double limit(double value) { return value < 0 ? HUGE_VAL : value; }

JointAxis axisParameters(const ::sdf::JointAxis& source, bool limits) {
  JointAxis axis = freeAxis();
  if (limits && source.Lower() > -kNoLimit) axis.def.lower = source.Lower();
  if (limits && source.Upper() < kNoLimit) axis.def.upper = source.Upper();
  axis.def.damping = source.Damping();
  axis.def.friction = source.Friction();
  axis.def.stiffness = source.SpringStiffness();
  axis.def.rest = source.SpringReference();
  axis.maxEffort = limit(source.Effort()), axis.minEffort = -axis.maxEffort;
  axis.maxVelocity = limit(source.MaxVelocity()), axis.minVelocity = -axis.maxVelocity;
  return axis;
}

// The element at a path below another; none if it is not written.
::sdf::ElementPtr below(::sdf::ElementPtr element, std::initializer_list<const char*> path) {
  for (const char* name : path) {
    if (!element || !element->HasElement(name)) return nullptr;
    element = element->GetElement(name);
  }
  return element;
}

vtb_surface surfaceOf(const ::sdf::Collision& collision) {
  vtb_surface surface = defaultSurface();
  if (const auto ode = below(collision.Element(), {"surface", "friction", "ode"})) {
    surface.friction = ode->Get<double>("mu", surface.friction).first;
    const double second = ode->Get<double>("mu2", surface.friction).first;
    if (second != surface.friction)
      ignwarn << "vertebra: collision '" << collision.Name() << "': friction is equal in all directions: mu " << surface.friction
              << " counts, mu2 " << second << " is left out\n";
    for (const char* slip : {"slip1", "slip2"})
      if (ode->Get<double>(slip, 0).first != 0)
        ignwarn << "vertebra: collision '" << collision.Name() << "': " << slip << " has no counterpart and is left out\n";
  }
  if (const auto bounce = below(collision.Element(), {"surface", "bounce"}))
    surface.restitution = bounce->Get<double>("restitution_coefficient", 0).first;
  return surface;
}

const common::Mesh* meshOf(const ::sdf::Mesh& mesh, const std::string& what) {
  if (!mesh.Submesh().empty()) {
    ignerr << "vertebra: " << what << ": a single submesh ('" << mesh.Submesh()
           << "') is not taken from a file; attach it as a mesh shape\n";
    return nullptr;
  }
  std::string path = mesh.Uri();
  if (path.rfind("file://", 0) == 0) path.erase(0, 7);
  const auto beside = std::filesystem::path(mesh.FilePath()).parent_path() / path;
  path = std::filesystem::exists(beside) ? beside.string() : common::findFile(path);
  const common::Mesh* loaded = path.empty() ? nullptr : common::MeshManager::Instance()->Load(path);
  if (!loaded) ignerr << "vertebra: " << what << ": no mesh could be read from '" << mesh.Uri() << "'\n";
  return loaded;
}

bool typeOf(::sdf::JointType type, vtb_joint_type& result) {
  switch (type) {
    case ::sdf::JointType::BALL:
      return result = VTB_JOINT_TYPE_SPHERICAL, true;
    case ::sdf::JointType::CONTINUOUS:
      return result = VTB_JOINT_TYPE_CONTINUOUS, true;
    case ::sdf::JointType::FIXED:
      return result = VTB_JOINT_TYPE_FIXED, true;
    case ::sdf::JointType::PRISMATIC:
      return result = VTB_JOINT_TYPE_PRISMATIC, true;
    case ::sdf::JointType::REVOLUTE:
      return result = VTB_JOINT_TYPE_REVOLUTE, true;
    case ::sdf::JointType::SCREW:
      return result = VTB_JOINT_TYPE_SCREW, true;
    case ::sdf::JointType::REVOLUTE2:
    case ::sdf::JointType::UNIVERSAL:
      return result = VTB_JOINT_TYPE_UNIVERSAL, true;
    case ::sdf::JointType::GEARBOX:
    case ::sdf::JointType::INVALID:
      break;
  }
  return false;
}

}  // namespace

std::shared_ptr<Shape> SdfFeatures::makeShape(const std::shared_ptr<Link>& link, const ::sdf::Collision& description) {
  const std::string what = "collision '" + description.Name() + "' of link '" + link->name + "'";
  const ::sdf::Geometry* geometry = description.Geom();
  if (!geometry) {
    ignerr << "vertebra: " << what << " has no geometry\n";
    return nullptr;
  }
  auto shape = make<Shape>(description.Name());
  shape->link = link;
  shape->inLink = resolved(description.SemanticPose(), "", what);
  Triangles triangles;
  bool known = true;
  if (const auto* box = geometry->BoxShape()) {
    shape->type = ShapeKind::Box, shape->size = math::eigen3::convert(box->Size());
  } else if (const auto* capsule = geometry->CapsuleShape()) {
    shape->type = ShapeKind::Capsule, shape->size = {capsule->Radius(), capsule->Radius(), capsule->Length()};
  } else if (const auto* cylinder = geometry->CylinderShape()) {
    shape->type = ShapeKind::Cylinder, shape->size = {cylinder->Radius(), cylinder->Radius(), cylinder->Length()};
  } else if (const auto* ellipsoid = geometry->EllipsoidShape()) {
    shape->type = ShapeKind::Ellipsoid, shape->size = math::eigen3::convert(ellipsoid->Radii());
  } else if (const auto* sphere = geometry->SphereShape()) {
    shape->type = ShapeKind::Sphere, shape->size = Vector::Constant(sphere->Radius());
  } else if (const auto* plane = geometry->PlaneShape()) {
    shape->type = ShapeKind::Plane, shape->size = math::eigen3::convert(plane->Normal()).normalized();
  } else if (const auto* mesh = geometry->MeshShape()) {
    shape->type = ShapeKind::Mesh, shape->scale = math::eigen3::convert(mesh->Scale());
    const common::Mesh* loaded = meshOf(*mesh, what);
    if (loaded) triangles = trianglesOf(*loaded, shape->scale);
    known = loaded;
  } else {
    ignerr << "vertebra: " << what << ": its geometry is none of box, capsule, cylinder, ellipsoid, sphere, plane and mesh\n";
    known = false;
  }
  if (const auto contact = below(description.Element(), {"surface", "contact"}); contact && contact->HasElement("collide_bitmask"))
    shape->mask = static_cast<std::uint16_t>(contact->Get<unsigned int>("collide_bitmask"));
  if (known && addShape(shape, surfaceOf(description), &triangles)) return shape;
  forget(*shape);
  return nullptr;
}

std::shared_ptr<Link> SdfFeatures::makeLink(const std::shared_ptr<Model>& model, const ::sdf::Link& description) {
  auto link = make<Link>(description.Name());
  link->model = model;
  vtb_body_def def;
  vtb_body_def_init(&def, sizeof def);
  const auto pose = poseOf(modelFrame(*model) * resolved(description.SemanticPose(), "", "link '" + link->name + "'"));
  std::copy(pose.begin(), pose.end(), def.pose);
  const math::Inertiald& inertial = description.Inertial();
  def.mass = inertial.MassMatrix().Mass();
  Eigen::Map<Vector>(def.com) = math::eigen3::convert(inertial.Pose().Pos());
  const math::Matrix3d moments = inertial.Moi();  // about the centre of mass, link axes
  const double inertia[6] = {moments(0, 0), moments(0, 1), moments(0, 2), moments(1, 1), moments(1, 2), moments(2, 2)};
  std::copy(inertia, inertia + 6, def.inertia);
  const ::sdf::ElementPtr element = description.Element();
  if (element && !element->Get<bool>("gravity", true).first) def.gravity_scale = 0;
  if (element && element->Get<bool>("kinematic", false).first) def.kind = VTB_BODY_KIND_KINEMATIC;
  if (model->fixed) def.kind = VTB_BODY_KIND_STATIC;
  if (!addLink(link, def)) {
    forget(*link);
    return nullptr;
  }
  for (std::uint64_t i = 0; i < description.CollisionCount(); ++i) makeShape(link, *description.CollisionByIndex(i));
  return link;
}

std::shared_ptr<Joint> SdfFeatures::makeJoint(const std::shared_ptr<Model>& model, const ::sdf::Joint& description) {
  const std::string what = "joint '" + description.Name() + "' of model '" + model->name + "'";
  std::string parent, child;
  if (!description.ResolveParentLink(parent).empty()) parent = description.ParentLinkName();
  if (!description.ResolveChildLink(child).empty()) child = description.ChildLinkName();
  auto joint = make<Joint>(description.Name());
  joint->model = model;
  joint->child = findLink(*model, child);
  if (parent != "world") joint->parent = findLink(*model, parent);
  bool fits = true;
  if (!joint->child || (!joint->parent && parent != "world")) {
    ignerr << "vertebra: " << what << ": there is no link '" << (joint->child ? parent : child) << "'\n";
    fits = false;
  }
  if (fits && !typeOf(description.Type(), joint->type)) {
    ignerr << "vertebra: " << what << ": a gearbox, or a type that SDFormat does not know, is not made\n";
    fits = false;
  }
  if (fits) {
    placeJoint(*joint, resolved(description.SemanticPose(), child, what));
    joint->pitch = description.ThreadPitch();
    joint->axes.assign(axesOf(joint->type), freeAxis());
    const std::size_t described = joint->type == VTB_JOINT_TYPE_SPHERICAL ? 0 : joint->axes.size();
    for (unsigned i = 0; i < described; ++i)
      if (const ::sdf::JointAxis* axis = description.Axis(i)) {
        (i ? joint->axis2 : joint->axis) = axisOf(*axis, what);
        joint->axes[i] = axisParameters(*axis, joint->type != VTB_JOINT_TYPE_CONTINUOUS);
      }
  }
  if (fits && addJoint(joint)) return joint;
  forget(*joint);
  return nullptr;
}

std::shared_ptr<Model> SdfFeatures::makeModel(const std::shared_ptr<World>& world, const std::shared_ptr<Model>& parent,
                                              const ::sdf::Model& description) {
  auto model = make<Model>(description.Name());
  model->world = world;
  model->parent = parent;
  model->start =
      (parent ? modelFrame(*parent) : Frame::Identity()) * resolved(description.SemanticPose(), "", "model '" + model->name + "'");
  model->fixed = description.Static() || (parent && parent->fixed);
  model->selfCollides = description.SelfCollide();
  (parent ? parent->models : world->models).push_back(model);
  for (std::uint64_t i = 0; i < description.LinkCount(); ++i) makeLink(model, *description.LinkByIndex(i));
  for (std::uint64_t i = 0; i < description.ModelCount(); ++i) makeModel(world, model, *description.ModelByIndex(i));
  model->canonicalName = description.CanonicalLinkAndRelativeName().second;
  for (std::uint64_t i = 0; i < description.JointCount(); ++i) makeJoint(model, *description.JointByIndex(i));
  return model;
}

Identity SdfFeatures::ConstructSdfWorld(const Identity&, const ::sdf::World& description) {
  const auto world = makeWorld(description.Name());
  if (!world) return this->GenerateInvalidId();
  vtb_world_def def;
  vtb_world_def_init(&def, sizeof def);
  if (done(vtb_world_get_settings(world->world, &def), "settings of world '" + world->name + "'")) {
    Eigen::Map<Vector>(def.gravity) = math::eigen3::convert(description.Gravity());
    if (const ::sdf::Physics* physics = description.PhysicsDefault(); physics && physics->MaxStepSize() > 0)
      def.time_step = physics->MaxStepSize();
    if (done(vtb_world_set_settings(world->world, &def), "settings of world '" + world->name + "'")) world->timeStep = def.time_step;
  }
  for (std::uint64_t i = 0; i < description.ModelCount(); ++i) makeModel(world, nullptr, *description.ModelByIndex(i));
  return identityOf(world);
}
Identity SdfFeatures::ConstructSdfModel(const Identity& world, const ::sdf::Model& model) {
  return identityOf(makeModel(get<World>(world), nullptr, model));
}
// A world's nested model is a model.
Identity SdfFeatures::ConstructSdfNestedModel(const Identity& id, const ::sdf::Model& nested) {
  if (at<Record>(id).kind == Kind::World) return ConstructSdfModel(id, nested);
  const auto parent = get<Model>(id);
  return identityOf(makeModel(parent->world, parent, nested));
}
Identity SdfFeatures::ConstructSdfLink(const Identity& model, const ::sdf::Link& link) {
  return identityOf(makeLink(get<Model>(model), link));
}
Identity SdfFeatures::ConstructSdfJoint(const Identity& model, const ::sdf::Joint& joint) {
  return identityOf(makeJoint(get<Model>(model), joint));
}
Identity SdfFeatures::ConstructSdfCollision(const Identity& link, const ::sdf::Collision& collision) {
  return identityOf(makeShape(get<Link>(link), collision));
}

}  // namespace ignition::physics::vertebra
