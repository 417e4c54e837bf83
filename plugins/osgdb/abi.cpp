// See abi.hpp.
#include "plugins/osgdb/abi.hpp"

#include <osg/Notify>

namespace vertebra::osgdb {

namespace {

std::string textOf(const vtb_diagnostic& found) {
  std::string text = found.file;
  if (found.line > 0) text += ":" + std::to_string(found.line);
  text += ": ";
  if (*found.element) text += std::string(found.element) + ": ";
  return text + found.message + " [" + found.code + "]";
}

}  // namespace

void check(vtb_status status) {
  if (status != VTB_OK) throw Failure(std::string(vtb_status_name(status)) + ": " + vtb_last_error());
}

void tell(vtb_diagnostics* findings, vtb_status status) {
  std::string errors = status == VTB_OK ? "" : vtb_last_error();  // before the calls below
  const Diagnostics owner(findings);
  std::size_t count = 0;
  if (findings) check(vtb_diagnostics_count(findings, &count));
  std::string listed;
  for (std::size_t i = 0; i < count; i++) {
    vtb_diagnostic found{};
    check(vtb_diagnostics_get(findings, i, &found));
    if (found.severity == VTB_SEVERITY_ERROR)
      listed += (listed.empty() ? "" : "\n") + textOf(found);
    else
      OSG_NOTIFY(found.severity == VTB_SEVERITY_WARNING ? osg::WARN : osg::INFO) << textOf(found) << std::endl;
  }
  if (status != VTB_OK) throw Failure(listed.empty() ? errors : listed);
}

osg::Matrixd matrixOf(const double pose[7]) {
  osg::Matrixd matrix;
  matrix.makeRotate(osg::Quat(pose[3], pose[4], pose[5], pose[6]));
  matrix.setTrans(pose[0], pose[1], pose[2]);
  return matrix;
}

}  // namespace vertebra::osgdb
