// See side_names.hpp.
#include "engine/figure/side_names.hpp"

#include <set>

namespace vertebra::figure {

namespace {
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool isLower(char c) { return c >= 'a' && c <= 'z'; }
}  // namespace

std::vector<SideName> otherSideNames(const std::string& name) {
  std::vector<SideName> result;
  const auto add = [&](std::size_t pos, std::size_t length, const char* other, bool word) {
    result.push_back({name.substr(0, pos) + other + name.substr(pos + length), word});
  };
  const char* const words[][2] = {{"Left", "Right"}, {"left", "right"}, {"LEFT", "RIGHT"}};
  for (const auto& pair : words)
    for (int side = 0; side < 2; side++)
      for (std::size_t pos = name.find(pair[side]); pos != std::string::npos; pos = name.find(pair[side], pos + 1))
        add(pos, std::string(pair[side]).size(), pair[1 - side], true);
  for (std::size_t pos = 0; pos < name.size(); pos++) {
    const char c = name[pos];
    const char* const other = c == 'L' ? "R" : c == 'R' ? "L" : c == 'l' ? "r" : c == 'r' ? "l" : nullptr;
    const bool begins = pos == 0 || !isLetter(name[pos - 1]) || (isLower(name[pos - 1]) && !isLower(c));
    const bool ends = pos + 1 == name.size() || !isLetter(name[pos + 1]) || !isLower(name[pos + 1]) || pos == 0;
    if (other && begins && ends) add(pos, 1, other, false);
  }
  return result;
}

std::vector<std::string> mirroredNames(const std::vector<std::string>& names) {
  const std::set<std::string> known(names.begin(), names.end());
  std::vector<std::string> result;
  for (const std::string& name : names) {
    std::string image = name;
    for (const SideName& other : otherSideNames(name)) {
      if (known.count(other.name) > 0) {
        image = other.name;
        break;
      }
      if (other.word && image == name) image = other.name;
    }
    result.push_back(image);
  }
  // Where two would have one name, all keep theirs.
  return std::set<std::string>(result.begin(), result.end()).size() == known.size() ? result : names;
}

}  // namespace vertebra::figure
