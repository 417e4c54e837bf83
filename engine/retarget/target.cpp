// See target.hpp.
#include "engine/retarget/target.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "engine/retarget/descent.hpp"
#include "engine/retarget/target_limbs.hpp"

namespace vertebra::retarget {

namespace {

using figure::FigureModel;

constexpr double kReach = 0.6;  // rad; of each joint when the place of a ball joint is sought
constexpr int kTries = 200;

class PlaceFinder {
 public:
  PlaceFinder(std::shared_ptr<const FigureModel> model, const RoleMap& given, Target& out)
      : out_(out), model_(*model), given_(given), kinematics_(model) {
    out_.model = std::move(model);
    out_.at.fill({-2, Vec3::Zero()});
    out_.endBody.fill(-1);
    out_.link.fill(-1);
    for (Mat3& R : out_.upright) R = Mat3::Identity();
    jointOf_.assign(model_.bodies.size(), -1);
    for (std::size_t b = 0; b < model_.bodies.size(); b++)
      for (std::size_t j = 0; j < model_.skeleton->joints.size(); j++)
        if (!model_.skeleton->joints[j].loop && model_.skeleton->joints[j].child == model_.bodyLink[b]) jointOf_[b] = static_cast<int>(j);
  }

  std::string find() {
    findLimits();
    out_.legOf.assign(model_.bodies.size(), -1);
    kinematics_.update(out_.zero.data());
    FigureParts parts;
    const std::string wrong = findParts(kinematics_, middles(), given_, parts);
    for (int side = 0; side < 2; side++) {
      if (!parts.legs[side].chain.empty()) findLimb(side, kLimbs[0], parts.legs[side], parts.pelvis);
      if (!parts.arms[side].chain.empty()) findLimb(side, kLimbs[1], parts.arms[side], -1);
    }
    out_.link[Role::Head] = parts.head;
    if (!wrong.empty()) return wrong;
    for (int side = 0; side < 2; side++)
      for (Role r : {Role::LeftHip, Role::LeftKnee, Role::LeftFoot})
        if (!out_.has(sided(side, r))) return std::string("no part was found for the role ") + nameOf(sided(side, r));
    if (parts.pelvis >= 0 && !carries(parts.pelvis, parts.legs[0].chain[0], parts.legs[1].chain[0]))
      return "link '" + given_.link[Role::Pelvis] + "', which the map gives for pelvis, does not carry both legs";
    findStand();
    findHead();
    measure();
    return {};
  }

 private:
  void findLimits() {
    AxisBounds bounds = boundsOf(model_);
    out_.zero.assign(static_cast<std::size_t>(model_.nq()), 0);
    figure::neutral(model_.coordinates, out_.zero.data());
    for (std::size_t v = 0; v < bounds.coordinate.size(); v++) {
      if (bounds.coordinate[v] < 0) continue;
      double& zero = out_.zero[static_cast<std::size_t>(bounds.coordinate[v])];
      zero = std::clamp(zero, bounds.lower[v], bounds.upper[v]);
    }
    out_.lower = std::move(bounds.lower);
    out_.upper = std::move(bounds.upper);
    out_.fastest = std::move(bounds.fastest);
    out_.coordinate = std::move(bounds.coordinate);
  }

  std::vector<Vec3> middles() const {  // of the bodies' surfaces
    std::vector<Vec3> out;
    for (int b = 0; b < static_cast<int>(model_.bodies.size()); b++) {
      Vec3 sum = Vec3::Zero();
      const std::vector<figure::SurfacePoint>& balls = model_.surface()[static_cast<std::size_t>(b)];
      for (const figure::SurfacePoint& ball : balls) sum += kinematics_.position({b, ball.point});
      out.push_back(balls.empty() ? origin(b) : Vec3(sum / static_cast<double>(balls.size())));
    }
    return out;
  }

  bool carries(int body, int left, int right) const {
    const auto under = [&](int at) {
      while (at >= 0 && at != body) at = model_.bodies[static_cast<std::size_t>(at)].parent;
      return at == body;
    };
    return body != left && body != right && under(left) && under(right);
  }

  Vec3 origin(int body) const { return kinematics_.linkPose(model_.bodyLink[static_cast<std::size_t>(body)]).p; }

  void findLimb(int side, const LimbRoles& limb, const LimbBodies& bodies, int pelvis) {
    const std::vector<int>& chain = bodies.chain;
    if (chain.size() < 2) return;
    const bool leg = limb.end == Role::LeftFoot;
    const int last = chain.back();
    Vec3 far = origin(last);
    for (const figure::SurfacePoint& ball : model_.surface()[static_cast<std::size_t>(last)])
      if (const Vec3 x = kinematics_.position({last, ball.point}); (x - origin(last)).norm() > (far - origin(last)).norm()) far = x;
    const Vec3 stop = leg || chain.size() > 4 ? origin(last) : far;
    std::size_t k = 1;
    double most = -1;
    for (std::size_t i = 1; i < chain.size(); i++) {
      const double near = std::min((origin(chain[i]) - origin(chain[0])).norm(), (origin(chain[i]) - stop).norm());
      if (near > most - 1e-3) {
        most = std::max(most, near);
        k = i;
      }
    }
    if (bodies.middle >= 0) k = static_cast<std::size_t>(std::find(chain.begin(), chain.end(), bodies.middle) - chain.begin());
    const auto place = [&](Role role, int body, const Vec3& x) {
      out_.at[sided(side, role)] = {body, kinematics_.bodyRotation(body).transpose() * (x - kinematics_.bodyPosition(body))};
    };
    place(limb.middle, chain[k], origin(chain[k]));
    const int base = pelvis >= 0 ? pelvis : model_.bodies[static_cast<std::size_t>(chain[0])].parent;
    const Vec3 ball = pivot(std::vector<int>(chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(k)), chain[k]);
    if (base >= 0)
      place(limb.top, base, ball);
    else
      out_.at[sided(side, limb.top)] = {-1, ball};
    if (k + 1 < chain.size()) {
      const int end = nearest(std::vector<int>(chain.begin() + static_cast<std::ptrdiff_t>(k) + 1, chain.end()));
      place(limb.end, end, origin(end));
    } else {
      place(limb.end, last, far);
    }
    out_.endBody[sided(side, limb.end)] = last;
    const auto name = [&](Role role, int body) { out_.link[sided(side, role)] = model_.bodyLink[static_cast<std::size_t>(body)]; };
    name(limb.top, chain[0]);
    name(limb.middle, chain[k]);
    name(limb.end, last);
    if (leg && base >= 0) out_.link[Role::Pelvis] = model_.bodyLink[static_cast<std::size_t>(base)];
    if (leg)
      for (int b = last; b != base && b >= 0; b = model_.bodies[static_cast<std::size_t>(b)].parent)
        out_.legOf[static_cast<std::size_t>(b)] = side;
  }

  bool hinge(int body) const { return model_.bodies[static_cast<std::size_t>(body)].nv == 1; }

  // Where a ball joint would be in place of a limb's first joints: that of several axes nearest to the next joint, or, of the hinges behind
  // it, the centre of the sphere on which the next joint moves, level with it along its axis.
  Vec3 pivot(const std::vector<int>& bodies, int next) {
    std::vector<int> joints;
    for (int body : bodies) {
      if (!hinge(body)) joints.clear();
      if (hinge(body) && jointOf_[static_cast<std::size_t>(body)] >= 0) joints.push_back(body);
    }
    const Vec3 end = origin(next);
    if (joints.empty()) return origin(bodies.back());
    if (joints.size() < 2) {
      const Vec3 a = kinematics_.axis(joints[0]).normalized(), o = origin(joints[0]);
      return o + a * a.dot(end - o);
    }
    const Vec3 axis = kinematics_.axis(next).normalized();
    const int base = model_.bodies[static_cast<std::size_t>(joints[0])].parent;
    const Vec3 from = base >= 0 ? kinematics_.bodyPosition(base) : Vec3(Vec3::Zero());
    Eigen::MatrixXd A(kTries, 4);
    Eigen::VectorXd b(kTries);
    std::vector<double> q = out_.zero;
    for (int n = 0; n < kTries; n++) {
      for (std::size_t i = 0; i < joints.size(); i++) {
        const double share = std::fmod((n + 1) * kSpread[i % 6], 1.0);  // evenly spread, always the same
        const int at = model_.coordinates.jointQ(jointOf_[static_cast<std::size_t>(joints[i])]);
        const dynamics::AxisParameters& limits =
            model_.skeleton->joints[static_cast<std::size_t>(jointOf_[static_cast<std::size_t>(joints[i])])].axes[0];
        if (at >= 0)
          q[static_cast<std::size_t>(at)] =
              std::clamp(kReach * (2 * share - 1), std::min(limits.lower, limits.upper), std::max(limits.lower, limits.upper));
      }
      kinematics_.update(q.data());
      const Vec3 x = origin(next) - from;  // the base stands at zero coordinates
      A.row(n) << 2 * x.x(), 2 * x.y(), 2 * x.z(), 1;
      b[n] = x.squaredNorm();
    }
    kinematics_.update(out_.zero.data());
    const Eigen::VectorXd fit = A.completeOrthogonalDecomposition().solve(b);
    const Vec3 c = from + Vec3(fit[0], fit[1], fit[2]);
    return c + axis * axis.dot(end - c);
  }

  int nearest(const std::vector<int>& joints) const {  // whose origin is nearest to the axes of all
    int best = joints[0];
    double least = kInf;
    for (int j : joints) {
      double sum = 0;
      for (int k : joints)
        if (hinge(k)) sum += (origin(j) - origin(k)).cross(kinematics_.axis(k).normalized()).squaredNorm();
      if (sum < least - 1e-12) {
        least = sum;
        best = j;
      }
    }
    return best;
  }

  // Which way the figure stands at zero coordinates: up from its feet over its hips to its shoulders, left from its right hip to its left.
  void findStand() {
    const auto at = [&](Role r) { return kinematics_.position(out_.at[r]); };
    const auto middle = [&](Role r) { return Vec3(0.5 * (at(r) + at(sided(1, r)))); };
    const Vec3 left = (at(Role::LeftHip) - at(Role::RightHip)).normalized();
    Vec3 up = middle(Role::LeftHip) - middle(Role::LeftFoot);
    if (out_.has(Role::LeftShoulder) && out_.has(Role::RightShoulder)) up += middle(Role::LeftShoulder) - middle(Role::LeftHip);
    up -= left * left.dot(up);
    int axis = 0;
    up.cwiseAbs().maxCoeff(&axis);
    Vec3 z = Vec3::Zero();
    z[axis] = up[axis] > 0 ? 1 : -1;
    Vec3 y = left - z * z.dot(left);
    y.cwiseAbs().maxCoeff(&axis);
    Vec3 snapped = Vec3::Zero();
    snapped[axis] = y[axis] > 0 ? 1 : -1;
    y = snapped.dot(y.normalized()) > 0.98 ? snapped : y.normalized();
    out_.stand.row(0) = y.cross(z).transpose();
    out_.stand.row(1) = y.transpose();
    out_.stand.row(2) = z.transpose();
  }

  void findHead() {
    const int link = out_.link[Role::Head];
    if (link < 0 || model_.links[static_cast<std::size_t>(link)].body < 0) return;
    const Pose pose = kinematics_.linkPose(link);
    const double height = out_.stand.row(2).dot(pose.p);
    out_.endBody[Role::Head] = model_.links[static_cast<std::size_t>(link)].body;
    const Role below = out_.has(Role::LeftShoulder)    ? Role::LeftShoulder
                       : out_.has(Role::RightShoulder) ? Role::RightShoulder
                                                       : Role::LeftHip;
    if (height > out_.stand.row(2).dot(kinematics_.position(out_.at[below]))) out_.at[Role::Head] = kinematics_.anchor(link, Vec3::Zero());
  }

  void measure() {
    const auto at = [&](Role r) { return kinematics_.position(out_.at[r]); };
    for (int side = 0; side < 2; side++)
      for (const LimbRoles& limb : kLimbs) {
        if (!out_.has(sided(side, limb.top))) continue;
        if (out_.has(limb.top) && out_.has(sided(1, limb.top)))
          out_.bones.length[sided(side, limb.top)] = 0.5 * (at(limb.top) - at(sided(1, limb.top))).norm();
        out_.bones.length[sided(side, limb.middle)] = (at(sided(side, limb.middle)) - at(sided(side, limb.top))).norm();
        out_.bones.length[sided(side, limb.end)] = (at(sided(side, limb.end)) - at(sided(side, limb.middle))).norm();
      }
    out_.leg = 0.5 * (out_.bones.length[Role::LeftKnee] + out_.bones.length[Role::LeftFoot] + out_.bones.length[Role::RightKnee] +
                      out_.bones.length[Role::RightFoot]);
    out_.at[Role::Pelvis] = out_.at[Role::LeftHip];
    out_.at[Role::Pelvis].point = 0.5 * (out_.at[Role::LeftHip].point + out_.at[Role::RightHip].point);
    if (out_.has(Role::LeftShoulder) && out_.has(Role::RightShoulder)) {
      const Vec3 chest = 0.5 * (at(Role::LeftShoulder) + at(Role::RightShoulder));
      out_.bones.trunk = (chest - at(Role::Pelvis)).norm();
      if (out_.has(Role::Head)) out_.bones.length[Role::Head] = (at(Role::Head) - chest).norm();
    }
    for (int side = 0; side < 2; side++)
      if (const Role shoulder = sided(side, Role::LeftShoulder); out_.has(shoulder))
        out_.bones.flank[side] = (at(shoulder) - at(sided(side, Role::LeftHip))).norm();
    if (out_.has(Role::Head)) out_.bones.crown = (at(Role::Head) - at(Role::Pelvis)).norm();
    for (int r = 0; r < kRoles; r++) {
      const int body = out_.endBody[static_cast<Role>(r)];
      if (body < 0) continue;
      out_.upright[static_cast<Role>(r)] = out_.stand * kinematics_.bodyRotation(body);
      if (r % kSide != static_cast<int>(Role::LeftFoot) || r >= 2 * kSide) continue;
      out_.ankle[r / kSide] = {body,
                               kinematics_.bodyRotation(body).transpose() * (at(static_cast<Role>(r)) - kinematics_.bodyPosition(body))};
    }
  }

  static constexpr double kSpread[6] = {0.618033988749895, 0.414213562373095, 0.732050807568877,
                                        0.236067977499790, 0.645751311064591, 0.316624790355400};

  Target& out_;
  const FigureModel& model_;
  const RoleMap& given_;
  Kinematics kinematics_;
  std::vector<int> jointOf_;  // by body; -1 = the base
};

}  // namespace

std::string readTarget(std::shared_ptr<const FigureModel> model, const RoleMap& given, Target& out) {
  RoleMap map = given;  // names given for this call count before those that the skeleton has
  for (const auto& [name, link] : model->skeleton->roles)
    for (int r = 0; r < kRoles; r++)
      if (name == nameOf(static_cast<Role>(r)) && map.link[static_cast<Role>(r)].empty())
        map.link[static_cast<Role>(r)] = model->skeleton->links[static_cast<std::size_t>(link)].name;
  out = {};
  return PlaceFinder(std::move(model), map, out).find();
}

}  // namespace vertebra::retarget
