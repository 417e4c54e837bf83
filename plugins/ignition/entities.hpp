// Features on what a world holds: entities listed, made empty and removed.
#pragma once

#include <ignition/physics/ConstructEmpty.hh>
#include <ignition/physics/GetEntities.hh>
#include <ignition/physics/RemoveEntities.hh>

#include "plugins/ignition/base.hpp"

namespace ignition::physics::vertebra {

struct EntityFeatureList : FeatureList<GetEntities, RemoveEntities, ConstructEmptyWorldFeature, ConstructEmptyModelFeature,
                                       ConstructEmptyNestedModelFeature, ConstructEmptyLinkFeature> {};

class EntityFeatures : public virtual Base, public virtual Implements3d<EntityFeatureList> {
 public:
  const std::string& GetEngineName(const Identity& engine) const override;
  std::size_t GetEngineIndex(const Identity& engine) const override;

  std::size_t GetWorldCount(const Identity& engine) const override;
  Identity GetWorld(const Identity& engine, std::size_t index) const override;
  Identity GetWorld(const Identity& engine, const std::string& name) const override;
  const std::string& GetWorldName(const Identity& world) const override;
  std::size_t GetWorldIndex(const Identity& world) const override;
  Identity GetEngineOfWorld(const Identity& world) const override;

  std::size_t GetModelCount(const Identity& world) const override;
  Identity GetModel(const Identity& world, std::size_t index) const override;
  Identity GetModel(const Identity& world, const std::string& name) const override;
  const std::string& GetModelName(const Identity& model) const override;
  std::size_t GetModelIndex(const Identity& model) const override;
  Identity GetWorldOfModel(const Identity& model) const override;

  std::size_t GetNestedModelCount(const Identity& model) const override;
  Identity GetNestedModel(const Identity& model, std::size_t index) const override;
  Identity GetNestedModel(const Identity& model, const std::string& name) const override;

  std::size_t GetLinkCount(const Identity& model) const override;
  Identity GetLink(const Identity& model, std::size_t index) const override;
  Identity GetLink(const Identity& model, const std::string& name) const override;
  const std::string& GetLinkName(const Identity& link) const override;
  std::size_t GetLinkIndex(const Identity& link) const override;
  Identity GetModelOfLink(const Identity& link) const override;

  std::size_t GetJointCount(const Identity& model) const override;
  Identity GetJoint(const Identity& model, std::size_t index) const override;
  Identity GetJoint(const Identity& model, const std::string& name) const override;
  const std::string& GetJointName(const Identity& joint) const override;
  std::size_t GetJointIndex(const Identity& joint) const override;
  Identity GetModelOfJoint(const Identity& joint) const override;

  std::size_t GetShapeCount(const Identity& link) const override;
  Identity GetShape(const Identity& link, std::size_t index) const override;
  Identity GetShape(const Identity& link, const std::string& name) const override;
  const std::string& GetShapeName(const Identity& shape) const override;
  std::size_t GetShapeIndex(const Identity& shape) const override;
  Identity GetLinkOfShape(const Identity& shape) const override;

  bool RemoveModelByIndex(const Identity& world, std::size_t index) override;
  bool RemoveModelByName(const Identity& world, const std::string& name) override;
  bool RemoveModel(const Identity& model) override;
  bool ModelRemoved(const Identity& model) const override;
  bool RemoveNestedModelByIndex(const Identity& model, std::size_t index) override;
  bool RemoveNestedModelByName(const Identity& model, const std::string& name) override;

  Identity ConstructEmptyWorld(const Identity& engine, const std::string& name) override;
  Identity ConstructEmptyModel(const Identity& world, const std::string& name) override;
  Identity ConstructEmptyNestedModel(const Identity& parent, const std::string& name) override;
  Identity ConstructEmptyLink(const Identity& model, const std::string& name) override;

 private:
  bool remove(const std::shared_ptr<Model>& model);
  void destroy(Model& model);
  template <class List>
  Identity itemAt(const List& list, std::size_t index) const;
  template <class List>
  Identity itemNamed(const List& list, const std::string& name) const;
};

}  // namespace ignition::physics::vertebra
