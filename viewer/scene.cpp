// Nodes, light and shadow; see scene.hpp and shaders.hpp.
#include "viewer/scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <osg/BlendFunc>
#include <osg/Depth>
#include <osg/Geode>
#include <osg/Geometry>
#include <osg/LightSource>
#include <osg/Program>
#include <osgShadow/ShadowMap>
#include <osgShadow/ShadowedScene>
#include <osgUtil/IntersectionVisitor>
#include <osgUtil/LineSegmentIntersector>

#include "viewer/closed.hpp"
#include "viewer/shaders.hpp"

namespace vertebra::viewer {

namespace {

enum Unit { kShadowUnit = 1 };
enum Mask { kHidden = 0, kReceives = 1, kCasts = 2 };
enum Bin {
  kGroundBin = 1,
  kSkyBin = 2,
  kMarksBin = 20
};  // after opaque bodies, so that no hidden pixel is shaded; OpenSceneGraph has transparent ones in 10

osg::ref_ptr<osg::Shader> shader(osg::Shader::Type type, const std::string& text, bool shadows) {
  return new osg::Shader(type, std::string("#version 120\n") + (shadows ? "#define SHADOWS\n" : "") + text);
}

osg::ref_ptr<osg::Program> program(const std::string& vertex, const std::string& fragment, bool shadows = false) {
  osg::ref_ptr<osg::Program> made = new osg::Program;
  made->addShader(shader(osg::Shader::VERTEX, vertex, shadows));
  made->addShader(shader(osg::Shader::FRAGMENT, fragment, shadows));
  return made;
}

osg::ref_ptr<osg::Program> surfaceProgram() { return program(kSurfaceVertex, std::string(kLight) + kSurfaceFragment); }

osg::ref_ptr<osg::Geometry> square(float half, float z) {
  osg::ref_ptr<osg::Geometry> quad =
      osg::createTexturedQuadGeometry(osg::Vec3(-half, -half, z), osg::Vec3(2 * half, 0, 0), osg::Vec3(0, 2 * half, 0));
  return quad;
}

// The background, where nothing else was drawn; never culled.
osg::ref_ptr<osg::Geode> sky() {
  osg::ref_ptr<osg::Geode> geode = new osg::Geode;
  geode->addDrawable(square(1, 0));
  geode->setCullingActive(false);
  geode->setNodeMask(kReceives);
  osg::StateSet* state = geode->getOrCreateStateSet();
  state->setAttributeAndModes(program(kSkyVertex, kSkyFragment));
  state->setAttributeAndModes(new osg::Depth(osg::Depth::LEQUAL, 0, 1, false));
  state->setRenderBinDetails(kSkyBin, "RenderBin");
  return geode;
}

// Seen through everything; of several marks the nearest: their depths are kept in a slice before all others.
osg::ref_ptr<osg::Geode> marks() {
  osg::ref_ptr<osg::Geode> geode = new osg::Geode;
  geode->setNodeMask(kReceives);
  osg::StateSet* state = geode->getOrCreateStateSet();
  state->setAttributeAndModes(program(kOverlayVertex, kOverlayFragment));
  state->setAttributeAndModes(new osg::Depth(osg::Depth::LESS, 0, 0.001));
  state->setRenderBinDetails(kMarksBin, "RenderBin");
  return geode;
}

void replace(osg::Geode& geode, const Soup& soup) {
  geode.removeDrawables(0, geode.getNumDrawables());
  if (soup.points.empty()) return;
  osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
  geometry->setVertexArray(new osg::Vec3Array(soup.points.begin(), soup.points.end()));
  geometry->setNormalArray(new osg::Vec3Array(soup.normals.begin(), soup.normals.end()), osg::Array::BIND_PER_VERTEX);
  geometry->setColorArray(new osg::Vec4Array(soup.colours.begin(), soup.colours.end()), osg::Array::BIND_PER_VERTEX);
  geometry->addPrimitiveSet(new osg::DrawArrays(GL_TRIANGLES, 0, static_cast<int>(soup.points.size())));
  geode.addDrawable(geometry);
}

// 1, 2 or 5 times a power of ten.
double roundNumber(double x) {
  const double power = std::pow(10, std::floor(std::log10(x)));
  return power * (x < 1.5 * power ? 1 : x < 3.5 * power ? 2 : x < 7.5 * power ? 5 : 10);
}

// Its camera draws depths alone; osgShadow's own would light every vertex on the way.
class DepthMap : public osgShadow::ShadowMap {
 public:
  void init() override {
    ShadowMap::init();
    _camera->getOrCreateStateSet()->setAttributeAndModes(program(kDepthVertex, kDepthFragment),
                                                         osg::StateAttribute::ON | osg::StateAttribute::OVERRIDE);
  }
};

osg::ref_ptr<osgShadow::ShadowMap> shadowMap(osg::Light* light, int size) {
  osg::ref_ptr<osgShadow::ShadowMap> map = new DepthMap;
  map->setTextureSize(osg::Vec2s(static_cast<short>(size), static_cast<short>(size)));
  map->setTextureUnit(kShadowUnit);
  map->setPolygonOffset(osg::Vec2(1.5f, 4));
  map->addShader(shader(osg::Shader::VERTEX, kSurfaceVertex, true));
  map->addShader(shader(osg::Shader::FRAGMENT, std::string(kLight) + kSurfaceFragment, true));
  map->setLight(light);
  return map;
}

}  // namespace

Scene::Scene(bool shadows) : shadows_(!shadows) {
  root_ = new osg::Group;
  content_ = new osg::Group;
  osg::StateSet* state = root_->getOrCreateStateSet();
  sunDirection_ = new osg::Uniform("sunDirection", osg::Vec3(0, 0, 1));
  sunInEye_ = new osg::Uniform("sunInEye", osg::Vec3(0, 0, 1));
  upInEye_ = new osg::Uniform("upInEye", osg::Vec3(0, 0, 1));
  texel_ = new osg::Uniform("texel", 1.0f / static_cast<float>(shadowSize_));
  tile_ = new osg::Uniform("tile", 0.5f);
  reach_ = new osg::Uniform("reach", 30.0f);
  const osg::Vec4 haze = background();
  for (osg::Uniform* uniform : {sunDirection_.get(), sunInEye_.get(), upInEye_.get(), texel_.get(), tile_.get(), reach_.get()})
    state->addUniform(uniform);
  state->addUniform(new osg::Uniform("haze", osg::Vec3(haze.r(), haze.g(), haze.b())));

  sun_ = new osg::LightSource;
  content_->addChild(sun_);
  content_->addChild(sky());
  ground_ = new osg::MatrixTransform;
  osg::ref_ptr<osg::Geode> plane = new osg::Geode;
  plane->addDrawable(square(1, 0));
  ground_->addChild(plane);
  ground_->getOrCreateStateSet()->setRenderBinDetails(kGroundBin, "RenderBin");
  content_->addChild(ground_);
  particles_ = new osg::Geode;
  particles_->setNodeMask(kReceives | kCasts);
  content_->addChild(particles_);
  content_->addChild(marks_ = marks());
  setShadows(shadows);
  setGround(true, 0);
}

void Scene::setShadows(bool shadows) {
  if (shadows == shadows_) return;
  shadows_ = shadows;
  root_->removeChildren(0, root_->getNumChildren());
  ground_->getOrCreateStateSet()->setAttributeAndModes(program(kGroundVertex, std::string(kLight) + kGroundFragment, shadows));
  if (shadows) {
    osg::ref_ptr<osgShadow::ShadowedScene> shadowed = new osgShadow::ShadowedScene(shadowMap(sun_->getLight(), shadowSize_));
    shadowed->setReceivesShadowTraversalMask(kReceives | kCasts);
    shadowed->setCastsShadowTraversalMask(kCasts);
    shadowed->addChild(content_);
    root_->addChild(shadowed);
  } else {
    osg::ref_ptr<osg::Group> plain = new osg::Group;
    plain->getOrCreateStateSet()->setAttributeAndModes(surfaceProgram());
    plain->addChild(content_);
    root_->addChild(plain);
  }
}

void Scene::setShadowSize(int pixels) {
  shadowSize_ = pixels;
  texel_->set(1.0f / static_cast<float>(pixels));
  if (!shadows_) return;
  setShadows(false);
  setShadows(true);
}

void Scene::setGround(bool shown, double height) {
  ground_->setNodeMask(shown ? kReceives : kHidden);
  height_ = height;
}

void Scene::setParticles(const Soup& soup) { replace(*particles_, soup); }

void Scene::setMarks(const Soup& soup) { replace(*marks_, soup); }

void Scene::setEye(const osg::Vec3d& eye, const osg::Vec3d& target, const osg::Vec3d& up) {
  const osg::Vec3d away = eye - target;
  const double distance = away.length();
  osg::Vec3d across = away;  // level direction towards the eye
  if (std::hypot(away.x(), away.y()) < 0.05 * distance) across = -up;
  const double azimuth = std::atan2(across.y(), across.x()) - 0.7;
  const osg::Vec3d sun(0.55 * std::cos(azimuth), 0.55 * std::sin(azimuth), 0.835);
  sun_->getLight()->setPosition(osg::Vec4(osg::Vec3(sun), 0));
  sunDirection_->set(osg::Vec3(sun));
  const osg::Matrixd toEye = osg::Matrixd::lookAt(eye, target, up);
  sunInEye_->set(osg::Vec3(osg::Matrixd::transform3x3(sun, toEye)));
  upInEye_->set(osg::Vec3(osg::Matrixd::transform3x3(osg::Vec3d(0, 0, 1), toEye)));
  tile_->set(static_cast<float>(roundNumber(distance / 12)));
  reach_->set(static_cast<float>(7 * distance));
  const double half = 12 * distance;
  ground_->setMatrix(osg::Matrixd::scale(half, half, 1) * osg::Matrixd::translate(target.x(), target.y(), height_));
}

int Scene::addPart() {
  osg::ref_ptr<osg::MatrixTransform> node = new osg::MatrixTransform;
  node->setNodeMask(kReceives | kCasts);
  node->addChild(new osg::Geode);
  content_->addChild(node);
  if (free_.empty()) {
    parts_.push_back({node, {}, ++serials_});
    return static_cast<int>(parts_.size()) - 1;
  }
  const int part = free_.back();
  free_.pop_back();
  parts_[static_cast<std::size_t>(part)] = {node, {}, ++serials_};
  return part;
}

void Scene::removePart(int part) {
  content_->removeChild(parts_[static_cast<std::size_t>(part)].node);
  parts_[static_cast<std::size_t>(part)] = {};
  free_.push_back(part);
}

void Scene::addTriangles(int part, const std::vector<double>& vertices, const std::vector<std::uint32_t>& triangles, Colour colour) {
  Part& p = parts_[static_cast<std::size_t>(part)];
  const osg::ref_ptr<osg::Geometry> made = surface(vertices, triangles, colour);
  if (isClosed(vertices, triangles)) made->getOrCreateStateSet()->setMode(GL_CULL_FACE, osg::StateAttribute::ON);
  p.node->getChild(0)->asGeode()->addDrawable(made);
  p.colours.push_back(colour);
}

void Scene::setSkin(int part, const Skin& skin, const std::vector<double>& poses, Colour colour) {
  Part& p = parts_[static_cast<std::size_t>(part)];
  osg::Geode* geode = p.node->getChild(0)->asGeode();
  if (geode->getNumDrawables() == 0) {
    osg::ref_ptr<osg::Geometry> made = new osg::Geometry;
    made->setDataVariance(osg::Object::DYNAMIC);
    made->setUseDisplayList(false);
    made->setUseVertexBufferObjects(true);
    made->setVertexArray(new osg::Vec3Array);
    made->setNormalArray(new osg::Vec3Array, osg::Array::BIND_PER_VERTEX);
    made->setColorArray(new osg::Vec4Array(1), osg::Array::BIND_OVERALL);
    made->addPrimitiveSet(new osg::DrawElementsUInt(GL_TRIANGLES, skin.triangles().begin(), skin.triangles().end()));
    paint(*made, colour);
    geode->addDrawable(made);
    p.colours.push_back(colour);
  }
  osg::Geometry& geometry = *geode->getDrawable(0)->asGeometry();
  skin.follow(poses, static_cast<osg::Vec3Array&>(*geometry.getVertexArray()), static_cast<osg::Vec3Array&>(*geometry.getNormalArray()));
  geometry.getVertexArray()->dirty();
  geometry.getNormalArray()->dirty();
  geometry.dirtyBound();
}

void Scene::setPose(int part, const double* pose) {
  osg::Matrixd matrix;
  matrix.makeRotate(osg::Quat(pose[3], pose[4], pose[5], pose[6]));
  matrix.setTrans(pose[0], pose[1], pose[2]);
  parts_[static_cast<std::size_t>(part)].node->setMatrix(matrix);
}

void Scene::setColour(int part, const Colour* colour) {
  const Part& p = parts_[static_cast<std::size_t>(part)];
  osg::Geode* geode = p.node->getChild(0)->asGeode();
  for (unsigned i = 0; i < geode->getNumDrawables(); i++) paint(*geode->getDrawable(i)->asGeometry(), colour ? *colour : p.colours[i]);
}

double Scene::meet(int part, const osg::Vec3d& origin, const osg::Vec3d& direction, bool hidden) const {
  osg::MatrixTransform* node = parts_[static_cast<std::size_t>(part)].node;
  const osg::BoundingSphere bound = node->getBound();
  const double along = (osg::Vec3d(bound.center()) - origin) * direction, radius = bound.radius();
  const double nothing = std::numeric_limits<double>::infinity();
  if ((node->getNodeMask() == kHidden && !hidden) || !bound.valid() || along + radius < 0) return nothing;
  if ((osg::Vec3d(bound.center()) - origin - direction * along).length() > radius) return nothing;
  osg::ref_ptr<osgUtil::LineSegmentIntersector> line = new osgUtil::LineSegmentIntersector(origin, origin + direction * (along + radius));
  line->setIntersectionLimit(osgUtil::Intersector::LIMIT_NEAREST);
  osgUtil::IntersectionVisitor visitor(line);
  if (hidden) visitor.setNodeMaskOverride(~0u);
  node->accept(visitor);
  return line->containsIntersections() ? line->getFirstIntersection().ratio * (along + radius) : nothing;
}

void Scene::setShown(int part, bool shown) {
  parts_[static_cast<std::size_t>(part)].node->setNodeMask(shown ? kReceives | kCasts : kHidden);
}

}  // namespace vertebra::viewer
