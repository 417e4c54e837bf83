// The strip is itself drawn off-screen: pictures as textured rectangles and captions as text, one unit a pixel.
#include "viewer/film_strip.hpp"

#include <algorithm>
#include <fstream>

#include <osg/Geode>
#include <osg/Geometry>
#include <osg/Texture2D>
#include <osgDB/Registry>
#include <osgText/Text>

#include "viewer/offscreen.hpp"

namespace vertebra::viewer {

namespace {

constexpr int kGap = 8;  // pixels between pictures and around them
const osg::Vec4 kFilm(0.13f, 0.14f, 0.16f, 1);

osg::ref_ptr<osg::Geometry> rectangle(float x, float y, float width, float height, const osg::Vec4& colour, osg::Image* image) {
  osg::ref_ptr<osg::Geometry> quad = osg::createTexturedQuadGeometry(osg::Vec3(x, y, 0), osg::Vec3(width, 0, 0), osg::Vec3(0, height, 0));
  osg::ref_ptr<osg::Vec4Array> colours = new osg::Vec4Array(1);
  (*colours)[0] = colour;
  quad->setColorArray(colours, osg::Array::BIND_OVERALL);
  if (image) {
    osg::ref_ptr<osg::Texture2D> texture = new osg::Texture2D(image);
    texture->setResizeNonPowerOfTwoHint(false);
    texture->setFilter(osg::Texture::MIN_FILTER, osg::Texture::LINEAR);
    texture->setFilter(osg::Texture::MAG_FILTER, osg::Texture::LINEAR);
    texture->setWrap(osg::Texture::WRAP_S, osg::Texture::CLAMP_TO_EDGE);
    texture->setWrap(osg::Texture::WRAP_T, osg::Texture::CLAMP_TO_EDGE);
    quad->getOrCreateStateSet()->setTextureAttributeAndModes(0, texture);
  }
  return quad;
}

// DejaVu Sans comes with OpenSceneGraph's own dependencies; without it OpenSceneGraph's built-in font is used.
osg::ref_ptr<osgText::Text> text(const std::string& words, const char* font, float size, float x, float y) {
  osg::ref_ptr<osgText::Text> t = new osgText::Text;
  t->setFont(osgText::readRefFontFile(font));
  t->setFontResolution(static_cast<unsigned>(2 * size), static_cast<unsigned>(2 * size));
  t->setCharacterSize(size);
  t->setPosition(osg::Vec3(x, y, 0));
  t->setColor(osg::Vec4(0.1f, 0.12f, 0.16f, 1));
  t->setText(words, osgText::String::ENCODING_UTF8);
  return t;
}

}  // namespace

bool writePng(const osg::Image& image, const std::string& path, std::string& error) {
  std::ofstream file(path, std::ios::binary);  // opened here, as OpenSceneGraph says nothing of the reason
  osgDB::ReaderWriter* writer = osgDB::Registry::instance()->getReaderWriterForExtension("png");
  if (!writer) {
    error = "cannot write PNG: OpenSceneGraph's plugin osgdb_png is missing; Debian: apt-get install libopenscenegraph161";
    return false;
  }
  if (file && writer->writeImage(image, file).success() && file.flush()) return true;
  error = "cannot write '" + path + "'; is the folder there and may it be written to?";
  return false;
}

void FilmStrip::add(const osg::ref_ptr<osg::Image>& picture, const std::string& caption, const std::string& note) {
  pictures_.push_back({picture, caption, note});
}

int FilmStrip::width() const { return kGap + std::min(columns_, count()) * (width_ + kGap); }
int FilmStrip::height() const { return kGap + (count() + columns_ - 1) / columns_ * (height_ + kGap); }

bool FilmStrip::write(const std::string& path, std::string& error) const {
  const float size = 0.07f * static_cast<float>(height_);
  osg::ref_ptr<osg::Geode> sheet = new osg::Geode;
  for (int i = 0; i < count(); i++) {
    const Picture& picture = pictures_[static_cast<std::size_t>(i)];
    const auto x = static_cast<float>(kGap + i % columns_ * (width_ + kGap));
    const int row = i / columns_;
    const auto y = static_cast<float>(height() - (row + 1) * (height_ + kGap));
    sheet->addDrawable(rectangle(x, y, static_cast<float>(width_), static_cast<float>(height_), osg::Vec4(1, 1, 1, 1), picture.image));
    sheet->addDrawable(text(picture.caption, "DejaVuSans-Bold.ttf", size, x + 0.5f * size, y + static_cast<float>(height_) - 1.25f * size));
    sheet->addDrawable(text(picture.note, "DejaVuSans.ttf", 0.75f * size, x + 0.5f * size, y + 0.5f * size));
  }
  osg::StateSet* state = sheet->getOrCreateStateSet();
  state->setMode(GL_LIGHTING, osg::StateAttribute::OFF);
  state->setMode(GL_DEPTH_TEST, osg::StateAttribute::OFF);
  state->setMode(GL_BLEND, osg::StateAttribute::ON);
  state->setRenderBinDetails(0, "TraversalOrderBin");

  const auto offscreen = Offscreen::create(width(), height(), kSamples, error);
  if (!offscreen) return false;
  offscreen->setScene(sheet, kFilm);
  offscreen->draw(osg::Matrixd::ortho2D(0, width(), 0, height()), osg::Matrixd::identity());
  return writePng(*offscreen->image(), path, error);
}

}  // namespace vertebra::viewer
