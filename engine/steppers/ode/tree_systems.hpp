// Tree systems of the stepper `ode`: the trees that it integrates as one state, with one integrator and step. An island makes one; two that
// meet within a window are merged. Time in s from the start of the physics step; h: length of that step, s.
// Source: Vondrak 2006, 7.1 (simulation groups with integrator and step of their own).
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra::steppers {

// One of each island, or a single one where fields act between all bodies; their start is the present state of the world.
void makeSystems(WorldData& w, double time, double h);
// b joins a, both back at the start of the window at `time`; b is empty then.
void mergeSystems(WorldData& w, int a, int b, double time, double h);
// Its contacts become those of the world that move no other system.
void takeContacts(WorldData& w, int system);
int systemOf(const WorldData& w, int body);  // -1: none
// For a tree system that asks for `own`.
OdeSettings solverFor(const WorldSettings& set, double h, const Integration& own);

}  // namespace vertebra::steppers
