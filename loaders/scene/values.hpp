// One attribute's text into its field and back. Numbers are written so that they read back the same bits.
#pragma once
#include <string>

#include "loaders/scene/grammar.hpp"

namespace vertebra::scene {

// Empty string, or what is wrong with the text. `prefix` goes before names and references, `folder` before relative paths.
std::string readValue(const AttributeRule& rule, const std::string& text, const std::string& prefix, const std::string& folder,
                      void* values);
std::string writeValue(const AttributeRule& rule, const void* values);
void copyValue(const AttributeRule& rule, const void* from, void* to);  // between values of the same type

// "three numbers", "one of yes, no", ...: what the attribute takes, for messages and the reference page.
std::string takes(const AttributeRule& rule);

}  // namespace vertebra::scene
