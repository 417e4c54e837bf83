// The <robot> element, and what links and joints share. See read.hpp.
#include <cstring>

#include "engine/math/rotation.hpp"
#include "loaders/urdf/read.hpp"

namespace vertebra {

Pose UrdfOrigin::pose() const { return {xyz, quatFromRpy(rpy.x(), rpy.y(), rpy.z())}; }

void readOrigin(const XmlElement& parent, XmlReader& xml, const std::string& element, UrdfOrigin& out) {
  const XmlElement* e = xml.single(parent, "origin", element);
  if (e == nullptr) return;
  xml.unused(*e, "<origin>", {}, {"xyz", "rpy"});
  xml.vector(*e, "xyz", element + "/origin", Need::Optional, out.xyz);
  xml.vector(*e, "rpy", element + "/origin", Need::Optional, out.rpy);
  if (out.xyz.cwiseAbs().maxCoeff() > 1e9 || out.rpy.cwiseAbs().maxCoeff() > 1e5)
    xml.report.error("urdf.origin.range", e->GetLineNum(), element + "/origin",
                     "a position beyond 1e9 m or an angle beyond 1e5 rad; to mend: check the numbers and their units");
}

bool readColour(const XmlElement& material, XmlReader& xml, const std::string& element, float* rgba) {
  const XmlElement* e = xml.single(material, "color", element);
  if (e == nullptr) return false;
  xml.unused(*e, "<color>", {}, {"rgba"});
  double c[4];
  if (!xml.numbers(*e, "rgba", element + "/color", Need::Required, 4, c)) return false;
  bool outside = false;
  for (int i = 0; i < 4; ++i) {
    outside = outside || c[i] < 0 || c[i] > 1;
    rgba[i] = static_cast<float>(c[i] < 0 ? 0 : c[i] > 1 ? 1 : c[i]);
  }
  if (outside)
    xml.report.repair("urdf.colour.range", e->GetLineNum(), element + "/color", "a colour component lies outside 0 to 1", "it is clamped",
                      "write red, green, blue and opacity between 0 and 1");
  return true;
}

namespace {

void readMaterial(const XmlElement& e, XmlReader& xml, UrdfRobot& robot) {
  const char* name = e.Attribute("name");
  if (name == nullptr || *name == 0) {
    xml.report.repair("urdf.name.missing", e.GetLineNum(), "material", "a <material> of the robot has no name", "it is left out",
                      "add name=\"...\"");
    return;
  }
  std::string element = quoted("material", name);
  xml.unused(e, "<material>", {"color", "texture"}, {"name"});
  UrdfMaterial m;
  m.line = e.GetLineNum();
  m.global = true;
  m.hasColour = readColour(e, xml, element, m.rgba);
  if (const XmlElement* t = e.FirstChildElement("texture"))
    xml.report.tally("urdf.texture.unused", "texture", t->GetLineNum(), "textures are not shown; the colour is used");
  auto [at, fresh] = robot.materials.try_emplace(name, m);
  if (!fresh && at->second.global) {
    xml.report.repair("urdf.material.duplicate", e.GetLineNum(), element,
                      "the name is used by another material in line " + std::to_string(at->second.line), "the first one is used",
                      "give each material its own name");
  } else if (!fresh) {
    at->second = m;
  }
}

void checkVersion(const XmlElement& root, UrdfReport& report) {
  const char* version = root.Attribute("version");
  double v = 1;
  if (version != nullptr && !(parseNumber(version, v) && v == 1))
    report.repair("urdf.robot.version", root.GetLineNum(), "robot", std::string("version=\"") + version + "\" is not 1.0",
                  "it is read as 1.0", "write version=\"1.0\" or leave it out");
}

std::string nameOf(const XmlElement& e, const char* kind, int number, UrdfReport& report) {
  const char* name = e.Attribute("name");
  if (name != nullptr && *name != 0) return name;
  std::string made = std::string(kind) + "_" + std::to_string(number);
  report.repair("urdf.name.missing", e.GetLineNum(), quoted(kind, made), std::string("a <") + kind + "> has no name",
                "it is called '" + made + "'", "add name=\"...\"");
  return made;
}

}  // namespace

void readRobot(const XmlElement& root, UrdfReport& report, UrdfRobot& out) {
  XmlReader xml(report);
  out.line = root.GetLineNum();
  const char* name = root.Attribute("name");
  if (name == nullptr)
    report.repair("urdf.robot.name", out.line, "robot", "the robot has no name", "it is called 'robot'", "add name=\"...\" to <robot>");
  out.name = name != nullptr ? name : "robot";
  checkVersion(root, report);
  xml.unused(root, "<robot>", {"link", "joint", "material"}, {"name", "version"});
  for (const XmlElement* e = root.FirstChildElement("material"); e != nullptr; e = e->NextSiblingElement("material"))
    readMaterial(*e, xml, out);
  for (const XmlElement* e = root.FirstChildElement("link"); e != nullptr; e = e->NextSiblingElement("link")) {
    UrdfLink& link = out.links.emplace_back();
    link.name = nameOf(*e, "link", static_cast<int>(out.links.size()), report);
    link.line = e->GetLineNum();
    readLink(*e, xml, out, link);
  }
  int number = 0;
  for (const XmlElement* e = root.FirstChildElement("joint"); e != nullptr; e = e->NextSiblingElement("joint")) {
    UrdfJoint joint;
    joint.name = nameOf(*e, "joint", ++number, report);
    joint.line = e->GetLineNum();
    if (readJoint(*e, xml, joint)) out.joints.push_back(std::move(joint));
  }
  if (out.links.empty()) report.error("urdf.robot.no-links", out.line, "robot", "the robot has no <link>; to mend: give at least one");
}

}  // namespace vertebra
