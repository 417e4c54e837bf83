// What the tests of osgDB's readers share: our plugins found before OpenSceneGraph's, nodes by name, their poses in the world.
#pragma once
#include <map>
#include <string>
#include <vector>

#include <osg/Geode>
#include <osg/Geometry>
#include <osg/MatrixTransform>
#include <osg/NodeVisitor>
#include <osgDB/ReadFile>
#include <osgDB/Registry>

#include "tests/support.hpp"
#include "vertebra/vertebra.h"

namespace test {

// Every test calls it first; it names our folder of plugins before all others.
inline osgDB::Registry& registry() {
  osgDB::Registry& all = *osgDB::Registry::instance();
  if (all.getLibraryFilePathList().empty() || all.getLibraryFilePathList().front() != VERTEBRA_OSG_LIBRARIES)
    all.getLibraryFilePathList().push_front(VERTEBRA_OSG_LIBRARIES);
  return all;
}

inline osg::ref_ptr<osgDB::Options> options(const std::string& words) { return new osgDB::Options(words); }

inline osgDB::ReaderWriter::ReadResult readNode(const std::string& path, const std::string& words = "") {
  return registry().readNode(path, options(words));
}

// Transforms by name, and all geometries, of a graph.
struct Found : osg::NodeVisitor {
  std::map<std::string, osg::MatrixTransform*> transforms;
  std::vector<osg::Geometry*> geometries;

  explicit Found(osg::Node& root) : NodeVisitor(TRAVERSE_ALL_CHILDREN) { root.accept(*this); }
  void apply(osg::MatrixTransform& node) override {
    transforms[node.getName()] = &node;
    traverse(node);
  }
  void apply(osg::Geometry& geometry) override { geometries.push_back(&geometry); }
};

inline osg::Matrixd worldOf(const osg::Node& node) { return node.getWorldMatrices().front(); }

// Largest difference of a matrix from a pose: of positions and of the columns of the rotation.
inline double difference(const osg::Matrixd& matrix, const double pose[7]) {
  osg::Matrixd wanted;
  wanted.makeRotate(osg::Quat(pose[3], pose[4], pose[5], pose[6]));
  wanted.setTrans(pose[0], pose[1], pose[2]);
  double most = 0;
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 4; k++) most = std::max(most, std::fabs(matrix(i, k) - wanted(i, k)));
  return most;
}

}  // namespace test
