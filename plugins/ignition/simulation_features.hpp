// Features of worlds: steps, contacts, gravity, names of solver and collision detector. World axes; s, m, N, m/s^2.
#pragma once

#include <ignition/physics/ForwardStep.hh>
#include <ignition/physics/GetContacts.hh>
#include <ignition/physics/World.hh>

#include "plugins/ignition/base.hpp"

namespace ignition::physics::vertebra {

struct SimulationFeatureList : FeatureList<ForwardStep, GetContactsFromLastStepFeature, Gravity, CollisionDetector, Solver> {};

class SimulationFeatures : public virtual Base, public virtual Implements3d<SimulationFeatureList> {
 public:
  using ContactInternal = GetContactsFromLastStepFeature::Implementation<FeaturePolicy3d>::ContactInternal;

  void WorldForwardStep(const Identity& world, ForwardStep::Output& output, ForwardStep::State& state,
                        const ForwardStep::Input& input) override;
  std::vector<ContactInternal> GetContactsFromLastStep(const Identity& world) const override;

  void SetWorldGravity(const Identity& world, const LinearVector3d& gravity) override;
  LinearVector3d GetWorldGravity(const Identity& world) const override;
  void SetWorldCollisionDetector(const Identity& world, const std::string& name) override;
  const std::string& GetWorldCollisionDetector(const Identity& world) const override;
  void SetWorldSolver(const Identity& world, const std::string& name) override;
  const std::string& GetWorldSolver(const Identity& world) const override;

 private:
  void writePoses(World& world, ForwardStep::Output& output);
};

}  // namespace ignition::physics::vertebra
