// See part_names.hpp.
#include "capi/src/part_names.hpp"

namespace vertebra::capi {

namespace {

// Calls visit(figure's name, part's name, handle) for each body or joint of each figure until it answers true.
template <class Visit>
void eachPart(const vtb_world& world, vtb_named kind, Visit&& visit) {
  if (kind != VTB_NAMED_BODY && kind != VTB_NAMED_JOINT) return;
  for (std::size_t i = 0; i < world.figureSlots.size(); i++) {
    if (!world.figureSlots[i]) continue;
    const figure::Figure& figure = *world.figureSlots[i];
    const figure::Skeleton& skeleton = *figure.model().skeleton;
    const std::string* own = world.names[VTB_NAMED_FIGURE].nameOf(world.figures.handle(static_cast<int>(i)));
    const std::string name = own ? *own : std::string();
    const bool bodies = kind == VTB_NAMED_BODY;
    const std::vector<int>& parts = bodies ? figure.bodies() : figure.joints();
    for (std::size_t k = 0; k < parts.size(); k++) {
      if (parts[k] < 0) continue;
      const std::uint64_t bits = bodies ? world.bodies.handle(parts[k]) : world.joints.handle(parts[k]);
      if (visit(name, bodies ? skeleton.links[k].name : skeleton.joints[k].name, bits)) return;
    }
  }
}

}  // namespace

std::string partName(const vtb_world& world, vtb_named kind, std::uint64_t wanted) {
  std::string found;
  eachPart(world, kind, [&](const std::string& figure, const std::string& part, std::uint64_t bits) {
    if (bits != wanted) return false;
    found = figure.empty() ? part : figure + "/" + part;
    return true;
  });
  return found;
}

std::uint64_t findPart(const vtb_world& world, vtb_named kind, const std::string& wanted) {
  std::uint64_t found = 0;
  if (wanted.find('/') == std::string::npos) return 0;
  eachPart(world, kind, [&](const std::string& figure, const std::string& part, std::uint64_t bits) {
    if (figure.empty() || wanted.size() != figure.size() + 1 + part.size() || wanted != figure + "/" + part) return false;
    found = bits;
    return true;
  });
  return found;
}

}  // namespace vertebra::capi
