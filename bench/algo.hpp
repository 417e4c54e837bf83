// Timings of the algorithms on a robot: a URDF, states that are the same for every library, times per call, check sums.
//
// usage: algo_LIBRARY robot.urdf [floating]. Prints one line of JSON: microseconds of processor time per call (median and minimum over
// repetitions) of forward dynamics (fd), inverse dynamics (id), mass matrix and kinematics of all links (fk), and check sums of the first
// state, which agree between libraries that read the model alike: sum of accelerations, sum of |tau|, trace of M over the joints.
#pragma once
#include <urdf_parser/urdf_parser.h>

#include <functional>

#include "bench/harness.hpp"

namespace bench {

constexpr int kStates = 64;  // different states, cycled through

struct Robot {
  std::string name;
  bool floating = false;
  urdf::ModelInterfaceSharedPtr model;
  std::map<std::string, int> joints;  // movable joints in alphabetical order

  Robot(int argc, char** argv) {
    if (argc < 2) {
      std::fprintf(stderr, "usage: %s robot.urdf [floating]\n", argv[0]);
      std::exit(2);
    }
    const std::string path = argv[1];
    floating = argc > 2 && std::string(argv[2]) == "floating";
    model = urdf::parseURDFFile(path);
    if (!model) {
      std::fprintf(stderr, "cannot read %s\n", path.c_str());
      std::exit(1);
    }
    name = path.substr(path.rfind('/') + 1);
    name = name.substr(0, name.rfind('.'));
    for (const auto& [key, joint] : model->joints_)
      if (joint->type != urdf::Joint::FIXED) joints.emplace(key, static_cast<int>(joints.size()));
  }

  // Parents first.
  std::vector<urdf::LinkConstSharedPtr> links() const {
    std::vector<urdf::LinkConstSharedPtr> list{model->getRoot()};
    for (std::size_t i = 0; i < list.size(); i++) {
      const auto children = list[i]->child_links;
      list.insert(list.end(), children.begin(), children.end());
    }
    return list;
  }
};

// State k of joint i.
inline double position(int i, int k) { return 0.3 * std::sin(i + 1 + 0.7 * k); }
inline double velocity(int i, int k) { return 0.5 * std::cos(2 * i + 0.3 * k); }
inline double acceleration(int i, int k) { return 0.8 * std::sin(3 * i + 0.5 * k); }
inline double torque(int i, int k) { return 2 * std::cos(i + 0.9 * k); }

// Calls `once` for every state, repeatedly for about a second.
inline Times timeStates(const std::function<void(int)>& once) {
  const auto all = [&] {
    for (int k = 0; k < kStates; k++) once(k);
  };
  for (int warm = 0; warm < 20; warm++) all();
  Times times;
  const double start = processorTime();
  while (times.blocks.size() < 50 || (times.blocks.size() < 2000 && processorTime() - start < 0.5e6)) {
    const double begin = processorTime();
    all();
    times.blocks.push_back((processorTime() - begin) / kStates);
  }
  return times;
}

struct CheckSums {
  double accelerations = NAN, torques = NAN, trace = NAN, positions = NAN;
};
inline void printAlgorithms(const std::string& library, const Robot& robot, int velocities,
                            const std::vector<std::pair<std::string, Times>>& rows, const CheckSums& sums, const std::string& notes) {
  Line line;
  line.text("engine", library);
  line.text("scene", "algo");
  line.text("robot", robot.name);
  line.text("base", robot.floating ? "floating" : "fixed");
  line.number("N", velocities);
  for (const auto& [what, times] : rows) line.times((what + "_us").c_str(), times);
  line.number("check_sum_qdd", sums.accelerations, 13);
  line.number("check_sum_abs_tau", sums.torques, 13);
  line.number("check_trace_M", sums.trace, 13);
  line.number("check_sum_abs_positions", sums.positions, 13);
  line.text("notes", notes);
  line.print();
}

}  // namespace bench
