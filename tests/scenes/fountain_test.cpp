// fountain.xml: an emitter and a sink, drops in ballistic flight, sparks that live 0.4 s.
#include "tests/scenes/scene.hpp"

using test::Scene;

namespace {

vtb_particles system(const Scene& s, const char* name) {
  vtb_particles found{0};
  test::require(vtb_world_find(s.world(), VTB_NAMED_PARTICLES, name, &found.bits));
  return found;
}
vtb_particles_state stateOf(const Scene& s, const char* name) {
  vtb_particles_state state;
  state.struct_size = sizeof state;
  test::require(vtb_particles_get_state(s.world(), system(s, name), &state));
  return state;
}
std::vector<vtb_particle> particles(const Scene& s, const char* name) {
  std::vector<vtb_particle> list(1000);
  size_t count = 0;
  test::require(vtb_particles_get(s.world(), system(s, name), list.data(), list.size(), 0, &count));
  list.resize(count);
  return list;
}

}  // namespace

TEST_CASE("fountain: drops rise to v^2/2g and there are as many as their flight lasts") {
  Scene s("fountain.xml");
  const double v = 6, g = 9.81, rate = 400;
  double highest = 0, widest = 0;
  for (int i = 0; i < 4 * 240; i++) {
    s.step(1);
    for (const vtb_particle& p : particles(s, "water")) {
      highest = std::max(highest, p.position[2] - 0.5);
      widest = std::max(widest, std::hypot(p.position[0], p.position[1]));
      // Each keeps its energy: no drop is faster than its height allows.
      const double speed = std::hypot(p.velocity[0], p.velocity[1], p.velocity[2]);
      CHECK(speed * speed / 2 + g * (p.position[2] - 0.5) < 1.001 * v * v / 2);
    }
  }
  CHECK(highest == Approx(v * v / (2 * g)).epsilon(0.003));
  const double cone = 5 * std::acos(-1.0) / 180;
  CHECK(widest < v * v * std::sin(2 * cone) / g + 0.02);
  CHECK(widest > 0.8 * v * v * std::sin(2 * cone) / g);
  const vtb_particles_state water = stateOf(s, "water");
  CHECK(std::fabs(static_cast<double>(water.emitted) - rate * 4) <= 1);
  CHECK(water.count + water.absorbed == water.emitted);
  CHECK(water.refused + water.expired == 0);
  CHECK(static_cast<double>(water.count) == Approx(rate * 2 * v / g).epsilon(0.01));  // the cone reduces it by 0.2 %
}

TEST_CASE("fountain: sparks live as long as they should, and none goes through the floor") {
  Scene s("fountain.xml");
  for (int i = 0; i < 3 * 240; i++) {
    s.step(1);
    for (const vtb_particle& p : particles(s, "sparks")) {
      CHECK(p.position[2] > 0);
      CHECK((p.life > 0 && p.life <= 0.4));
    }
  }
  const vtb_particles_state sparks = stateOf(s, "sparks");
  CHECK(std::fabs(static_cast<double>(sparks.count) - 250 * 0.4) <= 1);
  CHECK(sparks.count + sparks.expired == sparks.emitted);
  CHECK(sparks.refused == 0);
}
