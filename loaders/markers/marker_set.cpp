// Marker sets; see markers.hpp.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "loaders/markers/markers.hpp"
#include "loaders/scene/spelling.hpp"
#include "loaders/xml_text.hpp"

namespace vertebra {

bool loadMarkerSet(const std::string& path, const std::vector<std::string>& joints, std::vector<figure::MarkerPlace>& out,
                   Diagnostics& diagnostics) {
  std::vector<std::string> names;
  const auto error = [&](const char* code, int line, const std::string& element, const std::string& message) {
    diagnostics.add(Severity::Error, code, path, line, element, message);
    return false;
  };
  std::string text;
  tinyxml2::XMLDocument document;
  XmlFault fault;
  if (const std::string wrong = readXmlFile(path, text); !wrong.empty()) return error("markers.file", 0, "", wrong);
  if (!parseXml(text, "markers", document, fault)) return error("markers.xml", fault.line, "", fault.message);
  const tinyxml2::XMLElement& root = *document.RootElement();
  if (std::strcmp(root.Name(), "markers") != 0)
    return error("markers.element", root.GetLineNum(), root.Name(), "the root of a marker set is <markers>");
  const std::vector<std::string> attributes = {"name", "joint", "offset"};
  for (const tinyxml2::XMLElement* e = root.FirstChildElement(); e; e = e->NextSiblingElement()) {
    const int line = e->GetLineNum();
    if (std::strcmp(e->Name(), "marker") != 0) return error("markers.element", line, e->Name(), "only <marker> stands in <markers>");
    for (const tinyxml2::XMLAttribute* a = e->FirstAttribute(); a; a = a->Next())
      if (std::find(attributes.begin(), attributes.end(), a->Name()) == attributes.end())
        return error("markers.attribute", line, a->Name(), "unknown attribute" + scene::suggestion(a->Name(), attributes));
    const char *name = e->Attribute("name"), *joint = e->Attribute("joint"), *offset = e->Attribute("offset");
    if (!name || !joint || !*name) return error("markers.attribute", line, "marker", "it needs a name and a joint");
    figure::MarkerPlace place{name, joint, Vec3::Zero()};
    const std::string element = "marker '" + place.name + "'";
    if (place.name.find_first_of("\t\r\n") != std::string::npos)
      return error("markers.name", line, element, "a name has no tabs or line ends");
    if (std::find(names.begin(), names.end(), place.name) != names.end())
      return error("markers.name", line, element, "another marker has this name");
    if (std::find(joints.begin(), joints.end(), place.joint) == joints.end())
      return error("markers.joint", line, element, "there is no joint '" + place.joint + "'" + scene::suggestion(place.joint, joints));
    std::string_view rest = offset ? offset : "0 0 0";
    for (int k = 0; k < 3; k++)
      if (!parseNumber(takeWord(rest), place.offset[k]) || !(std::fabs(place.offset[k]) < 1e6))
        return error("markers.offset", line, element, "the offset needs three numbers of metres, as in \"0.05 0 0\"");
    if (!trimmed(rest).empty()) return error("markers.offset", line, element, "the offset has more than three numbers");
    names.push_back(place.name);
    out.push_back(place);
  }
  if (out.empty()) return error("markers.element", root.GetLineNum(), "markers", "there is no <marker> in it");
  return true;
}

}  // namespace vertebra
