// Off-screen drawing: parts appear at their poses, in their colour, and move; figures of the C ABI become parts; shadows fall on the
// ground; a strip puts its pictures in the right places.
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include <osgDB/ReadFile>

#include "tests/support.hpp"
#include "viewer/film_strip.hpp"
#include "viewer/offscreen.hpp"
#include "viewer/scene.hpp"

using namespace vertebra::viewer;

namespace {

constexpr int kSize = 200;
constexpr Colour kRed{0.9f, 0.05f, 0.05f};

std::unique_ptr<Offscreen> openedOn(const Scene& scene) {
  std::string error;
  auto offscreen = Offscreen::create(kSize, kSize, error);
  INFO(error);
  REQUIRE(offscreen);
  offscreen->setScene(scene.root(), Scene::background());
  return offscreen;
}

bool isRed(const osg::Vec4& c) { return c.r() > 3 * c.g() && c.r() > 3 * c.b(); }
float brightness(const osg::Vec4& c) { return c.r() + c.g() + c.b(); }

// Share of red pixels in columns from a to b (shares of the width).
double red(const osg::Image& image, double a, double b) {
  int hits = 0, all = 0;
  for (int x = static_cast<int>(a * image.s()); x < b * image.s(); x++)
    for (int y = 0; y < image.t(); y++, all++) hits += isRed(image.getColor(x, y));
  return static_cast<double>(hits) / all;
}

int addBox(Scene& scene, double half) {
  std::vector<double> corners;
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 3; k++) corners.push_back(i >> k & 1 ? half : -half);
  const std::vector<std::uint32_t> triangles{0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                             2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
  const int part = scene.addPart();
  scene.addTriangles(part, corners, triangles, kRed);
  return part;
}

const Camera kFromBehind{{0, -6, 1}, {0, 0, 1}, 40};  // x to the right

}  // namespace

TEST_CASE("parts show where they are, in their colour") {
  Scene scene;
  const int box = addBox(scene, 0.4);
  const double left[7] = {-1, 0, 1, 0, 0, 0, 1}, right[7] = {1, 0, 1, 0, 0, 0, 1};
  scene.setPose(box, left);
  const auto offscreen = openedOn(scene);
  auto image = offscreen->draw(kFromBehind);
  REQUIRE(image->s() == kSize);
  REQUIRE(image->t() == kSize);
  CHECK(red(*image, 0, 0.5) > 0.05);
  CHECK(red(*image, 0.5, 1) == 0);
  scene.setPose(box, right);
  image = offscreen->draw(kFromBehind);
  CHECK(red(*image, 0, 0.5) == 0);
  CHECK(red(*image, 0.5, 1) > 0.05);
  scene.setColour(box, {0.1f, 0.8f, 0.1f});
  image = offscreen->draw(kFromBehind);
  CHECK(red(*image, 0, 1) == 0);
}

TEST_CASE("a turned part is drawn turned") {
  Scene scene;
  const int part = scene.addPart();
  scene.addTriangles(part, {0, -0.1, 0, 1, -0.1, 0, 1, 0.1, 0, 0, 0.1, 0}, {0, 1, 2, 0, 2, 3}, kRed);  // a plate along x
  const auto offscreen = openedOn(scene);
  const Camera fromAbove{{0, -0.01, 8}, {0, 0, 0}, 30};                              // x to the right, y up
  const double ahead[7] = {0, 0, 1, 0, 0, 0, 1}, turned[7] = {0, 0, 1, 0, 0, 1, 0};  // half a turn about z
  scene.setPose(part, ahead);
  CHECK(red(*offscreen->draw(fromAbove), 0.52, 1) > 0.005);
  scene.setPose(part, turned);
  const auto image = offscreen->draw(fromAbove);
  CHECK(red(*image, 0.52, 1) == 0);
  CHECK(red(*image, 0, 0.48) > 0.005);
}

TEST_CASE("the ground is darker in a part's shadow") {
  Scene scene;
  const int box = addBox(scene, 0.3);
  const auto offscreen = openedOn(scene);
  const Camera fromAbove{{0, -0.01, 8}, {0, 0, 0}, 30};
  const double here[7] = {-1, 0, 0.9, 0, 0, 0, 1}, there[7] = {1.2, 0, 0.9, 0, 0, 0, 1};
  scene.setPose(box, here);
  const auto shaded = offscreen->draw(fromAbove);
  scene.setPose(box, there);
  const auto bare = offscreen->draw(fromAbove);
  int darker = 0;
  for (int x = 0; x < kSize / 2; x++)
    for (int y = 0; y < kSize; y++)
      darker += !isRed(shaded->getColor(x, y)) && brightness(shaded->getColor(x, y)) < 0.8f * brightness(bare->getColor(x, y));
  CHECK(darker > 50);
  CHECK(darker < kSize * kSize / 8);
}

TEST_CASE("a figure becomes one part a link") {
  const std::string text =
      "<robot name='r'><link name='a'><visual><origin xyz='0 0 1'/><geometry><sphere radius='0.3'/></geometry>"
      "<material name='m'><color rgba='0.9 0.05 0.05 1'/></material></visual></link>"
      "<link name='b'/><joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint></robot>";
  vtb_skeleton* skeleton = nullptr;
  REQUIRE(vtb_skeleton_parse_urdf(text.data(), text.size(), "text", nullptr, nullptr, &skeleton) == VTB_OK);
  Scene scene;
  const int first = scene.addFigure(skeleton);
  CHECK(first == 0);
  CHECK(scene.addPart() == 2);
  vtb_skeleton_release(skeleton);
  const auto image = openedOn(scene)->draw(kFromBehind);
  CHECK(isRed(image->getColor(kSize / 2, kSize / 2)));
  const double disc = red(*image, 0, 1) * kSize * kSize;  // radius 0.3 at 6 m
  const double radius = 0.3 / (6 * std::tan(20 * M_PI / 180)) * kSize / 2;
  CHECK(disc == Approx(M_PI * radius * radius).epsilon(0.1));
  CHECK(Scene().addFigure(nullptr) == -1);
}

TEST_CASE("a strip puts its pictures in rows") {
  const auto plain = [](unsigned char r, unsigned char g, unsigned char b) {
    osg::ref_ptr<osg::Image> image = new osg::Image;
    image->allocateImage(200, 120, 1, GL_RGB, GL_UNSIGNED_BYTE);
    for (int i = 0; i < 24000; i++) {
      image->data()[3 * i] = r;
      image->data()[3 * i + 1] = g;
      image->data()[3 * i + 2] = b;
    }
    return image;
  };
  FilmStrip strip(200, 120, 2);
  strip.add(plain(255, 0, 0), "", "");
  strip.add(plain(0, 255, 0), "", "");
  strip.add(plain(0, 0, 255), "1.00 s", "");
  CHECK(strip.width() == 8 + 2 * 208);
  CHECK(strip.height() == 8 + 2 * 128);
  const std::string path = (std::filesystem::temp_directory_path() / ("vertebra_strip_" + std::to_string(::getpid()) + ".png")).string();
  std::string error;
  INFO(error);
  REQUIRE(strip.write(path, error));
  const osg::ref_ptr<osg::Image> read = osgDB::readRefImageFile(path);
  std::filesystem::remove(path);
  REQUIRE(read);
  REQUIRE(read->s() == strip.width());
  REQUIRE(read->t() == strip.height());
  CHECK(read->getColor(108, 196).r() > 0.9f);  // rows count from below
  CHECK(read->getColor(316, 196).g() > 0.9f);
  CHECK(read->getColor(108, 68).b() > 0.9f);
  CHECK(brightness(read->getColor(316, 68)) < 0.6f);  // no fourth picture: film
  int letters = 0;
  for (int x = 8; x < 208; x++)
    for (int y = 100; y < 128; y++) letters += read->getColor(x, y).b() < 0.6f;
  CHECK(letters > 5);
  CHECK_FALSE(strip.write("/no/such/folder/strip.png", error));
  CHECK(error.find("/no/such/folder") != std::string::npos);
}
