// See clip.hpp.
#include "engine/control/clip.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra::control {

namespace {

class MotionClip : public Clip {
 public:
  MotionClip(std::shared_ptr<const figure::Motion> motion, std::shared_ptr<const figure::FigureModel> model)
      : motion_(std::move(motion)), model_(std::move(model)), binding_(*motion_, *model_->skeleton, model_->coordinates) {
    for (std::vector<double>* x : {&before_, &after_}) x->resize(static_cast<std::size_t>(model_->nv()));
  }
  double duration() const override { return motion_->duration(); }
  void at(double t, double* q, double* v, double* a) override {
    binding_.coordinates(t, q);
    const std::size_t n = before_.size();
    const double h = motion_->frameTime, first = std::max(t - h, 0.0), last = std::min(t + h, duration());
    if (!(t >= 0 && t <= duration()) || !(last > first)) {
      std::fill_n(v, n, 0.0);
      std::fill_n(a, n, 0.0);
      return;
    }
    binding_.velocities(t, v);
    binding_.velocities(first, before_.data());
    binding_.velocities(last, after_.data());
    for (std::size_t i = 0; i < n; i++) a[i] = (after_[i] - before_[i]) / (last - first);
  }

 private:
  std::shared_ptr<const figure::Motion> motion_;
  std::shared_ptr<const figure::FigureModel> model_;
  figure::MotionBinding binding_;
  std::vector<double> before_, after_;
};

class TrajectoryClip : public Clip {
 public:
  TrajectoryClip(std::shared_ptr<const figure::Trajectory> t, std::shared_ptr<const figure::FigureModel> m) : course_(m, t) {}
  double duration() const override { return course_.duration(); }
  void at(double t, double* q, double* v, double* a) override { course_.at(t, q, v, a); }

 private:
  Course course_;
};

Quat turn(double heading) { return Quat(std::cos(heading / 2), 0, 0, std::sin(heading / 2)); }
Quat orientation(const double* q) { return Quat(q[6], q[3], q[4], q[5]); }

}  // namespace

std::shared_ptr<Clip> clipOfMotion(std::shared_ptr<const figure::Motion> motion, std::shared_ptr<const figure::FigureModel> model) {
  return std::make_shared<MotionClip>(std::move(motion), std::move(model));
}

std::shared_ptr<Clip> clipOfTrajectory(std::shared_ptr<const figure::Trajectory> trajectory,
                                       std::shared_ptr<const figure::FigureModel> model) {
  if (!model->coordinates.floatingBase || trajectory->nq() != model->nq() || trajectory->frames() < 1) return nullptr;
  return std::make_shared<TrajectoryClip>(std::move(trajectory), std::move(model));
}

Place Place::then(const Place& next) const { return {heading + next.heading, turn(next.heading) * shift + next.shift}; }

// By doubling, so that the cost of a clip played enormously fast is that of a slow one's.
Place Place::repeated(double count) const {
  Place sum, power = *this;
  for (; count >= 1; count = std::floor(count / 2), power = power.then(power))
    if (std::fmod(count, 2) == 1) sum = power.then(sum);
  return sum;
}

void movePlace(const Place& place, double* q, double* v, double* a) {
  const Quat r = turn(place.heading);
  const Vec3 p = r * Vec3(q[0], q[1], q[2]) + place.shift;
  const Quat o = r * orientation(q);
  for (int k = 0; k < 3; k++) q[k] = p[k];
  for (int k = 0; k < 4; k++) q[3 + k] = o.coeffs()[k];
  for (double* x : {v, a})
    for (int part = 0; x && part < 6; part += 3) {
      const Vec3 turned = r * Vec3(x[part], x[part + 1], x[part + 2]);
      for (int k = 0; k < 3; k++) x[part + k] = turned[k];
    }
}

Place placeBetween(const double* from, const double* to) {
  const Quat between = orientation(to) * orientation(from).conjugate();
  Place place;
  place.heading = 2 * std::atan2(between.z(), between.w());
  place.shift = Vec3(to[0], to[1], 0) - turn(place.heading) * Vec3(from[0], from[1], 0);
  place.shift.z() = 0;
  return place;
}

}  // namespace vertebra::control
