// Nodes, light and shadow. One shader pair draws everything: a sun with a shadow map (osgShadow), sky light from above and a weak
// reflection from below, haze towards the background. Triangles have flat normals unless an edge is soft.
#include "viewer/scene.hpp"

#include <osg/Geode>
#include <osg/Geometry>
#include <osg/LightSource>
#include <osg/Material>
#include <osgShadow/ShadowMap>
#include <osgShadow/ShadowedScene>
#include <osgUtil/SmoothingVisitor>

namespace vertebra::viewer {

namespace {

enum Unit { kShadowUnit = 1 };
enum Mask { kReceives = 1, kCasts = 2 };

constexpr double kTile = 0.5;    // m, edge of a tile of the ground
constexpr int kTiles = 80;       // along an edge of the ground
constexpr double kCrease = 0.7;  // rad; edges with a larger angle stay sharp

const char* const kVertexShader = R"(#version 120
varying vec3 normal;
varying float depth;
void main() {
  vec4 eye = gl_ModelViewMatrix * gl_Vertex;
  normal = gl_NormalMatrix * gl_Normal;
  depth = -eye.z;
  gl_TexCoord[1] = vec4(dot(gl_EyePlaneS[1], eye), dot(gl_EyePlaneT[1], eye), dot(gl_EyePlaneR[1], eye), dot(gl_EyePlaneQ[1], eye));
  gl_FrontColor = gl_Color;
  gl_Position = gl_ProjectionMatrix * eye;
})";

const char* const kFragmentShader = R"(#version 120
uniform sampler2DShadow osgShadow_shadowTexture;
uniform vec4 sky;
varying vec3 normal;
varying float depth;
float sunlit() {
  float sum = 0.0;
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++)
      sum += shadow2DProj(osgShadow_shadowTexture, gl_TexCoord[1] + vec4(float(i), float(j), 0.0, 0.0) * gl_TexCoord[1].w / 2048.0).r;
  return sum / 9.0;
}
void main() {
  vec3 n = normalize(gl_FrontFacing ? normal : -normal);
  vec3 up = normalize(gl_NormalMatrix * vec3(0.0, 0.0, 1.0));
  vec3 sun = normalize(gl_LightSource[0].position.xyz);
  float direct = max(dot(n, sun), 0.0) * sunlit();
  float above = 0.5 + 0.5 * dot(n, up);
  vec3 light = mix(vec3(0.30, 0.28, 0.26), vec3(0.44, 0.48, 0.54), above) + direct * vec3(0.80, 0.74, 0.64);
  gl_FragColor = vec4(mix(gl_Color.rgb * light, sky.rgb, smoothstep(9.0, 26.0, depth)), 1.0);
})";

osg::ref_ptr<osg::Geode> ground() {
  osg::ref_ptr<osg::Vec3Array> vertices = new osg::Vec3Array;
  osg::ref_ptr<osg::Vec4Array> colours = new osg::Vec4Array;
  const double origin = -0.5 * kTiles * kTile;
  for (int i = 0; i < kTiles; i++)
    for (int j = 0; j < kTiles; j++) {
      const float shade = (i + j) % 2 ? 0.63f : 0.76f;
      for (const auto& [x, y] : {std::pair{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}}) {
        vertices->push_back(osg::Vec3(static_cast<float>(origin + x * kTile), static_cast<float>(origin + y * kTile), 0));
        colours->push_back(osg::Vec4(shade, shade, 0.98f * shade, 1));
      }
    }
  osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
  osg::ref_ptr<osg::Vec3Array> normals = new osg::Vec3Array(1);
  (*normals)[0] = osg::Vec3(0, 0, 1);
  geometry->setVertexArray(vertices);
  geometry->setColorArray(colours, osg::Array::BIND_PER_VERTEX);
  geometry->setNormalArray(normals, osg::Array::BIND_OVERALL);
  geometry->addPrimitiveSet(new osg::DrawArrays(GL_QUADS, 0, static_cast<int>(vertices->size())));
  osg::ref_ptr<osg::Geode> geode = new osg::Geode;
  geode->addDrawable(geometry);
  return geode;
}

osg::Vec4 vec4(Colour c) { return {c.r, c.g, c.b, 1}; }

}  // namespace

Scene::Scene() {
  osg::ref_ptr<osgShadow::ShadowMap> map = new osgShadow::ShadowMap;
  map->setTextureSize(osg::Vec2s(2048, 2048));
  map->setTextureUnit(kShadowUnit);
  map->setPolygonOffset(osg::Vec2(1.5f, 4));
  map->addShader(new osg::Shader(osg::Shader::VERTEX, kVertexShader));
  map->addShader(new osg::Shader(osg::Shader::FRAGMENT, kFragmentShader));
  osg::ref_ptr<osgShadow::ShadowedScene> shadowed = new osgShadow::ShadowedScene(map);
  shadowed->setReceivesShadowTraversalMask(kReceives | kCasts);
  shadowed->setCastsShadowTraversalMask(kCasts);
  shadowed->getOrCreateStateSet()->addUniform(new osg::Uniform("sky", background()));

  osg::ref_ptr<osg::LightSource> sun = new osg::LightSource;
  sun->getLight()->setPosition(osg::Vec4(-0.55f, 0.45f, 1, 0));  // parallel light from this direction
  map->setLight(sun->getLight());
  shadowed->addChild(sun);
  osg::ref_ptr<osg::Geode> floor = ground();
  floor->setNodeMask(kReceives);
  shadowed->addChild(floor);
  root_ = shadowed;
}

int Scene::addPart() {
  osg::ref_ptr<osg::MatrixTransform> part = new osg::MatrixTransform;
  part->setNodeMask(kReceives | kCasts);
  part->addChild(new osg::Geode);
  root_->addChild(part);
  parts_.push_back(part);
  return static_cast<int>(parts_.size()) - 1;
}

void Scene::addTriangles(int part, const std::vector<double>& vertices, const std::vector<std::uint32_t>& triangles, Colour colour) {
  osg::ref_ptr<osg::Vec3Array> points = new osg::Vec3Array;
  for (std::size_t i = 0; i + 2 < vertices.size(); i += 3)
    points->push_back(osg::Vec3(static_cast<float>(vertices[i]), static_cast<float>(vertices[i + 1]), static_cast<float>(vertices[i + 2])));
  osg::ref_ptr<osg::Vec4Array> colours = new osg::Vec4Array(1);
  (*colours)[0] = vec4(colour);
  osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
  geometry->setVertexArray(points);
  geometry->setColorArray(colours, osg::Array::BIND_OVERALL);
  geometry->addPrimitiveSet(new osg::DrawElementsUInt(GL_TRIANGLES, triangles.begin(), triangles.end()));
  osgUtil::SmoothingVisitor::smooth(*geometry, kCrease);
  parts_[static_cast<std::size_t>(part)]->getChild(0)->asGeode()->addDrawable(geometry);
}

void Scene::setPose(int part, const double* pose) {
  osg::Matrixd matrix;
  matrix.makeRotate(osg::Quat(pose[3], pose[4], pose[5], pose[6]));
  matrix.setTrans(pose[0], pose[1], pose[2]);
  parts_[static_cast<std::size_t>(part)]->setMatrix(matrix);
}

void Scene::setColour(int part, Colour colour) {
  osg::Geode* geode = parts_[static_cast<std::size_t>(part)]->getChild(0)->asGeode();
  for (unsigned i = 0; i < geode->getNumDrawables(); i++) {
    osg::Array* colours = geode->getDrawable(i)->asGeometry()->getColorArray();
    for (osg::Vec4& c : static_cast<osg::Vec4Array&>(*colours)) c = vec4(colour);
    colours->dirty();
    geode->getDrawable(i)->dirtyGLObjects();
  }
}

int Scene::addFigure(const vtb_skeleton* skeleton) {
  vtb_skeleton_info info{};
  info.struct_size = sizeof info;
  if (vtb_skeleton_get_info(skeleton, &info) != VTB_OK) return -1;
  const int first = static_cast<int>(parts_.size());
  for (int32_t link = 0; link < info.links; link++) addPart();
  const int32_t collision = info.visuals == 0;
  for (int32_t i = 0; i < (collision ? info.shapes : info.visuals); i++) {
    vtb_visual_info visual{};
    visual.struct_size = sizeof visual;
    if (vtb_skeleton_get_visual(skeleton, collision, i, &visual) != VTB_OK) return -1;
    std::vector<double> vertices(3 * std::size_t{visual.vertices});
    std::vector<std::uint32_t> triangles(3 * std::size_t{visual.triangles});
    if (vtb_skeleton_get_visual_mesh(skeleton, collision, i, vertices.data(), visual.vertices, triangles.data(), visual.triangles) !=
        VTB_OK)
      return -1;
    addTriangles(first + visual.link, vertices, triangles, {visual.rgba[0], visual.rgba[1], visual.rgba[2]});
  }
  return first;
}

int Scene::addShape(const vtb_world* world, vtb_shape shape, Colour colour) {
  size_t vertexCount = 0, triangleCount = 0;
  if (vtb_shape_get_mesh(world, shape, nullptr, 0, &vertexCount, nullptr, 0, &triangleCount) != VTB_OK) return -1;
  std::vector<double> vertices(3 * vertexCount);
  std::vector<std::uint32_t> triangles(3 * triangleCount);
  if (vtb_shape_get_mesh(world, shape, vertices.data(), vertexCount, &vertexCount, triangles.data(), triangleCount, &triangleCount) !=
      VTB_OK)
    return -1;
  const int part = addPart();
  addTriangles(part, vertices, triangles, colour);
  return part;
}

}  // namespace vertebra::viewer
