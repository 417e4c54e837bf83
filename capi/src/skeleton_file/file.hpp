// Skeleton files: every part of a skeleton as XML that people read and write, by the grammar that scene files have (loaders/scene).
#pragma once
#include <memory>
#include <string>

#include "engine/figure/skeleton.hpp"
#include "loaders/diagnostics.hpp"
#include "loaders/scene/grammar.hpp"

namespace vertebra::capi::skeleton_file {

// The elements of the format; table.cpp holds what each takes.
struct Rules {
  Rules();
  using Rule = vertebra::scene::ElementRule;
  Rule sphere, capsule, box, cylinder, convex, mesh, visuals, link, joint, site, role, noCollision, skeleton;
  const Rule& ofShape(int type) const;  // vtb_shape_type; throws a Refusal for one that a link cannot carry
};
const Rules& rules();

bool isSkeletonFile(const std::string& text);  // by its outermost element

// Null, with errors, for a text that is no skeleton. `path` stands for it in messages; paths of meshes start in its folder.
std::shared_ptr<const figure::Skeleton> read(const std::string& text, const std::string& path, Diagnostics& findings);
// Throws a Refusal for what the format has no words for.
std::string write(const figure::Skeleton& skeleton);

}  // namespace vertebra::capi::skeleton_file
