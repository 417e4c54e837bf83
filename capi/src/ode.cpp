// Differential equations of the caller under the integrators of engine/math/ode.
#include <memory>

#include "capi/src/conversions_forces.hpp"
#include "capi/src/conversions_results.hpp"

using namespace vertebra;
using namespace vertebra::capi;

struct vtb_ode final : OdeSystem {
  vtb_ode(const vtb_ode_def& d, const OdeSettings& settings) : def(d), solver(settings), y(static_cast<std::size_t>(d.size), 0.0) {}

  int size() const override { return def.size; }
  int positions() const override { return def.positions; }
  bool derivative(double at, const double* state, double* rate) override { return def.derivative(def.user, at, state, rate) != 0; }
  void project(double at, double* state) override {
    if (def.project) def.project(def.user, at, state);
  }

  vtb_ode_def def;
  OdeSolver solver;
  double t = 0;
  std::vector<double> y;
  bool busy = false;
};

namespace {

vtb_ode& idle(vtb_ode* ode) {
  vtb_ode& o = required(ode, "ode");
  if (o.busy) refuse(VTB_E_BUSY, "called from inside a callback of this system");
  return o;
}

}  // namespace

vtb_status vtb_ode_def_init(vtb_ode_def* def, uint32_t struct_size) { return initStruct(__func__, def, struct_size); }

vtb_status vtb_ode_create(const vtb_ode_def* given, vtb_ode** out) {
  return guarded(__func__, [&] {
    required(out, "out");
    const vtb_ode_def def = readStruct(given);
    if (!def.derivative) refuse(VTB_E_ARG, "derivative is NULL");
    if (def.positions > def.size) refuse(VTB_E_ARG, "positions is larger than size; the positions are the first of the numbers of y");
    OdeSettings s;
    readPairs(OdePairs::list, def, s);
    if (s.control == StepControl::Embedded && s.integrator != Integrator::DormandPrince)
      refuse(VTB_E_UNSUPPORTED, "only Dormand-Prince has an embedded method; use VTB_STEP_CONTROL_DOUBLING");
    if (s.smallest > s.largest) refuse(VTB_E_ARG, "smallest_step is above largest_step");
    auto ode = std::make_unique<vtb_ode>(def, s);
    ode->solver.reserve(def.size);
    *out = ode.release();
  });
}

vtb_status vtb_ode_destroy(vtb_ode* ode) {
  return guarded(__func__, [&] {
    if (ode) idle(ode);
    delete ode;
  });
}

vtb_status vtb_ode_get_state(const vtb_ode* ode, double* t, double* y) {
  return guarded(__func__, [&] {
    const vtb_ode& o = required(ode, "ode");
    required(t, "t");
    required(y, "y");
    *t = o.t;
    std::copy(o.y.begin(), o.y.end(), y);
  });
}

vtb_status vtb_ode_set_state(vtb_ode* ode, double t, const double* y) {
  return guarded(__func__, [&] {
    vtb_ode& o = idle(ode);
    finite(t, "t");
    finiteArray(y, o.y.size(), "y");
    o.t = t;
    std::copy_n(y, o.y.size(), o.y.begin());
    o.solver.restart();
  });
}

vtb_status vtb_ode_advance(vtb_ode* ode, double until, vtb_ode_report* report) {
  return guarded(__func__, [&] {
    vtb_ode& o = idle(ode);
    finite(until, "until");
    if (until < o.t) refuse(VTB_E_ARG, "until is before the present time; set the state to go back");
    if (report) structSize(report->struct_size);
    struct Busy {
      bool& flag;
      explicit Busy(bool& f) : flag(f) { flag = true; }
      ~Busy() { flag = false; }
    } const busy(o.busy);
    const OdeReport r = o.solver.advance(o, o.t, o.y.data(), until);
    if (report) {
      vtb_ode_report result = described<vtb_ode_report>(OdeReportPairs::list, r);
      result.next_step = o.solver.nextStep();
      writeStruct(report, result);
    }
    if (r.failed)
      refuse(VTB_E_DIVERGED,
             "no step goes on from t = " + std::to_string(o.t) + ": the derivative is refused or not a number; the state there stands");
  });
}
