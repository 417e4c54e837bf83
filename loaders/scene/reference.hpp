// The reference page of a grammar, as Markdown: every element with its attributes, what they take, their defaults and their meaning.
#pragma once
#include <string>

#include "loaders/scene/grammar.hpp"

namespace vertebra::scene {

std::string reference(const ElementRule& root);

}  // namespace vertebra::scene
