// XML -> UrdfRobot: every element and attribute of the format, each fault told with its line. Structure (names, tree, mimic)
// is looked at afterwards by structure.hpp, mass properties by inertia.hpp.
#pragma once
#include "loaders/urdf/robot.hpp"
#include "loaders/urdf/xml.hpp"

namespace vertebra {

void readRobot(const XmlElement& root, UrdfReport& report, UrdfRobot& out);

// Parts of the above, one file each.
void readLink(const XmlElement& e, XmlReader& xml, UrdfRobot& robot, UrdfLink& out);
bool readJoint(const XmlElement& e, XmlReader& xml, UrdfJoint& out);  // false: its type is unknown
void readOrigin(const XmlElement& parent, XmlReader& xml, const std::string& element, UrdfOrigin& out);
bool readColour(const XmlElement& material, XmlReader& xml, const std::string& element, float* rgba);

}  // namespace vertebra
