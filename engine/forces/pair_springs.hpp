// Springs and dampers between two points (joints of type distance without limits, motor and friction) that are mild for the step: they act
// as forces along the line between the points, not as rows. World axes, N, N m about each centre of mass. With the force at both ends of a
// step, half each, trees without rows make Verlet's step, of second order, which keeps the energy of oscillations (Hairer, Lubich, Wanner:
// Geometric Numerical Integration, I.1.4); rows, implicit and of first order, damp them: by 9 % of the amplitude in half a cycle at 14
// rad/s and 1/240 s.
#pragma once
#include <span>

#include "engine/state/tree_world.hpp"

namespace vertebra::forces {

// Before anything moves: which springs are mild, h^2 k + h c by the inertia that both ends have against all of their springs below a
// quarter (Verlet's bound is four), and their forces now.
void startSprings(TreeWorld& w);

// Once trees have moved by h: what acts on their momenta, and the forces at the end of the step, of which accelerations are made.
// `atNodes`: the stepper applies half of the force at either end itself, and AppliedForces keeps that of the start; else the mean acts, or,
// where a tree on either end makes a step of first order, the force at its end, and none of it in accelerations (symplectic Euler). The
// joints are told the mean.
void springsMoved(TreeWorld& w, double h, bool atNodes);

// Under a stepper that asks for forces at many states: how many springs act on these trees, and their forces now. `rates`: six each, what
// addImpulses takes the integral of. Returns their power, W. At the end of the step the joints are told the mean.
int countSprings(const TreeWorld& w, std::span<const int> trees);
double springsHere(TreeWorld& w, std::span<const int> trees, double* rates);
void addImpulses(TreeWorld& w, std::span<const int> trees, const double* impulses);
void tellSprings(TreeWorld& w, double h);

// Once the step was made or undone. Where it was made: the forces of bodies are the means, for the accounts, until dropSprings, after which
// nothing but TreeRuntime::sprung is left of them: what is no state must not reach the next step, nor outlive its joints.
void meanSprings(TreeWorld& w);
void dropSprings(TreeWorld& w);

}  // namespace vertebra::forces
