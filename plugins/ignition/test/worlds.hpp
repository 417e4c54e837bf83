// Worlds of the comparison, as SDFormat text.
#pragma once

#include <string>

namespace compare {

// Rods in a row from the world on, hinged about y, level at the start, named rod0, rod1 ..., their joints hinge0, hinge1 ...
std::string rods(int count, const std::string& limits = "");
// A static floor that is a plane, and cubes of 1 kg with the edge of 0.2 m, named box0, box1 ..., one upon the other, the lowest at a
// height.
std::string boxes(int count, double height);
// A cube of 0.2 m on a thick static board tilted about y; friction is that of both.
std::string incline(double angle, double friction);
// An arm with seven hinges about z and y in turn, on the world: links arm0 ... arm6, joints hinge0 ... hinge6.
std::string arm();
// A block without weight whose three moments of inertia differ: 0.01, 0.02, 0.03 kg m^2; named block.
std::string block();

}  // namespace compare
