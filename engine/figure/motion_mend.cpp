// See motion_mend.hpp.
#include "engine/figure/motion_mend.hpp"

#include <algorithm>

#include "engine/figure/motion_channels.hpp"
#include "engine/figure/motion_edit.hpp"

namespace vertebra::figure {

Motion motionMended(const Motion& m, Mend how, const std::vector<Outlier>& outliers, std::vector<int>& mended) {
  std::vector<bool> odd(static_cast<std::size_t>(m.frames()), false);
  for (const Outlier& o : outliers)
    if (o.kind != OutlierKind::Jump) odd[static_cast<std::size_t>(o.frame)] = true;
  mended.clear();
  Motion out = withoutFrames(m);
  std::vector<double> row(static_cast<std::size_t>(m.channelCount), 0.0);
  for (int i = 0; i < m.frames(); i++) {
    const bool stays = !odd[static_cast<std::size_t>(i)];
    if (!stays) mended.push_back(i);
    if (!stays && how == Mend::Cut) continue;
    std::copy_n(m.frame(i), m.channelCount, row.begin());
    if (!stays) {
      int a = i, b = i;
      while (a >= 0 && odd[static_cast<std::size_t>(a)]) a--;
      while (b < m.frames() && odd[static_cast<std::size_t>(b)]) b++;
      if (a < 0 || b >= m.frames())
        std::copy_n(m.frame(a < 0 ? std::min(b, m.frames() - 1) : a), m.channelCount, row.begin());
      else
        motionRowBetween(m, a, b, static_cast<double>(i - a) / (b - a), row.data());
    }
    out.values.insert(out.values.end(), row.begin(), row.end());
  }
  return out;
}

Motion motionFromMarkers(const MarkerRecord& record, std::vector<int>& missing) {
  const std::size_t count = record.names.size();
  Motion out;
  out.frameTime = record.frameTime;
  for (std::size_t k = 0; k < count; k++) {
    MotionJoint joint;
    joint.name = record.names[k];
    joint.channels = {Channel::Xposition, Channel::Yposition, Channel::Zposition};
    joint.firstChannel = static_cast<int>(3 * k);
    joint.endSites = {Vec3::Zero()};
    out.joints.push_back(std::move(joint));
  }
  out.channelCount = static_cast<int>(3 * count);
  const int frames = record.frames();
  out.values.assign(static_cast<std::size_t>(frames) * 3 * count, 0.0);
  missing.assign(count, 0);
  for (std::size_t k = 0; k < count; k++) {
    const auto at = [&](int i) -> const Vec3& { return record.frame(i)[k]; };
    int a = -1, b = 0;  // frames with a position, at or before i and at or behind it
    for (int i = 0; i < frames; i++) {
      while (b < frames && (b < i || !at(b).allFinite())) b++;
      if (b == i) a = i;
      missing[k] += b != i;
      if (a < 0 && b >= frames) continue;
      const Vec3 p = a < 0 ? at(b) : b >= frames || b == a ? at(a) : Vec3(at(a) + static_cast<double>(i - a) / (b - a) * (at(b) - at(a)));
      std::copy_n(p.data(), 3, out.values.begin() + static_cast<std::ptrdiff_t>((static_cast<std::size_t>(i) * count + k) * 3));
    }
  }
  return out;
}

}  // namespace vertebra::figure
