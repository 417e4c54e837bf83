// See retarget.hpp.
#include "engine/retarget/retarget.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "engine/retarget/calibration.hpp"
#include "engine/retarget/course.hpp"

namespace vertebra::retarget {

namespace {

constexpr double kBusy = 4, kBusyReach = 0.3;  // how much more arms stay near while links push each other; s
// m; links nearer than allowed by more than this are pushed apart so much harder in the next round, in all at most.
constexpr double kBlockOverlap = 0.007, kStiffer = 2, kStiffest = 3;
constexpr int kStayRounds = 3, kMore = 3;  // of staying near; and besides, while axes are held back by their largest speeds
constexpr double kClose = 0.03;            // m; links nearer than this are kept apart in the last pass
constexpr double kCountRoundOff = 1e-6;    // what a number of frames may be off
constexpr double kAtBound = 1e-9;          // rad or m
// Weights of how a held foot is turned, in the first passes: there it turns as its leg can turn it, which the later passes keep to. A leg
// whose ankle has fewer axes than three would else bend the whole body until its sole lies as the motion's.
constexpr double kFirstHoldTurn = 0, kSecondHoldTurn = 1;
constexpr double kStray = 0.3;  // rad or m; of an axis from its smooth course, where neighbouring frames lie in different minima

class Retargeting {
 public:
  Retargeting(const Source& source, const Target& target)
      : source_(source), target_(target), solver_(target), base_(makeGoals(source, target)) {}

  // The first pass, from which constant turns of hands and head are found.
  void calibrate() {
    for (int side = 0; side < 2; side++) {
      const Role foot = sided(side, Role::LeftFoot);
      alignments_[foot] = alignFoot(source_, target_, side);
      setOrientations(source_, foot, alignments_[foot], base_);
    }
    for (int side = 0; side < 2; side++) {
      turns_[side].clear();
      for (const FrameGoal& g : base_.frames) turns_[side].push_back(g.R[sided(side, Role::LeftFoot)]);
    }
    pass(turning(kFirstHoldTurn), kEnoughFirst);
    for (Role r : {Role::LeftHand, Role::RightHand, Role::Head}) {
      alignments_[r] = alignEnd(r);
      setOrientations(source_, r, alignments_[r], base_);
    }
  }
  double scale() const { return base_.scale; }
  const ByRole<Alignment>& alignments() const { return alignments_; }

  void run(figure::Trajectory& out) {
    calibrate();
    takeTurns();
    findClose(kFar);
    pass(turning(kSecondHoldTurn), kEnoughBefore);
    const Weights weights = nearWeights();
    for (int round = 0, last = kStayRounds - 1; round <= last; round++) {
      course_ = smoothCourse(target_, q_, source_.frameTime, kSmooth);
      takeTurns();
      spreadFeet();
      findBusy();
      if (round == kStayRounds - 1) findClose(kClose);
      pass(weights, round == last ? kEnough : kEnoughBefore);
      if (round == last && last < kStayRounds + kMore - 1 && (overlap_ > kBlockOverlap || heldBack())) last++;
    }
    out.frameTime = source_.frameTime;
    out.names = target_.model->coordinates.qNames;
    out.name = target_.model->skeleton->name;
    out.q.clear();
    for (const std::vector<double>& q : q_) out.q.insert(out.q.end(), q.begin(), q.end());
  }

 private:
  static Weights turning(double hold) {
    Weights w;
    w.holdTurn = hold;
    return w;
  }

  // Pairs of links that each frame has to look at.
  void findClose(double reach) {
    close_.resize(q_.size());
    for (std::size_t i = 0; i < q_.size(); i++) {
      solver_.kinematics().update(q_[i].data());
      solver_.obstacles().near(solver_.kinematics(), reach, close_[i]);
    }
  }

  void pass(const Weights& weights, double enough) {
    Goals goals = base_;
    for (int side = 0; side < 2; side++)
      for (std::size_t i = 0; i < goals.frames.size(); i++) goals.frames[i].R[sided(side, Role::LeftFoot)] = turns_[side][i];
    placeFeet(source_, target_, turns_, goals);
    const bool first = q_.empty();
    q_.resize(goals.frames.size());
    for (std::size_t i = 0; i < goals.frames.size(); i++) {
      if (first && i == 0) {
        q_[0] = startPose(target_, goals.frames[0]);
        solver_.solve(goals.frames[0], weights, target_.zero, nullptr, nullptr, kFirst, kEnough, q_[0]);
      } else if (first) {
        q_[i] = q_[i - 1];
      }
      Weights here = weights;
      if (!busy_.empty()) {
        here.arms = weights.rest * (1 + kBusy * busy_[i]);
        here.solid = weights.solid * stiff_[i];
      }
      const bool near = !course_.q.empty();
      if (near && i > 0 && strays(i)) q_[i] = q_[i - 1];
      solver_.solve(goals.frames[i], here, near ? course_.q[i] : target_.zero, near ? &course_.room[i] : nullptr,
                    close_.empty() ? nullptr : &close_[i], kSteps, enough, q_[i]);
    }
  }

  bool strays(std::size_t i) const {
    for (std::size_t v = 0; v < target_.coordinate.size(); v++) {
      if (target_.coordinate[v] < 0) continue;
      const std::size_t c = static_cast<std::size_t>(target_.coordinate[v]);
      if (std::fabs(q_[i][c] - course_.q[i][c]) > kStray) return true;
    }
    return false;
  }

  // Whether an axis' largest speed kept a frame from its goals.
  bool heldBack() const {
    for (std::size_t i = 0; i < q_.size(); i++)
      for (std::size_t v = 0; v < target_.coordinate.size(); v++) {
        if (target_.coordinate[v] < 0) continue;
        const std::size_t c = static_cast<std::size_t>(target_.coordinate[v]);
        if (std::fabs(q_[i][c] - course_.q[i][c]) > course_.room[i][v] - kAtBound) return true;
      }
    return false;
  }

  // Where links push each other or frames stray: there the smooth course counts for more than the goals, and where links stay too near,
  // their distance. Both without fast changes.
  void findBusy() {
    const std::size_t frames = q_.size();
    std::vector<double> pushed(frames, 0.0), overlap(frames, 0.0);
    std::vector<Nearness> found;
    const double held[2] = {1, 1};
    overlap_ = 0;
    for (std::size_t i = 0; i < frames; i++) {
      solver_.kinematics().update(q_[i].data());
      solver_.obstacles().find(solver_.kinematics(), close_[i], held, 0, found);
      if (strays(i)) pushed[i] = 1;
      for (const Nearness& n : found)
        if (n.b.body >= 0) {
          pushed[i] = 1;
          if (n.lack > kBlockOverlap) overlap[i] = 1;
          overlap_ = std::max(overlap_, n.lack);
        }
    }
    busy_ = spread(pushed);
    overlap = spread(overlap);
    stiff_.resize(frames, 1.0);
    for (std::size_t i = 0; i < frames; i++) stiff_[i] = std::min(kStiffest, stiff_[i] * std::pow(kStiffer, overlap[i]));
  }

  // The largest of what lies about, less the farther away it is.
  std::vector<double> spread(const std::vector<double>& now) const {
    const int n = static_cast<int>(now.size()), reach = static_cast<int>(std::min(std::ceil(kBusyReach / source_.frameTime), n - 1.0));
    std::vector<double> out(now.size(), 0.0);
    for (int i = 0; i < n; i++)
      for (int k = std::max(0, i - reach); k <= std::min(n - 1, i + reach); k++)
        out[static_cast<std::size_t>(i)] =
            std::max(out[static_cast<std::size_t>(i)], now[static_cast<std::size_t>(k)] * (1 - std::fabs(k - i) / (reach + 1.0)));
    return out;
  }

  // Legs that stand too near to each other: their contacts move apart.
  void spreadFeet() {
    std::vector<Vec3> apart[2];
    for (int side = 0; side < 2; side++) apart[side].assign(base_.aside[side].size(), Vec3::Zero());
    std::vector<Nearness> found;
    for (std::size_t i = 0; i < q_.size(); i++) {
      if (!source_.inContact[0][i] || !source_.inContact[1][i]) continue;
      solver_.kinematics().update(q_[i].data());
      const double held[2] = {1, 1};
      solver_.obstacles().find(solver_.kinematics(), close_[i], held, 0, found);
      for (const Nearness& n : found) {
        if (n.b.body < 0 || target_.legOf[static_cast<std::size_t>(n.a.body)] + target_.legOf[static_cast<std::size_t>(n.b.body)] != 1)
          continue;
        const int a = target_.legOf[static_cast<std::size_t>(n.a.body)];
        if (a < 0 || a > 1) continue;
        Vec3 across = n.normal;
        across.z() = 0;
        if (across.norm() < 0.3) continue;  // one above the other
        across *= 0.5 * n.lack / across.squaredNorm();
        for (int side = 0; side < 2; side++) {
          Vec3& most = apart[side][contactAt(side, static_cast<int>(i))];
          if (across.norm() > most.norm()) most = side == a ? across : Vec3(-across);
        }
      }
    }
    for (int side = 0; side < 2; side++)
      for (std::size_t c = 0; c < apart[side].size(); c++) base_.aside[side][c] += apart[side][c];
  }

  std::size_t contactAt(int side, int frame) const {
    const std::vector<Interval>& all = source_.contacts[side];
    std::size_t c = 0;
    while (all[c].last < frame) c++;
    return c;
  }

  void takeTurns() {
    for (std::size_t i = 0; i < q_.size(); i++) {
      solver_.kinematics().update(q_[i].data());
      for (int side = 0; side < 2; side++) turns_[side][i] = solver_.kinematics().bodyRotation(target_.ankle[side].body);
    }
  }

  Alignment alignEnd(Role role) {
    const int body = target_.endBody[role];
    if (body < 0 || !source_.has(role)) return {};
    Mat3 sum = Mat3::Zero();
    for (std::size_t i = 0; i < q_.size(); i++) {
      solver_.kinematics().update(q_[i].data());
      sum += source_.frames[i].R[role].transpose() * solver_.kinematics().bodyRotation(body);
    }
    return {meanRotation(sum), true};
  }

  const Source& source_;
  const Target& target_;
  PoseSolver solver_;
  Goals base_;
  ByRole<Alignment> alignments_;
  std::vector<Mat3> turns_[2];  // of the feet, by frame
  std::vector<std::vector<double>> q_;
  Course course_;
  std::vector<double> busy_, stiff_;     // by frame
  double overlap_ = 0;                   // m; the largest
  std::vector<std::vector<int>> close_;  // pairs of links, by frame
};

// False where no frame lies in the range.
bool cut(figure::Trajectory& t, double start, double end) {
  const int first = static_cast<int>(std::ceil(start / t.frameTime - kCountRoundOff)),
            last = static_cast<int>(std::floor(end / t.frameTime + kCountRoundOff));
  const std::size_t nq = static_cast<std::size_t>(t.nq());
  t.q.resize(std::min(t.q.size(), static_cast<std::size_t>(last + 1) * nq));
  t.q.erase(t.q.begin(), t.q.begin() + static_cast<std::ptrdiff_t>(std::min(t.q.size(), static_cast<std::size_t>(first) * nq)));
  return !t.q.empty();
}

std::string readBoth(const figure::Motion& motion, std::shared_ptr<const figure::FigureModel> model, const Settings& settings,
                     Source& source, Target& target) {
  if (!model->coordinates.floatingBase) return "the figure's root is fixed; retargeting moves it";
  if (const std::string wrong = readSource(motion, settings.rate, settings.map, source); !wrong.empty())
    return "motion '" + motion.name + "': " + wrong;
  const std::string name = model->skeleton->name;
  if (const std::string wrong = readTarget(std::move(model), settings.map, target); !wrong.empty())
    return "figure '" + name + "': " + wrong;
  if (!(target.leg > 0)) return "figure '" + name + "': its legs have no length";
  return {};
}

}  // namespace

std::vector<double> startPose(const Target& target, const FrameGoal& g) {
  std::vector<double> q = target.zero;
  const Vec3 left = g.p[Role::LeftHip] - g.p[Role::RightHip];
  Mat3 R;
  R.col(2) = g.up.norm() > 0.5 ? g.up : Vec3(Vec3::UnitZ());
  const Vec3 across = left - R.col(2) * R.col(2).dot(left);
  R.col(1) = across.norm() > 1e-9 ? Vec3(across.normalized()) : Vec3(R.col(2).unitOrthogonal());
  R.col(0) = R.col(1).cross(R.col(2));
  const Quat turn(Mat3(R * target.stand));
  for (int k = 0; k < 3; k++) q[static_cast<std::size_t>(k)] = g.root[k];
  for (int k = 0; k < 4; k++) q[static_cast<std::size_t>(3 + k)] = turn.coeffs()[k];
  return q;
}

std::string calibrate(const figure::Motion& motion, std::shared_ptr<const figure::FigureModel> model, const Settings& settings,
                      Target& target, Calibration& out) {
  if (const std::string wrong = readBoth(motion, std::move(model), settings, out.source, target); !wrong.empty()) return wrong;
  Retargeting retargeting(out.source, target);
  retargeting.calibrate();
  out.scale = retargeting.scale();
  out.alignments = retargeting.alignments();
  return {};
}

std::string retarget(const figure::Motion& motion, std::shared_ptr<const figure::FigureModel> model, const Settings& settings,
                     Result& out) {
  Source source;
  Target target;
  if (const std::string wrong = readBoth(motion, std::move(model), settings, source, target); !wrong.empty()) return wrong;
  const double end = std::isfinite(settings.end) ? settings.end : motion.duration();
  if (!(settings.start >= 0 && settings.start <= end && end <= motion.duration() + source.frameTime))
    return "motion '" + motion.name + "': the range does not lie in it; it lasts " + std::to_string(motion.duration()) + " s";
  figure::Trajectory made;
  Retargeting(source, target).run(made);
  if (!std::all_of(made.q.begin(), made.q.end(), [](double x) { return std::isfinite(x); }))
    return "motion '" + motion.name + "' onto figure '" + target.model->skeleton->name +
           "' gave coordinates that are not numbers; look for limbs without length";
  if (!cut(made, settings.start, end))
    return "motion '" + motion.name + "': no frame lies between start and end; the result has one every " +
           std::to_string(source.frameTime) + " s";
  out.trajectory = std::move(made);
  out.matches = matchesOf(motion, source.roles, target);
  out.slope = source.slope;
  out.foreignFirst = source.foreignFirst;
  out.foreignLast = source.foreignLast;
  return {};
}

}  // namespace vertebra::retarget
