// Reads a scene file against a grammar: a tree of elements with their values, includes and repetitions carried out, every error of all
// files told at once.
#pragma once
#include "loaders/scene/report.hpp"

namespace vertebra::scene {

inline constexpr int kMostElements = 200000, kMostIncludes = 1000, kDeepestInclude = 32;

// False if the text is no such file at all; else what could be read, with the report's errors.
// `path` stands for the text in messages; paths in it are relative to its folder. `root` is the rule of the outermost element.
bool readScene(const std::string& text, const std::string& path, const ElementRule& root, Report& report, Element& out);

}  // namespace vertebra::scene
