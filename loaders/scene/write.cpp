// See write.hpp.
#include "loaders/scene/write.hpp"

#include "loaders/scene/values.hpp"

namespace vertebra::scene {
namespace {
class Printer : public tinyxml2::XMLPrinter {
  void PrintSpace(int depth) override {
    for (int i = 0; i < depth; i++) Write("  ");
  }
};
}  // namespace

int updateAttributes(const ElementRule& rule, const void* then, const void* now, tinyxml2::XMLElement& xml) {
  int changed = 0;
  for (const AttributeRule& attribute : rule.attributes) {
    const std::string text = writeValue(attribute, now);
    if (text == writeValue(attribute, then)) continue;
    xml.SetAttribute(attribute.name.c_str(), text.c_str());
    changed++;
  }
  return changed;
}

void writeAttributes(const ElementRule& rule, const void* values, tinyxml2::XMLElement& xml) {
  const std::shared_ptr<void> defaults = rule.make();
  updateAttributes(rule, defaults.get(), values, xml);
  for (const AttributeRule& attribute : rule.attributes)  // those that the reader asks for, though they have the default
    if (attribute.required && xml.Attribute(attribute.name.c_str()) == nullptr)
      xml.SetAttribute(attribute.name.c_str(), writeValue(attribute, values).c_str());
}

std::string printed(const tinyxml2::XMLDocument& document) {
  Printer printer;
  document.Print(&printer);
  return {printer.CStr(), static_cast<std::size_t>(printer.CStrSize() - 1)};
}

}  // namespace vertebra::scene
