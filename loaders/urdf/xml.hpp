// XML of a URDF file: opens it and reports each reason for rejection itself; looks up attributes and children and reports what is repeated
// or not supported.
#pragma once
#include <tinyxml2.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "engine/math/types.hpp"
#include "loaders/urdf/report.hpp"
#include "loaders/xml_text.hpp"

namespace vertebra {

using XmlElement = tinyxml2::XMLElement;

// Files write limits as large as this for "none".
inline constexpr double kNoLimit = 1e16;

// Null and an error in the report when the text is not a URDF.
const XmlElement* openUrdf(const std::string& text, tinyxml2::XMLDocument& document, UrdfReport& report);

enum class Need { Optional, Required };

// The readers below leave `out` unchanged and return false when the attribute is absent (Required: an error) or unreadable (an error).
// `element` names the element in messages. Values that are not finite are errors.
class XmlReader {
 public:
  explicit XmlReader(UrdfReport& r) : report(r) {}
  bool number(const XmlElement& e, const char* attribute, const std::string& element, Need need, double& out);
  bool limitNumber(const XmlElement& e, const char* attribute, const std::string& element, double& out);  // beyond kNoLimit: infinite
  bool numbers(const XmlElement& e, const char* attribute, const std::string& element, Need need, int n, double* out);
  bool vector(const XmlElement& e, const char* attribute, const std::string& element, Need need, Vec3& out) {
    return numbers(e, attribute, element, need, 3, out.data());
  }
  // First child with a name; further ones are a finding of their own.
  const XmlElement* single(const XmlElement& parent, const char* name, const std::string& element);
  // Reports children and attributes outside the lists. `where` names the kind of place, e.g. "<link>".
  void unused(const XmlElement& e, const char* where, std::initializer_list<const char*> children,
              std::initializer_list<const char*> attributes);

  UrdfReport& report;

 private:
  bool expression(const XmlElement& e, const char* attribute, const char* value, const std::string& element);
};

}  // namespace vertebra
