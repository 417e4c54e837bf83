// See xml.hpp.
#include "loaders/urdf/xml.hpp"

#include <cmath>
#include <cstring>

namespace vertebra {

const XmlElement* openUrdf(const std::string& text, tinyxml2::XMLDocument& document, UrdfReport& report) {
  XmlFault fault;
  if (!parseXml(text, "robot", document, fault)) {
    report.error(std::string("urdf.") + fault.kind, fault.line, "robot", fault.message);
    return nullptr;
  }
  const XmlElement* root = document.RootElement();
  if (std::strcmp(root->Name(), "robot") != 0) {
    bool sdf = std::strcmp(root->Name(), "sdf") == 0 || std::strcmp(root->Name(), "gazebo") == 0;
    report.error("urdf.robot.missing", root->GetLineNum(), "robot",
                 std::string("the outermost element is <") + root->Name() + ">, not <robot>" + (sdf ? "; this is SDF" : "") +
                     "; to mend: give a URDF");
    return nullptr;
  }
  return root;
}

bool XmlReader::expression(const XmlElement& e, const char* attribute, const char* value, const std::string& element) {
  if (std::strstr(value, "${") == nullptr && std::strstr(value, "$(") == nullptr) return false;
  report.error("urdf.xacro.expression", e.GetLineNum(), element,
               std::string("attribute ") + attribute + " holds an unexpanded xacro expression '" + value +
                   "'; to mend: run xacro on the file and load its output");
  return true;
}

bool XmlReader::numbers(const XmlElement& e, const char* attribute, const std::string& element, Need need, int n, double* out) {
  const char* value = e.Attribute(attribute);
  if (value == nullptr) {
    if (need == Need::Required)
      report.error("urdf.attribute.missing", e.GetLineNum(), element,
                   std::string("attribute ") + attribute + " is missing; to mend: add " + attribute + "=\"...\"");
    return false;
  }
  if (expression(e, attribute, value, element)) return false;
  double read[8];
  int count = 0;
  std::string_view rest = value;
  bool good = true;
  for (std::string_view word = takeWord(rest); !word.empty() && good; word = takeWord(rest)) {
    double x = 0;
    good = parseNumber(word, x) && std::isfinite(x);
    if (good && count < n) read[count] = x;
    ++count;
  }
  if (!good || count != n) {
    std::string shown(value);
    if (shown.size() > 60) shown = shown.substr(0, 60) + "...";
    report.error("urdf.number.invalid", e.GetLineNum(), element,
                 std::string("attribute ") + attribute + "=\"" + shown + "\" is not " +
                     (n == 1 ? "a finite number" : std::to_string(n) + " finite numbers") +
                     "; to mend: write decimal numbers with a point, separated by blanks");
    return false;
  }
  for (int i = 0; i < n; ++i) out[i] = read[i];
  return true;
}

bool XmlReader::number(const XmlElement& e, const char* attribute, const std::string& element, Need need, double& out) {
  return numbers(e, attribute, element, need, 1, &out);
}

bool XmlReader::limitNumber(const XmlElement& e, const char* attribute, const std::string& element, double& out) {
  const char* value = e.Attribute(attribute);
  double x = 0;
  if (value != nullptr && parseNumber(value, x) && std::abs(x) >= kNoLimit) {
    out = x > 0 ? kInf : -kInf;
    return true;
  }
  return number(e, attribute, element, Need::Optional, out);
}

const XmlElement* XmlReader::single(const XmlElement& parent, const char* name, const std::string& element) {
  const XmlElement* first = parent.FirstChildElement(name);
  if (first == nullptr) return nullptr;
  if (const XmlElement* second = first->NextSiblingElement(name))
    report.repair("urdf.element.repeated", second->GetLineNum(), element + "/" + name,
                  std::string("<") + name + "> is given more than once", "the first one is used", "keep one");
  return first;
}

void XmlReader::unused(const XmlElement& e, const char* where, std::initializer_list<const char*> children,
                       std::initializer_list<const char*> attributes) {
  auto known = [](const char* name, std::initializer_list<const char*> list) {
    for (const char* k : list)
      if (std::strcmp(k, name) == 0) return true;
    return false;
  };
  for (const XmlElement* c = e.FirstChildElement(); c != nullptr; c = c->NextSiblingElement()) {
    if (known(c->Name(), children)) continue;
    std::string tag = std::string("<") + c->Name() + ">";
    if (std::strncmp(c->Name(), "xacro:", 6) == 0)
      report.repair("urdf.xacro.element", c->GetLineNum(), c->Name(), "an unexpanded xacro element " + tag, "it is left out",
                    "run xacro on the file and load its output");
    else
      report.tally("urdf.element.unused", std::string(where) + tag, c->GetLineNum(),
                   tag + " in " + where + " is not part of what is simulated and was not used");
  }
  for (const tinyxml2::XMLAttribute* a = e.FirstAttribute(); a != nullptr; a = a->Next()) {
    if (known(a->Name(), attributes) || std::strncmp(a->Name(), "xmlns", 5) == 0) continue;
    report.tally("urdf.attribute.unused", std::string(where) + " " + a->Name(), a->GetLineNum(),
                 std::string("attribute ") + a->Name() + " of " + where + " is not known and was not used");
  }
}

}  // namespace vertebra
