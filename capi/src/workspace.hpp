// What stands behind a vtb_workspace, and the checks of coordinates that dynamics functions and figures share.
#pragma once
#include "capi/src/check.hpp"
#include "engine/figure/figure_model.hpp"

namespace vertebra::capi {
struct BoundClip;  // a motion and how it fits the workspace's figure, see motion_figure.cpp
}

struct vtb_workspace {
  explicit vtb_workspace(std::shared_ptr<const vertebra::figure::FigureModel> model) : scratch(std::move(model)) {}
  vertebra::figure::FigureWorkspace scratch;
  std::shared_ptr<const vertebra::capi::BoundClip> clip;  // the last motion asked for
};

namespace vertebra::capi {

// nq coordinates: bounded, quaternions of unit length within 1e-3 (the engine normalises them).
const double* coordinates(const figure::FigureModel& model, const double* q, const char* name);
const double* jointCoordinates(const figure::FigureModel& model, const double* q,
                               const char* name);                                                  // the same, the floating base's ignored
const double* velocities(const figure::FigureModel& model, const double* v, const char* name);     // nv bounded numbers
const double* jointForces(const figure::FigureModel& model, const double* tau, const char* name);  // nv finite numbers

// Refuse what has no answer: a figure without mass has no centre of mass, joints that move no inertia no acceleration.
void centerOfMass(figure::FigureWorkspace& workspace, const double* q, const double* v, double* position, double* velocity);

}  // namespace vertebra::capi
