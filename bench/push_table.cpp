// The push for 0.2 s on the root, from each of eight sides, up to which a figure stands by balance after every smaller one, in steps of 5 N
// for 60 kg: where it steps, one push may bring it down though a larger one does not.
// push_table FIGURE.urdf [STEP [STEP_TIME]]: lines of direction (degrees, where the push goes; 0: forward), newtons, newton seconds a
// kilogram. STEP_TIME 0: its feet stay.
#include <cstdio>
#include <cstdlib>

#include "loaders/urdf/urdf.hpp"
#include "tests/engine/control/pushed.hpp"

using namespace pushed;

namespace {

bool stands(const std::shared_ptr<const figure::FigureModel>& model, const figure::Surface& surface, double step, double newtons,
            double direction, const BalanceSettings& settings) {
  Stand s(model, step);
  if (!s.failure) s.stand(surface);
  if (s.failure) {
    std::fprintf(stderr, "%s\n", s.failure.text().c_str());
    std::exit(1);
  }
  Balance balance(model, settings);
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
  const figure::Surface& surface = model->surface();
  const double step = argc > 2 ? std::atof(argv[2]) : 1.0 / 240;
  BalanceSettings settings;
  if (argc > 3) settings.step.time = std::atof(argv[3]);
  const double more = 5 * model->mass / 60;
  for (int k = 0; k < 8; k++) {
    double newtons = 0;
    while (newtons < 200 * more && stands(model, surface, step, newtons + more, k * kPi / 4, settings)) newtons += more;
    std::printf("%d %.0f %.3f\n", 45 * k, newtons, 0.2 * newtons / model->mass);
  }
}
