// See bone_lengths.hpp.
#include "engine/retarget/bone_lengths.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "engine/figure/skeleton_edit.hpp"

namespace vertebra::retarget {

namespace {

constexpr int kRounds = 8;
constexpr std::size_t kFitted = 300, kUsed = 60;  // frames that are fitted, and of these that tell lengths
constexpr double kSpread = 0.15;                  // standard deviation of the logarithm of a bone's factor
constexpr double kPose = 1;                       // rad or m: of a coordinate that no marker tells
constexpr double kProbe = 1e-3;                   // of a length, for its derivative
constexpr double kLargest = 0.2;                  // change of a length in a round
constexpr double kSettled = 1e-4;
constexpr double kOdd = 0.15;  // m: a marker farther than this tells no length

using Model = std::shared_ptr<const figure::FigureModel>;

Model modelOf(const figure::Skeleton& s) {
  return figure::makeFigureModel(std::make_shared<const figure::Skeleton>(s), figure::BaseKind::Floating);
}

struct Site {
  int link = -1;
  Vec3 point = Vec3::Zero();  // in its frame
};

class Lengths {
 public:
  Lengths(const figure::Skeleton& s, const std::vector<figure::MarkerPlace>& places, const MarkerFitSettings& settings,
          const std::vector<Vec3>& positions)
      : places_(places), settings_(settings), positions_(positions) {
    settings_.learns = false;
    for (const figure::MarkerPlace& p : places) {
      Site site{s.findLink(p.joint), p.offset};
      if (const int joint = site.link < 0 ? s.findJoint(p.joint) : -1; joint >= 0) {
        site.link = s.joints[static_cast<std::size_t>(joint)].child;
        site.point = s.joints[static_cast<std::size_t>(joint)].inChild * p.offset;
      }
      sites_.push_back(site);
    }
    for (std::size_t l = 0; l < s.links.size(); l++) {  // bones that lead to a joint
      const bool carries = std::any_of(s.joints.begin(), s.joints.end(),
                                       [&](const figure::JointDescription& j) { return !j.loop && j.parent == static_cast<int>(l); });
      figure::Skeleton tried = s;
      if (carries && figure::scaleLink(tried, static_cast<int>(l), 1 + kProbe, 1).empty()) bones_.push_back(static_cast<int>(l));
    }
    const std::size_t frames = positions.size() / std::max<std::size_t>(places.size(), 1);
    stride_ = std::max<std::size_t>(1, frames / kFitted);
    settings_.frameTime *= static_cast<double>(stride_);
    settings_.latency = 0;
  }
  const std::vector<int>& bones() const { return bones_; }

  // The frames' coordinates with these bones; the residual.
  std::string fit(const Model& model, double& residual) {
    std::unique_ptr<MarkerFit> fit;
    if (const std::string wrong = MarkerFit::create(model, places_, settings_, fit); !wrong.empty()) return wrong;
    frames_.clear();
    std::vector<double> q;
    for (std::size_t at = 0; (at + 1) * places_.size() <= positions_.size(); at += stride_)
      if (fit->push(&positions_[at * places_.size()], q)) frames_.push_back({at, q});
    if (frames_.empty()) return "no frame shows three markers of the set";
    residual = fit->counts().residual;
    return {};
  }

  // Changes of the lengths' logarithms.
  Eigen::VectorXd step(const figure::Skeleton& s, const Model& model, const Eigen::VectorXd& sum) {
    const Eigen::Index count = static_cast<Eigen::Index>(bones_.size()), nv = model->nv();
    std::vector<std::unique_ptr<figure::FigureWorkspace>> longer;
    for (const int bone : bones_) {
      figure::Skeleton probe = s;
      (void)figure::scaleLink(probe, bone, 1 + kProbe, 1);
      longer.push_back(std::make_unique<figure::FigureWorkspace>(modelOf(probe)));
    }
    figure::FigureWorkspace workspace(model);
    Eigen::MatrixXd A = Eigen::MatrixXd::Identity(count, count) / (kSpread * kSpread);
    Eigen::VectorXd b = -sum / (kSpread * kSpread);
    std::vector<double> J(static_cast<std::size_t>(6 * nv));
    const std::size_t every = std::max<std::size_t>(1, frames_.size() / kUsed);
    for (std::size_t i = 0; i < frames_.size(); i += every) {
      const double* q = frames_[i].second.data();
      const Vec3* seen = &positions_[frames_[i].first * sites_.size()];
      Eigen::MatrixXd byPose = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(3 * sites_.size()), nv),
                      byBone = Eigen::MatrixXd::Zero(byPose.rows(), count);
      Eigen::VectorXd away = Eigen::VectorXd::Zero(byPose.rows());
      for (std::size_t k = 0; k < sites_.size(); k++) {
        if (!seen[k].allFinite()) continue;
        const Vec3 at = workspace.poses(q)[sites_[k].link] * sites_[k].point, off = seen[k] - at;
        if (!(off.norm() < kOdd)) continue;
        const Eigen::Index row = static_cast<Eigen::Index>(3 * k);
        away.segment<3>(row) = off;
        workspace.jacobian(q, sites_[k].link, sites_[k].point, J.data());
        byPose.middleRows<3>(row) =
            Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(J.data(), 6, nv).topRows<3>();
        for (Eigen::Index m = 0; m < count; m++)
          byBone.block<3, 1>(row, m) = (longer[static_cast<std::size_t>(m)]->poses(q)[sites_[k].link] * sites_[k].point - at) / kProbe;
      }
      const double weight = 1 / (settings_.noise * settings_.noise);
      Eigen::MatrixXd H = weight * byPose.transpose() * byPose;
      H.diagonal().array() += 1 / (kPose * kPose);
      const Eigen::LLT<Eigen::MatrixXd> factor(H);
      const Eigen::MatrixXd cross = weight * byPose.transpose() * byBone;
      A += weight * byBone.transpose() * byBone - cross.transpose() * factor.solve(cross);
      b += weight * byBone.transpose() * away - cross.transpose() * factor.solve(weight * byPose.transpose() * away);
    }
    return A.ldlt().solve(b).cwiseMax(-kLargest).cwiseMin(kLargest);
  }

 private:
  const std::vector<figure::MarkerPlace>& places_;
  MarkerFitSettings settings_;
  const std::vector<Vec3>& positions_;
  std::vector<Site> sites_;
  std::vector<int> bones_;
  std::size_t stride_ = 1;
  std::vector<std::pair<std::size_t, std::vector<double>>> frames_;  // index in the record, coordinates
};

}  // namespace

std::string calibrateBones(figure::Skeleton& s, const std::vector<figure::MarkerPlace>& places, const MarkerFitSettings& settings,
                           const std::vector<Vec3>& positions, BoneLengths& out) {
  figure::Skeleton found = s;
  out = {};
  out.factors.assign(s.links.size(), 1.0);
  Model model = modelOf(found);
  Lengths lengths(s, places, settings, positions);
  if (const std::string wrong = lengths.fit(model, out.before); !wrong.empty()) return wrong;
  out.after = out.before;
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(lengths.bones().size()));
  for (int round = 0; round < kRounds; round++) {
    const Eigen::VectorXd change = lengths.step(found, model, sum);
    for (std::size_t k = 0; k < lengths.bones().size(); k++) {
      const double factor = std::exp(change[static_cast<Eigen::Index>(k)]);
      if (const std::string wrong = figure::scaleLink(found, lengths.bones()[k], factor, 1); !wrong.empty()) return wrong;
      out.factors[static_cast<std::size_t>(lengths.bones()[k])] *= factor;
    }
    sum += change;
    model = modelOf(found);
    if (const std::string wrong = lengths.fit(model, out.after); !wrong.empty()) return wrong;
    if (!(change.cwiseAbs().maxCoeff() > kSettled)) break;
  }
  s = std::move(found);
  return {};
}

}  // namespace vertebra::retarget
