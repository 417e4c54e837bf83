// Force fields taken implicitly, in the inertia of the links they act on: see implicit_fields.cpp.
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra {

bool addGradient(WorldData& w, int field, const FieldDefinition& d, FieldBody& b);  // false: no numbers
void settleGradients(WorldData& w);                                                 // what of them resists, and whether it acts implicitly
const FieldGradient* actingGradient(const WorldData& w, int body);                  // of the implicit fields on it, or null
void pullByFields(WorldData& w, TreeRuntime& t, double h);                          // to A and P of links, before the factor
void holdFields(WorldData& w, TreeRuntime& t, double h);                            // likewise, so that they neither brake nor drive
// The forces as they came out, to the bodies; h: of the move by the velocities found that is still to come.
void concludeFields(WorldData& w, TreeRuntime& t, double h);

}  // namespace vertebra
