// The steps of loading a URDF, in order. See urdf.hpp.
#include "loaders/urdf/urdf.hpp"

#include <filesystem>
#include <fstream>

#include "loaders/urdf/build.hpp"
#include "loaders/urdf/inertia.hpp"
#include "loaders/urdf/model.hpp"
#include "loaders/urdf/read.hpp"
#include "loaders/urdf/structure.hpp"

namespace vertebra {

namespace {

bool load(const std::string& text, const std::string& path, const UrdfOptions& options, UrdfReport& report, figure::Skeleton& out) {
  UrdfRobot robot;
  {
    tinyxml2::XMLDocument document;
    const XmlElement* root = openUrdf(text, document, report);
    if (root == nullptr) return false;
    readRobot(*root, report, robot);
  }
  resolveStructure(report, robot);
  if (report.failed()) return false;
  takeModelFromUrdfdom(report, robot);
  if (report.failed()) return false;
  figure::Skeleton made;
  buildSkeleton(robot, options, path, report, made);
  resolveInertia(robot, options, report, made);
  if (options.deriveCollision) deriveCollisionShapes(robot, report, made);
  addNeighbourPairs(robot, report, made);
  if (report.failed()) return false;
  if (options.separateOverlaps) separateOverlaps(robot, report, made);
  std::string wrong = figure::checkSkeleton(made);
  if (!wrong.empty()) {
    report.error("urdf.skeleton.invalid", robot.line, "robot", wrong);
    return false;
  }
  out = std::move(made);
  return true;
}

}  // namespace

bool loadUrdfText(const std::string& text, const std::string& pathForMessages, const UrdfOptions& options, figure::Skeleton& out,
                  Diagnostics& diagnostics) {
  UrdfReport report(pathForMessages, options.strict);
  bool good = load(text, pathForMessages, options, report, out);
  report.deliver(diagnostics);
  return good;
}

bool loadUrdfFile(const std::string& path, const UrdfOptions& options, figure::Skeleton& out, Diagnostics& diagnostics) {
  std::string text;
  const std::string problem = readXmlFile(path, text);
  if (!problem.empty()) {
    diagnostics.add(Severity::Error, "urdf.file.unreadable", path, 0, "robot", problem);
    return false;
  }
  return loadUrdfText(text, path, options, out, diagnostics);
}

}  // namespace vertebra
