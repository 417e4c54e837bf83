// Features that make worlds, models, links, joints and collisions of SDFormat's DOM.
#pragma once

#include <ignition/physics/sdf/ConstructCollision.hh>
#include <ignition/physics/sdf/ConstructJoint.hh>
#include <ignition/physics/sdf/ConstructLink.hh>
#include <ignition/physics/sdf/ConstructModel.hh>
#include <ignition/physics/sdf/ConstructNestedModel.hh>
#include <ignition/physics/sdf/ConstructWorld.hh>

#include "plugins/ignition/base.hpp"

namespace ignition::physics::vertebra {

struct SdfFeatureList : FeatureList<sdf::ConstructSdfWorld, sdf::ConstructSdfModel, sdf::ConstructSdfNestedModel, sdf::ConstructSdfLink,
                                    sdf::ConstructSdfJoint, sdf::ConstructSdfCollision> {};

class SdfFeatures : public virtual Base, public virtual Implements3d<SdfFeatureList> {
 public:
  Identity ConstructSdfWorld(const Identity& engine, const ::sdf::World& world) override;
  Identity ConstructSdfModel(const Identity& world, const ::sdf::Model& model) override;
  Identity ConstructSdfNestedModel(const Identity& model, const ::sdf::Model& nested) override;
  Identity ConstructSdfLink(const Identity& model, const ::sdf::Link& link) override;
  Identity ConstructSdfJoint(const Identity& model, const ::sdf::Joint& joint) override;
  Identity ConstructSdfCollision(const Identity& link, const ::sdf::Collision& collision) override;

 private:
  // Each has a parent already; none: told.
  std::shared_ptr<Model> makeModel(const std::shared_ptr<World>& world, const std::shared_ptr<Model>& parent,
                                   const ::sdf::Model& description);
  std::shared_ptr<Link> makeLink(const std::shared_ptr<Model>& model, const ::sdf::Link& description);
  std::shared_ptr<Joint> makeJoint(const std::shared_ptr<Model>& model, const ::sdf::Joint& description);
  std::shared_ptr<Shape> makeShape(const std::shared_ptr<Link>& link, const ::sdf::Collision& description);
};

}  // namespace ignition::physics::vertebra
