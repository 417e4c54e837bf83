// Scene files for the verbs: told of, simulated, written again.
#pragma once
#include "cli/arguments.hpp"

namespace vertebra::cli {

bool isScene(const std::string& path);  // by content: the outermost element is <scene>
int infoOfScene(const Arguments& arguments);
int simulateScene(const Arguments& arguments);
int convertScene(const Arguments& arguments);

}  // namespace vertebra::cli
