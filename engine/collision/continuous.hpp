// Continuous collision: see continuous.cpp.
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra {

bool isFast(const WorldData& w, int body, double h);  // moves farther in a step than the contact margin
bool sweepBoxes(WorldData& w, double h);              // fills sweptBoxes; true if any is larger than its box
// Whether two shapes may penetrate deeper within the step than the existing contacts allow for.
bool meetFast(const WorldData& w, int shapeA, int shapeB, const Aabb& boxA, const Aabb& boxB, double h);
// Contacts of two such shapes within the next step, besides those that they have: WorldData::contacts from firstContact on.
void addSpeculativeContacts(WorldData& w, int shapeA, int shapeB, double h, std::size_t firstContact);

}  // namespace vertebra
