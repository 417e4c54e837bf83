// Common to all comparisons with other engines: the robots, random states, the results of vertebra for them, and largest errors. Errors are
// relative to the largest entry compared, of M to sqrt(M_ii M_jj). Conventions of vertebra: capi/include/vertebra/.
#pragma once
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include "engine/figure/figure_model.hpp"
#include "loaders/urdf/urdf.hpp"
#include "tests/engine/figure/random_skeleton.hpp"
#include "tests/support.hpp"

namespace test {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline const Vec3 kOracleGravity(0, 0, -9.81);
inline constexpr int kOracleStates = 25;
inline constexpr double kOracleTolerance = 1e-9;

struct Robot {
  std::string name, file;
};
inline std::vector<Robot> ownRobots() {
  const std::string folder = sourceDir() + "/models/urdf/";
  return {{"arm7", folder + "arm7.urdf"},
          {"quadruped", folder + "quadruped.urdf"},
          {"humanoid", folder + "humanoid.urdf"},
          {"car", folder + "car.urdf"}};
}
inline std::vector<Robot> realRobots() {
  const std::string folder = sharedData() + "/urdf/";
  return {{"panda", folder + "panda_description/urdf/panda.urdf"},
          {"talos_reduced", folder + "talos_data/robots/talos_reduced.urdf"},
          {"icub", folder + "icub_description/robots/icub.urdf"},
          {"a1", folder + "a1_description/urdf/a1.urdf"},
          {"solo12", folder + "solo_description/robots/solo12.urdf"}};
}
inline std::shared_ptr<figure::Skeleton> loadRobot(const Robot& robot) {
  UrdfOptions options;
  options.loadMeshes = false;
  options.invalidInertia = UrdfOptions::InvalidInertia::Keep;  // the other engines get, or read, the same numbers
  auto skeleton = std::make_shared<figure::Skeleton>();
  Diagnostics diagnostics;
  INFO(robot.file);
  const bool loaded = loadUrdfFile(robot.file, options, *skeleton, diagnostics);
  INFO(diagnostics.text());
  REQUIRE(loaded);
  REQUIRE(figure::checkSkeleton(*skeleton) == "");
  return skeleton;
}

// The compared quantities, in our conventions. Energies may stay NaN where an engine has none.
struct Answers {
  std::vector<Pose> poses;  // of the links in Comparison::links
  std::vector<Vec6> twists;
  Matrix M;
  Vector bias, gravity, tau, a;  // tau: inverse dynamics; a: forward dynamics
  Vec3 com = Vec3::Constant(NAN);
  double kinetic = NAN, potential = NAN;
};

struct State {
  std::vector<double> q, v, a, tau;
};
inline State randomState(Random& r, const figure::FigureModel& model) {
  State s;
  s.q = randomCoordinates(r, model.coordinates, 1.5);
  s.v = randomValues(r, model.nv(), 3);
  s.a = randomValues(r, model.nv(), 10);
  s.tau = randomValues(r, model.nv(), 20);
  return s;
}

inline Answers ourAnswers(figure::FigureWorkspace& work, const State& s) {
  const int nv = work.model().nv();
  const std::size_t links = work.model().links.size();
  Answers o;
  const Pose* poses = work.poses(s.q.data());
  o.poses.assign(poses, poses + links);
  const Vec6* twists = work.twists(s.q.data(), s.v.data());
  o.twists.assign(twists, twists + links);
  o.M.resize(nv, nv);
  for (Vector* x : {&o.bias, &o.gravity, &o.tau, &o.a}) x->resize(nv);
  work.massMatrix(s.q.data(), o.M.data());
  work.bias(s.q.data(), s.v.data(), kOracleGravity, o.bias.data());
  work.gravity(s.q.data(), kOracleGravity, o.gravity.data());
  work.inverse(s.q.data(), s.v.data(), s.a.data(), kOracleGravity, o.tau.data());
  REQUIRE(work.forward(s.q.data(), s.v.data(), s.tau.data(), kOracleGravity, o.a.data()) == -1);
  work.centerOfMass(s.q.data(), s.v.data(), o.com, nullptr);
  work.energy(s.q.data(), s.v.data(), kOracleGravity, o.kinetic, o.potential);
  return o;
}

class Comparison {
 public:
  Comparison(std::string engine, std::string robot, bool floating)
      : label_(engine + "  " + robot + (floating ? "  floating" : "  fixed")) {}
  ~Comparison() {  // the table of agreement
    std::printf("%-34s", label_.c_str());
    for (const auto& [what, error] : worst_) std::printf("  %s %.1e", what.c_str(), error);
    std::printf("\n");
  }
  void compare(const Answers& ours, const Answers& theirs) {
    for (std::size_t l = 0; l < theirs.poses.size(); l++) {
      const Pose &a = ours.poses[l], &b = theirs.poses[l];
      note("pose", std::max((a.p - b.p).cwiseAbs().maxCoeff() / std::max(1.0, b.p.cwiseAbs().maxCoeff()),
                            (a.q.toRotationMatrix() - b.q.toRotationMatrix()).cwiseAbs().maxCoeff()));
    }
    double fastest = 0;
    for (const Vec6& t : theirs.twists) fastest = std::max(fastest, t.cwiseAbs().maxCoeff());
    for (std::size_t l = 0; l < theirs.twists.size(); l++)
      note("twist", (ours.twists[l] - theirs.twists[l]).cwiseAbs().maxCoeff() / fastest);
    for (int r = 0; r < theirs.M.rows(); r++)
      for (int c = 0; c < theirs.M.cols(); c++)
        note("M", std::abs(ours.M(r, c) - theirs.M(r, c)) / std::sqrt(theirs.M(r, r) * theirs.M(c, c)));
    note("bias", ours.bias, theirs.bias);
    note("gravity", ours.gravity, theirs.gravity);
    note("ID", ours.tau, theirs.tau);
    if (theirs.a.size() > 0) compareForward(ours, theirs.a);
    if (theirs.com.allFinite()) note("com", ours.com, theirs.com);
    if (std::isfinite(theirs.kinetic)) note("kinetic", std::abs(ours.kinetic - theirs.kinetic) / std::abs(theirs.kinetic));
    if (std::isfinite(theirs.potential))
      note("potential", std::abs(ours.potential - theirs.potential) / std::max(1.0, std::abs(theirs.potential)));
  }

 private:
  void note(const std::string& what, double error, double tolerance = kOracleTolerance) {
    INFO(label_ << ": " << what);
    double& worst = worst_[what];
    if (!(error <= worst)) worst = error;
    REQUIRE(error < tolerance);
  }
  // Where M is badly conditioned (iCub: 5e6) round-off decides digits of M^-1 tau, in which no two engines agree; the corresponding forces
  // agree nevertheless.
  void compareForward(const Answers& ours, const Vector& theirs) {
    const Vector scaling = ours.M.diagonal().cwiseSqrt().cwiseInverse();
    const Vector eigenvalues =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(scaling.asDiagonal() * ours.M * scaling.asDiagonal()).eigenvalues();
    const double condition = eigenvalues.maxCoeff() / eigenvalues.minCoeff();
    const double forces = (ours.M * (ours.a - theirs)).cwiseAbs().maxCoeff() / (ours.M.cwiseAbs() * theirs.cwiseAbs()).maxCoeff();
    worst_["condition"] = std::max(worst_["condition"], condition);
    note("FD forces", forces, 1e-12);
    note("FD", (ours.a - theirs).cwiseAbs().maxCoeff() / theirs.cwiseAbs().maxCoeff(), std::max(kOracleTolerance, 1e-13 * condition));
  }
  template <class V>
  void note(const std::string& what, const V& ours, const V& theirs) {
    if (theirs.size() == 0) return;
    REQUIRE(ours.size() == theirs.size());
    note(what, (ours - theirs).cwiseAbs().maxCoeff() / std::max(1e-3, theirs.cwiseAbs().maxCoeff()));
  }
  std::string label_;
  std::map<std::string, double> worst_;
};

}  // namespace test
