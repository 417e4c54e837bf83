// See read.hpp.
#include "loaders/scene/read.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "engine/math/rotation.hpp"
#include "loaders/scene/expression.hpp"
#include "loaders/scene/spelling.hpp"
#include "loaders/scene/values.hpp"
#include "loaders/xml_text.hpp"

namespace vertebra::scene {
namespace {

namespace fs = std::filesystem;
using Xml = tinyxml2::XMLElement;

struct Place {  // where an element stands
  std::shared_ptr<const std::string> file;
  std::string folder, prefix;
  Pose placement;
  Variables variables;
  bool own = true;
  int index = -1;
};

std::string tag(const char* name) { return std::string("<") + name + ">"; }

std::string hint(const std::string& wanted, const std::vector<std::string>& known) {
  const std::string near = suggestion(wanted, known);
  return (near.empty() ? "." : near) + " ";
}

Pose poseOf(const double* p) { return {Vec3(p[0], p[1], p[2]), unit(Quat(p[6], p[3], p[4], p[5]))}; }

class Reader {
 public:
  explicit Reader(Report& report) : report_(report) {}

  bool readFile(const std::string& text, const ElementRule& rule, Place place, Element* root, std::vector<Element>& out) {
    tinyxml2::XMLDocument document;
    XmlFault fault;
    if (!parseXml(text, rule.name, document, fault)) {
      report_.error((std::string("scene.") + fault.kind).c_str(), *place.file, fault.line, rule.name, fault.message);
      return false;
    }
    const Xml& xml = *document.RootElement();
    if (std::strcmp(xml.Name(), rule.name) != 0) {
      report_.error(
          "scene.root", *place.file, xml.GetLineNum(), xml.Name(),
          "the outermost element is " + tag(xml.Name()) + ", not " + tag(rule.name) +
              (std::strcmp(xml.Name(), "robot") == 0 ? "; this is a URDF; to mend: name it in a <figure>" : "; to mend: give a scene"));
      return false;
    }
    Element own = readElement(xml, rule, place);
    complete_ = complete_ && own.sound;
    readChildren(xml, rule, rule, place, out);
    if (root) *root = std::move(own);
    return true;
  }

 private:
  Element readElement(const Xml& xml, const ElementRule& rule, const Place& place) {
    Element e;
    e.rule = &rule;
    e.file = place.file;
    e.line = xml.GetLineNum();
    e.index = place.index;
    e.own = place.own;
    e.placement = place.placement;
    e.values = rule.make();
    e.given.assign(rule.attributes.size(), false);
    const std::size_t told = report_.size();
    for (const tinyxml2::XMLAttribute* a = xml.FirstAttribute(); a != nullptr; a = a->Next()) {
      const AttributeRule* known = rule.attribute(a->Name());
      if (known == nullptr) {
        std::vector<std::string> names;
        for (const AttributeRule& r : rule.attributes) names.emplace_back(r.name);
        report_.error("scene.attribute.unknown", *place.file, a->GetLineNum(), rule.name,
                      std::string("attribute '") + a->Name() + "' is not known here" + hint(a->Name(), names) + tag(rule.name) +
                          (names.empty() ? " takes no attributes" : " takes " + list(names)));
        continue;
      }
      std::string text;
      std::string problem = substitute(a->Value(), place.variables, text);
      const char* code = problem.empty() ? "scene.value.invalid" : "scene.expression.invalid";
      if (problem.empty()) problem = readValue(*known, text, place.prefix, place.folder, e.values.get());
      if (!problem.empty()) report_.error(code, *place.file, a->GetLineNum(), e.label(), problem);
      e.given[static_cast<std::size_t>(known - rule.attributes.data())] = true;
    }
    for (std::size_t i = 0; i < rule.attributes.size(); i++)
      if (rule.attributes[i].required && !e.given[i])
        report_.error("scene.attribute.missing", *place.file, e.line, e.label(),
                      std::string("attribute ") + rule.attributes[i].name + " is missing; to mend: add " + rule.attributes[i].name +
                          "=\"...\", " + takes(rule.attributes[i]));
    e.sound = report_.size() == told;
    return e;
  }

  // `allowed` are the children of this rule; `scene` is the rule of whole files.
  void readChildren(const Xml& xml, const ElementRule& allowed, const ElementRule& scene, const Place& place, std::vector<Element>& out) {
    int index = -1;
    for (const tinyxml2::XMLNode* node = xml.FirstChild(); node != nullptr && !full_; node = node->NextSibling()) {
      if (node->ToText() != nullptr)
        report_.error("scene.text", *place.file, node->GetLineNum(), xml.Name(),
                      "text between elements has no meaning here; to mend: make it a comment, <!-- ... -->");
      const Xml* child = node->ToElement();
      if (child == nullptr) continue;
      index++;
      Place here = place;
      here.index = index;
      if (const ElementRule* rule = find(*child, allowed, place)) readChild(*child, *rule, allowed, scene, here, out);
    }
  }

  const ElementRule* find(const Xml& child, const ElementRule& allowed, const Place& place) {
    std::vector<std::string> names;
    for (const ElementRule* rule : allowed.children) {
      if (std::strcmp(rule->name, child.Name()) == 0) return rule;
      names.emplace_back(rule->name);
    }
    if (!names.empty()) {
      if (std::strcmp(kRepeat.name, child.Name()) == 0) return &kRepeat;
      names.emplace_back(kRepeat.name);
    }
    report_.error("scene.element.unknown", *place.file, child.GetLineNum(), child.Name(),
                  tag(child.Name()) + " is not known in " + tag(allowed.name) + hint(child.Name(), names) + tag(allowed.name) +
                      (names.empty() ? " takes no elements" : " takes " + list(names)));
    complete_ = false;
    return nullptr;
  }

  void readChild(const Xml& xml, const ElementRule& rule, const ElementRule& allowed, const ElementRule& scene, const Place& place,
                 std::vector<Element>& out) {
    if (++elements_ > kMostElements) {
      if (!full_)
        report_.error("scene.too-large", *place.file, xml.GetLineNum(), rule.name,
                      "with repetitions and includes there are more than " + std::to_string(kMostElements) + " elements");
      full_ = true;
      return;
    }
    Element e = readElement(xml, rule, place);
    switch (rule.role) {
      case Role::Plain:
        readSound(xml, rule, scene, place, e);
        out.push_back(std::move(e));
        break;
      case Role::Include:
        readChildren(xml, rule, scene, place, e.children);
        include(e, scene, place, out);
        break;
      case Role::Repeat:
        repeat(xml, e, allowed, scene, place, out);
        break;
    }
  }

  // What is missing in an element makes it unsound, but not the whole.
  void readSound(const Xml& xml, const ElementRule& rule, const ElementRule& scene, const Place& place, Element& e) {
    const bool complete = complete_;
    const std::size_t told = report_.size();
    readChildren(xml, rule, scene, place, e.children);
    e.sound = e.sound && report_.size() == told;
    complete_ = complete;
  }

  void repeat(const Xml& xml, const Element& e, const ElementRule& allowed, const ElementRule& scene, const Place& place,
              std::vector<Element>& out) {
    const RepeatValues& r = e.as<RepeatValues>();
    complete_ = complete_ && e.sound;
    if (r.count < 0 || r.count > kMostElements) {
      report_.error("scene.value.invalid", e, "count is " + std::to_string(r.count) + ", must be 0 to " + std::to_string(kMostElements));
      return;
    }
    Place inside = place;
    inside.own = false;
    inside.variables.emplace_back(r.variable, 0);
    for (std::int32_t i = 0; i < r.count && !full_; i++) {
      if (++elements_ > kMostElements) full_ = true;
      inside.variables.back().second = static_cast<double>(r.from) + i;
      const std::size_t told = report_.size();
      readChildren(xml, allowed, scene, inside, out);
      if (report_.size() > told) {  // the others have the same to tell
        complete_ = false;
        return;
      }
    }
    if (full_)
      report_.error("scene.too-large", e,
                    "with repetitions and includes there are more than " + std::to_string(kMostElements) + " elements");
  }

  void include(const Element& e, const ElementRule& scene, const Place& place, std::vector<Element>& out) {
    const IncludeValues& values = e.as<IncludeValues>();
    complete_ = complete_ && e.sound;
    if (values.file.empty()) return;  // told already
    const auto refuse = [&](const char* code, const std::string& what) {
      report_.error(code, e, "'" + values.file + "': " + what);
      complete_ = false;
    };
    std::error_code none;
    const fs::path canonical = fs::weakly_canonical(values.file, none);
    if (std::find(open_.begin(), open_.end(), canonical) != open_.end() || canonical == first_) {
      refuse("scene.include.cycle", "it includes itself, directly or through others; to mend: take one of the includes out");
      return;
    }
    if (open_.size() >= kDeepestInclude || ++includes_ > kMostIncludes) {
      if (!full_)
        refuse("scene.include.too-many", "includes are nested more than " + std::to_string(kDeepestInclude) +
                                             " deep, or there are more than " + std::to_string(kMostIncludes));
      full_ = full_ || includes_ > kMostIncludes;
      return;
    }
    std::string text;
    if (const std::string problem = readXmlFile(values.file, text); !problem.empty()) {
      refuse("scene.include.unreadable", problem);
      return;
    }
    Place inside = place;
    inside.file = std::make_shared<const std::string>(values.file);
    inside.folder = fs::path(values.file).parent_path().string();
    inside.prefix = place.prefix + values.prefix;
    inside.placement = place.placement * poseOf(values.pose);
    inside.own = false;
    inside.variables.clear();
    open_.push_back(canonical);
    if (!readFile(text, scene, inside, nullptr, out)) complete_ = false;
    open_.pop_back();
  }

  Report& report_;
  std::vector<fs::path> open_;  // included files being read
  int elements_ = 0, includes_ = 0;
  bool full_ = false, complete_ = true;

 public:
  fs::path first_;
  bool complete() const { return complete_ && !full_; }
};

}  // namespace

bool readScene(const std::string& text, const std::string& path, const ElementRule& root, Report& report, Element& out) {
  Reader reader(report);
  Place place;
  place.file = std::make_shared<const std::string>(path);
  place.folder = fs::path(path).parent_path().string();
  std::error_code none;
  reader.first_ = fs::weakly_canonical(path, none);
  std::vector<Element> children;
  const bool read = reader.readFile(text, root, place, &out, children);
  out.children = std::move(children);
  out.sound = reader.complete();
  return read;
}

}  // namespace vertebra::scene
