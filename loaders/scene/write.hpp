// Elements as XML: attributes from values by the same grammar that reads them.
#pragma once
#include <tinyxml2.h>

#include <string>

#include "loaders/scene/grammar.hpp"

namespace vertebra::scene {

// Sets the attributes whose values are not the default, and those that are required.
void writeAttributes(const ElementRule& rule, const void* values, tinyxml2::XMLElement& xml);
// Sets those in which `now` differs from `then`; returns how many.
int updateAttributes(const ElementRule& rule, const void* then, const void* now, tinyxml2::XMLElement& xml);
// The document as text, two blanks a level.
std::string printed(const tinyxml2::XMLDocument& document);

}  // namespace vertebra::scene
