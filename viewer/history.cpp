// See history.hpp.
#include "viewer/history.hpp"

#include "viewer/world_view.hpp"

namespace vertebra::viewer {

namespace {
constexpr double kDense = 2;     // s: as far back every snapshot stays
constexpr double kSparse = 0.1;  // s between older ones
}  // namespace

void History::record(const Cannon& cannon, const Grab& grab) {
  double now = 0;
  check(vtb_world_get_time(world_, &now));
  if (!moments_.empty() && moments_.back().time >= now - 1e-12) {
    if (moments_.back().shots == cannon.count() && moments_.back().hold.has_value() == grab.active()) return;
    if (moments_.size() > 1) used_ -= static_cast<double>(moments_.back().bytes.size()), moments_.pop_back();
  }
  Moment moment;
  moment.time = now;
  moment.shots = cannon.count();
  moment.hold = grab.hold();
  std::size_t needed = 0;
  vtb_world_save(world_, nullptr, 0, &needed);
  moment.bytes.resize(needed);
  check(vtb_world_save(world_, moment.bytes.data(), moment.bytes.size(), &needed));
  used_ += static_cast<double>(needed);
  moments_.push_back(std::move(moment));
  thin();
}

void History::thin() {
  const double now = moments_.back().time;
  const auto drop = [&](std::size_t i) {
    used_ -= static_cast<double>(moments_[i].bytes.size());
    moments_.erase(moments_.begin() + static_cast<std::ptrdiff_t>(i));
  };
  for (std::size_t i = moments_.size() - 1; i-- > 1;) {  // those that have just become old stand behind those that were thinned before
    if (moments_[i].time > now - kDense) continue;
    if (moments_[i].time - moments_[i - 1].time >= kSparse) break;
    drop(i);
  }
  while (moments_.size() > 2 && (moments_[1].time < now - span_ || used_ > memory_)) drop(1);
}

void History::forget() {
  moments_.clear();
  used_ = 0;
}

const double* History::before(double time) const {
  for (auto moment = moments_.rbegin(); moment != moments_.rend(); ++moment)
    if (moment->time < time - 1e-12) return &moment->time;
  return nullptr;
}

bool History::restore(const Moment& moment, Cannon& cannon, Grab& grab) {
  grab.end();
  cannon.keep(moment.shots);
  if (moment.hold) grab.begin(*moment.hold);
  const vtb_status status = vtb_world_restore(world_, moment.bytes.data(), moment.bytes.size());
  grab.end();
  return status == VTB_OK;
}

bool History::back(double time, Cannon& cannon, Grab& grab, const char*& why) {
  why = "there is no earlier snapshot";
  while (!moments_.empty()) {
    const Moment& last = moments_.back();
    if (last.time <= time + 1e-12 || moments_.size() == 1) {
      if (restore(last, cannon, grab)) return true;
      why = "things were made or destroyed in the world since";
      if (moments_.size() == 1) return false;
    }
    used_ -= static_cast<double>(moments_.back().bytes.size());
    moments_.pop_back();
  }
  return false;
}

}  // namespace vertebra::viewer
