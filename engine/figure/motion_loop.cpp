// See motion_loop.hpp.
#include "engine/figure/motion_loop.hpp"

#include <algorithm>
#include <cmath>

#include "engine/figure/motion_channels.hpp"
#include "engine/figure/motion_edit.hpp"
#include "engine/math/rotation.hpp"

namespace vertebra::figure {

namespace {
// Frames beside one and their weights in its rate, which is the sum of weight * (frame beside - frame), of second order.
struct Stencil {
  int step[2];
  double weight[2];
};
constexpr Stencil kCentral{{-1, 1}, {-0.5, 0.5}}, kAhead{{1, 2}, {2, -0.5}}, kBack{{-1, -2}, {-2, 0.5}};

// A frame and its rates, per frame.
struct Seam {
  std::vector<double> row, beside[2];
  double weight[2];

  Seam(const Motion& m, const std::vector<Carrier>& carriers, int frame, const Stencil& stencil, const Pose& move)
      : row(moved(m, carriers, frame, move)) {
    for (int k = 0; k < 2; k++) {
      beside[k] = moved(m, carriers, frame + stencil.step[k], move);
      weight[k] = stencil.weight[k];
    }
  }

  Pose pose(const Motion& m, int j) const { return motionLocalPose(m, j, row.data()); }
  Vec3 velocity(const Motion& m, int j) const {
    const Vec3 p = pose(m, j).p;
    return weight[0] * (motionLocalPose(m, j, beside[0].data()).p - p) + weight[1] * (motionLocalPose(m, j, beside[1].data()).p - p);
  }
  Vec3 turning(const Motion& m, int j) const {  // in the joint's axes
    const Quat back = pose(m, j).q.conjugate();
    return weight[0] * quatLog(back * motionLocalPose(m, j, beside[0].data()).q) +
           weight[1] * quatLog(back * motionLocalPose(m, j, beside[1].data()).q);
  }
  double rate(std::size_t column, Channel c) const {
    return weight[0] * difference(c, row[column], beside[0][column]) + weight[1] * difference(c, row[column], beside[1][column]);
  }
  static double difference(Channel c, double from, double to) {
    return isPosition(c) ? to - from : shorterWay((to - from) * (kPi / 180)) * (180 / kPi);
  }

 private:
  static std::vector<double> moved(const Motion& m, const std::vector<Carrier>& carriers, int frame, const Pose& move) {
    std::vector<double> out(m.frame(frame), m.frame(frame) + m.channelCount);
    moveCarriers(m, carriers, m.frame(frame), move, out.data());
    return out;
  }
};

// Cubics of Hermite that lead from (1, 0) and from (0, 1), value and slope, to (0, 0) at u = 1; the second is for a slope a frame.
double valueWeight(double u) { return 1 + u * u * (2 * u - 3); }
double slopeWeight(double u, int frames) { return frames * u * (1 - u) * (1 - u); }

// What a period lacks to close, from the frame at which it begins to the one that follows its end, which is moved to where it begins.
class Closing {
 public:
  Closing(const Motion& m, const std::vector<Carrier>& carriers, int first, int last, int frames) : m_(m), frames_(frames) {
    const auto place = [&](int frame) { return groundPose(placeOnGround(m, carriers[0], m.frame(frame))); };
    const Pose back = place(first) * place(last).inverse();
    const bool inside = first > 0 && last + 1 < m.frames();  // one stencil's error at both ends: a period that closes stays as it is
    const Seam begin(m, carriers, first, inside ? kCentral : kAhead, {}), end(m, carriers, last, inside ? kCentral : kBack, back);
    for (std::size_t at = 0; at < m.joints.size(); at++) {
      const int j = static_cast<int>(at);
      const MotionJoint& joint = m.joints[at];
      if (!hasAllRotations(joint)) continue;
      const Pose from = begin.pose(m, j), to = end.pose(m, j);
      Gap gap;
      gap.joint = j;
      gap.shift = to.p - from.p;
      gap.velocity = end.velocity(m, j) - begin.velocity(m, j);
      gap.turn = quatLog(from.q.conjugate() * to.q);
      gap.turning = end.turning(m, j) - quatExp(gap.turn).conjugate() * begin.turning(m, j);
      gaps_.push_back(gap);
    }
    for (const MotionJoint& joint : m.joints)
      for (std::size_t c = 0; c < joint.channels.size() && !hasAllRotations(joint); c++) {
        const std::size_t column = static_cast<std::size_t>(joint.firstChannel) + c;
        const Channel channel = joint.channels[c];
        channels_.push_back({column, Seam::difference(channel, begin.row[column], end.row[column]),
                             end.rate(column, channel) - begin.rate(column, channel)});
      }
  }

  // Adds to frame k of the period the share of the gap that is left there.
  void apply(int k, double* row) const {
    const double u = static_cast<double>(k) / frames_, w = valueWeight(u), s = slopeWeight(u, frames_);
    for (const Gap& gap : gaps_) {
      const Pose own = motionLocalPose(m_, gap.joint, row);
      setLocalPose(m_.joints[static_cast<std::size_t>(gap.joint)],
                   {own.p + w * gap.shift + s * gap.velocity, own.q * quatExp(w * gap.turn) * quatExp(s * gap.turning)}, row);
    }
    for (const ChannelGap& gap : channels_) row[gap.column] += w * gap.value + s * gap.rate;
  }

 private:
  struct Gap {  // of a joint with all rotations: file units, rad in the joint's axes; the rates a frame
    int joint;
    Vec3 shift, velocity, turn, turning;
  };
  struct ChannelGap {  // of the channels of other joints, as in the file
    std::size_t column;
    double value, rate;
  };

  const Motion& m_;
  int frames_;
  std::vector<Gap> gaps_;
  std::vector<ChannelGap> channels_;
};
}  // namespace

std::string motionInPlace(const Motion& m, GroundPath& path, Motion& out) {
  const std::vector<Carrier> carriers = carriersOf(m);
  if (std::string wrong = lackOf(m, carriers); !wrong.empty()) return wrong;
  path.clear();
  out = m;
  double* row = out.values.data();
  for (int i = 0; i < m.frames(); i++, row += m.channelCount) {
    GroundPlace place = placeOnGround(m, carriers[0], m.frame(i));
    if (i > 0) {
      place[2] = path.back()[2] + shorterWay(place[2] - path.back()[2]);
      for (const Carrier& carrier : carriers) {
        const MotionJoint& joint = m.joints[static_cast<std::size_t>(carrier.joint)];
        std::copy_n(row - m.channelCount + joint.firstChannel, joint.channels.size(), row + joint.firstChannel);
      }
    }
    path.push_back(place);
    moveCarriers(m, carriers, m.frame(i), groundPose(place).inverse(), row);
  }
  return {};
}

std::string motionLooped(const Motion& m, int first, int last, double blend, Motion& out) {
  const std::vector<Carrier> carriers = carriersOf(m);
  if (std::string wrong = lackOf(m, carriers); !wrong.empty()) return wrong;
  const int frames = static_cast<int>(std::clamp(std::round(blend / m.frameTime), 1.0, static_cast<double>(last - first)));
  const Closing closing(m, carriers, first, last, frames);
  out = motionTrimmed(m, first, last);
  for (int k = 0; k < frames; k++) closing.apply(k, out.values.data() + static_cast<std::ptrdiff_t>(k) * out.channelCount);
  return {};
}

}  // namespace vertebra::figure
