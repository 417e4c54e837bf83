// cloth.xml, soft_block.xml: rods with total lengths, springs with the volumes of tetrahedra.
#include <fstream>
#include <sstream>

#include "tests/scenes/scene.hpp"

using test::Scene;
using test::Vector;

namespace {

// The scene without its elements <points>.
Scene withoutMeasures(const std::string& file) {
  std::ifstream stream(test::sourceDir() + "/models/scenes/" + file);
  std::stringstream all;
  all << stream.rdbuf();
  std::string text = all.str();
  const std::string end = "</points>";
  for (std::size_t at = text.find("<points"); at != std::string::npos; at = text.find("<points"))
    text.erase(at, text.find(end, at) + end.size() - at);
  return Scene::fromText(text);
}

double distance(const Vector& a, const Vector& b) { return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z); }

std::string node(int row, int column) { return "node" + std::to_string(row) + "_" + std::to_string(column); }

// Mean error of the links.
double linkError(const Scene& s) {
  double sum = 0;
  int count = 0;
  for (int row = 1; row < 20; row++)
    for (int column = 0; column < 20; column++) {
      const Vector here = s.position(node(row, column));
      sum += std::fabs(distance(here, s.position(node(row - 1, column))) - 0.1), count++;
      if (column > 0) sum += std::fabs(distance(here, s.position(node(row, column - 1))) - 0.1), count++;
    }
  return sum / count;
}

// Sum over the tetrahedra: of each cell six along its diagonal.
double volume(const Scene& s) {
  double sum = 0;
  const auto at = [&](const int* p) { return s.position("node" + std::to_string(p[0]) + std::to_string(p[1]) + std::to_string(p[2])); };
  for (int x = 0; x < 2; x++)
    for (int y = 0; y < 2; y++)
      for (int z = 0; z < 2; z++)
        for (int first = 0; first < 3; first++)
          for (int second = 0; second < 3; second++) {
            if (second == first) continue;
            int p[3] = {x, y, z};
            const Vector o = at(p);
            p[first]++;
            const Vector a = at(p);
            p[second]++;
            const Vector b = at(p);
            p[3 - first - second]++;
            const Vector c = at(p);
            const double ax = a.x - o.x, ay = a.y - o.y, az = a.z - o.z, bx = b.x - o.x, by = b.y - o.y, bz = b.z - o.z;
            const double six = ax * (by * (c.z - o.z) - bz * (c.y - o.y)) - ay * (bx * (c.z - o.z) - bz * (c.x - o.x)) +
                               az * (bx * (c.y - o.y) - by * (c.x - o.x));
            sum += ((second - first + 3) % 3 == 1 ? six : -six) / 6;
          }
  return sum;
}

struct Extent {
  double height, width;
};
Extent extent(const Scene& s) {
  Extent e{0, 0};
  for (int x = 0; x < 3; x += 2)
    for (int y = 0; y < 3; y += 2) {
      const std::string foot = std::to_string(x) + std::to_string(y);
      e.height += (s.position("node" + foot + "2").z - s.position("node" + foot + "0").z) / 4;
      const Vector p = s.position("node" + foot + "1");
      e.width += std::hypot(p.x, p.y) / 4;
    }
  return e;
}

}  // namespace

TEST_CASE("cloth: total lengths of rows and columns remove most of the links' error, and the edge carries it") {
  Scene with("cloth.xml"), without = withoutMeasures("cloth.xml");
  const vtb_energy start = with.energy();
  double error[2] = {0, 0};
  for (int i = 0; i < 60; i++) {
    with.step(1), without.step(1);
    if (i < 30) continue;
    error[0] += linkError(with) / 30;
    error[1] += linkError(without) / 30;
    const vtb_energy e = with.energy();
    CHECK(e.kinetic + e.potential < start.kinetic + start.potential + 0.01 * 19.0 * 100);  // 19 kg that may fall by metres
  }
  INFO("with " << error[0] << " m, without " << error[1] << " m");
  CHECK(error[0] <= 0.6 * error[1]);
  // By then it has swung through: the last row is below the edge, and at most one column length away from it, apart from the error.
  for (int column = 0; column < 20; column++) {
    const Vector top = with.position(node(0, column)), low = with.position(node(19, column));
    CHECK(distance(top, low) < 1.9 * 1.05);
    CHECK(top.z == 3);
  }
}

TEST_CASE("soft block: falls, spreads on the floor and keeps its volume") {
  Scene with("soft_block.xml"), without = withoutMeasures("soft_block.xml");
  const double whole = 0.4 * 0.4 * 0.4;
  REQUIRE(volume(with) == Approx(whole).epsilon(1e-12));
  const Extent start = extent(with);
  // Free fall of 0.2 m takes 0.2 s; until then it is rigid.
  with.run(0.15);
  CHECK(volume(with) == Approx(whole).epsilon(1e-9));
  const double t = with.time(), h = with.settings().time_step;
  CHECK(with.position("node111").z == Approx(0.45 - 9.81 / 2 * t * (t + h)).margin(1e-9));  // symplectic Euler
  without.run(0.15);
  double most = 0, mostWithout = 0, lowest = 1, widest = 0;
  for (int i = 0; i < 240; i++) {
    with.step(1), without.step(1);
    most = std::max(most, std::fabs(volume(with) / whole - 1));
    mostWithout = std::max(mostWithout, std::fabs(volume(without) / whole - 1));
    const Extent e = extent(with);
    lowest = std::min(lowest, e.height / start.height);
    widest = std::max(widest, e.width / start.width);
  }
  INFO("volume " << most << ", without its rows " << mostWithout << ", height " << lowest << ", width " << widest);
  CHECK(most < 0.01);
  CHECK(mostWithout > 5 * most);
  CHECK(lowest < 0.95);
  CHECK(widest > 1.01);
  // At rest the floor carries its weight.
  with.run(3);
  std::vector<vtb_contact> contacts(64);
  size_t count = 0;
  test::require(vtb_world_get_contacts(with.world(), contacts.data(), contacts.size(), sizeof(vtb_contact), &count));
  double borne = 0;
  for (size_t i = 0; i < count; i++) borne += std::fabs(contacts[i].force[2]);
  CHECK(borne == Approx(27 * 0.2 * 9.81).epsilon(0.01));
  CHECK(volume(with) == Approx(whole).epsilon(1e-3));
}

TEST_CASE("cloth: with exact rows and shorter steps its rods keep their lengths to round-off") {
  const Scene plain("cloth.xml");
  vtb_world_def settings = plain.settings();
  settings.stepper = VTB_STEPPER_IMPULSE;
  settings.time_step = 1.0 / 240;
  Scene s("cloth.xml", &settings);
  s.step(12);
  CHECK(s.stats().max_joint_error < 1e-10);
  CHECK(s.position(node(19, 10)).z < 3 - 0.5 * 100 * 0.0025 * 0.9);  // the free edge falls nearly freely for 0.05 s
}
