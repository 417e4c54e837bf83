// Triangles of one colour as something to draw: what the viewer's scenes and plugins/osgdb make of a mesh.
#pragma once
#include <cstdint>
#include <vector>

#include <osg/Geometry>
#include <osg/ref_ptr>

namespace vertebra::viewer {

struct Colour {
  float r, g, b, a = 1;
};

// Vertices: 3 numbers each; triangles: 3 indices each, counter-clockwise from outside. Normals are flat unless an edge is soft.
osg::ref_ptr<osg::Geometry> surface(const std::vector<double>& vertices, const std::vector<std::uint32_t>& triangles, Colour colour);
// Gives a surface another colour.
void paint(osg::Geometry& surface, Colour colour);

}  // namespace vertebra::viewer
