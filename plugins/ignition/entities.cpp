// Entities listed, made empty and removed. Numbers of models, links, joints and shapes count in their lists from 0.
#include "plugins/ignition/entities.hpp"

#include <algorithm>

namespace ignition::physics::vertebra {

namespace {

template <class T>
std::size_t indexIn(const std::vector<std::shared_ptr<T>>& list, const T& item) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].get() == &item) return i;
  return INVALID_ENTITY_ID;
}

const std::vector<std::shared_ptr<Model>>& siblings(const Model& model) {
  return model.parent ? model.parent->models : model.world->models;
}

}  // namespace

template <class List>
Identity EntityFeatures::itemAt(const List& list, std::size_t index) const {
  return index < list.size() ? identityOf(list[index]) : this->GenerateInvalidId();
}

template <class List>
Identity EntityFeatures::itemNamed(const List& list, const std::string& name) const {
  for (const auto& item : list)
    if (item->name == name) return identityOf(item);
  return this->GenerateInvalidId();
}

const std::string& EntityFeatures::GetEngineName(const Identity&) const {
  static const std::string name = std::string("vertebra-") + vtb_version();
  return name;
}
std::size_t EntityFeatures::GetEngineIndex(const Identity&) const { return 0; }

std::size_t EntityFeatures::GetWorldCount(const Identity&) const { return worlds_.size(); }
Identity EntityFeatures::GetWorld(const Identity&, std::size_t index) const { return itemAt(worlds_, index); }
Identity EntityFeatures::GetWorld(const Identity&, const std::string& name) const { return itemNamed(worlds_, name); }
const std::string& EntityFeatures::GetWorldName(const Identity& world) const { return at<World>(world).name; }
std::size_t EntityFeatures::GetWorldIndex(const Identity& world) const { return indexIn(worlds_, at<World>(world)); }
Identity EntityFeatures::GetEngineOfWorld(const Identity&) const { return this->GenerateIdentity(0); }

std::size_t EntityFeatures::GetModelCount(const Identity& world) const { return at<World>(world).models.size(); }
Identity EntityFeatures::GetModel(const Identity& world, std::size_t index) const { return itemAt(at<World>(world).models, index); }
Identity EntityFeatures::GetModel(const Identity& world, const std::string& name) const { return itemNamed(at<World>(world).models, name); }
const std::string& EntityFeatures::GetModelName(const Identity& model) const { return at<Model>(model).name; }
std::size_t EntityFeatures::GetModelIndex(const Identity& model) const { return indexIn(siblings(at<Model>(model)), at<Model>(model)); }
Identity EntityFeatures::GetWorldOfModel(const Identity& model) const { return identityOf(at<Model>(model).world); }

std::size_t EntityFeatures::GetNestedModelCount(const Identity& model) const { return at<Model>(model).models.size(); }
Identity EntityFeatures::GetNestedModel(const Identity& model, std::size_t index) const { return itemAt(at<Model>(model).models, index); }
Identity EntityFeatures::GetNestedModel(const Identity& model, const std::string& name) const {
  return itemNamed(at<Model>(model).models, name);
}

std::size_t EntityFeatures::GetLinkCount(const Identity& model) const { return at<Model>(model).links.size(); }
Identity EntityFeatures::GetLink(const Identity& model, std::size_t index) const { return itemAt(at<Model>(model).links, index); }
Identity EntityFeatures::GetLink(const Identity& model, const std::string& name) const { return itemNamed(at<Model>(model).links, name); }
const std::string& EntityFeatures::GetLinkName(const Identity& link) const { return at<Link>(link).name; }
std::size_t EntityFeatures::GetLinkIndex(const Identity& link) const { return indexIn(at<Link>(link).model->links, at<Link>(link)); }
Identity EntityFeatures::GetModelOfLink(const Identity& link) const { return identityOf(at<Link>(link).model); }

std::size_t EntityFeatures::GetJointCount(const Identity& model) const { return at<Model>(model).joints.size(); }
Identity EntityFeatures::GetJoint(const Identity& model, std::size_t index) const { return itemAt(at<Model>(model).joints, index); }
Identity EntityFeatures::GetJoint(const Identity& model, const std::string& name) const { return itemNamed(at<Model>(model).joints, name); }
const std::string& EntityFeatures::GetJointName(const Identity& joint) const { return at<Joint>(joint).name; }
std::size_t EntityFeatures::GetJointIndex(const Identity& joint) const { return indexIn(at<Joint>(joint).model->joints, at<Joint>(joint)); }
Identity EntityFeatures::GetModelOfJoint(const Identity& joint) const { return identityOf(at<Joint>(joint).model); }

std::size_t EntityFeatures::GetShapeCount(const Identity& link) const { return at<Link>(link).shapes.size(); }
Identity EntityFeatures::GetShape(const Identity& link, std::size_t index) const { return itemAt(at<Link>(link).shapes, index); }
Identity EntityFeatures::GetShape(const Identity& link, const std::string& name) const { return itemNamed(at<Link>(link).shapes, name); }
const std::string& EntityFeatures::GetShapeName(const Identity& shape) const { return at<Shape>(shape).name; }
std::size_t EntityFeatures::GetShapeIndex(const Identity& shape) const { return indexIn(at<Shape>(shape).link->shapes, at<Shape>(shape)); }
Identity EntityFeatures::GetLinkOfShape(const Identity& shape) const { return identityOf(at<Shape>(shape).link); }

// Takes the bodies of a model out of the world, with the joints that other models have to them, and its records out of the register.
void EntityFeatures::destroy(Model& model) {
  for (const auto& nested : model.models) destroy(*nested);
  World& world = *model.world;
  for (const auto& joint : model.joints) forget(*joint);
  for (const auto& link : model.links) {
    done(vtb_body_destroy(world.world, link->body), "removal of link '" + link->name + "'");
    for (const auto& shape : link->shapes) forget(*shape);
    if (link->group) forget(*link->group);
    forget(*link);
    link->shapes.clear(), link->group.reset();
  }
  if (model.group) forget(*model.group);
  model.group.reset();
  model.links.clear(), model.joints.clear(), model.models.clear();
  model.removed = true;
  forget(model);
  world.linksChanged = true;
}

bool EntityFeatures::remove(const std::shared_ptr<Model>& model) {
  if (!model || model->removed) return false;
  World& world = *model->world;
  destroy(*model);
  auto& list = model->parent ? model->parent->models : world.models;
  list.erase(std::remove(list.begin(), list.end(), model), list.end());
  // Joints that went with the bodies take no commands any more.
  const auto gone = [&](const std::shared_ptr<Joint>& joint) {
    return !joint->joint.bits || vtb_joint_get_size(world.world, joint->joint, nullptr, nullptr) != VTB_OK;
  };
  world.commanded.erase(std::remove_if(world.commanded.begin(), world.commanded.end(), gone), world.commanded.end());
  return true;
}

bool EntityFeatures::RemoveModelByIndex(const Identity& world, std::size_t index) {
  const auto& models = at<World>(world).models;
  return index < models.size() && remove(models[index]);
}
bool EntityFeatures::RemoveModelByName(const Identity& world, const std::string& name) {
  for (const auto& model : at<World>(world).models)
    if (model->name == name) return remove(model);
  return false;
}
bool EntityFeatures::RemoveModel(const Identity& model) { return remove(get<Model>(model)); }
bool EntityFeatures::ModelRemoved(const Identity& model) const { return at<Model>(model).removed; }
bool EntityFeatures::RemoveNestedModelByIndex(const Identity& model, std::size_t index) {
  const auto& models = at<Model>(model).models;
  return index < models.size() && remove(models[index]);
}
bool EntityFeatures::RemoveNestedModelByName(const Identity& model, const std::string& name) {
  for (const auto& nested : at<Model>(model).models)
    if (nested->name == name) return remove(nested);
  return false;
}

Identity EntityFeatures::ConstructEmptyWorld(const Identity&, const std::string& name) { return identityOf(makeWorld(name)); }

Identity EntityFeatures::ConstructEmptyModel(const Identity& world, const std::string& name) {
  auto model = make<Model>(name);
  model->world = get<World>(world);
  model->world->models.push_back(model);
  return identityOf(model);
}

Identity EntityFeatures::ConstructEmptyNestedModel(const Identity& parent, const std::string& name) {
  auto model = make<Model>(name);
  model->parent = get<Model>(parent);
  model->world = model->parent->world;
  model->start = modelFrame(*model->parent);
  model->parent->models.push_back(model);
  return identityOf(model);
}

Identity EntityFeatures::ConstructEmptyLink(const Identity& model, const std::string& name) {
  auto link = make<Link>(name);
  link->model = get<Model>(model);
  vtb_body_def def;
  vtb_body_def_init(&def, sizeof def);
  const auto pose = poseOf(modelFrame(*link->model));
  std::copy(pose.begin(), pose.end(), def.pose);
  const double inertia[6] = {1, 0, 0, 1, 0, 1};  // SDF's default
  std::copy(inertia, inertia + 6, def.inertia);
  if (link->model->fixed) def.kind = VTB_BODY_KIND_STATIC;
  if (addLink(link, def)) return identityOf(link);
  forget(*link);
  return this->GenerateInvalidId();
}

}  // namespace ignition::physics::vertebra
