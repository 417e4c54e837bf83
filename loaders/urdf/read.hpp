// XML -> UrdfRobot: every element and attribute of the format; each fault is reported with its line. structure.hpp checks the structure
// afterwards (names, tree, mimic), inertia.hpp the mass properties.
#pragma once
#include "loaders/urdf/robot.hpp"
#include "loaders/urdf/xml.hpp"

namespace vertebra {

void readRobot(const XmlElement& root, UrdfReport& report, UrdfRobot& out);

// Parts of the reader, one file each.
void readLink(const XmlElement& e, XmlReader& xml, UrdfRobot& robot, UrdfLink& out);
bool readJoint(const XmlElement& e, XmlReader& xml, UrdfJoint& out);  // false: its type is unknown
void readOrigin(const XmlElement& parent, XmlReader& xml, const std::string& element, UrdfOrigin& out);
bool readColour(const XmlElement& material, XmlReader& xml, const std::string& element, float* rgba);

}  // namespace vertebra
