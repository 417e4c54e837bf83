// See marker_fit.hpp; places of markers: marker_calibration.cpp.
#include "engine/retarget/marker_fit.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

namespace vertebra::retarget {

namespace {

constexpr int kFirstSteps = 200, kFrameSteps = 6;  // of the first frame, of others
constexpr double kUnknown = 10;                    // rad, m, rad/s or m/s: standard deviation of what nothing is known about
constexpr double kFitRest = 0.8;              // rad or m: that of the pose, first of zero coordinates, which holds what no marker tells
constexpr double kFollow = 0.7, kDoubt = 10;  // s in which that pose follows; less by this much where markers tell little
constexpr double kLearn = 0.15;               // s in which accelerations of joints are learned
constexpr double kCalm = 0.1, kWild = 3;      // within these shares of `agility`
constexpr double kLeast = 0.2;                // share of that at short bones
constexpr double kGate = 5;                   // standard deviations beyond which a marker is not where it is expected
constexpr double kNear = 0.03;                // m; a marker within this is where it is expected
constexpr double kWorth = 4;                  // an exchange of names must make the squares this much smaller
constexpr double kRootAgility = 0.5;          // m/s^2 per rad/s^2

bool there(const Vec3& p) { return p.allFinite(); }

void clampTo(const AxisBounds& bounds, std::vector<double>& q) {
  for (std::size_t v = 0; v < bounds.coordinate.size(); v++)
    if (bounds.coordinate[v] >= 0) {
      double& x = q[static_cast<std::size_t>(bounds.coordinate[v])];
      x = std::clamp(x, bounds.lower[v], bounds.upper[v]);
    }
}

}  // namespace

MarkerFit::MarkerFit(std::shared_ptr<const figure::FigureModel> model, const MarkerFitSettings& settings)
    : model_(std::move(model)), settings_(settings), bounds_(boundsOf(*model_)), kinematics_(model_), goals_(kinematics_) {
  const std::size_t nv = static_cast<std::size_t>(model_->nv());
  q_.resize(static_cast<std::size_t>(model_->nq()));
  expected_ = q_;
  difference_.resize(nv);
  for (Eigen::VectorXd* x : {&v_, &change_}) x->setZero(model_->nv());
  for (Eigen::MatrixXd* x : {&qq_, &qv_, &vv_, &weight_}) x->setZero(model_->nv(), model_->nv());
  J_.resize(3 * nv);
  agility2_.resize(nv);
  joints_ = {{0, 3}, {3, 3}};
  for (const figure::CoordinatePart& part : model_->coordinates.parts)
    if (part.joint >= 0 && part.v >= 0) joints_.push_back({part.v, dynamics::jointNv(part.type)});
}

std::string MarkerFit::create(std::shared_ptr<const figure::FigureModel> model, const std::vector<figure::MarkerPlace>& places,
                              const MarkerFitSettings& settings, std::unique_ptr<MarkerFit>& out) {
  if (!model->coordinates.floatingBase) return "the figure's root is fixed; markers move it";
  const figure::Skeleton& s = *model->skeleton;
  std::unique_ptr<MarkerFit> fit(new MarkerFit(model, settings));
  std::vector<bool> used(static_cast<std::size_t>(model->nv()));
  for (const figure::MarkerPlace& p : places) {
    int link = s.findLink(p.joint);
    Pose inLink;
    if (link < 0) {
      const int joint = s.findJoint(p.joint);
      if (joint < 0) return "marker '" + p.name + "' sits on '" + p.joint + "', which is no link or joint of figure '" + s.name + "'";
      link = s.joints[static_cast<std::size_t>(joint)].child;
      inLink = s.joints[static_cast<std::size_t>(joint)].inChild;
    }
    const figure::LinkPlace& at = model->links[static_cast<std::size_t>(link)];
    fit->sites_.push_back({at.body, at.pose * inLink, {}});
    fit->offsets_.push_back(p.offset);
    for (int column : fit->kinematics_.columns(at.body)) used[static_cast<std::size_t>(column)] = true;
  }
  if (places.size() < 3) return "a figure needs at least three markers; the set has " + std::to_string(places.size());
  std::vector<int> columns;
  for (std::size_t i = 0; i < used.size(); i++)
    if (used[i]) columns.push_back(static_cast<int>(i));
  fit->descent_ = std::make_unique<Descent>(*model, std::move(columns));
  fit->given_ = fit->offsets_;
  fit->findWeak();
  fit->place();
  fit->restart();
  out = std::move(fit);
  return {};
}

// Where no marker tells how a turn is shared along a chain, the joint with the longer bone takes more of it; the last one of a chain is
// free.
void MarkerFit::findWeak() {
  const figure::Skeleton& s = *model_->skeleton;
  std::vector<double> bone(s.links.size(), 0.0);  // to the farthest joint that a link carries
  double longest = 0;
  for (const figure::JointDescription& j : s.joints) {
    if (j.parent < 0 || j.loop) continue;
    double& length = bone[static_cast<std::size_t>(j.parent)];
    length = std::max(length, j.inParent.p.norm());
    longest = std::max(longest, length);
  }
  weak_.assign(difference_.size(), 0.0);
  for (const figure::CoordinatePart& part : model_->coordinates.parts) {
    if (part.joint < 0 || part.v < 0) continue;
    const double length = bone[static_cast<std::size_t>(s.joints[static_cast<std::size_t>(part.joint)].child)];
    const double share = length > 0 ? std::max(kLeast, length * length / (longest * longest)) : 1;
    for (int k = 0; k < dynamics::jointNv(part.type); k++) weak_[static_cast<std::size_t>(part.v + k)] = 1 / (kFitRest * share);
  }
}

void MarkerFit::place() {
  for (std::size_t k = 0; k < sites_.size(); k++) sites_[k].anchor = {sites_[k].body, sites_[k].frame * offsets_[k]};
}

void MarkerFit::restart() {
  started_ = false;
  counts_ = {};
  squares_ = 0;
  used_ = 0;
  frames_.clear();
  nameOf_.resize(sites_.size());
  for (std::size_t k = 0; k < nameOf_.size(); k++) nameOf_[k] = k;
  figure::neutral(model_->coordinates, q_.data());
  clampTo(bounds_, q_);
  rest_ = q_;
  v_.setZero();
  for (std::size_t k = 0; k < agility2_.size(); k++)
    agility2_[k] = settings_.agility * settings_.agility * (k < 3 ? kRootAgility * kRootAgility : 1);
}

double MarkerFit::build(const std::vector<double>& q, StepSystem& system) {
  system.clear();
  kinematics_.update(q.data());
  goals_.clear();
  for (const Seen& s : seen_) {
    const Anchor& anchor = sites_[s.site].anchor;
    goals_.place(anchor, s.at - kinematics_.position(anchor), 1 / settings_.noise);
  }
  double cost = goals_.addTo(system);
  figure::difference(model_->coordinates, q.data(), expected_.data(), difference_.data());
  const std::size_t n = difference_.size();
  const Eigen::VectorXd pull = weight_ * Eigen::Map<const Eigen::VectorXd>(difference_.data(), weight_.cols());
  for (std::size_t i = 0; i < n; i++) {
    const Eigen::Index row = static_cast<Eigen::Index>(i);
    cost += 0.5 * pull[row] * difference_[i];
    system.g[i] += pull[row];
    for (std::size_t k = 0; k <= i; k++) system.H[i * n + k] += weight_(row, static_cast<Eigen::Index>(k));
  }
  figure::difference(model_->coordinates, q.data(), rest_.data(), difference_.data());
  for (std::size_t i = 0; i < n; i++) {
    const double w2 = weak_[i] * weak_[i];
    cost += 0.5 * w2 * difference_[i] * difference_[i];
    system.g[i] += w2 * difference_[i];
    system.H[i * n + i] += w2;
  }
  return cost;
}

// The first frame: the figure at zero coordinates laid on the markers as a rigid body, then all coordinates.
bool MarkerFit::start(const std::vector<Seen>& seen) {
  if (seen.size() < 3) return false;
  kinematics_.update(q_.data());
  Vec3 here = Vec3::Zero(), there = Vec3::Zero();
  for (const Seen& s : seen) {
    here += kinematics_.position(sites_[s.site].anchor) / static_cast<double>(seen.size());
    there += s.at / static_cast<double>(seen.size());
  }
  Mat3 sum = Mat3::Zero();
  for (const Seen& s : seen) sum += (s.at - there) * (kinematics_.position(sites_[s.site].anchor) - here).transpose();
  const Eigen::JacobiSVD<Mat3> svd(sum, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Mat3 sign = Mat3::Identity();
  sign(2, 2) = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
  const Mat3 R = svd.matrixU() * sign * svd.matrixV().transpose();
  const Quat turn(Mat3(R * Quat(q_[6], q_[3], q_[4], q_[5]).toRotationMatrix()));
  const Vec3 root = there + R * (Vec3(q_[0], q_[1], q_[2]) - here);
  for (int k = 0; k < 3; k++) q_[static_cast<std::size_t>(k)] = root[k];
  for (int k = 0; k < 4; k++) q_[static_cast<std::size_t>(3 + k)] = turn.coeffs()[k];
  expected_ = q_;
  qq_ = vv_ = kUnknown * kUnknown * Eigen::MatrixXd::Identity(v_.size(), v_.size());
  weight_ = Eigen::MatrixXd::Identity(v_.size(), v_.size()) / (kUnknown * kUnknown);
  qv_.setZero();
  seen_ = seen;
  solve(kFirstSteps);
  started_ = true;
  return true;
}

// The coordinates and their covariance one frame on, at constant velocity.
void MarkerFit::expect() {
  const double h = settings_.frameTime;
  figure::integrate(model_->coordinates, q_.data(), v_.data(), h, expected_.data());
  clampTo(bounds_, expected_);
  qq_ += h * (qv_ + qv_.transpose()) + h * h * vv_;
  qv_ += h * vv_;
  for (Eigen::Index i = 0; i < v_.size(); i++) {
    const double noise = agility2_[static_cast<std::size_t>(i)] * h;
    qq_(i, i) += noise * h * h * h / 3;
    qv_(i, i) += noise * h * h / 2;
    vv_(i, i) += noise * h;
  }
  weight_ = qq_.llt().solve(Eigen::MatrixXd::Identity(v_.size(), v_.size()));
}

void MarkerFit::predict(Vec3* positions) {
  figure::integrate(model_->coordinates, q_.data(), v_.data(), settings_.frameTime, expected_.data());
  kinematics_.update(expected_.data());
  for (std::size_t k = 0; k < sites_.size(); k++) positions[nameOf_[k]] = kinematics_.position(sites_[k].anchor);
}

// Which positions are whose: those near to where they are expected are taken as named; of the others pairs exchange their names if both
// then fit much better, and what still fits nowhere is left out.
void MarkerFit::recognise(const Vec3* positions) {
  kinematics_.update(expected_.data());
  std::vector<Vec3> where(sites_.size());
  std::vector<double> square(sites_.size());
  std::vector<std::size_t> odd;
  seen_.clear();
  for (std::size_t k = 0; k < sites_.size(); k++) {
    where[k] = kinematics_.position(sites_[k].anchor);
    const Vec3& p = positions[nameOf_[k]];
    if (!there(p)) {
      counts_.hidden++;
      continue;
    }
    kinematics_.addLinear(sites_[k].anchor, 1, J_.data());
    const Eigen::Map<Eigen::MatrixXd> rows(J_.data(), v_.size(), 3);
    const double variance = settings_.noise * settings_.noise + (rows.transpose() * qq_ * rows).trace() / 3;  // mean of three directions
    std::fill(J_.begin(), J_.end(), 0.0);
    square[k] = std::max(kNear * kNear, kGate * kGate * variance);
    if ((p - where[k]).squaredNorm() <= square[k])
      seen_.push_back({k, p});
    else
      odd.push_back(k);
  }
  for (std::size_t a = 0; a < odd.size(); a++)
    for (std::size_t b = a + 1; b < odd.size(); b++) {
      const std::size_t i = odd[a], j = odd[b];
      const Vec3 &p = positions[nameOf_[i]], &r = positions[nameOf_[j]];
      const double now = (p - where[i]).squaredNorm() + (r - where[j]).squaredNorm(),
                   other = (p - where[j]).squaredNorm() + (r - where[i]).squaredNorm();
      if (kWorth * other > now) continue;
      std::swap(nameOf_[i], nameOf_[j]);
      counts_.swaps++;
    }
  for (std::size_t k : odd) {
    const Vec3& p = positions[nameOf_[k]];
    if ((p - where[k]).squaredNorm() <= square[k])
      seen_.push_back({k, p});
    else
      counts_.outliers++;
  }
}

void MarkerFit::solve(int most) {
  descent_->run([&](const std::vector<double>& q, StepSystem& system) { return build(q, system); }, bounds_.coordinate, bounds_.lower,
                bounds_.upper, most, kEnough, q_);
}

// Covariance and velocity after the frame.
void MarkerFit::correct() {
  const std::size_t n = difference_.size();
  figure::difference(model_->coordinates, expected_.data(), q_.data(), change_.data());
  const std::vector<double>& H = descent_->system().H;
  Eigen::MatrixXd information(v_.size(), v_.size());
  for (std::size_t i = 0; i < n; i++)
    for (std::size_t k = 0; k <= i; k++) {
      const Eigen::Index a = static_cast<Eigen::Index>(i), b = static_cast<Eigen::Index>(k);
      information(a, b) = information(b, a) = H[i * n + k];
    }
  const Eigen::MatrixXd after = information.llt().solve(Eigen::MatrixXd::Identity(v_.size(), v_.size()));
  const Eigen::MatrixXd share = qv_.transpose() * weight_;  // of a change of the coordinates that goes to the velocities
  const Eigen::VectorXd push = share * change_;
  v_ += push;
  if (settings_.learns) learnAgility(push);
  vv_ -= share * (qq_ - after) * share.transpose();
  vv_ = (0.5 * (vv_ + vv_.transpose())).eval();
  qv_ = after * share.transpose();
  qq_ = after;
  if (settings_.learns) followRest();
}

// The pose to which the weak pull leads goes along where the markers tell the pose: else limbs that are bent all the time would be pulled
// straight a little in each frame.
void MarkerFit::followRest() {
  const double part = std::min(1.0, settings_.frameTime / kFollow);
  figure::difference(model_->coordinates, rest_.data(), q_.data(), difference_.data());
  for (std::size_t i = 0; i < difference_.size(); i++)
    difference_[i] *=
        part * std::max(0.0, 1 - kDoubt * qq_(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(i)) * weak_[i] * weak_[i]);
  const std::vector<double> from = rest_;
  figure::integrate(model_->coordinates, from.data(), difference_.data(), 1, rest_.data());
}

// What the filter adds to a velocity in a frame has, if its covariances are right, the variance that it assumes: where it is less or more,
// the joint accelerates less or more than was thought (Mohamed and Schwarz 1999). One number a joint: its axes turn with it.
void MarkerFit::learnAgility(const Eigen::VectorXd& push) {
  const double h = settings_.frameTime, part = std::min(1.0, h / kLearn);
  for (const Run& run : joints_) {
    double square = 0;
    for (int k = run.first; k < run.first + run.count; k++) square += push[k] * push[k] / (h * h * run.count);
    const double full = settings_.agility * settings_.agility * (run.first < 3 ? kRootAgility * kRootAgility : 1);
    for (int k = run.first; k < run.first + run.count; k++) {
      double& a2 = agility2_[static_cast<std::size_t>(k)];
      a2 = std::clamp(a2 + part * (square - a2), kCalm * kCalm * full, kWild * kWild * full);
    }
  }
}

bool MarkerFit::fit(const Vec3* positions) {
  if (!started_) {
    std::vector<Seen> seen;
    for (std::size_t k = 0; k < sites_.size(); k++)
      if (there(positions[k])) seen.push_back({k, positions[k]});
    if (!start(seen)) return false;
    counts_.hidden += static_cast<int>(sites_.size() - seen.size());
  } else {
    expect();
    recognise(positions);
    q_ = expected_;
    solve(kFrameSteps);
  }
  return true;
}

// The frame beside the last ones, with what leads back to the one before (Rauch, Tung and Striebel 1965).
void MarkerFit::keep() {
  const Eigen::Index n = v_.size();
  if (settings_.latency > 0 && !frames_.empty()) {
    Eigen::MatrixXd expected(2 * n, 2 * n), from(2 * n, 2 * n);
    expected << qq_, qv_, qv_.transpose(), vv_;
    from << before_.topRows(n), before_.bottomRows(n);
    frames_.back().back = expected.llt().solve(from.transpose()).transpose();
  }
  if (frames_.size() > static_cast<std::size_t>(settings_.latency)) frames_.pop_front();
  frames_.emplace_back();
  Frame& f = frames_.back();
  f.expectedQ = expected_, f.expectedV = v_;
  correct();
  f.q = q_, f.v = v_;
  if (settings_.latency == 0) return;
  before_.resize(2 * n, 2 * n);  // covariance of this frame with the next
  before_ << qq_ + settings_.frameTime * qv_, qv_, qv_.transpose() + settings_.frameTime * vv_, vv_;
}

// The oldest frame that is held, by those that follow it.
void MarkerFit::smooth(std::vector<double>& q) {
  const figure::Coordinates& c = model_->coordinates;
  const Eigen::Index n = v_.size();
  q = frames_.back().q;
  Eigen::VectorXd v = frames_.back().v, off(2 * n);
  for (std::size_t k = frames_.size() - 1; k-- > 0;) {
    figure::difference(c, frames_[k + 1].expectedQ.data(), q.data(), off.data());
    off.tail(n) = v - frames_[k + 1].expectedV;
    off = (frames_[k].back * off).eval();
    figure::integrate(c, frames_[k].q.data(), off.data(), 1, q.data());
    v = frames_[k].v + off.tail(n);
  }
  clampTo(bounds_, q);
}

bool MarkerFit::push(const Vec3* positions, std::vector<double>& q) {
  if (!fit(positions)) return false;
  keep();
  kinematics_.update(q_.data());
  for (const Seen& s : seen_) squares_ += (s.at - kinematics_.position(sites_[s.site].anchor)).squaredNorm();
  used_ += static_cast<long>(seen_.size());
  if (frames_.size() <= static_cast<std::size_t>(settings_.latency)) return false;
  smooth(q);
  return true;
}

bool MarkerFit::finish(std::vector<double>& q) {
  if (frames_.size() == static_cast<std::size_t>(settings_.latency) + 1) frames_.pop_front();
  if (frames_.empty()) return false;
  smooth(q);
  frames_.pop_front();
  return true;
}

MarkerFitCounts MarkerFit::counts() const {
  MarkerFitCounts out = counts_;
  out.residual = used_ > 0 ? std::sqrt(squares_ / static_cast<double>(used_)) : 0;
  return out;
}

}  // namespace vertebra::retarget
