// Records: frames to and from the C ABI, links by name, links made.
#include "plugins/ignition/records.hpp"

#include <ignition/common/Console.hh>

namespace ignition::physics::vertebra {

bool done(vtb_status status, const std::string& what) {
  if (status == VTB_OK) return true;
  ignerr << "vertebra: " << what << ": " << vtb_last_error() << "\n";
  return false;
}

Frame frameOf(const double pose[7]) {
  Frame frame;
  frame.linear() = Eigen::Quaterniond(pose[6], pose[3], pose[4], pose[5]).normalized().toRotationMatrix();
  frame.translation() = Vector(pose[0], pose[1], pose[2]);
  frame.makeAffine();
  return frame;
}

std::array<double, 7> poseOf(const Frame& frame) {
  const Eigen::Quaterniond q = Eigen::Quaterniond(frame.linear()).normalized();
  const Vector p = frame.translation();
  return {p.x(), p.y(), p.z(), q.x(), q.y(), q.z(), q.w()};
}

std::shared_ptr<Link> findLink(const Model& model, const std::string& name) {
  for (const auto& link : model.links)
    if (link->name == name) return link;
  const std::size_t colons = name.find("::");
  if (colons == std::string::npos) return nullptr;
  for (const auto& nested : model.models)
    if (nested->name == name.substr(0, colons)) return findLink(*nested, name.substr(colons + 2));
  return nullptr;
}

std::shared_ptr<Link> canonicalLink(const Model& model) {
  if (!model.canonicalName.empty())
    if (auto link = findLink(model, model.canonicalName)) return link;
  if (!model.links.empty()) return model.links.front();
  for (const auto& nested : model.models)
    if (auto link = canonicalLink(*nested)) return link;
  return nullptr;
}

bool addLink(const std::shared_ptr<Link>& link, const vtb_body_def& def) {
  Model& model = *link->model;
  if (!done(vtb_body_create(link->world(), &def, &link->body), "link '" + link->name + "' of model '" + model.name + "'")) return false;
  if (!model.selfCollides)
    for (const auto& other : model.links)
      done(vtb_world_set_pair_collides(link->world(), link->body, other->body, 0), "links of model '" + model.name + "'");
  vtb_world_set_user_value(link->world(), VTB_NAMED_BODY, link->body.bits, link->id);
  link->start = frameOf(def.pose);
  model.links.push_back(link);
  model.world->linksChanged = true;
  return true;
}

Frame linkFrame(const Link& link) {
  double pose[7];
  if (!done(vtb_body_get_pose(link.world(), link.body, pose), "frame of link '" + link.name + "'")) return Frame::Identity();
  return frameOf(pose);
}

Frame modelFrame(const Model& model) {
  const auto link = canonicalLink(model);
  return link ? linkFrame(*link) * link->start.inverse() * model.start : model.start;
}

}  // namespace ignition::physics::vertebra
