// Implicit force fields, as inertia of the links on which they act: see implicit_fields.cpp.
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra {

bool addGradient(WorldData& w, int field, const FieldDefinition& d, FieldBody& b);  // false: not finite
void settleGradients(WorldData& w);                                 // finds their resisting part, and whether it acts implicitly
const FieldGradient* actingGradient(const WorldData& w, int body);  // of the implicit fields on it, or null
void pullByFields(WorldData& w, TreeRuntime& t, double h);          // adds to A and P of links, before the factor
void holdFields(WorldData& w, TreeRuntime& t, double h);            // likewise, in a form that neither brakes nor drives
// The resulting forces, to the bodies; h: of the coming move by the velocities found.
void concludeFields(WorldData& w, TreeRuntime& t, double h);

}  // namespace vertebra
