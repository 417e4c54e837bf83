// The C ABI as the readers use it: owners, failures as exceptions with the library's text, findings as messages of osg::notify.
#pragma once
#include <memory>
#include <stdexcept>
#include <string>

#include <osg/MatrixTransform>

#include "vertebra/vertebra.h"

namespace vertebra::osgdb {

struct Release {
  void operator()(vtb_skeleton* p) const { vtb_skeleton_release(p); }
  void operator()(vtb_motion* p) const { vtb_motion_release(p); }
  void operator()(vtb_workspace* p) const { vtb_workspace_destroy(p); }
  void operator()(vtb_diagnostics* p) const { vtb_diagnostics_release(p); }
};
template <class T>
using Owner = std::unique_ptr<T, Release>;

struct Failure : std::runtime_error {  // its text goes to the user
  using std::runtime_error::runtime_error;
};

void check(vtb_status status);  // a Failure with the library's text unless VTB_OK

// Warnings and remarks go to osg::notify, as WARN and INFO; takes the list. Where status is a failure: a Failure with all errors of the
// list.
void tell(vtb_diagnostics* findings, vtb_status status);

template <class T>
T sized() {
  T value{};
  value.struct_size = sizeof value;
  return value;
}

osg::Matrixd matrixOf(const double pose[7]);

}  // namespace vertebra::osgdb
