// A motion as nodes. Metres, radians, Z up, seconds from the first frame.
#pragma once
#include <string>

#include <osg/AnimationPath>
#include <osg/Node>

#include "plugins/osgdb/settings.hpp"

namespace vertebra::osgdb {

// A transform for each joint, named as it, below its parent's; each has the pose of the first frame and, where the clip has more than one,
// an AnimationPathCallback with a control point a frame, round and round. Below them the bones of the figure that the viewer makes of the
// clip.
osg::ref_ptr<osg::Node> clipNode(const vtb_motion* motion, const std::string& name, const Settings& settings);

// The path of a joint in the world, scaled; empty: of the first root.
osg::ref_ptr<osg::AnimationPath> clipPath(const vtb_motion* motion, const std::string& joint, const Settings& settings);

}  // namespace vertebra::osgdb
