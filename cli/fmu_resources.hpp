// The resources of an FMU: a scene that stands for itself. What it names (figures, clips, meshes, scenes it includes) is put beside it
// under names of their own; figures from URDFs become skeleton files, which hold their meshes' points.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "cli/model.hpp"

namespace vertebra::cli {

using Files = std::map<std::string, std::string>;  // content by name, in one folder

std::string contentOf(const std::filesystem::path& path);  // Failure if it cannot be read

// From a scene file, or from a figure (URDF, skeleton file, BVH), which gets a scene: a ground, if its root is free or --ground is given,
// and the figure standing on it. Failure where something cannot be read.
Files fmuResources(const Arguments& arguments, std::vector<Diagnostic>& diagnostics);

}  // namespace vertebra::cli
