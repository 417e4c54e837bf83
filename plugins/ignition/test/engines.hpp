// Engines of the comparison: plugins loaded, worlds built in them entity by entity, as Gazebo does, and stepped.
#pragma once

#include <time.h>

#include <chrono>
#include <functional>
#include <ignition/plugin/Loader.hh>
#include <map>
#include <sdf/Collision.hh>
#include <sdf/Joint.hh>
#include <sdf/Link.hh>
#include <sdf/Model.hh>
#include <sdf/Root.hh>
#include <sdf/World.hh>
#include <stdexcept>

#include "plugins/ignition/test/features.hpp"

namespace compare {

namespace physics = ignition::physics;

// What every scene needs, and what some do.
struct Common : physics::FeatureList<physics::sdf::ConstructSdfWorld, physics::sdf::ConstructSdfModel, physics::sdf::ConstructSdfLink,
                                     physics::sdf::ConstructSdfJoint, physics::sdf::ConstructSdfCollision, physics::ForwardStep,
                                     physics::LinkFrameSemantics, physics::GetBasicJointState, physics::SetBasicJointState,
                                     physics::SetJointVelocityCommandFeature> {};
struct Pushing : physics::FeatureList<Common, physics::AddLinkExternalForceTorque> {};
struct Spinning : physics::FeatureList<Common, physics::FindFreeGroupFeature, physics::SetFreeGroupWorldVelocity> {};
struct Touching : physics::FeatureList<Common, physics::GetContactsFromLastStepFeature> {};

// Of this thread, so that what else the machine does counts little.
inline double processorSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Why an engine has no number for a scene.
struct NotOffered : std::runtime_error {
  using runtime_error::runtime_error;
};

// A library that is loaded; each world gets an instance of its own, as Bullet's plugin serves one host only.
struct Engine {
  std::string name;
  std::function<ignition::plugin::PluginPtr()> plugin;
};

template <class List>
struct Scene {
  physics::World3dPtr<List> world;
  std::map<std::string, physics::Model3dPtr<List>> models;
  std::map<std::string, physics::Link3dPtr<List>> links;
  std::map<std::string, physics::Joint3dPtr<List>> joints;

  // The processor's time is that of all steps made, with what was asked for before each.
  double seconds = 0;
  int steps = 0;

  template <class Before>
  void run(double time, double step, Before before) {
    physics::ForwardStep::Input input;
    physics::ForwardStep::State state;
    physics::ForwardStep::Output output;
    input.Get<std::chrono::steady_clock::duration>() =
        std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(step));
    const double start = processorSeconds();
    const int count = static_cast<int>(time / step + 0.5);
    for (int i = 0; i < count; ++i) {
      before((steps + i) * step);
      world->Step(output, state, input);
    }
    seconds += processorSeconds() - start;
    steps += count;
  }
  void run(double time, double step) {
    run(time, step, [](double) {});
  }
  physics::FrameData3d frame(const std::string& link) const { return links.at(link)->FrameDataRelativeToWorld(); }
};

template <class List>
Scene<List> build(const Engine& engine, const std::string& text) {
  const auto plugin = engine.plugin();
  if (!physics::RequestEngine3d<List>::Verify(plugin)) throw NotOffered("a feature");
  const auto host = physics::RequestEngine3d<List>::From(plugin);
  ::sdf::Root root;
  const auto errors = root.LoadSdfString(text);
  if (!errors.empty()) throw std::logic_error(errors[0].Message());
  const ::sdf::World& description = *root.WorldByIndex(0);
  ::sdf::World empty;
  empty.SetName(description.Name());
  empty.SetGravity(description.Gravity());
  Scene<List> scene;
  scene.world = host->ConstructWorld(empty);
  for (std::uint64_t m = 0; m < description.ModelCount(); ++m) {
    const ::sdf::Model& source = *description.ModelByIndex(m);
    ::sdf::Model bare;
    bare.SetName(source.Name());
    bare.SetStatic(source.Static());
    bare.SetRawPose(source.RawPose());
    const auto model = scene.models[source.Name()] = scene.world->ConstructModel(bare);
    for (std::uint64_t l = 0; l < source.LinkCount(); ++l) {
      ::sdf::Link link = *source.LinkByIndex(l);
      const ::sdf::Link whole = link;
      link.ClearCollisions();
      const auto made = scene.links[link.Name()] = model->ConstructLink(link);
      for (std::uint64_t c = 0; c < whole.CollisionCount(); ++c) made->ConstructCollision(*whole.CollisionByIndex(c));
    }
    for (std::uint64_t j = 0; j < source.JointCount(); ++j) {
      const ::sdf::Joint& joint = *source.JointByIndex(j);
      const auto made = scene.joints[joint.Name()] = model->ConstructJoint(joint);
      if (!made) throw NotOffered("joint from " + joint.ParentLinkName());
    }
  }
  return scene;
}

}  // namespace compare
