// Features of links: frames with velocities and accelerations, forces, free groups.
#include "plugins/ignition/link_features.hpp"

#include <ignition/common/Console.hh>

namespace ignition::physics::vertebra {

namespace {

// Of a frame that is fixed in a link.
FrameData3d frameData(const Link& link, const Frame& inLink) {
  FrameData3d data;
  double twist[6], acceleration[6];
  const std::string what = "frame of link '" + link.name + "'";
  if (!done(vtb_body_get_twist(link.world(), link.body, twist), what) ||
      !done(vtb_body_get_acceleration(link.world(), link.body, acceleration), what))
    return data;
  const Frame frame = linkFrame(link);
  const Vector arm = frame.linear() * inLink.translation();
  data.pose = frame * inLink;
  data.angularVelocity = Eigen::Map<const Vector>(twist + 3);
  data.angularAcceleration = Eigen::Map<const Vector>(acceleration + 3);
  data.linearVelocity = Eigen::Map<const Vector>(twist) + data.angularVelocity.cross(arm);
  data.linearAcceleration = Eigen::Map<const Vector>(acceleration) + data.angularAcceleration.cross(arm) +
                            data.angularVelocity.cross(data.angularVelocity.cross(arm));
  return data;
}

void addLinks(const Model& model, std::vector<std::shared_ptr<Link>>& links) {
  links.insert(links.end(), model.links.begin(), model.links.end());
  for (const auto& nested : model.models) addLinks(*nested, links);
}

}  // namespace

FrameData3d LinkFeatures::FrameDataRelativeToWorld(const FrameID& id) const {
  FrameData3d data;
  if (id.IsWorld()) return data;
  const auto found = record(id.ID());
  if (!found) {
    ignerr << "vertebra: frame " << id.ID() << " belongs to nothing that is in a world; the world's is told in its place\n";
    return data;
  }
  switch (found->kind) {
    case Kind::Link:
      return frameData(static_cast<const Link&>(*found), Frame::Identity());
    case Kind::Joint: {
      const auto& joint = static_cast<const Joint&>(*found);
      return frameData(*joint.child, joint.inChild);
    }
    case Kind::Shape: {
      const auto& shape = static_cast<const Shape&>(*found);
      return frameData(*shape.link, shape.inLink);
    }
    case Kind::Model: {
      const auto& model = static_cast<const Model&>(*found);
      if (const auto link = canonicalLink(model)) return frameData(*link, link->start.inverse() * model.start);
      data.pose = model.start;
      return data;
    }
    case Kind::FreeGroup:
      if (const auto root = static_cast<const FreeGroup&>(*found).root.lock()) return frameData(*root, Frame::Identity());
      return data;
    case Kind::World:
      break;
  }
  return data;
}

void LinkFeatures::AddLinkExternalForceInWorld(const Identity& id, const LinearVector3d& force, const LinearVector3d& position) {
  const Link& link = at<Link>(id);
  done(vtb_body_add_force(link.world(), link.body, force.data(), position.data(), VTB_DURATION_ONE_STEP),
       "force on link '" + link.name + "'");
}
void LinkFeatures::AddLinkExternalTorqueInWorld(const Identity& id, const AngularVector3d& torque) {
  const Link& link = at<Link>(id);
  done(vtb_body_add_torque(link.world(), link.body, torque.data(), VTB_DURATION_ONE_STEP), "torque on link '" + link.name + "'");
}

Identity LinkFeatures::FindFreeGroupForModel(const Identity& id) const {
  const auto model = get<Model>(id);
  std::vector<std::shared_ptr<Link>> links;
  addLinks(*model, links);
  if (links.empty()) return this->GenerateInvalidId();
  for (const Group& group : groupsOf(model->world->world, links))
    if (group.anchored) return this->GenerateInvalidId();
  if (!model->group) {
    model->group = make<FreeGroup>();
    model->group->root = canonicalLink(*model);
    model->group->model = model;
  }
  return identityOf(model->group);
}

Identity LinkFeatures::FindFreeGroupForLink(const Identity& id) const {
  const auto link = get<Link>(id);
  const Group group = groupOf(link->world(), link->body);
  std::uint64_t rootId = 0;
  if (group.anchored || vtb_world_get_user_value(link->world(), VTB_NAMED_BODY, group.root.bits, &rootId) != VTB_OK)
    return this->GenerateInvalidId();
  const auto root = std::static_pointer_cast<Link>(record(rootId));
  if (!root) return this->GenerateInvalidId();
  if (!root->group) {
    root->group = make<FreeGroup>();
    root->group->root = root;
  }
  return identityOf(root->group);
}

std::shared_ptr<Link> LinkFeatures::rootOf(const Identity& group) const {
  auto root = at<FreeGroup>(group).root.lock();
  if (!root || root->model->removed) {
    ignerr << "vertebra: the links of a free group were removed\n";
    return nullptr;
  }
  return root;
}

std::vector<Group> LinkFeatures::partsOf(const Identity& group, const Link& root) const {
  std::vector<std::shared_ptr<Link>> links;
  const auto model = at<FreeGroup>(group).model.lock();
  if (!model) return {groupOf(root.world(), root.body)};
  addLinks(*model, links);
  return groupsOf(root.world(), links);
}

Identity LinkFeatures::GetFreeGroupRootLink(const Identity& group) const { return identityOf(rootOf(group)); }

void LinkFeatures::SetFreeGroupWorldPose(const Identity& group, const Pose3d& pose) {
  const auto root = rootOf(group);
  if (!root) return;
  const Frame displacement = pose * linkFrame(*root).inverse();
  for (const Group& part : partsOf(group, *root)) moveGroup(root->world(), part, displacement);
}

// The root gets the velocity, the rest what it needs to move with it as before.
void LinkFeatures::push(const Identity& group, const Vector* velocity, const Vector* turning) {
  const auto root = rootOf(group);
  if (!root) return;
  const FrameData3d now = frameData(*root, Frame::Identity());
  const Vector more = velocity ? Vector(*velocity - now.linearVelocity) : Vector(Vector::Zero());
  const Vector turn = turning ? Vector(*turning - now.angularVelocity) : Vector(Vector::Zero());
  for (const Group& part : partsOf(group, *root)) pushGroup(root->world(), part, more, turn, now.pose.translation());
}
void LinkFeatures::SetFreeGroupWorldLinearVelocity(const Identity& group, const LinearVector3d& velocity) {
  push(group, &velocity, nullptr);
}
void LinkFeatures::SetFreeGroupWorldAngularVelocity(const Identity& group, const AngularVector3d& velocity) {
  push(group, nullptr, &velocity);
}

}  // namespace ignition::physics::vertebra
