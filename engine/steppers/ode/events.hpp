// Events of the stepper `ode`: contacts and limits of joints at which a tree system must return to the moment they began. Asked at the
// present state of the world and its contacts, about what the system did not touch at its last state (TreeSystem::y, contacts). Source:
// Vondrak 2006, 6.4.3 (important inequalities).
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra::steppers {

bool isUnimportant(const WorldData& w, const Contact& c);   // stabilised, without rollback
double depthOfPassed(const WorldData& w, int system);       // m or rad by which it passed a contact or limit; 0: none
bool touchesAnew(const WorldData& w, int system);           // contacts only
double throughDepth(const WorldData& w, const Contact& c);  // m, half the radius of the ball inside the thinner shape
double fastestApproach(const WorldData& w, const Contact& c,
                       bool alongNormal);  // m/s, of any two points of the bodies; or in any direction
bool passesThrough(const WorldData& w, int system, const Contact& c, double time);  // s; whether this near pair of it may, in that time
// Whether a contact is deeper than twice `adaptive.depth` and got there, or deeper by a quarter of it, in this step.
bool wentDeep(const WorldData& w);

}  // namespace vertebra::steppers
