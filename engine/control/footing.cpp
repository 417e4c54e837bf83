// See footing.hpp.
#include "engine/control/footing.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/math/rotation.hpp"

namespace vertebra::control {

namespace {

constexpr double kRamp = 0.13;      // s over which a foot's clearance grows after it stood, and its turn before and after it stands alone
constexpr double kBeside = 0.3;     // s in which a swing leaves the place where its foot was held
constexpr double kEven = 0.034;     // s each way over which turns are averaged
constexpr double kLonger = 0.034;   // s for which a foot stays flat after the other came down: that one bears late
constexpr double kEdge = 5e-3;      // m: height above its lowest sole to which a foot that is turned or rolls is on its soles
constexpr double kWide = 0.01;      // m: deviation of soles across the foot from which they make a plane
constexpr double kMissed = 3e-3;    // m and rad together: what a leg may miss of a foot that is turned flat
constexpr int kFlatTries = 6;       // of angles that a leg does not reach
constexpr double kFlatPart = 0.75;  // of the angle tried before
constexpr double kSpare = 4e-3;     // m: by which the root is higher then, so that the leg is not quite straight
constexpr double kDeepest = 0.025;  // m: by which the root goes down for a leg that does not reach
constexpr double kDeeper = 2e-3;    // m: steps of that
constexpr double kDipFor = 0.1;     // s before and after in which it goes down

double easing(double share) { return 0.5 + 0.5 * std::cos(kPi * std::min(1.0, share)); }  // 1 at 0, 0 at 1

}  // namespace

Footing::Footing(std::shared_ptr<const figure::FigureModel> model, std::shared_ptr<const figure::Trajectory> trajectory,
                 const Course& course, double clearance)
    : model_(model),
      trajectory_(std::move(trajectory)),
      course_(course),
      k_(model),
      legs_(model),
      q_(static_cast<std::size_t>(model->nq())) {
  for (std::size_t f = 0; f < course_.feet().size(); f++) {
    lift_.push_back(clearances(f, clearance));
    up_.push_back(upOf(f));
    hold_.push_back(holding(f));
    flat_.emplace_back(static_cast<std::size_t>(course_.frames()), 0.0);
  }
}

bool Footing::stands(std::size_t foot, int frame) const { return course_.stands(foot, frame * course_.frameTime()); }

bool Footing::ends(std::size_t foot) const {
  const int body = course_.feet()[foot];
  for (int other : course_.feet()) {
    int at = other;
    while (at > body) at = model_->bodies[static_cast<std::size_t>(at)].parent;
    if (at == body && other != body) return false;
  }
  return true;
}

bool Footing::kneels(int frame) const {
  for (std::size_t f = 0; f < course_.feet().size(); f++)
    if (stands(f, frame) && !ends(f)) return true;
  return false;
}

bool Footing::standsAlone(std::size_t foot, int frame) const {
  for (std::size_t f = 0; f < course_.feet().size(); f++)
    if (stands(f, frame) != (f == foot)) return false;
  return true;
}

double Footing::lowest(std::size_t foot, const retarget::Kinematics& k) const {
  double low = kInf;
  for (const SolePoint& s : course_.soles())
    if (s.at.body == course_.feet()[foot]) low = std::min(low, k.position(s.at).z() - s.radius);
  return low;
}

// The mean place of its soles near the lowest, and how far these are above it.
Vec3 Footing::lowSoles(std::size_t foot, const retarget::Kinematics& k, double& above) const {
  const double low = lowest(foot, k);
  Vec3 sum = Vec3::Zero();
  int count = 0;
  above = 0;
  for (const SolePoint& s : course_.soles()) {
    if (s.at.body != course_.feet()[foot]) continue;
    const Vec3 p = k.position(s.at);
    if (p.z() - s.radius > low + kEdge) continue;
    sum += p, count++;
    above += p.z() - s.radius - low;
  }
  above /= count;
  return sum / count;
}

// By how much the foot is lifted, by frame: where it stands, onto the ground; in a swing up to the clearance.
std::vector<double> Footing::clearances(std::size_t foot, double clearance) {
  const int n = course_.frames(), ramp = course_.framesOf(kRamp);
  std::vector<double> low(static_cast<std::size_t>(n), kInf), out(low.size(), 0);
  for (int i = 0; i < n; i++) {
    k_.update(trajectory_->frame(i));
    low[static_cast<std::size_t>(i)] = lowest(foot, k_);
  }
  for (int i = 0; i < n; i++) {
    int away = ramp, nearest = -1;
    for (int d = -ramp + 1; d < ramp; d++)
      if (i + d >= 0 && i + d < n && std::abs(d) < away && stands(foot, i + d)) {
        away = std::abs(d);
        nearest = i + d;
      }
    const std::size_t at = static_cast<std::size_t>(i);
    const double s = std::sin(0.5 * kPi * away / ramp), up = std::max(0.0, clearance * s * s - low[at]);
    out[at] = nearest < 0 ? up : std::max(up, -(1 - s * s) * low[static_cast<std::size_t>(nearest)]);
  }
  return out;
}

// Across the plane of its soles, as it is where the foot first stands; zero where these are no plane.
Vec3 Footing::upOf(std::size_t foot) {
  std::vector<Vec3> points;
  Vec3 mean = Vec3::Zero();
  for (const SolePoint& s : course_.soles())
    if (s.at.body == course_.feet()[foot]) points.push_back(s.at.point), mean += s.at.point;
  mean /= static_cast<double>(points.size());
  Mat3 spread = Mat3::Zero();
  for (const Vec3& p : points) spread += (p - mean) * (p - mean).transpose() / static_cast<double>(points.size());
  const Eigen::SelfAdjointEigenSolver<Mat3> axes(spread);
  if (!(axes.eigenvalues()[1] > kWide * kWide)) return Vec3::Zero();
  int i = 0;
  while (!stands(foot, i)) i++;
  k_.update(trajectory_->frame(i));
  const Vec3 across = axes.eigenvectors().col(0), up = k_.bodyRotation(course_.feet()[foot]).transpose() * Vec3::UnitZ();
  return up.dot(across) < 0 ? Vec3(-across) : across;
}

// In each contact the lowest soles stay where they are from frame to frame; the contact as a whole is where it is for most of its time.
std::vector<Footing::Vec2> Footing::holding(std::size_t foot) {
  const int n = course_.frames();
  std::vector<Vec2> out(static_cast<std::size_t>(n), Vec2::Zero());
  if (!ends(foot)) return out;
  std::vector<Vec3> last, now;
  const auto read = [&](int i) {
    k_.update(trajectory_->frame(i));
    last.swap(now);
    now.clear();
    for (const SolePoint& s : course_.soles())
      if (s.at.body == course_.feet()[foot]) now.push_back(k_.position(s.at) - s.radius * Vec3::UnitZ());
  };
  const auto median = [](std::vector<double>& x) {
    std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end());
    return x[x.size() / 2];
  };
  std::vector<std::pair<int, int>> contacts;  // first frame, past the last
  for (int a = 0, b = 0; a < n; a = b) {
    while (b < n && stands(foot, b) == stands(foot, a)) b++;
    if (!stands(foot, a)) continue;
    contacts.push_back({a, b});
    Vec2 drift = Vec2::Zero();
    std::vector<double> x, y;
    for (int i = a; i < b; i++) {
      read(i);
      if (i > a) {
        const double low = std::min_element(now.begin(), now.end(), [](const Vec3& p, const Vec3& q) { return p.z() < q.z(); })->z();
        Vec2 sum = Vec2::Zero();
        int count = 0;
        for (std::size_t s = 0; s < now.size(); s++)
          if (now[s].z() <= low + kEdge) sum += (now[s] - last[s]).head<2>(), count++;
        drift += sum / count;
      }
      out[static_cast<std::size_t>(i)] = -drift;
      x.push_back(drift.x());
      y.push_back(drift.y());
    }
    const Vec2 middle(median(x), median(y));
    for (int i = a; i < b; i++) out[static_cast<std::size_t>(i)] += middle;
  }
  easeSwings(contacts, out);
  return out;
}

void Footing::easeSwings(const std::vector<std::pair<int, int>>& contacts, std::vector<Vec2>& hold) const {
  const int n = course_.frames(), ramp = course_.framesOf(kBeside);
  for (std::size_t c = 0; c <= contacts.size(); c++) {
    const int from = c == 0 ? -ramp - 1 : contacts[c - 1].second - 1, to = c == contacts.size() ? n + ramp : contacts[c].first;
    const double length = std::min(ramp, to - from);
    for (int i = std::max(0, from + 1); i < std::min(n, to); i++) {
      Vec2& h = hold[static_cast<std::size_t>(i)];
      if (c > 0) h += easing((i - from) / length) * hold[static_cast<std::size_t>(from)];
      if (c < contacts.size()) h += easing((to - i) / length) * hold[static_cast<std::size_t>(to)];
    }
  }
}

// By which share of its tilt the foot should be turned flat, by frame: wholly while it alone stands.
std::vector<double> Footing::flatWanted(std::size_t foot) const {
  const int n = course_.frames(), ramp = course_.framesOf(kRamp), longer = course_.framesOf(kLonger);
  std::vector<double> out(static_cast<std::size_t>(n), 0.0);
  if (!ends(foot) || up_[foot].isZero(0)) return out;
  for (int i = 0; i < n; i++) {
    if (!standsAlone(foot, i)) continue;
    for (int k = std::max(0, i - ramp + 1); k < std::min(n, i + ramp); k++) {
      const double c = std::cos(0.5 * kPi * (k - i) / ramp);
      out[static_cast<std::size_t>(k)] = std::max(out[static_cast<std::size_t>(k)], c * c);
    }
  }
  for (int i = n - 1; i >= longer; i--)
    if (stands(foot, i))
      out[static_cast<std::size_t>(i)] = std::max(out[static_cast<std::size_t>(i)], out[static_cast<std::size_t>(i - longer)]);
  return out;
}

bool Footing::reaches(std::size_t foot, int frame, double flat, double lower) {
  std::copy(trajectory_->frame(frame), trajectory_->frame(frame) + q_.size(), q_.begin());
  q_[2] += lower + kSpare;
  return put(foot, frame, flat, k_, q_.data()) < kMissed;
}

// Where a foot is to be wholly flat; about these frames as much, smoothly.
void Footing::lowerToReach(std::size_t foot, const std::vector<double>& flat, std::vector<double>& lower) {
  const int n = course_.frames(), width = course_.framesOf(kDipFor);
  std::vector<double> deep(flat.size(), 0.0), most = deep;
  for (int i = 0; i < n; i++) {
    const std::size_t at = static_cast<std::size_t>(i);
    if (flat[at] < 1) continue;
    k_.update(trajectory_->frame(i));
    while (deep[at] < kDeepest && !reaches(foot, i, 1, lower[at] - deep[at])) deep[at] += kDeeper;
  }
  const auto near = [&](int i) { return static_cast<std::size_t>(std::clamp(i, 0, n - 1)); };
  for (int i = 0; i < n; i++)
    for (int d = -width; d <= width; d++) most[near(i)] = std::max(most[near(i)], deep[near(i + d)]);
  for (int i = 0; i < n; i++)
    for (int d = -width; d <= width; d++) lower[near(i)] -= most[near(i + d)] / (2 * width + 1);
}

void Footing::turnFlat(std::vector<double>& lower) {
  const int n = course_.frames(), even = course_.framesOf(kEven);
  const auto near = [&](int i) { return static_cast<std::size_t>(std::clamp(i, 0, n - 1)); };
  for (std::size_t f = 0; f < course_.feet().size(); f++) {
    std::vector<double> share = flatWanted(f);
    const std::vector<double> before = lower;
    lowerToReach(f, share, lower);
    for (int i = 0; i < n; i++) {
      double& s = share[near(i)];
      if (s <= 0 || (s >= 1 && lower[near(i)] == before[near(i)])) continue;  // such a leg was found to reach
      k_.update(trajectory_->frame(i));
      for (int tries = 0; s > 0 && !reaches(f, i, s, lower[near(i)]); tries++) s = tries < kFlatTries ? kFlatPart * s : 0;
    }
    for (int i = 0; i < n; i++) {  // without jumps, and not more than the leg reaches
      double mean = 0;
      for (int d = -even; d <= even; d++) mean += share[near(i + d)] / (2 * even + 1);
      flat_[f][near(i)] = std::min(share[near(i)], mean);
    }
  }
}

// The leg at q puts its foot where the frame has it, held, lifted and, about its lowest soles, turned flat by a share: what it misses.
double Footing::put(std::size_t foot, int frame, double flat, const retarget::Kinematics& given, double* q) {
  const int body = course_.feet()[foot];
  Vec3 place = given.bodyPosition(body);
  Mat3 turn = given.bodyRotation(body);
  if (flat > 0) {
    double above = 0;
    const Vec3 edge = lowSoles(foot, given, above);
    const Quat whole = quatBetween((turn * up_[foot]).normalized(), Vec3::UnitZ());
    const Mat3 level = slerp(Quat::Identity(), whole, flat).toRotationMatrix();
    place = edge + level * (place - edge) - flat * above * Vec3::UnitZ();
    turn = level * turn;
  }
  place.head<2>() += hold_[foot][static_cast<std::size_t>(frame)];
  return legs_.reach(body, place + lift_[foot][static_cast<std::size_t>(frame)] * Vec3::UnitZ(), turn, q);
}

void Footing::pose(int frame, const retarget::Kinematics& given, double* q) {
  for (std::size_t f = 0; f < course_.feet().size(); f++) put(f, frame, flat_[f][static_cast<std::size_t>(frame)], given, q);
}

bool Footing::moves(int frame) const {
  const std::size_t at = static_cast<std::size_t>(frame);
  for (std::size_t f = 0; f < course_.feet().size(); f++)
    if (lift_[f][at] != 0 || flat_[f][at] > 0 || !hold_[f][at].isZero(0)) return true;
  return false;
}

}  // namespace vertebra::control
