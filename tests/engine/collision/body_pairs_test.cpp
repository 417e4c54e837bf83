// Pairs of bodies that do not collide: against a set, through random changes.
#include <random>
#include <set>

#include "engine/state/body_pairs.hpp"
#include "tests/support.hpp"

using namespace vertebra;

TEST_CASE("pairs of bodies are found after any changes, and no others", "[collision]") {
  std::mt19937 random(7);
  BodyPairs pairs;
  std::set<BodyPairs::Pair> expected;
  constexpr int kBodies = 12;
  const auto pick = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
  for (int change = 0; change < 400; change++) {
    const int a = pick(kBodies), b = (a + 1 + pick(kBodies - 1)) % kBodies;
    const BodyPairs::Pair pair = std::minmax(a, b);
    switch (pick(8)) {
      case 0:
        pairs.dropIf([&](const BodyPairs::Pair& p) { return p.first == a || p.second == a; });
        std::erase_if(expected, [&](const BodyPairs::Pair& p) { return p.first == a || p.second == a; });
        break;
      case 1:
        pairs.add({pair, std::minmax(a, (a + 1) % kBodies)});
        expected.insert({pair, std::minmax(a, (a + 1) % kBodies)});
        break;
      case 2:
        if (pick(4) > 0) break;
        pairs.clear();
        expected.clear();
        break;
      default: {
        const bool there = pick(3) > 0;
        pairs.set(a, b, there);
        if (there)
          expected.insert(pair);
        else
          while (pairs.list().size() > 0 && std::binary_search(pairs.list().begin(), pairs.list().end(), pair)) pairs.set(a, b, false);
        if (!there) expected.erase(pair);
      }
    }
    pairs.prepare();
    CHECK(pairs.empty() == expected.empty());
    CHECK(std::is_sorted(pairs.list().begin(), pairs.list().end()));
    for (int i = 0; i < kBodies; i++)
      for (int j = 0; j < kBodies; j++)
        if (i != j) CHECK(pairs.contains(i, j) == (expected.count(std::minmax(i, j)) > 0));
  }
  CHECK_FALSE(pairs.contains(1000, 2000));
}
