// Expressions in braces, as repetitions use them: numbers, variables, + - * /, parentheses, pi, floor, sqrt, sin, cos, mod(a, b),
// min(a, b), max(a, b). Angles in radians.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace vertebra::scene {

using Variables = std::vector<std::pair<std::string, double>>;

// The text with each {expression} replaced by its value; whole numbers are written without a point. Empty string, or what is wrong.
std::string substitute(const std::string& text, const Variables& variables, std::string& out);

}  // namespace vertebra::scene
