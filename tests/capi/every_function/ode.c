/* Differential equations of the caller. */
#include "tests/capi/every_function/check.h"

typedef struct {
  vtb_ode* ode;
  vtb_status inside;
  int32_t projected;
} Swing;

static int32_t swing(void* user, double t, const double* y, double* dy) {
  Swing* s = user;
  (void)t;
  s->inside = vtb_ode_advance(s->ode, 100, NULL);
  dy[0] = y[1];
  dy[1] = -y[0];
  return fabs(y[0]) < 50;
}
static void count(void* user, double t, double* y) {
  (void)t;
  (void)y;
  ((Swing*)user)->projected++;
}

void test_ode(void) {
  vtb_ode_def def;
  vtb_ode_report report;
  vtb_ode* ode = NULL;
  Swing s = {NULL, VTB_OK, 0};
  double y[2] = {1, 0}, t = UNTOUCHED;
  OK(vtb_ode_def_init(&def, sizeof def));
  CHECK(def.integrator == VTB_INTEGRATOR_RK4 && def.control == VTB_STEP_CONTROL_FIXED && def.step == 1e-3);
  FAILS(VTB_E_ARG, vtb_ode_def_init(NULL, sizeof def));
#define REFUSED(status, change)           \
  OK(vtb_ode_def_init(&def, sizeof def)); \
  def.size = 2;                           \
  def.derivative = swing;                 \
  change;                                 \
  FAILS(status, vtb_ode_create(&def, &ode))
  REFUSED(VTB_E_ARG, def.size = 0);
  REFUSED(VTB_E_ARG, def.positions = 3);
  REFUSED(VTB_E_ARG, def.derivative = NULL);
  REFUSED(VTB_E_ARG, def.integrator = 6);
  REFUSED(VTB_E_ARG, def.control = -1);
  REFUSED(VTB_E_ARG, def.step = 0);
  REFUSED(VTB_E_ARG, def.tolerance = NAN);
  REFUSED(VTB_E_ARG, def.smallest_step = 1);
  REFUSED(VTB_E_UNSUPPORTED, def.control = VTB_STEP_CONTROL_EMBEDDED);
#undef REFUSED
  OK(vtb_ode_def_init(&def, sizeof def));
  def.size = 2;
  def.positions = 1;
  def.derivative = swing;
  def.project = count;
  def.user = &s;
  def.integrator = VTB_INTEGRATOR_DORMAND_PRINCE;
  def.control = VTB_STEP_CONTROL_EMBEDDED;
  def.tolerance = 1e-10;
  FAILS(VTB_E_ARG, vtb_ode_create(&def, NULL));
  CHECK(!ode);
  OK(vtb_ode_create(&def, &ode));
  s.ode = ode;
  OK(vtb_ode_set_state(ode, 1, y));
  report.struct_size = sizeof report;
  OK(vtb_ode_advance(ode, 4, &report));
  CHECK(report.steps > 0 && report.steps < 1000 && report.worst_error <= 1e-10 && s.projected >= report.steps);
  CHECK(s.inside == VTB_E_BUSY);
  OK(vtb_ode_get_state(ode, &t, y));
  CHECK(t == 4 && fabs(y[0] - cos(3)) < 1e-8 && fabs(y[1] + sin(3)) < 1e-8);
  OK(vtb_ode_advance(ode, 4, NULL));
  FAILS(VTB_E_ARG, vtb_ode_advance(ode, 3, NULL));
  FAILS(VTB_E_ARG, vtb_ode_advance(NULL, 5, NULL));
  y[0] = 60; /* outside the domain of the derivative */
  OK(vtb_ode_set_state(ode, 4, y));
  FAILS(VTB_E_DIVERGED, vtb_ode_advance(ode, 5, &report));
  y[0] = NAN;
  FAILS(VTB_E_ARG, vtb_ode_set_state(ode, 4, y));
  FAILS(VTB_E_ARG, vtb_ode_set_state(NULL, 4, y));
  FAILS(VTB_E_ARG, vtb_ode_get_state(ode, NULL, y));
  FAILS(VTB_E_ARG, vtb_ode_get_state(NULL, &t, y));
  OK(vtb_ode_destroy(ode));
  OK(vtb_ode_destroy(NULL));
}
