// A closed surface around the bones of a figure that goes with its links. Made where the figure has neutral coordinates: a capsule around
// each shape of a link and around each way from a link's shapes to the joints below, blended by a smooth minimum (exponential), cut out of
// a grid by marching tetrahedra. Each vertex goes with up to four links, by linear blend skinning with the shares that their capsules have
// in the blend. Metres.
#pragma once
#include <cstdint>
#include <vector>

#include <osg/Array>

#include "vertebra/vertebra.h"

namespace vertebra::viewer {

class Skin {
 public:
  // poses: of the links at neutral coordinates, 7 numbers each. Without triangles where no link has a shape.
  Skin(const vtb_skeleton* skeleton, const std::vector<double>& poses);

  const std::vector<std::uint32_t>& triangles() const { return triangles_; }
  std::size_t vertices() const { return influences_.size(); }
  // Vertices in the world, and their normals, with the links at these poses.
  void follow(const std::vector<double>& poses, osg::Vec3Array& points, osg::Vec3Array& normals) const;

 private:
  static constexpr int kMost = 4;
  struct Influence {  // of a vertex
    int links[kMost] = {};
    float shares[kMost] = {};      // sum 1
    osg::Vec3 places[kMost] = {};  // in the links' frames
  };
  std::vector<Influence> influences_;
  std::vector<std::uint32_t> triangles_;
};

}  // namespace vertebra::viewer
