// Scene files for the verbs: told of, simulated, written again.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "cli/model.hpp"

namespace vertebra::cli {

bool isScene(const std::string& path);  // by content: the outermost element is <scene>
Scene loadScene(const std::string& path, std::vector<Diagnostic>& diagnostics);
World worldOf(vtb_scene* scene, const vtb_world_def* settings);  // settings null: the scene's own
struct Named {
  std::string name;
  uint64_t bits;
};
std::vector<Named> namesOf(const vtb_world* world, vtb_named kind);  // in file order
int infoOfScene(const Arguments& arguments);
int simulateScene(const Arguments& arguments);
int convertScene(const Arguments& arguments);

}  // namespace vertebra::cli
