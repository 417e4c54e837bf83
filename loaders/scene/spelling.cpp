// See spelling.hpp.
#include "loaders/scene/spelling.hpp"

#include <algorithm>

namespace vertebra::scene {

int editDistance(const std::string& a, const std::string& b) {
  const std::size_t n = b.size() + 1;
  std::vector<int> before(n), last(n), row(n);
  for (std::size_t j = 0; j < n; j++) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); i++) {
    before = last;
    last = row;
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j < n; j++) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[n - 1];
}

std::string nearest(const std::string& wanted, const std::vector<std::string>& known) {
  constexpr std::size_t kLongest = 64;  // longer words are no slips
  if (wanted.size() > kLongest) return "";
  std::string best;
  int least = std::max(1, static_cast<int>(wanted.size() + 2) / 3) + 1;
  for (const std::string& word : known) {
    if (word.size() > kLongest) continue;
    const int distance = editDistance(wanted, word);
    if (distance < least) {
      least = distance;
      best = word;
    }
  }
  return best;
}

std::string suggestion(const std::string& wanted, const std::vector<std::string>& known) {
  const std::string best = nearest(wanted, known);
  return best.empty() ? "" : "; did you mean '" + best + "'?";
}

std::string list(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace vertebra::scene
