// What to say of a word that is not known: the nearest one that is, and all of them.
#pragma once
#include <string>
#include <vector>

namespace vertebra::scene {

// Least number of letters to insert, delete, change or swap with their neighbour (Damerau 1964, restricted).
int editDistance(const std::string& a, const std::string& b);
// The nearest of the words; empty if none is near (more than a third of the letters differ).
std::string nearest(const std::string& wanted, const std::vector<std::string>& known);
// "; did you mean 'x'?" or nothing.
std::string suggestion(const std::string& wanted, const std::vector<std::string>& known);
std::string list(const std::vector<std::string>& words);  // "a, b, c"

}  // namespace vertebra::scene
