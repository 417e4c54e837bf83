// See map.hpp.
#include "loaders/retarget/map.hpp"

#include <algorithm>
#include <cstring>

#include "loaders/scene/spelling.hpp"
#include "loaders/xml_text.hpp"

namespace vertebra {

namespace {

using retarget::Role;
using Xml = tinyxml2::XMLElement;

const char* kMapRoot = "retarget_map";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  return out;
}

class RoleMapReader {
 public:
  RoleMapReader(const std::string& file, retarget::RoleMap& out, Diagnostics& diagnostics)
      : file_(file), out_(out), diagnostics_(diagnostics) {
    for (const char* name : retarget::kRoleNames) roles_.emplace_back(name);
  }

  void read(const Xml& root) {
    if (std::strcmp(root.Name(), kMapRoot) != 0)
      return error("root", root.GetLineNum(), root.Name(),
                   std::string("the outermost element is <") + root.Name() + ">, not <retarget_map>");
    for (const tinyxml2::XMLAttribute* a = root.FirstAttribute(); a != nullptr; a = a->Next())
      error("attribute", a->GetLineNum(), kMapRoot, std::string("<retarget_map> takes no attribute '") + a->Name() + "'");
    for (const tinyxml2::XMLNode* node = root.FirstChild(); node != nullptr; node = node->NextSibling()) {
      if (node->ToText() != nullptr) error("text", node->GetLineNum(), kMapRoot, "text between elements has no meaning here");
      if (const Xml* child = node->ToElement()) readRole(*child);
    }
  }

 private:
  void error(const char* code, int line, const std::string& element, const std::string& message) {
    diagnostics_.add(Severity::Error, std::string("retarget-map.") + code, file_, line, element, message);
  }

  void readRole(const Xml& xml) {
    const int line = xml.GetLineNum();
    if (std::strcmp(xml.Name(), "role") != 0)
      return error("element", line, xml.Name(),
                   std::string("element <") + xml.Name() + "> is not known here" + scene::suggestion(xml.Name(), {"role"}) +
                       " <retarget_map> holds <role>");
    const char *name = nullptr, *joint = nullptr, *link = nullptr;
    for (const tinyxml2::XMLAttribute* a = xml.FirstAttribute(); a != nullptr; a = a->Next()) {
      const std::string key = a->Name();
      if (key == "name")
        name = a->Value();
      else if (key == "joint")
        joint = a->Value();
      else if (key == "link")
        link = a->Value();
      else
        error("attribute", a->GetLineNum(), "role",
              "attribute '" + key + "' is not known here" + scene::suggestion(key, {"name", "joint", "link"}) +
                  " <role> takes name, joint, link");
    }
    if (xml.FirstChild() != nullptr) error("text", line, "role", "<role> holds nothing but its attributes");
    if (name == nullptr) return error("attribute", line, "role", "attribute name is missing; roles are " + scene::list(roles_));
    const auto known = std::find(roles_.begin(), roles_.end(), name);
    if (known == roles_.end())
      return error("role", line, "role",
                   std::string("role '") + name + "' is not known" + scene::suggestion(name, roles_) + " Roles are " + scene::list(roles_));
    const Role role = static_cast<Role>(known - roles_.begin());
    if (out_.line[role] > 0) return error("twice", line, name, "the role stands in line " + std::to_string(out_.line[role]) + " already");
    if (joint == nullptr && link == nullptr) return error("attribute", line, name, "neither joint nor link is given");
    out_.line[role] = line;
    if (joint != nullptr) out_.joint[role] = joint;
    if (link != nullptr) out_.link[role] = link;
  }

  const std::string& file_;
  retarget::RoleMap& out_;
  Diagnostics& diagnostics_;
  std::vector<std::string> roles_;
};

}  // namespace

bool parseRetargetMap(const std::string& text, const std::string& file, retarget::RoleMap& out, Diagnostics& diagnostics) {
  tinyxml2::XMLDocument document;
  XmlFault fault;
  if (!parseXml(text, kMapRoot, document, fault)) {
    diagnostics.add(Severity::Error, std::string("retarget-map.") + fault.kind, file, fault.line, kMapRoot, fault.message);
    return false;
  }
  retarget::RoleMap map;
  map.file = file;
  RoleMapReader(file, map, diagnostics).read(*document.RootElement());
  if (diagnostics.hasErrors()) return false;
  out = std::move(map);
  return true;
}

std::string writeRetargetMap(const retarget::RoleMap& map) {
  std::string out =
      "<?xml version=\"1.0\"?>\n<!-- joint: of the motion; link: of the figure; what is left out is found by name or shape -->\n";
  out += "<retarget_map>\n";
  for (int r = 0; r < retarget::kRoles; r++) {
    const Role role = static_cast<Role>(r);
    if (map.joint[role].empty() && map.link[role].empty()) continue;
    out += std::string("  <role name=\"") + nameOf(role) + "\"";
    if (!map.joint[role].empty()) out += " joint=\"" + escaped(map.joint[role]) + "\"";
    if (!map.link[role].empty()) out += " link=\"" + escaped(map.link[role]) + "\"";
    out += "/>\n";
  }
  return out + "</retarget_map>\n";
}

void checkRetargetMap(const retarget::RoleMap& map, const std::vector<std::string>& joints, const std::vector<std::string>& links,
                      Diagnostics& diagnostics) {
  const auto check = [&](Role role, const std::string& name, const std::vector<std::string>& known, const char* what) {
    if (name.empty() || std::find(known.begin(), known.end(), name) != known.end()) return;
    diagnostics.add(Severity::Error, "retarget-map.name", map.file.empty() ? "map" : map.file, map.line[role], nameOf(role),
                    std::string(what) + " '" + name + "'" + scene::suggestion(name, known));
  };
  for (int r = 0; r < retarget::kRoles; r++) {
    const Role role = static_cast<Role>(r);
    check(role, map.joint[role], joints, "the motion has no joint");
    check(role, map.link[role], links, "the figure has no link");
  }
}

}  // namespace vertebra
