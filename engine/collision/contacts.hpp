// From shapes to contacts: see contacts.cpp.
#pragma once
#include "engine/collision/foresight.hpp"
#include "engine/state/contact_world.hpp"

namespace vertebra::collision {

// foresight: in which impacts of fast bodies are sought. step: length of the next step whose rows are built; contacts that cannot close
// within it are left out; 0 = none are. Returns what the narrow phase and foresight cost, in distances of two convex shapes.
std::int64_t collideAll(ContactWorld& w, const Foresight& foresight = {}, double step = 0);
Pose shapeWorldPose(const ContactWorld& w, const ShapeSlot& s);
void updateTouching(ContactWorld& w, double h);  // contact events of a step of length h, once forces are known

}  // namespace vertebra::collision
