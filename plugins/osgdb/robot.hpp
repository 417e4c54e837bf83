// A skeleton as nodes. Metres, radians, Z up.
#pragma once
#include <vector>

#include <osg/Geode>
#include <osg/MatrixTransform>

#include "plugins/osgdb/settings.hpp"

namespace vertebra::osgdb {

// What is drawn of each link, in its frame: visuals, or collision shapes where that is asked for or the skeleton has no visual. Null for a
// link that has none.
std::vector<osg::ref_ptr<osg::Geode>> drawn(const vtb_skeleton* skeleton, bool collision);

// Below the root the root link; below a link its joints, each a transform with the joint's name, and below a joint the link that it leads
// to. Coordinates are neutral. A joint's frame is its matrix, so that J.preMult(rotation about the axis, or translation along it) moves it;
// its type and axis are user values (type, axis).
osg::ref_ptr<osg::Node> robotNode(vtb_skeleton* skeleton, const Settings& settings);

}  // namespace vertebra::osgdb
