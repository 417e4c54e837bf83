// The plugin that hosts load: all features in one class, registered with ignition-plugin.
#include <ignition/physics/Register.hh>

#include "plugins/ignition/entities.hpp"
#include "plugins/ignition/joint_features.hpp"
#include "plugins/ignition/link_features.hpp"
#include "plugins/ignition/sdf_features.hpp"
#include "plugins/ignition/shape_features.hpp"
#include "plugins/ignition/simulation_features.hpp"

namespace ignition::physics::vertebra {

struct VertebraFeatures
    : FeatureList<EntityFeatureList, JointFeatureList, LinkFeatureList, SdfFeatureList, ShapeFeatureList, SimulationFeatureList> {};

class Plugin : public virtual Implements3d<VertebraFeatures>,
               public virtual Base,
               public virtual EntityFeatures,
               public virtual JointFeatures,
               public virtual LinkFeatures,
               public virtual SdfFeatures,
               public virtual ShapeFeatures,
               public virtual SimulationFeatures {};

IGN_PHYSICS_ADD_PLUGIN(Plugin, FeaturePolicy3d, VertebraFeatures)

}  // namespace ignition::physics::vertebra
