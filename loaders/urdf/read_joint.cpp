// <joint>: type, links, axis, limit, dynamics, mimic, safety. See read.hpp.
#include <cctype>
#include <cmath>
#include <cstring>

#include "loaders/urdf/read.hpp"

namespace vertebra {

namespace {

std::string lowered(const char* s) {
  std::string out;
  for (; *s != 0; ++s) out += static_cast<char>(*s >= 'A' && *s <= 'Z' ? *s - 'A' + 'a' : *s);
  return out;
}

bool readType(const XmlElement& e, XmlReader& xml, const std::string& element, dynamics::JointType& out) {
  const char* text = e.Attribute("type");
  if (text == nullptr) {
    xml.report.error("urdf.joint.type-missing", e.GetLineNum(), element,
                     "it has no type; to mend: add type=\"revolute\" (or continuous, prismatic, fixed, floating, planar)");
    return false;
  }
  std::string word = lowered(text);
  for (int k = 0; k < dynamics::kJointTypes; ++k) {
    const dynamics::JointType type = static_cast<dynamics::JointType>(k);
    if (!dynamics::traitsOf(type).inUrdf || word != dynamics::jointTypeName(type)) continue;
    out = type;
    if (word != text)
      xml.report.repair("urdf.joint.type-case", e.GetLineNum(), element, std::string("type '") + text + "' is not spelled as in the format",
                        "it is read as " + word, "write it in small letters");
    if (type == dynamics::JointType::Spherical)
      xml.report.warning("urdf.joint.spherical", e.GetLineNum(), element,
                         "type 'spherical' is an extension of Bullet's; it is read as a ball joint of three degrees of freedom, other "
                         "readers may refuse it");
    return true;
  }
  xml.report.error(
      "urdf.joint.type-unknown", e.GetLineNum(), element,
      std::string("type '") + text + "' is not known; to mend: use revolute, continuous, prismatic, fixed, floating, planar or spherical");
  return false;
}

void readEnd(const XmlElement& e, const char* tag, XmlReader& xml, UrdfJoint& out, std::string& name, int& line) {
  std::string element = quoted("joint", out.name);
  line = out.line;
  const XmlElement* end = xml.single(e, tag, element);
  if (end != nullptr) line = end->GetLineNum();
  const char* link = end != nullptr ? end->Attribute("link") : nullptr;
  if (link == nullptr || *link == 0) {
    xml.report.error("urdf.joint.end-missing", line, element,
                     std::string("it names no ") + tag + " link; to mend: add <" + tag + " link=\"...\"/>");
    out.dropped = true;
    return;
  }
  xml.unused(*end, tag[0] == 'p' ? "<parent>" : "<child>", {}, {"link"});
  name = link;
}

bool usesAxis(dynamics::JointType t) {
  return t == dynamics::JointType::Revolute || t == dynamics::JointType::Continuous || t == dynamics::JointType::Prismatic ||
         t == dynamics::JointType::Planar;
}

void readAxis(const XmlElement& e, XmlReader& xml, UrdfJoint& out) {
  std::string element = quoted("joint", out.name) + "/axis";
  const XmlElement* axis = xml.single(e, "axis", quoted("joint", out.name));
  if (axis == nullptr) {
    if (usesAxis(out.type))
      xml.report.info("urdf.joint.axis-default", out.line, quoted("joint", out.name),
                      "it gives no axis; the format's default 1 0 0 is used");
    return;
  }
  if (!usesAxis(out.type)) {
    xml.report.tally("urdf.joint.axis-unused", dynamics::jointTypeName(out.type), axis->GetLineNum(),
                     std::string("the axis of a ") + dynamics::jointTypeName(out.type) + " joint has no meaning and was not used");
    return;
  }
  xml.unused(*axis, "<axis>", {}, {"xyz"});
  Vec3 a;
  if (!xml.vector(*axis, "xyz", element, Need::Required, a)) return;
  double norm = a.stableNorm();
  if (!(norm > 1e-9 && norm < 1e150)) {
    xml.report.repair("urdf.joint.axis-zero", axis->GetLineNum(), element,
                      "its length is " + formatNumber(norm) + ", which gives no direction", "1 0 0 is used",
                      "give a direction of length 1");
    return;
  }
  if (std::abs(norm - 1) > 1e-6)
    xml.report.warning(
        "urdf.joint.axis-not-unit", axis->GetLineNum(), element,
        "its length is " + formatNumber(norm) + ", not 1; the direction is kept and the length is not used; to mend: give a unit vector");
  out.axis = a / norm;
}

// Exporters write "0" for an unknown effort or velocity: it means unspecified, not "cannot move".
void readCapacity(const XmlElement& limit, const char* attribute, XmlReader& xml, const std::string& element, double& out) {
  int line = limit.GetLineNum();
  if (limit.Attribute(attribute) == nullptr) {
    xml.report.repair(std::string("urdf.limit.") + attribute + "-missing", line, element,
                      std::string("attribute ") + attribute + " is missing", "it is taken as unlimited", std::string("add ") + attribute);
    return;
  }
  double x = 0;
  if (!xml.limitNumber(limit, attribute, element, x)) return;
  if (x > 0) {
    out = x;
  } else if (x == 0) {
    xml.report.warning(std::string("urdf.limit.") + attribute + "-zero", line, element,
                       std::string(attribute) + "=\"0\" is read as unspecified, so without limit; to mend: give the real value");
  } else {
    xml.report.repair(std::string("urdf.limit.") + attribute + "-negative", line, element,
                      std::string(attribute) + " " + formatNumber(x) + " is negative", "it is taken as unlimited", "give a positive value");
  }
}

bool saysNothing(const XmlElement& limit, const char* attribute) {
  const char* value = limit.Attribute(attribute);
  double x = 0;
  return value == nullptr || (parseNumber(value, x) && x == 0);
}

void readRange(const XmlElement& limit, XmlReader& xml, const std::string& element, UrdfJoint& out) {
  int line = limit.GetLineNum();
  bool hasLower = limit.Attribute("lower") != nullptr, hasUpper = limit.Attribute("upper") != nullptr;
  double lower = 0, upper = 0;
  bool good = !hasLower || xml.limitNumber(limit, "lower", element, lower);
  good = (!hasUpper || xml.limitNumber(limit, "upper", element, upper)) && good;
  if (!good) return;
  bool oneAxis = out.type == dynamics::JointType::Revolute || out.type == dynamics::JointType::Prismatic;
  if (!oneAxis) {
    if (out.type == dynamics::JointType::Continuous && (lower != 0 || upper != 0))
      xml.report.warning("urdf.limit.continuous", line, element,
                         "a continuous joint turns without end, so lower and upper are not used; to mend: make it revolute or drop them");
    else if (out.type != dynamics::JointType::Continuous && (hasLower || hasUpper))
      xml.report.warning(
          "urdf.limit.range-unused", line, element,
          std::string("lower and upper have no meaning for a ") + dynamics::jointTypeName(out.type) + " joint and are not used");
    return;
  }
  if (!hasLower && !hasUpper) {
    xml.report.repair("urdf.limit.range-missing", line, element, "it gives neither lower nor upper",
                      "the joint moves without position limits", "add lower and upper, or make the joint continuous");
    return;
  }
  if (!hasLower || !hasUpper)
    xml.report.warning("urdf.limit.range-half", line, element,
                       std::string(hasLower ? "upper" : "lower") + " is missing; the format's default 0 is used; to mend: write it down");
  if (lower - upper == 1 && (lower == 0 || upper == 0)) {
    xml.report.repair("urdf.limit.range-reversed", line, element,
                      "lower " + formatNumber(lower) + " is above upper " + formatNumber(upper) + ", which Bullet takes for 'no limits'",
                      "the joint moves without position limits", "make the joint continuous or give the real range");
    return;
  }
  if (lower > upper) {
    xml.report.repair("urdf.limit.range-reversed", line, element, "lower " + formatNumber(lower) + " is above upper " + formatNumber(upper),
                      "they are exchanged", "exchange lower and upper");
    std::swap(lower, upper);
  } else if (lower == 0 && upper == 0 && saysNothing(limit, "effort") && saysNothing(limit, "velocity")) {
    xml.report.warning("urdf.limit.all-zero", line, element,
                       "all its numbers are 0, which is read as unspecified: the joint moves without limits; to mend: give the real "
                       "values, or make it fixed");
    return;
  } else if (lower == upper) {
    xml.report.warning(
        "urdf.limit.range-empty", line, element,
        "lower and upper are both " + formatNumber(lower) + ", so the joint cannot move; to mend: make it fixed or widen the range");
    if (!std::isfinite(lower)) return;
  }
  out.lower = lower;
  out.upper = upper;
}

void readLimit(const XmlElement& e, XmlReader& xml, UrdfJoint& out) {
  std::string element = quoted("joint", out.name) + "/limit";
  const XmlElement* limit = xml.single(e, "limit", quoted("joint", out.name));
  if (limit == nullptr) {
    if (out.type == dynamics::JointType::Revolute || out.type == dynamics::JointType::Prismatic)
      xml.report.repair("urdf.limit.missing", out.line, quoted("joint", out.name),
                        std::string("a ") + dynamics::jointTypeName(out.type) + " joint needs a <limit>", "it moves without limits",
                        out.type == dynamics::JointType::Revolute ? "add <limit lower= upper= effort= velocity=/> or make it continuous"
                                                                  : "add <limit lower= upper= effort= velocity=/>");
    return;
  }
  if (out.type == dynamics::JointType::Fixed) {
    xml.report.tally("urdf.limit.fixed", "fixed", limit->GetLineNum(), "the <limit> of a fixed joint has no meaning and was not used");
    return;
  }
  xml.unused(*limit, "<limit>", {}, {"lower", "upper", "effort", "velocity"});
  readRange(*limit, xml, element, out);
  if (out.type == dynamics::JointType::Planar || out.type == dynamics::JointType::Floating) {
    if (limit->Attribute("effort") != nullptr || limit->Attribute("velocity") != nullptr)
      xml.report.warning("urdf.limit.units", limit->GetLineNum(), element,
                         std::string("effort and velocity of a ") + dynamics::jointTypeName(out.type) +
                             " joint would mix lengths and angles and are not used; to mend: build it from prismatic and revolute joints");
    return;
  }
  readCapacity(*limit, "effort", xml, element, out.effort);
  readCapacity(*limit, "velocity", xml, element, out.velocity);
}

void readDynamics(const XmlElement& e, XmlReader& xml, UrdfJoint& out) {
  std::string element = quoted("joint", out.name) + "/dynamics";
  const XmlElement* d = xml.single(e, "dynamics", quoted("joint", out.name));
  if (d == nullptr) return;
  xml.unused(*d, "<dynamics>", {}, {"damping", "friction"});
  if (d->Attribute("damping") == nullptr && d->Attribute("friction") == nullptr)
    xml.report.repair("urdf.dynamics.empty", d->GetLineNum(), element, "it gives neither damping nor friction", "both are 0",
                      "add damping or friction, or drop the element");
  const std::pair<const char*, double*> values[] = {{"damping", &out.damping}, {"friction", &out.friction}};
  for (const auto& [attribute, value] : values) {
    double x = 0;
    if (!xml.number(*d, attribute, element, Need::Optional, x)) continue;
    if (x < 0)
      xml.report.repair("urdf.dynamics.negative", d->GetLineNum(), element,
                        std::string(attribute) + " " + formatNumber(x) + " is negative and would feed energy in", "it is taken as 0",
                        "give a value of at least 0");
    else
      *value = x;
  }
  if (out.type == dynamics::JointType::Fixed && (out.damping != 0 || out.friction != 0))
    xml.report.tally("urdf.dynamics.fixed", "fixed", d->GetLineNum(), "the <dynamics> of a fixed joint has no meaning and was not used");
}

void readMimic(const XmlElement& e, XmlReader& xml, UrdfJoint& out) {
  std::string element = quoted("joint", out.name) + "/mimic";
  const XmlElement* m = xml.single(e, "mimic", quoted("joint", out.name));
  if (m == nullptr) return;
  xml.unused(*m, "<mimic>", {}, {"joint", "multiplier", "offset"});
  out.mimicLine = m->GetLineNum();
  const char* master = m->Attribute("joint");
  if (master == nullptr || *master == 0) {
    xml.report.repair("urdf.mimic.joint-missing", out.mimicLine, element, "it names no joint", "the joint moves by itself",
                      "add joint=\"...\"");
    return;
  }
  out.mimicName = master;
  xml.number(*m, "multiplier", element, Need::Optional, out.mimic.multiplier);
  xml.number(*m, "offset", element, Need::Optional, out.mimic.offset);
}

void readSafety(const XmlElement& e, XmlReader& xml, UrdfJoint& out) {
  std::string element = quoted("joint", out.name) + "/safety_controller";
  const XmlElement* s = xml.single(e, "safety_controller", quoted("joint", out.name));
  if (s == nullptr) return;
  xml.unused(*s, "<safety_controller>", {}, {"soft_lower_limit", "soft_upper_limit", "k_position", "k_velocity"});
  out.hasSafety = true;
  xml.number(*s, "soft_lower_limit", element, Need::Optional, out.safetyLower);
  xml.number(*s, "soft_upper_limit", element, Need::Optional, out.safetyUpper);
  xml.number(*s, "k_position", element, Need::Optional, out.safetyKPosition);
  if (s->Attribute("k_velocity") == nullptr)
    xml.report.repair("urdf.safety.k-velocity-missing", s->GetLineNum(), element, "attribute k_velocity is missing", "it is taken as 0",
                      "add k_velocity");
  else
    xml.number(*s, "k_velocity", element, Need::Optional, out.safetyKVelocity);
}

}  // namespace

bool readJoint(const XmlElement& e, XmlReader& xml, UrdfJoint& out) {
  std::string element = quoted("joint", out.name);
  if (!readType(e, xml, element, out.type)) return false;
  xml.unused(e, "<joint>", {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "safety_controller"}, {"name", "type"});
  readOrigin(e, xml, element, out.origin);
  readEnd(e, "parent", xml, out, out.parentName, out.parentLine);
  readEnd(e, "child", xml, out, out.childName, out.childLine);
  readAxis(e, xml, out);
  readLimit(e, xml, out);
  readDynamics(e, xml, out);
  readMimic(e, xml, out);
  readSafety(e, xml, out);
  return true;
}

}  // namespace vertebra
