// Steps on 1, 2, 4, ... threads, in turn: wall-clock milliseconds per step, the share of the time on one thread, and the hash of the worlds
// at the end, which must be the same for all. Prints markdown.
//
// usage: thread_table [ROUNDS [STEPS [THREADS ...]]]; 60 rounds of 10 steps on 1 2 4 8 threads; the fastest round counts
#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "bench/engine_scene.hpp"
#include "engine/world/worlds.hpp"

namespace {

using vertebra::world::World;
using Worlds = std::vector<std::unique_ptr<World>>;

constexpr int kBefore = 200;  // steps until the falling bodies lie

void addWorld(Worlds& worlds, int threads) {
  vertebra::WorldSettings s;
  s.sleeping = false;
  s.threads = threads;
  worlds.push_back(std::make_unique<World>(s));
}
Worlds towers(int threads) {
  Worlds worlds;
  addWorld(worlds, threads);
  bench::addScene(*worlds[0], bench::pile(1000, 40));
  return worlds;
}
Worlds figuresApart(int threads) {
  Worlds worlds;
  addWorld(worlds, threads);
  const bench::Scene figure = bench::ragdoll();
  bench::addGround(*worlds[0], figure.friction);
  for (int i = 0; i < 64; i++) bench::addBodies(*worlds[0], figure, {4.0 * (i % 8), 4.0 * (i / 8), 0});
  return worlds;
}
Worlds worldsOfOne(int threads) {
  Worlds worlds;
  for (int i = 0; i < 64; i++) {
    addWorld(worlds, i == 0 ? threads : 1);
    bench::addScene(*worlds.back(), bench::ragdoll());
  }
  return worlds;
}

void stepAll(const Worlds& worlds, int steps) {
  std::vector<World*> list;
  for (const auto& w : worlds) list.push_back(w.get());
  std::vector<vertebra::Failure> failures(list.size());
  for (int i = 0; i < steps; i++) {
    if (list.size() == 1)
      failures[0] = list[0]->step();
    else
      vertebra::world::stepWorlds(list.data(), static_cast<int>(list.size()), failures.data());
    for (const vertebra::Failure& f : failures) bench::must(f);
  }
}
std::uint64_t hashOf(const Worlds& worlds) {
  std::uint64_t hash = 0;
  for (const auto& w : worlds) hash = (hash ^ w->hash()) * 1099511628211ull;
  return hash;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 60, steps = argc > 2 ? std::atoi(argv[2]) : 10;
  std::vector<int> threads;
  for (int i = 3; i < argc; i++) threads.push_back(std::atoi(argv[i]));
  if (threads.empty()) threads = {1, 2, 4, 8};
  const struct {
    const char* name;
    Worlds (*make)(int threads);
  } scenes[] = {{"1,000 boxes in 40 towers", towers}, {"64 figures apart", figuresApart}, {"64 worlds of one figure", worldsOfOne}};
  std::printf("| scene | threads | ms a step | of one thread | hash |\n|---|---|---|---|---|\n");
  bool same = true;
  for (const auto& scene : scenes) {
    std::vector<Worlds> worlds;
    for (int n : threads) {
      worlds.push_back(scene.make(n));
      stepAll(worlds.back(), kBefore);
    }
    std::vector<double> best(threads.size(), 1e300);  // ms
    for (int round = 0; round < rounds; round++)
      for (std::size_t k = 0; k < threads.size(); k++) {
        const auto start = std::chrono::steady_clock::now();
        stepAll(worlds[k], steps);
        best[k] = std::min(best[k], 1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / steps);
      }
    for (std::size_t k = 0; k < threads.size(); k++) {
      const std::uint64_t hash = hashOf(worlds[k]);
      same &= hash == hashOf(worlds[0]);
      std::printf("| %s | %d | %.3f | %.2f | %016llx |\n", scene.name, threads[k], best[k], best[k] / best[0],
                  static_cast<unsigned long long>(hash));
    }
    std::fflush(stdout);
  }
  return same ? 0 : 1;
}
