// The C ABI as the readers use it: failures as exceptions with the library's text, findings as messages of osg::notify.
#pragma once
#include <stdexcept>
#include <string>

#include <osg/MatrixTransform>

#include "capi/client/owned.hpp"

namespace vertebra::osgdb {

using namespace client;

struct Failure : std::runtime_error {  // its text goes to the user
  using std::runtime_error::runtime_error;
};

void check(vtb_status status);  // a Failure with the library's text unless VTB_OK

// Warnings and remarks go to osg::notify, as WARN and INFO; takes the list. Where status is a failure: a Failure with all errors of the
// list.
void tell(vtb_diagnostics* findings, vtb_status status);

osg::Matrixd matrixOf(const double pose[7]);

}  // namespace vertebra::osgdb
