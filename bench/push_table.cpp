// The largest push for 0.2 s on the root, from each of eight sides, after which a figure still stands by balance: bisection to 1 N.
// push_table FIGURE.urdf [STEP]: lines of direction (degrees, where the push goes; 0: forward), newtons, newton seconds a kilogram.
#include <cstdio>
#include <cstdlib>

#include "loaders/urdf/urdf.hpp"
#include "tests/engine/control/pushed.hpp"

using namespace pushed;

namespace {

bool stands(const std::shared_ptr<const figure::FigureModel>& model, const std::vector<std::vector<retarget::Ball>>& surface, double step,
            double newtons, double direction) {
  Stand s(model, step);
  if (!s.failure) s.stand(surface);
  if (s.failure) {
    std::fprintf(stderr, "%s\n", s.failure.text().c_str());
    std::exit(1);
  }
  Balance balance(model, {});
  while (s.world.time() < 6) {
    if (s.step(balance, forceAt(s.world.time(), {{0.5, 0.2, newtons, direction}}))) return false;
    if (s.q[2] < 0.7 * s.reference[2]) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  auto skeleton = std::make_shared<figure::Skeleton>();
  Diagnostics findings;
  if (argc < 2 || !loadUrdfFile(argv[1], {}, *skeleton, findings)) {
    std::fprintf(stderr, "push_table FIGURE.urdf [STEP]: no figure was read\n");
    return 1;
  }
  const auto model = figure::makeFigureModel(skeleton, figure::BaseKind::Floating);
  const auto surface = retarget::surfaceOf(*model);
  const double step = argc > 2 ? std::atof(argv[2]) : 1.0 / 240;
  for (int k = 0; k < 8; k++) {
    double low = 0, high = 1000;
    while (high - low > 1) {
      const double newtons = 0.5 * (low + high);
      (stands(model, surface, step, newtons, k * kPi / 4) ? low : high) = newtons;
    }
    std::printf("%d %.0f %.3f\n", 45 * k, low, 0.2 * low / model->mass);
  }
}
