// Builds the bodies of a figure from its skeleton; see figure_model.hpp.
#include "engine/figure/figure_model.hpp"

#include "engine/math/rotation.hpp"

namespace vertebra::figure {
namespace {

struct Lump {  // links connected by fixed joints, in the frame of the first of them
  double mass = 0;
  Vec3 moment = Vec3::Zero();
  std::vector<int> links;
};

// Bodies are numbered parents before children, and subtrees stay together.
struct Lumps {
  std::vector<Lump> bodies;
  std::vector<int> jointOf;  // by body, the joint that leads to it; -1 = the floating base
  std::vector<int> bodyOf;   // by link; -1 = the world
  std::vector<Pose> inLump;  // by link, its frame in its lump's frame; of the world's lump: in the world
};

Pose unitPose(const Pose& pose) { return {pose.p, normalized(pose.q)}; }

void setJoint(dynamics::LinkModel& m, const JointDescription& d, const Pose& inParent, const Pose& inChild,
              dynamics::JointFrameList& list) {
  dynamics::keepFrames(m, dynamics::setJoint(m, d, inParent, inChild), list);
}

// Inertial frame of a lump (origin at its centre of mass, principal axes) in the frame of its first link.
Pose inertialFrame(const Skeleton& s, const Lump& lump, const std::vector<Pose>& inLump, dynamics::LinkModel& body) {
  Pose frame;
  if (lump.mass > 0) frame.p = lump.moment / lump.mass;
  Mat3 inertia = Mat3::Zero();
  for (int l : lump.links) {
    const LinkDescription& link = s.links[l];
    const Mat3 R = inLump[l].q.toRotationMatrix();
    const Vec3 d = inLump[l] * link.com - frame.p;
    inertia += R * link.inertia * R.transpose() + link.mass * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
  }
  Vec3 moments;
  dynamics::principalAxes(inertia, moments, frame.q);
  dynamics::setInertia(body, lump.mass, moments);
  return frame;
}

// Depth first. Also the mass of the model, of what is fixed to the world, and the first links of bodies.
Lumps collectLumps(const Skeleton& s, const std::vector<std::vector<int>>& childJoints, bool floating, FigureModel& model) {
  Lumps lumps;
  lumps.bodyOf.assign(s.links.size(), -1);
  lumps.inLump.resize(s.links.size());
  std::vector<std::pair<int, int>> stack;  // link, joint that leads to it
  stack.emplace_back(s.root, -1);
  while (!stack.empty()) {
    const auto [link, joint] = stack.back();
    stack.pop_back();
    if (joint >= 0 && s.joints[joint].type == dynamics::JointType::Fixed) {
      const JointDescription& d = s.joints[joint];
      lumps.bodyOf[link] = lumps.bodyOf[d.parent];
      lumps.inLump[link] = unitPose(lumps.inLump[d.parent] * unitPose(d.inParent) * unitPose(d.inChild).inverse());
    } else if (joint >= 0 || floating) {
      lumps.bodyOf[link] = static_cast<int>(lumps.bodies.size());
      lumps.bodies.emplace_back();
      lumps.jointOf.push_back(joint);
      model.bodyLink.push_back(link);
    }
    const LinkDescription& d = s.links[link];
    model.mass += d.mass;
    if (lumps.bodyOf[link] >= 0) {
      Lump& lump = lumps.bodies[lumps.bodyOf[link]];
      lump.mass += d.mass;
      lump.moment += d.mass * (lumps.inLump[link] * d.com);
      lump.links.push_back(link);
    } else {
      model.fixedMass += d.mass;
      model.fixedMoment += d.mass * (lumps.inLump[link] * d.com);
    }
    for (int j : childJoints[link]) stack.emplace_back(s.joints[j].child, j);
  }
  return lumps;
}

std::vector<LinkFrame> linkFrames(const Skeleton& s, const Coordinates& coordinates, const std::vector<std::vector<int>>& childJoints,
                                  dynamics::JointFrameList& jointFrames) {
  std::vector<LinkFrame> frames;
  std::vector<int> order{s.root};
  for (std::size_t at = 0; at < order.size(); at++)
    for (int j : childJoints[order[at]]) {
      const JointDescription& d = s.joints[j];
      LinkFrame f;
      f.link = d.child;
      f.parent = d.parent;
      setJoint(f.joint, d, unitPose(d.inParent), unitPose(d.inChild), jointFrames);
      f.hinge = d.type == dynamics::JointType::Revolute || d.type == dynamics::JointType::Continuous;
      f.turned = f.joint.joint->rest.vec().squaredNorm() > 0;
      f.offset = f.joint.joint->inChild.squaredNorm() > 0;
      f.needsTurn = f.offset || !childJoints[d.child].empty();
      if (d.type != dynamics::JointType::Fixed) f.joint.qOffset = coordinates.parts[coordinates.partOfJoint[j]].treeQ;
      frames.push_back(f);
      order.push_back(d.child);
    }
  return frames;
}

}  // namespace

std::shared_ptr<const FigureModel> makeFigureModel(std::shared_ptr<const Skeleton> skeleton, BaseKind base, bool reduceMimic) {
  const Skeleton& s = *skeleton;
  auto model = std::make_shared<FigureModel>();
  const bool floating = base == BaseKind::Floating || (base == BaseKind::Default && s.floatingByDefault);
  model->coordinates = makeCoordinates(s, floating, reduceMimic);
  const Coordinates& coordinates = model->coordinates;

  const int linkCount = static_cast<int>(s.links.size());
  std::vector<std::vector<int>> childJoints(linkCount);
  for (int j = static_cast<int>(s.joints.size()) - 1; j >= 0; j--)
    if (!s.joints[j].loop) childJoints[s.joints[j].parent].push_back(j);  // reversed: the stack of collectLumps reverses the order again

  const Lumps lumps = collectLumps(s, childJoints, floating, *model);
  const int bodyCount = static_cast<int>(lumps.bodies.size());
  model->bodies.resize(bodyCount);
  model->links.resize(linkCount);
  model->armature.assign(coordinates.treeNv, 0);
  model->velocityLink.assign(coordinates.nv, s.root);
  for (int b = 0; b < bodyCount; b++) {
    const Pose inertial = inertialFrame(s, lumps.bodies[b], lumps.inLump, model->bodies[b]);
    const Pose inverse = inertial.inverse();
    for (int l : lumps.bodies[b].links) model->links[l] = {b, inverse * lumps.inLump[l]};
  }
  for (int l = 0; l < linkCount; l++)
    if (lumps.bodyOf[l] < 0) model->links[l] = {-1, lumps.inLump[l]};

  for (int b = 0; b < bodyCount; b++) {
    dynamics::LinkModel& body = model->bodies[b];
    if (lumps.jointOf[b] < 0) {
      dynamics::setJoint(body, {.type = dynamics::JointType::FreeRoot}, {}, {});
      continue;  // the base comes first: offsets 0
    }
    const JointDescription& d = s.joints[lumps.jointOf[b]];
    const LinkPlace& parent = model->links[d.parent];
    body.parent = parent.body;
    setJoint(body, d, parent.pose * unitPose(d.inParent), model->links[model->bodyLink[b]].pose * unitPose(d.inChild), model->jointFrames);
    const CoordinatePart& part = coordinates.parts[coordinates.partOfJoint[lumps.jointOf[b]]];
    body.qOffset = part.treeQ;
    body.vOffset = part.treeV;
    for (int k = 0; k < body.nv; k++) {
      model->armature[part.treeV + k] = d.axes[k].armature;
      if (d.axes[k].armature > 0) model->hasArmature = true;
      if (part.v >= 0) model->velocityLink[part.v + k] = d.child;
    }
  }
  model->frames = linkFrames(s, coordinates, childJoints, model->jointFrames);
  model->skeleton = std::move(skeleton);
  return model;
}

FigureWorkspace::FigureWorkspace(std::shared_ptr<const FigureModel> model) : model_(std::move(model)) {
  const FigureModel& m = *model_;
  states_.resize(m.bodies.size());
  std::size_t numbers = 0;
  for (const dynamics::LinkModel& body : m.bodies) numbers += dynamics::columnNumbers(body);
  columns_.resize(numbers);
  dynamics::attachColumns(m.bodies.data(), states_.data(), states_.size(), columns_.data());
  tree_.model = m.bodies.data();
  tree_.state = states_.data();
  inertias_.resize(states_.size());
  tree_.inertia = inertias_.data();
  pushes_.resize(states_.size());
  tree_.P = pushes_.data();
  tree_.count = static_cast<int>(m.bodies.size());
  composites_.resize(m.bodies.size());
  q_.resize(m.coordinates.treeNq);
  for (std::vector<double>* array : {&v_, &a_, &tau_, &z_, &diagonal_}) array->resize(m.coordinates.treeNv);
  if (m.coordinates.follows) dense_.resize(static_cast<std::size_t>(m.nv()) * (m.nv() + 1));
  poses_.resize(m.links.size());
  twists_.resize(m.links.size());
  turns_.resize(m.links.size());
}

std::string noInertiaText(const FigureModel& model, int link) {
  return "link '" + model.skeleton->links[link].name +
         "': nothing from this link on has inertia along its joint, so forces on it have no finite effect; give it or a link behind it "
         "mass "
         "and inertia, or its joint armature";
}

}  // namespace vertebra::figure
