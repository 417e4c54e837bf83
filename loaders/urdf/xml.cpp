// See xml.hpp.
#include "loaders/urdf/xml.hpp"

#include <charconv>
#include <cmath>
#include <cstring>

namespace vertebra {

namespace {

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && isBlank(s.front())) s.remove_prefix(1);
  while (!s.empty() && isBlank(s.back())) s.remove_suffix(1);
  return s;
}

// from_chars reports overflow and underflow alike; an underflow is a zero as good as any.
bool isUnderflow(std::string_view s) {
  std::size_t e = s.find_first_of("eE");
  if (e != std::string_view::npos) return e + 1 < s.size() && s[e + 1] == '-';
  return s.find('.') != std::string_view::npos && s.substr(0, s.find('.')).find_first_of("123456789") == std::string_view::npos;
}

// Guards against XML that costs more than its size: the parser looks at all earlier attributes of a tag for each one, and
// keeps some hundred bytes an element. Returns a line, 0 when all is well.
int tooManyTagsOrAttributes(const std::string& text) {
  constexpr int kMostTags = 1000000, kMostAttributes = 256;
  int line = 1, tags = 0;
  auto skipTo = [&](std::size_t from, const char* mark) {
    std::size_t end = text.find(mark, from);
    if (end == std::string::npos) end = text.size();
    for (std::size_t i = from; i < end; ++i) line += text[i] == '\n';
    return end;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') ++line;
    if (text[i] != '<') continue;
    if (text.compare(i, 4, "<!--") == 0) {
      i = skipTo(i, "-->");
    } else if (text.compare(i, 9, "<![CDATA[") == 0) {
      i = skipTo(i, "]]>");
    } else {
      if (++tags > kMostTags) return line;
      int attributes = 0;
      char quote = 0;
      for (++i; i < text.size() && (quote != 0 || text[i] != '>'); ++i) {
        char c = text[i];
        if (c == '\n') ++line;
        if (quote != 0) {
          if (c == quote) quote = 0;
        } else if (c == '"' || c == '\'') {
          quote = c;
        } else if (c == '=' && ++attributes > kMostAttributes) {
          return line;
        }
      }
    }
  }
  return 0;
}

std::string xmlProblem(tinyxml2::XMLError e) {
  using namespace tinyxml2;
  switch (e) {
    case XML_ERROR_EMPTY_DOCUMENT:
      return "the file holds no XML element";
    case XML_ERROR_MISMATCHED_ELEMENT:
      return "a closing tag does not match the tag that is open, or the file is cut short";
    case XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute is malformed (name=\"value\" expected) or given twice";
    case XML_ERROR_PARSING_ELEMENT:
      return "a tag is malformed or not closed";
    case XML_ERROR_PARSING_COMMENT:
      return "a comment is not closed by -->";
    case XML_ERROR_PARSING_CDATA:
      return "a CDATA section is not closed by ]]>";
    case XML_ERROR_PARSING_DECLARATION:
      return "the <?xml ...?> declaration is malformed or not at the start";
    case XML_ERROR_PARSING_UNKNOWN:
      return "a <!...> section is not closed";
    case XML_ERROR_PARSING_TEXT:
      return "text outside any element, or not closed";
    case XML_ELEMENT_DEPTH_EXCEEDED:
      return "elements are nested more than 100 deep";
    default:
      return "not well-formed XML";
  }
}

}  // namespace

bool parseNumber(std::string_view text, double& out) {
  std::string_view s = trimmed(text);
  if (!s.empty() && s.front() == '+') {
    s.remove_prefix(1);
    if (!s.empty() && s.front() == '-') return false;
  }
  if (s.empty()) return false;
  double value = 0;
  auto [end, ec] = std::from_chars(s.data(), s.data() + s.size(), value);
  if (end != s.data() + s.size()) return false;
  if (ec == std::errc::result_out_of_range) {
    if (!isUnderflow(s)) return false;
    value = 0;
  } else if (ec != std::errc()) {
    return false;
  }
  out = value;
  return true;
}

std::string formatNumber(double x) {
  char buffer[32];
  auto r = std::to_chars(buffer, buffer + sizeof buffer, x);
  return std::string(buffer, r.ptr);
}

const XmlElement* openUrdf(const std::string& text, tinyxml2::XMLDocument& document, UrdfReport& report) {
  auto refuse = [&](const char* code, int line, const std::string& message) {
    report.error(code, line, "robot", message);
    return nullptr;
  };
  if (text.size() > kUrdfLargestText)
    return refuse("urdf.file.too-large", 0,
                  "the text has " + std::to_string(text.size()) + " bytes, more than " + std::to_string(kUrdfLargestText) +
                      "; to mend: keep geometry in mesh files");
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    return refuse("urdf.file.empty", 0, "the file is empty; to mend: give a URDF with a <robot> element");
  if (std::memchr(text.data(), 0, text.size()) != nullptr)
    return refuse("urdf.file.binary", 0, "the file holds zero bytes, so it is binary or UTF-16; to mend: save it as UTF-8 text");
  if (int line = tooManyTagsOrAttributes(text))
    return refuse("urdf.file.too-large", line, "more than a million elements, or more than 256 attributes in one; to mend: split the file");
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS)
    return refuse("urdf.xml.malformed", document.ErrorLineNum(),
                  xmlProblem(document.ErrorID()) + "; to mend: check the XML near this line (an XML editor or xmllint shows the place)");
  const XmlElement* root = document.RootElement();
  if (root == nullptr) return refuse("urdf.file.empty", 0, "the file holds no XML element; to mend: give a URDF with a <robot> element");
  if (std::strcmp(root->Name(), "robot") != 0) {
    bool sdf = std::strcmp(root->Name(), "sdf") == 0 || std::strcmp(root->Name(), "gazebo") == 0;
    return refuse("urdf.robot.missing", root->GetLineNum(),
                  std::string("the outermost element is <") + root->Name() + ">, not <robot>" + (sdf ? "; this is SDF" : "") +
                      "; to mend: give a URDF");
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
  std::string_view rest = trimmed(value);
  bool good = true;
  while (!rest.empty() && good) {
    std::size_t end = 0;
    while (end < rest.size() && !isBlank(rest[end])) ++end;
    double x = 0;
    good = parseNumber(rest.substr(0, end), x) && std::isfinite(x);
    if (good && count < n) read[count] = x;
    ++count;
    rest = trimmed(rest.substr(end));
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
