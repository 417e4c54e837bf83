// <link>: inertial, visual, collision, geometry, material, and Bullet's <contact>. See read.hpp.
#include <algorithm>
#include <cstring>

#include "loaders/urdf/read.hpp"

namespace vertebra {

namespace {

bool positive(double x, const char* what, int line, const std::string& element, XmlReader& xml) {
  if (x > 0 && x < 1e9) return true;
  xml.report.repair("urdf.geometry.size", line, element,
                    std::string(what) + " " + formatNumber(x) + (x > 0 ? " is beyond 1e9 m" : " is not positive"), "the shape is left out",
                    "give a size above zero and below 1e9 m");
  return false;
}

// False: nothing usable; already reported.
bool readGeometry(const XmlElement& parent, XmlReader& xml, const std::string& element, UrdfGeometry& out) {
  const XmlElement* g = xml.single(parent, "geometry", element);
  auto missing = [&](int line, const std::string& found) {
    xml.report.repair("urdf.geometry.missing", line, element, found, "the shape is left out",
                      "give <geometry> one of box, cylinder, sphere, capsule, mesh");
    return false;
  };
  if (g == nullptr) return missing(parent.GetLineNum(), "it has no <geometry>");
  xml.unused(*g, "<geometry>", {"box", "cylinder", "sphere", "capsule", "mesh"}, {});
  const XmlElement* e = nullptr;
  for (const XmlElement* c = g->FirstChildElement(); c != nullptr; c = c->NextSiblingElement()) {
    static const char* const kinds[] = {"box", "cylinder", "sphere", "capsule", "mesh"};
    int k = 0;
    while (k < 5 && std::strcmp(c->Name(), kinds[k]) != 0) ++k;
    if (k == 5) continue;
    if (e != nullptr) {
      xml.report.repair("urdf.geometry.several", c->GetLineNum(), element + "/geometry", "it holds more than one shape",
                        "the first one is used", "give each shape an element of its own");
      break;
    }
    e = c;
  }
  if (e == nullptr) return missing(g->GetLineNum(), "its <geometry> holds no shape that is known");
  std::string where = element + "/geometry/" + e->Name();
  int line = e->GetLineNum();
  if (std::strcmp(e->Name(), "box") == 0) {
    out.kind = UrdfGeometry::Kind::Box;
    xml.unused(*e, "<box>", {}, {"size"});
    if (!xml.vector(*e, "size", where, Need::Required, out.size)) return false;
    return positive(out.size.minCoeff(), "box edge", line, where, xml) && positive(out.size.maxCoeff(), "box edge", line, where, xml);
  }
  if (std::strcmp(e->Name(), "sphere") == 0) {
    out.kind = UrdfGeometry::Kind::Sphere;
    xml.unused(*e, "<sphere>", {}, {"radius"});
    return xml.number(*e, "radius", where, Need::Required, out.radius) && positive(out.radius, "radius", line, where, xml);
  }
  if (std::strcmp(e->Name(), "mesh") == 0) {
    out.kind = UrdfGeometry::Kind::Mesh;
    xml.unused(*e, "<mesh>", {"convex"}, {"filename", "scale"});
    const char* filename = e->Attribute("filename");
    if (filename == nullptr || *filename == 0) {
      xml.report.repair("urdf.mesh.filename", line, where, "the mesh names no file", "the shape is left out", "add filename=\"...\"");
      return false;
    }
    out.filename = filename;
    if (e->Attribute("scale") != nullptr && !xml.vector(*e, "scale", where, Need::Required, out.scale)) return false;
    if (out.scale.cwiseAbs().minCoeff() > 0) return positive(out.scale.cwiseAbs().maxCoeff(), "scale", line, where, xml);
    xml.report.repair("urdf.geometry.size", line, where, "a scale of zero flattens the mesh", "the shape is left out",
                      "give a scale other than zero");
    return false;
  }
  bool capsule = std::strcmp(e->Name(), "capsule") == 0;
  out.kind = capsule ? UrdfGeometry::Kind::Capsule : UrdfGeometry::Kind::Cylinder;
  xml.unused(*e, capsule ? "<capsule>" : "<cylinder>", {}, {"radius", "length"});
  if (capsule)
    xml.report.tally("urdf.geometry.capsule", "capsule", line,
                     "<capsule> is an extension of the format; length is taken as that of its cylinder part");
  bool both = xml.number(*e, "radius", where, Need::Required, out.radius);
  both = xml.number(*e, "length", where, Need::Required, out.length) && both;
  if (!both) return false;
  if (capsule && out.length == 0) {
    out.kind = UrdfGeometry::Kind::Sphere;
    return positive(out.radius, "radius", line, where, xml);
  }
  return positive(out.radius, "radius", line, where, xml) && positive(out.length, "length", line, where, xml);
}

void readShapeMaterial(const XmlElement& e, XmlReader& xml, UrdfRobot& robot, UrdfShape& shape) {
  const XmlElement* m = xml.single(e, "material", shape.element);
  if (m == nullptr) return;
  xml.unused(*m, "<material>", {"color", "texture"}, {"name"});
  shape.materialLine = m->GetLineNum();
  if (const char* name = m->Attribute("name")) shape.material = name;
  shape.hasColour = readColour(*m, xml, shape.element + "/material", shape.rgba);
  if (const XmlElement* t = m->FirstChildElement("texture"))
    xml.report.tally("urdf.texture.unused", "texture", t->GetLineNum(), "textures are not shown; the colour is used");
  bool defines = shape.hasColour || m->FirstChildElement("texture") != nullptr;
  if (shape.material.empty() || !defines) return;
  UrdfMaterial mine;
  mine.line = shape.materialLine;
  mine.hasColour = shape.hasColour;
  std::memcpy(mine.rgba, shape.rgba, sizeof mine.rgba);
  auto [at, fresh] = robot.materials.try_emplace(shape.material, mine);
  const UrdfMaterial& first = at->second;
  if (!fresh && first.hasColour && shape.hasColour && !std::equal(first.rgba, std::end(first.rgba), mine.rgba))
    xml.report.warning("urdf.material.conflict", shape.materialLine, shape.element + "/material",
                       "material '" + shape.material + "' has another colour in line " + std::to_string(first.line) +
                           "; the first one is used, as ROS does; to mend: give each colour its own name");
}

void readShapes(const XmlElement& e, const char* tag, XmlReader& xml, UrdfRobot& robot, const std::string& linkName,
                std::vector<UrdfShape>& out) {
  bool visual = std::strcmp(tag, "visual") == 0;
  int number = 0;
  for (const XmlElement* s = e.FirstChildElement(tag); s != nullptr; s = s->NextSiblingElement(tag)) {
    UrdfShape shape;
    shape.line = s->GetLineNum();
    shape.element = quoted("link", linkName) + "/" + tag;
    if (++number > 1) shape.element += "[" + std::to_string(number) + "]";
    if (const char* name = s->Attribute("name")) shape.name = name;
    if (visual)
      xml.unused(*s, "<visual>", {"origin", "geometry", "material"}, {"name"});
    else
      xml.unused(*s, "<collision>", {"origin", "geometry"}, {"name"});
    readOrigin(*s, xml, shape.element, shape.origin);
    if (visual) readShapeMaterial(*s, xml, robot, shape);
    if (readGeometry(*s, xml, shape.element, shape.geometry)) out.push_back(std::move(shape));
  }
}

void readInertial(const XmlElement& link, XmlReader& xml, const std::string& linkElement, UrdfInertial& out) {
  const XmlElement* e = xml.single(link, "inertial", linkElement);
  if (e == nullptr) return;
  std::string element = linkElement + "/inertial";
  out.line = e->GetLineNum();
  xml.unused(*e, "<inertial>", {"origin", "mass", "inertia"}, {});
  readOrigin(*e, xml, element, out.origin);
  const XmlElement* mass = xml.single(*e, "mass", element);
  const XmlElement* inertia = xml.single(*e, "inertia", element);
  if (mass == nullptr || mass->Attribute("value") == nullptr) {
    xml.report.repair("urdf.inertial.mass-missing", mass != nullptr ? mass->GetLineNum() : out.line, element, "it gives no mass",
                      "the link is treated as if it had no <inertial>", "add <mass value=\"...\"/>");
    return;
  }
  xml.unused(*mass, "<mass>", {}, {"value"});
  if (!xml.number(*mass, "value", element + "/mass", Need::Required, out.mass)) return;
  out.given = true;
  if (inertia == nullptr) {
    xml.report.repair("urdf.inertial.inertia-missing", out.line, element, "it gives a mass but no <inertia>", "the mass is a point",
                      "add <inertia ixx=... ixy=... ixz=... iyy=... iyz=... izz=.../>");
    return;
  }
  xml.unused(*inertia, "<inertia>", {}, {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"});
  const std::pair<const char*, double*> moments[] = {{"ixx", &out.ixx}, {"ixy", &out.ixy}, {"ixz", &out.ixz},
                                                     {"iyy", &out.iyy}, {"iyz", &out.iyz}, {"izz", &out.izz}};
  for (const auto& [name, value] : moments) {
    if (inertia->Attribute(name) == nullptr)
      xml.report.repair("urdf.inertial.moment-missing", inertia->GetLineNum(), element + "/inertia",
                        std::string("attribute ") + name + " is missing", "it is taken as 0", std::string("add ") + name);
    else
      xml.number(*inertia, name, element + "/inertia", Need::Optional, *value);
  }
}

// Bullet's <contact>: friction and restitution of all shapes of the link.
void readContact(const XmlElement& link, XmlReader& xml, const std::string& linkElement, geometry::Surface& out) {
  const XmlElement* e = xml.single(link, "contact", linkElement);
  if (e == nullptr) return;
  xml.unused(*e, "<contact>", {"lateral_friction", "restitution"}, {});
  const std::pair<const char*, double*> values[] = {{"lateral_friction", &out.friction}, {"restitution", &out.restitution}};
  for (const auto& [tag, value] : values) {
    const XmlElement* c = xml.single(*e, tag, linkElement + "/contact");
    double x = 0;
    std::string element = linkElement + "/contact/" + tag;
    if (c == nullptr || !xml.number(*c, "value", element, Need::Required, x)) continue;
    double most = value == &out.restitution ? 1 : kInf;
    if (x < 0 || x > most)
      xml.report.repair("urdf.contact.range", c->GetLineNum(), element, formatNumber(x) + " is out of range", "the default is used",
                        "friction is at least 0, restitution between 0 and 1");
    else
      *value = x;
  }
}

}  // namespace

void readLink(const XmlElement& e, XmlReader& xml, UrdfRobot& robot, UrdfLink& out) {
  std::string element = quoted("link", out.name);
  xml.unused(e, "<link>", {"inertial", "visual", "collision", "contact"}, {"name"});
  readInertial(e, xml, element, out.inertial);
  readShapes(e, "visual", xml, robot, out.name, out.visuals);
  readShapes(e, "collision", xml, robot, out.name, out.collisions);
  readContact(e, xml, element, out.surface);
}

}  // namespace vertebra
