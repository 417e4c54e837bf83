// Implicit force fields, as inertia of the links on which they act: see implicit_fields.cpp.
#pragma once
#include "engine/state/tree_world.hpp"

namespace vertebra::trees {

bool addGradient(TreeWorld& w, int field, const FieldDefinition& d, FieldBody& b);  // false: not finite
// Whether the field's gradients found so far are stiff and the force on one body changes stiffly with the motion of another: these two.
bool stiffBetween(TreeWorld& w, int field, int pair[2]);
void settleGradients(TreeWorld& w);                                 // finds their resisting part, and whether it acts implicitly
const FieldGradient* actingGradient(const TreeWorld& w, int body);  // of the implicit fields on it, or null
void pullByFields(TreeWorld& w, TreeRuntime& t, double h);          // adds to A and P of links, before the factor
void holdFields(TreeWorld& w, TreeRuntime& t, double h);            // likewise, in a form that neither brakes nor drives
// The resulting forces, to the bodies; h: of the coming move by the velocities found.
void concludeFields(TreeWorld& w, TreeRuntime& t, double h);

}  // namespace vertebra::trees
