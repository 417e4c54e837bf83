// Kinematics of BVH clips against bvh_fk.py (numpy, matrices, its own parser); load - save - load.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "loaders/bvh/bvh.hpp"
#include "tests/loaders/bvh/bvh_support.hpp"
#include "tests/support.hpp"

using namespace vertebra;

namespace {
// A python that has numpy, or "".
std::string pythonWithNumpy() {
  for (const char* python : {"/usr/bin/python3", "python3"})
    if (std::system((std::string(python) + " -c 'import numpy' >/dev/null 2>&1").c_str()) == 0) return python;
  return "";
}

std::vector<double> runReference(const std::string& python, const std::string& file) {
  std::string command = python + " '" + test::sourceDir() + "/tests/loaders/bvh/bvh_fk.py' '" + file + "'";
  std::vector<double> out;
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return out;
  double block[4096];
  for (std::size_t got; (got = std::fread(block, sizeof(double), 4096, pipe)) > 0;) out.insert(out.end(), block, block + got);
  if (pclose(pipe) != 0) out.clear();
  return out;
}

void compareWithReference(const std::string& python, const std::string& file) {
  INFO(file);
  figure::Motion m = test::loadedFile(file);
  std::vector<double> reference = runReference(python, file);
  REQUIRE(reference.size() > 3);
  const int frames = static_cast<int>(reference[0]), joints = static_cast<int>(reference[1]);
  const double size = reference[2];
  REQUIRE(m.frames() == frames);
  REQUIRE(static_cast<int>(m.joints.size()) == joints);
  REQUIRE(reference.size() == 3 + static_cast<std::size_t>(frames) * joints * 12);
  REQUIRE(size > 0);
  std::vector<Pose> raw(joints), world(joints);
  double worst = 0, worstTurn = 0;
  const double* at = reference.data() + 3;
  for (int f = 0; f < frames; f++) {
    figure::motionWorldPoses(m, m.frame(f), true, raw.data());
    figure::motionWorldPoses(m, m.frame(f), false, world.data());
    for (int j = 0; j < joints; j++, at += 12) {
      const Vec3 p(at[0], at[1], at[2]);
      Mat3 r;
      r << at[3], at[4], at[5], at[6], at[7], at[8], at[9], at[10], at[11];
      worst = std::max(worst, (raw[j].p - p).norm() / size);
      worstTurn = std::max(worstTurn, (raw[j].q.toRotationMatrix() - r).norm());
      const Mat3 turn = m.turn.toRotationMatrix();
      worst = std::max(worst, (world[j].p - m.unit * (turn * p)).norm() / (m.unit * size));
      worstTurn = std::max(worstTurn, (world[j].q.toRotationMatrix() - turn * r).norm());
    }
  }
  CHECK(worst < 1e-9);
  CHECK(worstTurn < 1e-9);
}
}  // namespace

TEST_CASE("BVH kinematics agree with numpy on every clip") {
  std::string python = pythonWithNumpy();
  if (python.empty()) {
    WARN("skipped: no python with numpy");
    return;
  }
  for (const std::string& file : test::bvhFiles(test::sourceDir() + "/models/motions")) compareWithReference(python, file);
  for (const std::string& file : test::bvhFiles(test::sourceDir() + "/tests/bvh")) compareWithReference(python, file);
  REQUIRE_SHARED_DATA();
  std::vector<std::string> files = test::bvhFiles(test::sharedData() + "/bvh");
  REQUIRE(files.size() >= 10);
  for (const std::string& file : files) compareWithReference(python, file);
}

TEST_CASE("load, save, load keeps every value") {
  std::vector<std::string> files = test::bvhFiles(test::sourceDir() + "/tests/bvh");
  REQUIRE(!files.empty());
  for (const std::string& dir :
       {test::sourceDir() + "/models/motions", test::sharedData().empty() ? std::string() : test::sharedData() + "/bvh"})
    for (const std::string& file : test::bvhFiles(dir)) files.push_back(file);
  for (const std::string& file : files) {
    INFO(file);
    figure::Motion a = test::loadedFile(file);
    figure::Motion b = test::loaded(writeBvhText(a));
    REQUIRE(a.joints.size() == b.joints.size());
    CHECK(a.values == b.values);
    CHECK(a.frameTime == b.frameTime);
    CHECK(a.channelCount == b.channelCount);
    for (std::size_t j = 0; j < a.joints.size(); j++) {
      CHECK(a.joints[j].name == b.joints[j].name);
      CHECK(a.joints[j].parent == b.joints[j].parent);
      CHECK(a.joints[j].offset == b.joints[j].offset);
      CHECK(a.joints[j].channels == b.joints[j].channels);
      CHECK(a.joints[j].endSites == b.joints[j].endSites);
    }
    CHECK(a.unit == b.unit);
    CHECK(a.turn.coeffs() == b.turn.coeffs());
  }
}

TEST_CASE("a clip made by a program, joints not depth first, is written with its columns in order") {
  figure::Motion m;
  auto add = [&](const char* name, int parent, std::vector<figure::Channel> channels) {
    figure::MotionJoint j;
    j.name = name;
    j.parent = parent;
    j.offset = Vec3(0, 1 + m.joints.size(), 0);
    j.channels = std::move(channels);
    j.firstChannel = m.channelCount;
    m.channelCount += static_cast<int>(j.channels.size());
    m.joints.push_back(j);
  };
  add("root", -1, {figure::Channel::Xposition, figure::Channel::Yposition, figure::Channel::Zposition});
  add("left", 0, {figure::Channel::Xrotation});
  add("right", 0, {figure::Channel::Yrotation});
  add("leftEnd", 1, {figure::Channel::Zrotation});
  m.values = {1, 2, 3, 10, 20, 30};
  figure::Motion b = test::loaded(writeBvhText(m));
  REQUIRE(b.joints.size() == 4);
  REQUIRE(b.frames() == 1);
  std::vector<Pose> pa(4), pb(4);
  figure::motionWorldPoses(m, m.frame(0), true, pa.data());
  figure::motionWorldPoses(b, b.frame(0), true, pb.data());
  for (int j = 0; j < 4; j++) {
    int k = b.findJoint(m.joints[j].name);
    REQUIRE(k >= 0);
    CHECK((pa[j].p - pb[k].p).norm() < 1e-14);
    CHECK((pa[j].q.coeffs() - pb[k].q.coeffs()).norm() < 1e-14);
  }
}
