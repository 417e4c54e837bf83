// A motion and a robot for the tests of retargeting: a walk in BVH (centimetres, Y up, towards +Z) whose feet stand still while they are
// down, and a biped with 6 axes a leg and 4 an arm, box feet, other proportions.
#pragma once
#include <cmath>
#include <cstdio>
#include <string>

#include <catch2/catch.hpp>

#include "engine/figure/figure_model.hpp"
#include "engine/figure/motion.hpp"
#include "loaders/bvh/bvh.hpp"
#include "loaders/urdf/urdf.hpp"

namespace walker {

using namespace vertebra;

constexpr double kThigh = 42, kShin = 40, kHip = 92, kAnkle = 8, kStep = 55, kLift = 10, kPeriod = 1.0;  // cm, s
constexpr double kDegree = kPi / 180;

struct Names {
  std::string hips = "Hips", upLeg = "UpLeg", leg = "Leg", foot = "Foot", toe = "ToeBase", clavicle = "Shoulder", arm = "Arm",
              foreArm = "ForeArm", hand = "Hand", left = "Left", right = "Right", head = "Head";
  bool sideLast = false;
  std::string of(int side, const std::string& part) const {
    const std::string& s = side ? right : left;
    return sideLast ? part + s : s + part;
  }
};

inline std::string precise(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.12g", x);
  return text;
}

inline double smooth(double x) { return x * x * (3 - 2 * x); }

// Ankle of a side at time t, ahead of the start and above the ground. A foot stands for half a period and swings for the other half.
inline void ankleAt(int side, double t, double& z, double& y) {
  const double phase = t / kPeriod + 0.5 * side, whole = std::floor(phase), share = phase - whole;
  const double from = (2 * whole - side) * kStep;
  if (share < 0.5) {
    z = from;
    y = kAnkle;
  } else {
    const double x = 2 * share - 1;
    z = from + 2 * kStep * smooth(x);
    y = kAnkle + kLift * std::sin(kPi * x) * std::sin(kPi * x);
  }
}

struct Arm {  // lengths, cm
  double fromSpine = 5, clavicle = 12, upper = 28, fore = 25;
};

inline std::string bvh(double seconds = 3, double rate = 30, const Names& names = {}, double size = 1, double heading = 0,
                       const Arm& lengths = {}) {
  std::string out =
      "HIERARCHY\nROOT " + names.hips + "\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Yrotation Xrotation Zrotation\n";
  const auto joint = [&](const std::string& name, double x, double y, double z) {
    out += "JOINT " + name + "\n{\nOFFSET " + std::to_string(size * x) + " " + std::to_string(size * y) + " " + std::to_string(size * z) +
           "\nCHANNELS 3 Yrotation Xrotation Zrotation\n";
  };
  const auto end = [&](double x, double y, double z) {
    out += "End Site\n{\nOFFSET " + std::to_string(size * x) + " " + std::to_string(size * y) + " " + std::to_string(size * z) + "\n}\n";
  };
  for (int side = 0; side < 2; side++) {
    const double s = side ? -1 : 1;
    joint(names.of(side, names.upLeg), 9 * s, 0, 0);
    joint(names.of(side, names.leg), 0, -kThigh, 0);
    joint(names.of(side, names.foot), 0, -kShin, 0);
    joint(names.of(side, names.toe), 0, -6, 13);
    end(0, 0, 7);
    out += "}\n}\n}\n}\n";
  }
  joint("Spine", 0, 20, 0);
  joint("Spine1", 0, 20, 0);
  for (int side = 0; side < 2; side++) {
    const double s = side ? -1 : 1;
    joint(names.of(side, names.clavicle), lengths.fromSpine * s, 12, 0);
    joint(names.of(side, names.arm), lengths.clavicle * s, 0, 0);
    joint(names.of(side, names.foreArm), lengths.upper * s, 0, 0);
    joint(names.of(side, names.hand), lengths.fore * s, 0, 0);
    end(15 * s, 0, 0);
    out += "}\n}\n}\n}\n";
  }
  joint("Neck", 0, 16, 0);
  joint(names.head, 0, 10, 0);
  end(0, 18, 0);
  out += "}\n}\n}\n}\n}\n";
  const int frames = static_cast<int>(std::lround(seconds * rate)) + 1;
  out += "MOTION\nFrames: " + std::to_string(frames) + "\nFrame Time: " + precise(1 / rate) + "\n";
  for (int i = 0; i < frames; i++) {
    const double t = i / rate, ahead = kStep * (2 * t / kPeriod - 0.5);
    const auto put = [&](double a) { out += precise(a) + " "; };
    const double sway = 2 * std::sin(2 * kPi * t / kPeriod);
    const double c = std::cos(heading), s = std::sin(heading);
    put(size * (sway * c + ahead * s)), put(size * kHip), put(size * (ahead * c - sway * s));
    put(heading / kDegree), put(0), put(0);
    for (int side = 0; side < 2; side++) {
      double z = 0, y = 0;
      ankleAt(side, t, z, y);
      const double dz = z - ahead, dy = kHip - y, d = std::min(std::hypot(dz, dy), kThigh + kShin - 0.01);
      const double knee = kPi - std::acos((kThigh * kThigh + kShin * kShin - d * d) / (2 * kThigh * kShin));
      const double lead = std::atan2(dz, dy) + std::acos((kThigh * kThigh + d * d - kShin * kShin) / (2 * kThigh * d));
      put(0), put(-lead / kDegree), put(0);
      put(0), put(knee / kDegree), put(0);
      put(0), put((lead - knee) / kDegree), put(0);
      put(0), put(0), put(0);
    }
    for (int k = 0; k < 6; k++) put(0);  // spine
    for (int side = 0; side < 2; side++) {
      const double swing = (side ? 1 : -1) * 20 * std::cos(2 * kPi * t / kPeriod), down = side ? 75 : -75;
      put(0), put(0), put(0);
      put(0), put(swing), put(down);
      put(side ? 20 : -20), put(0), put(0);
      put(0), put(0), put(0);
    }
    for (int k = 0; k < 6; k++) put(0);  // neck and head
    out += "\n";
  }
  return out;
}

inline figure::Motion motion(const std::string& text) {
  figure::Motion m;
  Diagnostics findings;
  BvhOptions options;
  options.unit = 0.01;
  REQUIRE(loadBvhText(text, "walk.bvh", options, m, findings));
  return m;
}

// turn: rotation of the root link against the figure about the vertical, for robots that face elsewhere at zero coordinates.
inline std::string robot(double turn = 0, double knee = 2.4, double speed = 20) {
  const std::string rpy = "0 0 " + std::to_string(-turn);
  std::string out = "<robot name=\"biped\">\n";
  const auto link = [&](const std::string& name, double mass, const std::string& shape) {
    out += "<link name=\"" + name + "\"><inertial><mass value=\"" + std::to_string(mass) +
           "\"/><inertia ixx=\"0.01\" iyy=\"0.01\" izz=\"0.01\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>" + shape + "</link>\n";
  };
  const auto box = [](const std::string& at, const std::string& size, const std::string& turned = "0 0 0") {
    return "<collision><origin xyz=\"" + at + "\" rpy=\"" + turned + "\"/><geometry><box size=\"" + size + "\"/></geometry></collision>";
  };
  const auto joint = [&](const std::string& name, const std::string& parent, const std::string& at, const std::string& axis, double lower,
                         double upper, const std::string& turned = "0 0 0") {
    out += "<joint name=\"" + name + "_joint\" type=\"revolute\"><parent link=\"" + parent + "\"/><child link=\"" + name +
           "\"/><origin xyz=\"" + at + "\" rpy=\"" + turned + "\"/><axis xyz=\"" + axis + "\"/><limit lower=\"" + std::to_string(lower) +
           "\" upper=\"" + std::to_string(upper) + "\" effort=\"100\" velocity=\"" + std::to_string(speed) + "\"/></joint>\n";
  };
  link("root", 1, "");
  link("pelvis", 5, box("0 0 0.05", "0.15 0.2 0.1"));
  out += "<joint name=\"fixed\" type=\"fixed\"><parent link=\"root\"/><child link=\"pelvis\"/><origin xyz=\"0 0 0\" rpy=\"" + rpy +
         "\"/></joint>\n";
  link("torso", 8, box("0 0 0.2", "0.15 0.25 0.3"));
  joint("torso", "pelvis", "0 0 0.1", "0 0 1", -1.5, 1.5);
  link("head", 1, box("0 0 0.1", "0.12 0.12 0.15"));
  joint("head", "torso", "0 0 0.42", "0 0 1", -1.5, 1.5);
  for (int side = 0; side < 2; side++) {
    const std::string s = side ? "right_" : "left_", y = side ? "-" : "";
    const auto limb = [&](const std::string& name, double mass, const std::string& shape) { link(s + name, mass, shape); };
    limb("hip_yaw", 0.5, "");
    limb("hip_roll", 0.5, "");
    limb("hip_pitch", 3, box("0 0 -0.15", "0.1 0.08 0.25"));
    limb("knee", 2, box("0 0 -0.15", "0.08 0.07 0.25"));
    limb("ankle_pitch", 0.2, "");
    limb("ankle_roll", 1, box("0.04 0 -0.05", "0.22 0.1 0.03"));
    joint(s + "hip_yaw", "pelvis", "0 " + y + "0.1 -0.02", "0 0 1", -1.2, 1.2);
    joint(s + "hip_roll", s + "hip_yaw", "0 0 0", "1 0 0", -0.8, 0.8);
    joint(s + "hip_pitch", s + "hip_roll", "0 0 0", "0 1 0", -2, 1);
    joint(s + "knee", s + "hip_pitch", "0 0 -0.33", "0 1 0", 0, knee);
    joint(s + "ankle_pitch", s + "knee", "0 0 -0.35", "0 1 0", -1.2, 0.9);
    joint(s + "ankle_roll", s + "ankle_pitch", "0 0 0", "1 0 0", -0.6, 0.6);
    limb("shoulder_pitch", 0.5, "");
    limb("shoulder_roll", 0.5, "");
    limb("shoulder_yaw", 1, box("0 0 -0.12", "0.06 0.06 0.2"));
    limb("elbow", 1, box("0 0 -0.12", "0.06 0.06 0.24"));
    joint(s + "shoulder_pitch", "torso", "0 " + y + "0.2 0.33", "0 1 0", -3, 3);
    joint(s + "shoulder_roll", s + "shoulder_pitch", "0 0 0", "1 0 0", side ? -2.8 : -0.3, side ? 0.3 : 2.8);
    joint(s + "shoulder_yaw", s + "shoulder_roll", "0 0 0", "0 0 1", -2, 2);
    joint(s + "elbow", s + "shoulder_yaw", "0 0 -0.25", "0 1 0", -2.4, 0);
  }
  return out + "</robot>\n";
}

inline std::shared_ptr<const figure::FigureModel> floating(bool loaded, figure::Skeleton skeleton, const Diagnostics& findings) {
  INFO(findings.text());
  REQUIRE(loaded);
  return figure::makeFigureModel(std::make_shared<const figure::Skeleton>(std::move(skeleton)), figure::BaseKind::Floating);
}

inline std::shared_ptr<const figure::FigureModel> model(const std::string& urdf) {
  figure::Skeleton skeleton;
  Diagnostics findings;
  const bool loaded = loadUrdfText(urdf, "biped.urdf", {}, skeleton, findings);
  return floating(loaded, std::move(skeleton), findings);
}

inline std::shared_ptr<const figure::FigureModel> modelAt(const std::string& path, bool named = true) {
  figure::Skeleton skeleton;
  Diagnostics findings;
  const bool loaded = loadUrdfFile(path, {}, skeleton, findings);
  for (std::size_t i = 0; !named && i < skeleton.links.size(); i++) skeleton.links[i].name = "body" + std::to_string(i);
  for (std::size_t i = 0; !named && i < skeleton.joints.size(); i++) skeleton.joints[i].name = "axis" + std::to_string(i);
  return floating(loaded, std::move(skeleton), findings);
}

}  // namespace walker
