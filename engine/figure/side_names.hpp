// Names of what is on the left and on the right.
#pragma once
#include <string>
#include <vector>

namespace vertebra::figure {

struct SideName {
  std::string name;
  bool word = false;  // by the word left or right; otherwise by a letter L or R, which may mean nothing
};
// Names that the same thing on the other side may have, the likeliest first: left and right exchanged, or one letter L or R that stands
// alone, before a capital or at the beginning.
std::vector<SideName> otherSideNames(const std::string& name);

// Each name as it is in the mirror image: that of its partner if there is one among them; else with left and right exchanged.
std::vector<std::string> mirroredNames(const std::vector<std::string>& names);

}  // namespace vertebra::figure
