// Markers: synthesis with faults of the size asked for, TRC files of several dialects, faults of files with their lines.
#include <cmath>

#include "engine/figure/marker_synthesis.hpp"
#include "loaders/bvh/bvh.hpp"
#include "loaders/markers/markers.hpp"
#include "tests/support.hpp"

using namespace vertebra;

namespace {
figure::Motion walk() {
  figure::Motion m;
  Diagnostics d;
  REQUIRE(loadBvhFile(test::sourceDir() + "/models/motions/walk.bvh", {}, m, d));
  return m;
}

std::vector<figure::MarkerPlace> placesOf(const figure::Motion& m) {
  std::vector<figure::MarkerPlace> places;
  for (const figure::MotionJoint& joint : m.joints) places.push_back({"m" + joint.name, joint.name, Vec3(0.05, 0.01, -0.02)});
  return places;
}

const std::string kHead =
    "PathFileType\t4\t(X/Y/Z)\tx.trc\r\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\r\n100.00\t100.00\t2\t2\tmm\r\n"
    "Frame#\tTime\tR.ASIS\t\t\tL ASIS\t\t\r\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\t\r\n\t\t\r\n";
}  // namespace

TEST_CASE("markers move with their joints") {
  const figure::Motion m = walk();
  const figure::MarkerRecord r = figure::synthesiseMarkers(m, placesOf(m), {});
  std::vector<Pose> poses(m.joints.size());
  REQUIRE(r.frames() == m.frames());
  for (int i = 0; i < m.frames(); i += 50) {
    figure::motionWorldPoses(m, m.frame(i), false, poses.data());
    for (std::size_t j = 0; j < poses.size(); j++)
      CHECK((r.frame(i)[j] - (poses[j].p + poses[j].q * Vec3(0.05, 0.01, -0.02))).norm() < 1e-12);
  }
}

TEST_CASE("faults of markers have the size that was asked for, and come again with the seed") {
  const figure::Motion m = walk();
  const auto places = placesOf(m);
  const figure::MarkerRecord clean = figure::synthesiseMarkers(m, places, {});
  const figure::MarkerRecord noisy = figure::synthesiseMarkers(m, places, {0.002, 0.2, 0, 7});
  double square = 0, count = 0, gone = 0;
  for (std::size_t i = 0; i < clean.positions.size(); i++) {
    if (std::isnan(noisy.positions[i].x())) {
      gone++;
      continue;
    }
    square += (noisy.positions[i] - clean.positions[i]).squaredNorm();
    count += 3;
  }
  CHECK(std::sqrt(square / count) == Approx(0.002).epsilon(0.05));
  CHECK(gone / static_cast<double>(clean.positions.size()) == Approx(0.2).margin(0.05));
  CHECK(writeTrcText(noisy) == writeTrcText(figure::synthesiseMarkers(m, places, {0.002, 0.2, 0, 7})));
  CHECK(writeTrcText(noisy) != writeTrcText(figure::synthesiseMarkers(m, places, {0.002, 0.2, 0, 8})));
  const figure::MarkerRecord swapped = figure::synthesiseMarkers(m, places, {0, 0, 1, 3});
  std::size_t different = 0;
  const std::size_t last = clean.positions.size() - places.size();
  for (std::size_t k = 0; k < places.size(); k++) different += clean.positions[last + k] != swapped.positions[last + k];
  CHECK(different == 2);
}

TEST_CASE("a TRC file reads back as it was written, with its gaps") {
  const figure::Motion m = walk();
  const figure::MarkerRecord r = figure::synthesiseMarkers(m, placesOf(m), {0, 0.3, 0, 1});
  figure::MarkerRecord again;
  Diagnostics d;
  REQUIRE(loadTrcText(writeTrcText(r), "x.trc", false, again, d));
  CHECK(d.entries.empty());
  CHECK(again.names == r.names);
  CHECK(again.frameTime == Approx(r.frameTime));
  REQUIRE(again.positions.size() == r.positions.size());
  for (std::size_t i = 0; i < r.positions.size(); i++) {
    REQUIRE(std::isnan(again.positions[i].x()) == std::isnan(r.positions[i].x()));
    if (!std::isnan(r.positions[i].x())) REQUIRE((again.positions[i] - r.positions[i]).norm() < 1e-9);
  }
}

TEST_CASE("TRC files of other programs: trailing tabs, names with blanks, CRLF, NaN, short rows, z up") {
  figure::MarkerRecord r;
  Diagnostics d;
  REQUIRE(loadTrcText(kHead + "1\t0.00\t1\t2\t3\tNaN\tNaN\tNaN\t\r\n2\t0.01\t\t\t\t4\t5\t6\r\n", "x.trc", false, r, d));
  CHECK(d.entries.empty());
  CHECK(r.names == std::vector<std::string>{"R.ASIS", "L ASIS"});
  REQUIRE(r.frames() == 2);
  CHECK((r.frame(0)[0] - Vec3(0.001, -0.003, 0.002)).norm() < 1e-15);
  CHECK(std::isnan(r.frame(0)[1].x()));
  CHECK(std::isnan(r.frame(1)[0].x()));
  REQUIRE(loadTrcText(kHead + "1\t0.00\t1\t2\t3\r\n", "x.trc", true, r, d));
  CHECK((r.frame(0)[0] - Vec3(0.001, 0.002, 0.003)).norm() < 1e-15);
  CHECK(d.entries.size() == 1);  // NumFrames is 2
  CHECK(d.entries[0].code == "trc.frames");
}

TEST_CASE("rows of a TRC file that are left out, or another rate than it states, are told once") {
  const std::string one = "\t1\t2\t3\t4\t5\t6\r\n";
  const struct {
    std::string rows;
    int line;
  } cases[] = {{"1\t0" + one + "2\t0.01" + one + "3\t0.02" + one, 0},
               {"5\t0.04" + one + "6\t0.05" + one, 0},
               {"1\t0" + one + "3\t0.02" + one + "4\t0.03" + one, 8},
               {"1\t0" + one + "2\t0.005" + one + "3\t0.010" + one, 9}};
  for (const auto& c : cases) {
    figure::MarkerRecord r;
    Diagnostics d;
    REQUIRE(loadTrcText(kHead + c.rows, "x.trc", true, r, d));
    int told = 0;
    for (const Diagnostic& each : d.entries)
      if (each.code == "trc.time") {
        told++;
        CHECK(each.line == c.line);
      }
    CHECK(told == (c.line > 0));
  }
}

TEST_CASE("what does not fit a TRC file is told with its line") {
  std::string units = kHead, rate = kHead;
  units.replace(units.find("\tmm"), 3, "\tft");
  rate.replace(rate.find("100.00"), 6, "0");
  const struct {
    std::string text;
    const char* code;
    int line;
  } cases[] = {
      {"", "trc.head", 0},
      {"HIERARCHY\n", "trc.head", 1},
      {"PathFileType\t4\n", "trc.head", 1},
      {units + "1\t0\t1\t2\t3\n", "trc.units", 3},
      {rate + "1\t0\t1\t2\t3\n", "trc.rate", 3},
      {kHead, "trc.empty", 6},
      {kHead + "1\t0\t1\t2\t3\t4\t5\t6\t7\n", "trc.row", 7},
      {kHead + "1\t0\t1\t2\n", "trc.row", 7},
      {kHead + "1\t0\t1\tx\t3\n", "trc.number", 7},
      {kHead + "1\t0\t1\t2\t3\nend\t1\n", "trc.row", 8},
  };
  for (const auto& each : cases) {
    INFO(each.text);
    figure::MarkerRecord r;
    Diagnostics d;
    REQUIRE(!loadTrcText(each.text, "x.trc", false, r, d));
    REQUIRE(d.firstError());
    CHECK(d.firstError()->code == each.code);
    CHECK(d.firstError()->line == each.line);
  }
}
