// See hud.hpp. One geometry of triangles, one of lines, a text each; drawn after the scene in pixels.
#include "viewer/hud.hpp"

#include <osg/Geometry>
#include <osg/Program>

namespace vertebra::viewer {

namespace {

constexpr const char* kVertex = "#version 120\nvoid main() { gl_FrontColor = gl_Color; gl_Position = ftransform(); }";
constexpr const char* kFragment = "#version 120\nvoid main() { gl_FragColor = gl_Color; }";

osg::ref_ptr<osg::Geometry> geometryOf(GLenum mode) {
  osg::ref_ptr<osg::Geometry> made = new osg::Geometry;
  made->setDataVariance(osg::Object::DYNAMIC);
  made->setUseDisplayList(false);
  made->setVertexArray(new osg::Vec3Array);
  made->setColorArray(new osg::Vec4Array, osg::Array::BIND_PER_VERTEX);
  made->addPrimitiveSet(new osg::DrawArrays(mode, 0, 0));
  made->setCullingActive(false);
  return made;
}

void clear(osg::Geometry& geometry) {
  static_cast<osg::Vec3Array*>(geometry.getVertexArray())->clear();
  static_cast<osg::Vec4Array*>(geometry.getColorArray())->clear();
}

void add(osg::Geometry& geometry, double x, double y, Colour c) {
  static_cast<osg::Vec3Array*>(geometry.getVertexArray())->push_back(osg::Vec3(static_cast<float>(x), static_cast<float>(y), 0));
  static_cast<osg::Vec4Array*>(geometry.getColorArray())->push_back(osg::Vec4(c.r, c.g, c.b, c.a));
}

void close(osg::Geometry& geometry) {
  const auto count = static_cast<int>(static_cast<osg::Vec3Array*>(geometry.getVertexArray())->size());
  static_cast<osg::DrawArrays*>(geometry.getPrimitiveSet(0))->setCount(count);
  geometry.getVertexArray()->dirty();
  geometry.getColorArray()->dirty();
  geometry.dirtyBound();
}

}  // namespace

Hud::Hud() {
  camera_ = new osg::Camera;
  camera_->setReferenceFrame(osg::Transform::ABSOLUTE_RF);
  camera_->setViewMatrix(osg::Matrixd::identity());
  camera_->setClearMask(0);
  camera_->setRenderOrder(osg::Camera::POST_RENDER);
  camera_->setAllowEventFocus(false);
  camera_->setComputeNearFarMode(osg::CullSettings::DO_NOT_COMPUTE_NEAR_FAR);
  shapes_ = new osg::Geode;
  words_ = new osg::Geode;
  triangles_ = geometryOf(GL_TRIANGLES);
  lines_ = geometryOf(GL_LINES);
  shapes_->addDrawable(triangles_);
  shapes_->addDrawable(lines_);
  osg::ref_ptr<osg::Program> program = new osg::Program;
  program->addShader(new osg::Shader(osg::Shader::VERTEX, kVertex));
  program->addShader(new osg::Shader(osg::Shader::FRAGMENT, kFragment));
  shapes_->getOrCreateStateSet()->setAttributeAndModes(program);
  camera_->addChild(shapes_);
  camera_->addChild(words_);
  osg::StateSet* state = camera_->getOrCreateStateSet();
  state->setMode(GL_LIGHTING, osg::StateAttribute::OFF);
  state->setMode(GL_DEPTH_TEST, osg::StateAttribute::OFF);
  state->setMode(GL_BLEND, osg::StateAttribute::ON);
  state->setRenderBinDetails(0, "TraversalOrderBin");
}

void Hud::begin(int width, int height) {
  camera_->setProjectionMatrix(osg::Matrixd::ortho2D(0, width, 0, height));
  height_ = height;
  used_ = 0;
  clear(*triangles_);
  clear(*lines_);
}

void Hud::rectangle(double x, double y, double width, double height, Colour colour) {
  const double top = height_ - y, bottom = top - height;
  for (const auto& [px, py] : {std::pair{x, bottom}, {x + width, bottom}, {x + width, top}, {x, bottom}, {x + width, top}, {x, top}})
    add(*triangles_, px, py, colour);
}

void Hud::line(double x0, double y0, double x1, double y1, Colour colour) {
  add(*lines_, x0, height_ - y0, colour);
  add(*lines_, x1, height_ - y1, colour);
}

void Hud::text(double x, double y, double size, const std::string& words, Colour colour) {
  if (used_ == texts_.size()) {
    osg::ref_ptr<osgText::Text> made = new osgText::Text;
    made->setDataVariance(osg::Object::DYNAMIC);
    made->setFont(osgText::readRefFontFile("DejaVuSans.ttf"));  // else OpenSceneGraph's built-in one
    made->setFontResolution(32, 32);
    made->setAlignment(osgText::TextBase::LEFT_TOP);
    made->setCullingActive(false);
    texts_.push_back(made);
    words_->addDrawable(made);
  }
  osgText::Text& t = *texts_[used_++];
  t.setNodeMask(~0u);
  t.setPosition(osg::Vec3(static_cast<float>(x), static_cast<float>(height_ - y), 0));
  t.setCharacterSize(static_cast<float>(size));
  t.setColor(osg::Vec4(colour.r, colour.g, colour.b, colour.a));
  const osgText::String wanted(words, osgText::String::ENCODING_UTF8);
  if (t.getText().createUTF8EncodedString() != words) t.setText(wanted);
}

void Hud::end() {
  for (std::size_t i = used_; i < texts_.size(); i++) texts_[i]->setNodeMask(0);
  close(*triangles_);
  close(*lines_);
}

}  // namespace vertebra::viewer
