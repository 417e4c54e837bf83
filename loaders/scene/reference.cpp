// See reference.hpp.
#include "loaders/scene/reference.hpp"

#include "loaders/scene/values.hpp"

namespace vertebra::scene {
namespace {

struct Section {
  const ElementRule* rule;
  std::string heading;
};

// Every rule once, each before what stands in it for the first time; of a name that is there already the heading says where.
void collect(const ElementRule& rule, const char* parent, std::vector<Section>& out) {
  std::string heading = rule.name;
  for (const Section& s : out) {
    if (s.rule == &rule) return;
    if (s.heading == rule.name) heading = std::string(rule.name) + " in " + parent;
  }
  out.push_back({&rule, heading});
  for (const ElementRule* child : rule.children) collect(*child, rule.name, out);
}

std::string link(const ElementRule& rule, const std::vector<Section>& sections) {
  std::string anchor;
  for (const Section& s : sections)
    if (s.rule == &rule) anchor = s.heading;
  for (char& c : anchor)
    if (c == ' ') c = '-';
  return std::string("[`<") + rule.name + ">`](#" + anchor + ")";
}

std::string escaped(std::string text) {  // a | would end the cell
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, 1, '\\');
  return text;
}

std::string textOf(const Section& section, const std::vector<Section>& sections) {
  const ElementRule& rule = *section.rule;
  std::string text = "\n## " + section.heading + "\n\n" + rule.about + "\n";
  if (!rule.attributes.empty()) {
    text += "\n| attribute | takes | default | meaning |\n|---|---|---|---|\n";
    const std::shared_ptr<void> defaults = rule.make();
    for (const AttributeRule& a : rule.attributes) {
      const std::string value = writeValue(a, defaults.get());
      text += std::string("| `") + a.name + "` | " + takes(a) + " | " +
              (a.required      ? "required"
               : value.empty() ? ""
                               : "`" + value + "`") +
              " | " + escaped(a.about) + " |\n";
    }
  }
  if (!rule.children.empty()) {
    text += "\nHolds ";
    for (std::size_t i = 0; i < rule.children.size(); i++) text += (i ? ", " : "") + link(*rule.children[i], sections);
    text += ", " + link(kRepeat, sections) + ".\n";
  }
  return text;
}

}  // namespace

std::string reference(const ElementRule& root) {
  std::vector<Section> sections;
  collect(root, "", sections);
  collect(kRepeat, "", sections);
  std::string text;
  for (const Section& section : sections) text += textOf(section, sections);
  return text;
}

}  // namespace vertebra::scene
