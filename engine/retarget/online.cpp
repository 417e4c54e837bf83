// See online.hpp.
#include "engine/retarget/online.hpp"

#include <algorithm>
#include <cmath>

#include "engine/retarget/calibration.hpp"
#include "engine/retarget/course.hpp"
#include "engine/retarget/floor.hpp"
#include "engine/retarget/sole.hpp"

namespace vertebra::retarget {

namespace {

constexpr double kPast = 0.4;            // s; of frames that are kept
constexpr int kAgain = 2;                // steps of a frame with contacts, each time that more is seen
constexpr double kSpeedMargin = 1e-3;    // of the largest speeds
constexpr double kFrameRoundOff = 1e-6;  // what a number of frames may be off
constexpr double kLongest = 1e4;         // frames of latency

}  // namespace

struct OnlineState {
  // A foot from one frame to the next.
  struct FootState {
    bool toe = false, ankle = false;  // rest by height and speed
    bool down = false;                // is in contact
    Vec3 offset = Vec3::Zero();       // what is added to where the leg alone would put the ankle
    Vec3 from = Vec3::Zero();         // the offset when a contact to come was first seen
    int since = -1, until = -1;       // frames of that and of its start; -1 = none is seen
    int last = -1;                    // last frame of contact
    double hold = 0;
  };

  OnlineState(Target made, Calibration calibration) : target(std::move(made)), c(std::move(calibration)), solver(target) {
    for (int side = 0; side < 2; side++) soles.emplace_back(target, side);
    c.source.frames.clear();
  }

  Source& window() { return c.source; }
  int newest() const { return first + static_cast<int>(goals.size()) - 1; }
  std::size_t at(int frame) const { return static_cast<std::size_t>(frame - first); }

  void add(const Pose* poses);
  void drop();
  // Goals with feet and root where contacts put them, of the frames from `next` on.
  void place();
  void label(int side, std::vector<bool>& down, FootState& next) const;
  void placeFoot(int side, FootState& foot, int frame, const std::vector<bool>& down, Vec3& offset);
  void give(double* q);

  Target target;
  Calibration c;
  PoseSolver solver;
  std::vector<Sole> soles;
  int jointCount = 0, latency = 0;

  // By frame, from `first` on; the frame to give is `next`.
  int first = 0, next = 0;
  std::vector<FrameGoal> goals, placed;  // placed: from `next` on
  std::vector<std::vector<double>> rough;
  std::vector<Vec3> shifts;  // of the root, of frames given
  FootState feet[2];         // at the frame before next
  std::vector<double> previous, course, room;
  std::vector<int> near;
};

void OnlineState::add(const Pose* poses) {
  window().frames.push_back(sourceFrame(window().roles, poses));
  level(window().slope, window().frames.back());
  FrameGoal goal = goalOf(window(), target, static_cast<int>(window().frames.size()) - 1, c.scale);
  for (int r = 0; r < kRoles; r++)
    if (const Role role = static_cast<Role>(r); c.alignments[role].known && window().has(role))
      orient(window().frames.back(), role, c.alignments[role], goal);
  for (int side = 0; side < 2; side++) goal.foot[side] = goal.root + goal.p[sided(side, Role::LeftFoot)];
  // A first solution, without contacts.
  const Weights weights;
  std::vector<double> q = rough.empty() ? startPose(target, goal) : rough.back();
  if (rough.empty()) solver.solve(goal, weights, target.zero, nullptr, nullptr, kFirst, kEnough, q);
  solver.kinematics().update(q.data());
  solver.obstacles().near(solver.kinematics(), kFar, near);
  solver.solve(goal, weights, target.zero, nullptr, &near, kSteps, kEnough, q);
  goals.push_back(std::move(goal));
  rough.push_back(std::move(q));
}

void OnlineState::drop() {
  const int keep = next - static_cast<int>(std::ceil(kPast / window().frameTime));
  const int count = keep - first;
  if (count < 1) return;
  goals.erase(goals.begin(), goals.begin() + count);
  rough.erase(rough.begin(), rough.begin() + count);
  shifts.erase(shifts.begin(), shifts.begin() + count);
  window().frames.erase(window().frames.begin(), window().frames.begin() + count);
  first = keep;
}

// Whether a foot is in contact at the frames from `next` on. A point that rests for less than the rule's shortest time does not touch, as
// far as can be seen.
void OnlineState::label(int side, std::vector<bool>& down, FootState& foot) const {
  const Source& s = c.source;
  const int shortest = static_cast<int>(std::max(2.0, std::ceil(s.rule.shortest / s.frameTime - kFrameRoundOff)));
  const int count = newest() - next + 1, reach = figure::speedReach(s.frameTime);
  down.assign(static_cast<std::size_t>(count), false);
  const auto point = [&](Role left, double floor, bool& state) {
    const Role role = sided(side, left);
    const bool was = state;
    bool now = was;
    std::vector<bool> on;
    for (int f = next; f <= newest(); f++) {
      const int a = std::max(f - reach, first), b = std::min(f + reach, newest());
      const Vec3 moved = s.frames[at(b)].p[role] - s.frames[at(a)].p[role];
      const double speed = b > a ? moved.norm() / ((b - a) * s.frameTime) : 0;
      now = figure::rests(s.rule, now, s.frames[at(f)].p[role].z() - floor, speed);
      on.push_back(now);
      if (f == next) state = now;
    }
    for (int i = 0; i < count;) {
      int j = i;
      while (j < count && on[static_cast<std::size_t>(j)] == on[static_cast<std::size_t>(i)]) j++;
      const bool short_ = j < count && j - i < shortest && !(i == 0 && was);
      if (on[static_cast<std::size_t>(i)] && !short_)
        for (int k = i; k < j; k++) down[static_cast<std::size_t>(k)] = true;
      i = j;
    }
  };
  point(Role::LeftToe, s.floor, foot.toe);
  point(Role::LeftFoot, s.ankleFloor[side], foot.ankle);
}

void OnlineState::placeFoot(int side, FootState& foot, int frame, const std::vector<bool>& down, Vec3& offset) {
  const Role role = sided(side, Role::LeftFoot);
  const Sole& sole = soles[static_cast<std::size_t>(side)];
  const auto free = [&](int f) { return Vec3(goals[at(f)].root + goals[at(f)].p[role]); };
  const auto turn = [&](int f) { return goals[at(f)].R[role]; };
  const auto isDown = [&](int f) { return down[static_cast<std::size_t>(f - next)]; };
  // Where a contact that starts at a frame stands: where the leg alone would put it on average, as far as can be seen.
  const auto planned = [&](int start) {
    Vec3 at = free(start), sum = Vec3::Zero();
    int count = 0;
    for (int f = start; f <= newest() && isDown(f); f++, count++) {
      if (f > start) at += sole.roll(turn(f - 1), turn(f));
      sum += at - free(f);
    }
    Vec3 out = -sum / count;
    out.z() = -sole.lowest(turn(start)) - free(start).z();
    return out;
  };
  const double gone = foot.last >= 0 ? (frame - foot.last) * window().frameTime : kInf;
  if (isDown(frame)) {
    if (foot.down) {
      const Vec3 at = free(frame - 1) + foot.offset + sole.roll(turn(frame - 1), turn(frame));
      foot.offset = at - free(frame);
    } else {
      foot.offset = planned(frame);
    }
    foot.offset.z() = -sole.lowest(turn(frame)) - free(frame).z();
    foot.down = true;
    foot.last = frame;
    foot.until = -1;
    foot.hold = 1;
  } else {
    foot.down = false;
    int start = frame;
    while (start <= newest() && !isDown(start)) start++;
    double soon = kInf;
    if (start <= newest()) {
      if (foot.until < 0) {
        foot.from = foot.offset;
        foot.since = frame - 1;
      }
      foot.until = start;
      const double x = static_cast<double>(frame - foot.since) / (start - foot.since);
      foot.offset = foot.from + smoothStep(x) * (planned(start) - foot.from);
      soon = (start - frame) * window().frameTime;
    } else {
      foot.until = -1;
    }
    const double gap = std::min(gone, soon);
    foot.hold = std::isfinite(gap) ? 1 - smoothStep(gap / kApproach) : 0;
    const double low = free(frame).z() + foot.offset.z() + sole.lowest(turn(frame));
    if (low < kClearance) foot.offset.z() += kClearance - low;
  }
  offset = foot.offset;
}

void OnlineState::place() {
  std::vector<bool> down[2];
  FootState ahead[2];
  for (int side = 0; side < 2; side++) label(side, down[side], feet[side]);
  for (int side = 0; side < 2; side++) ahead[side] = feet[side];
  std::vector<Vec3> shift = shifts;
  placed.clear();
  for (int f = next; f <= newest(); f++) {
    Vec3 offset[2];
    for (int side = 0; side < 2; side++) placeFoot(side, ahead[side], f, down[side], offset[side]);
    shift.push_back(rootShift(offset, {ahead[0].hold, ahead[1].hold}));
    FrameGoal goal = goals[at(f)];
    for (int side = 0; side < 2; side++) {
      goal.foot[side] = goal.root + goal.p[sided(side, Role::LeftFoot)] + offset[side];
      goal.hold[side] = ahead[side].hold;
    }
    placed.push_back(std::move(goal));
    if (f > next) continue;
    shifts.push_back(shift.back());
    for (int side = 0; side < 2; side++) feet[side] = ahead[side];
  }
  for (int f = next; f <= newest(); f++)
    placed[static_cast<std::size_t>(f - next)].root += smoothedAt(shift, f - first, kBlend / window().frameTime);
}

// Solves the frame to give; it may be nearest to where the frame before lets axes go.
void OnlineState::give(double* out) {
  place();
  for (int f = next; f <= newest(); f++) {
    solver.kinematics().update(rough[at(f)].data());
    solver.obstacles().near(solver.kinematics(), kFar, near);
    solver.solve(placed[static_cast<std::size_t>(f - next)], {}, target.zero, nullptr, &near, kAgain, kEnough, rough[at(f)]);
  }
  std::vector<double> q = rough[at(next)];
  smoothedAt(target, rough, next - first, kSmooth / window().frameTime, course);
  room.assign(target.fastest.size(), kInf);
  if (!previous.empty())
    for (std::size_t v = 0; v < room.size(); v++) {
      if (!std::isfinite(target.fastest[v]) || target.coordinate[v] < 0) continue;
      const std::size_t i = static_cast<std::size_t>(target.coordinate[v]);
      const double step = (1 - kSpeedMargin) * target.fastest[v] * window().frameTime;
      course[i] = std::clamp(course[i], previous[i] - step, previous[i] + step);
      room[v] = step - std::fabs(course[i] - previous[i]);
    }
  solver.kinematics().update(q.data());
  solver.obstacles().near(solver.kinematics(), kFar, near);
  solver.solve(placed.front(), nearWeights(), course, &room, &near, kSteps, kEnough, q);
  std::copy(q.begin(), q.end(), out);
  previous = std::move(q);
  next++;
  drop();
}

Online::Online(std::unique_ptr<OnlineState> state) : state_(std::move(state)) {}
Online::~Online() = default;

std::string Online::create(const figure::Motion& motion, std::shared_ptr<const figure::FigureModel> model, const Settings& settings,
                           double latency, std::unique_ptr<Online>& out) {
  Target target;
  Calibration calibration;
  if (const std::string wrong = calibrate(motion, std::move(model), settings, target, calibration); !wrong.empty()) return wrong;
  const double frames = std::floor(latency / calibration.source.frameTime + kFrameRoundOff);
  if (!(frames <= kLongest))
    return "a latency of " + std::to_string(latency) + " s is more than 10000 frames of " + std::to_string(calibration.source.frameTime) +
           " s; lower the latency or the rate";
  auto state = std::make_unique<OnlineState>(std::move(target), std::move(calibration));
  state->jointCount = static_cast<int>(motion.joints.size());
  state->latency = static_cast<int>(frames);
  out.reset(new Online(std::move(state)));
  return {};
}

int Online::joints() const { return state_->jointCount; }
int Online::nq() const { return state_->target.model->nq(); }
int Online::latency() const { return state_->latency; }
double Online::frameTime() const { return state_->c.source.frameTime; }

bool Online::push(const Pose* poses, double* q) {
  state_->add(poses);
  if (state_->newest() - state_->next < state_->latency) return false;
  state_->give(q);
  return true;
}

bool Online::finish(double* q) {
  if (state_->next > state_->newest()) return false;
  state_->give(q);
  return true;
}

void Online::restart() {
  OnlineState& s = *state_;
  s.window().frames.clear();
  s.goals.clear();
  s.rough.clear();
  s.shifts.clear();
  s.previous.clear();
  s.feet[0] = s.feet[1] = {};
  s.first = s.next = 0;
  s.solver.obstacles().forget();
}

}  // namespace vertebra::retarget
