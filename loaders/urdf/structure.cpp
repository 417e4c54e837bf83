// See structure.hpp. All walks are loops, not recursions: a chain may have any length.
#include "loaders/urdf/structure.hpp"

#include <algorithm>
#include <set>

#include "engine/math/rotation.hpp"
#include "loaders/urdf/xml.hpp"

namespace vertebra {

namespace {

using Index = std::map<std::string, int>;

template <class Element>
Index uniqueNames(std::vector<Element>& elements, const char* kind, UrdfReport& report) {
  Index index;
  std::set<std::string> written;
  for (const Element& e : elements) written.insert(e.name);
  std::map<std::string, int> next;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    Element& e = elements[i];
    auto [at, fresh] = index.try_emplace(e.name, static_cast<int>(i));
    if (fresh) continue;
    int& n = next.try_emplace(e.name, 2).first->second;
    std::string name;
    do name = e.name + "_" + std::to_string(n++);
    while (written.count(name) != 0);
    written.insert(name);
    report.repair(std::string("urdf.") + kind + ".duplicate", e.line, quoted(kind, e.name),
                  "the name is used in line " + std::to_string(elements[at->second].line) + " already",
                  "this one is called '" + name + "', references mean the first", std::string("give each ") + kind + " its own name");
    e.name = name;
    index.emplace(name, static_cast<int>(i));
  }
  return index;
}

void findEnds(UrdfRobot& robot, Index& links, UrdfReport& report) {
  for (UrdfJoint& j : robot.joints) {
    if (j.dropped) continue;
    std::string element = quoted("joint", j.name);
    auto parent = links.find(j.parentName), child = links.find(j.childName);
    if (child == links.end()) {
      report.repair("urdf.joint.child-unknown", j.childLine, element, "its child link '" + j.childName + "' does not exist",
                    "the joint is left out", "correct the name or add the link");
      j.dropped = true;
      continue;
    }
    if (parent == links.end()) {
      report.repair("urdf.joint.parent-unknown", j.parentLine, element, "its parent link '" + j.parentName + "' does not exist",
                    "an empty link of that name is added", "correct the name or add <link name=\"" + j.parentName + "\"/>");
      UrdfLink& made = robot.links.emplace_back();
      made.name = j.parentName;
      made.invented = true;
      made.line = j.parentLine;
      parent = links.emplace(j.parentName, static_cast<int>(robot.links.size()) - 1).first;
    }
    j.parent = parent->second;
    j.child = child->second;
    if (j.parent == j.child) {
      report.repair("urdf.joint.self", j.line, element, "it joins link '" + j.childName + "' to itself", "the joint is left out",
                    "name two different links");
      j.dropped = true;
    }
  }
  robot.joints.erase(std::remove_if(robot.joints.begin(), robot.joints.end(), [](const UrdfJoint& j) { return j.dropped; }),
                     robot.joints.end());
}

void makeLoop(UrdfJoint& j, const std::string& found, UrdfReport& report) {
  report.repair("urdf.joint.loop", j.line, quoted("joint", j.name), found, "it closes a loop: a constraint without coordinates of its own",
                "URDF describes trees only; keep one joint above each link");
  j.loop = true;
}

// One joint above each link; further ones, and those that close a cycle, become loop joints.
void growTree(UrdfRobot& robot, UrdfReport& report) {
  std::vector<int> above(robot.links.size(), -1);
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    UrdfJoint& j = robot.joints[i];
    if (above[j.child] < 0)
      above[j.child] = static_cast<int>(i);
    else
      makeLoop(j, "link '" + j.childName + "' hangs on joint '" + robot.joints[above[j.child]].name + "' already", report);
  }
  // Walk up from each link; meeting a link of the same walk means a cycle, which is cut at its last joint in the file.
  std::vector<int> seen(robot.links.size(), -1);
  for (std::size_t start = 0; start < robot.links.size(); ++start) {
    int link = static_cast<int>(start);
    while (seen[link] < 0 && above[link] >= 0) {
      seen[link] = static_cast<int>(start);
      link = robot.joints[above[link]].parent;
    }
    if (seen[link] != static_cast<int>(start) || above[link] < 0) continue;
    int last = -1, at = link;
    do {
      last = std::max(last, above[at]);
      at = robot.joints[above[at]].parent;
    } while (at != link);
    makeLoop(robot.joints[last], "the joints from link '" + robot.joints[last].childName + "' lead back to it", report);
    above[robot.joints[last].child] = -1;
  }
}

void findRoot(UrdfRobot& robot, Index& links, UrdfReport& report) {
  std::vector<char> hasParent(robot.links.size(), 0);
  for (const UrdfJoint& j : robot.joints)
    if (!j.loop) hasParent[j.child] = 1;
  std::vector<int> roots;
  for (std::size_t i = 0; i < robot.links.size(); ++i)
    if (!hasParent[i]) roots.push_back(static_cast<int>(i));
  robot.root = roots.front();
  if (roots.size() == 1) return;
  std::string names;
  for (std::size_t i = 0; i < roots.size() && i < 5; ++i) names += (i > 0 ? ", '" : "'") + robot.links[roots[i]].name + "'";
  if (roots.size() > 5) names += ", ...";
  auto world = links.find("world");
  bool worldIsRoot = world != links.end() && !hasParent[world->second];
  int line = robot.links[roots[1]].line;
  std::string top = worldIsRoot || world == links.end() ? "world" : "world_root";
  while (!worldIsRoot && links.count(top) != 0) top += "_";
  report.repair("urdf.robot.several-roots", line, quoted("link", robot.links[roots[1]].name),
                std::to_string(roots.size()) + " links have no parent: " + names,
                "they are fixed to a link '" + top + "' where the file puts them", "join them, or give each its own file");
  if (worldIsRoot) {
    robot.root = world->second;
  } else {
    robot.root = static_cast<int>(robot.links.size());
    UrdfLink& made = robot.links.emplace_back();
    made.name = top;
    made.invented = true;
    made.line = robot.line;
  }
  std::set<std::string> jointNames;
  for (const UrdfJoint& j : robot.joints) jointNames.insert(j.name);
  for (int r : roots) {
    if (r == robot.root) continue;
    UrdfJoint& j = robot.joints.emplace_back();
    j.name = top + "_to_" + robot.links[r].name;
    while (jointNames.count(j.name) != 0) j.name += "_";
    jointNames.insert(j.name);
    j.line = robot.links[r].line;
    j.parent = robot.root;
    j.child = r;
    j.parentName = top;
    j.childName = robot.links[r].name;
  }
}

void forget(Index& index, int gone) {
  std::erase_if(index, [&](const auto& named) { return named.second == gone; });
  for (auto& [name, at] : index) at -= at > gone;
}

// A root that is nothing but what the robot floats in (a link 'world' and a joint of type floating, as other tools ask for) is the world
// itself: the link that floats is the root, with a free base as any robot has.
void leaveWorld(UrdfRobot& robot, Index& links, Index& joints, UrdfReport& report) {
  const UrdfLink& root = robot.links[robot.root];
  if (root.invented || root.inertial.given || !root.visuals.empty() || !root.collisions.empty()) return;
  int floats = -1;
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const UrdfJoint& j = robot.joints[i];
    if (j.parent != robot.root && j.child != robot.root) continue;
    if (floats >= 0 || j.loop || j.type != dynamics::JointType::Floating) return;
    floats = static_cast<int>(i);
  }
  if (floats < 0) return;
  const UrdfJoint& joint = robot.joints[floats];
  report.info("urdf.root.floats", joint.line, quoted("joint", joint.name),
              "link '" + root.name + "' has nothing but this floating joint and is taken for the world; the robot's root is link '" +
                  robot.links[joint.child].name + "', with a free base, which is placed as any other, not at the joint's origin");
  const int gone = robot.root, child = joint.child;
  robot.joints.erase(robot.joints.begin() + floats);
  robot.links.erase(robot.links.begin() + gone);
  for (UrdfJoint& j : robot.joints)
    for (int* link : {&j.parent, &j.child}) *link -= *link > gone;
  robot.root = child - (child > gone);
  forget(links, gone);
  forget(joints, floats);
}

bool oneAxis(const UrdfJoint& j) {
  return !j.loop &&
         (j.type == dynamics::JointType::Revolute || j.type == dynamics::JointType::Continuous || j.type == dynamics::JointType::Prismatic);
}

void dropMimic(UrdfJoint& j, const char* code, const std::string& found, UrdfReport& report) {
  report.repair(code, j.mimicLine, quoted("joint", j.name) + "/mimic", found, "the joint moves by itself",
                "name another joint of one degree of freedom");
  j.mimicName.clear();
  j.mimic = figure::Mimic();
}

// A joint that follows a fixed one is constant at its offset: it becomes fixed there.
void hold(UrdfJoint& j, double value, const std::string& masterName, UrdfReport& report) {
  report.warning("urdf.mimic.fixed-master", j.mimicLine, quoted("joint", j.name) + "/mimic",
                 "joint '" + masterName + "' stands still, so this one is held at " + formatNumber(value) +
                     " and becomes fixed; to mend: make it fixed in the file");
  if (j.type == dynamics::JointType::Prismatic)
    j.held.p = value * j.axis;
  else
    j.held.q = quatFromAxisAngle(j.axis, value);
  j.type = dynamics::JointType::Fixed;
  j.mimicName.clear();
  j.mimic = figure::Mimic();
}

void findMasters(UrdfRobot& robot, const Index& joints, UrdfReport& report) {
  for (UrdfJoint& j : robot.joints) {
    if (j.mimicName.empty()) continue;
    auto at = joints.find(j.mimicName);
    if (j.type == dynamics::JointType::Fixed && !j.loop) {
      report.tally("urdf.mimic.fixed", "fixed", j.mimicLine, "the <mimic> of a fixed joint has no meaning and was not used");
      j.mimicName.clear();
      j.mimic = figure::Mimic();
    } else if (!oneAxis(j)) {
      dropMimic(j, "urdf.mimic.follower-type",
                std::string("a ") + (j.loop ? "loop" : dynamics::jointTypeName(j.type)) + " joint cannot follow another", report);
    } else if (at == joints.end()) {
      dropMimic(j, "urdf.mimic.unknown", "joint '" + j.mimicName + "' does not exist", report);
    } else if (&robot.joints[at->second] == &j) {
      dropMimic(j, "urdf.mimic.self", "the joint follows itself", report);
    } else if (const UrdfJoint& master = robot.joints[at->second];
               !oneAxis(master) && (master.loop || master.type != dynamics::JointType::Fixed)) {
      dropMimic(j, "urdf.mimic.master-type",
                "joint '" + j.mimicName + "' is " + (master.loop ? "a loop" : dynamics::jointTypeName(master.type)) +
                    " and has no single coordinate to follow",
                report);
    } else {
      j.mimic.master = at->second;
    }
  }
}

void resolveMimic(UrdfRobot& robot, const Index& joints, UrdfReport& report) {
  findMasters(robot, joints, report);
  enum : char { Fresh, Walking, Moving, Still };
  std::vector<char> state(robot.joints.size(), Fresh);
  std::vector<double> value(robot.joints.size(), 0);
  for (std::size_t start = 0; start < robot.joints.size(); ++start) {
    std::vector<int> chain;
    int at = static_cast<int>(start);
    while (state[at] == Fresh && robot.joints[at].mimic.master >= 0) {
      state[at] = Walking;
      chain.push_back(at);
      at = robot.joints[at].mimic.master;
    }
    if (state[at] == Walking) {  // a cycle: its last joint in the file becomes independent
      auto from = std::find(chain.begin(), chain.end(), at);
      int last = *std::max_element(from, chain.end());
      dropMimic(robot.joints[last], "urdf.mimic.cycle", "following the joints named leads back to this one", report);
      for (int j : chain) state[j] = Fresh;
      --start;  // again, without the cycle
      continue;
    }
    if (state[at] == Fresh) state[at] = robot.joints[at].type == dynamics::JointType::Fixed ? Still : Moving;
    while (!chain.empty()) {
      int j = chain.back();
      UrdfJoint& joint = robot.joints[j];
      chain.pop_back();
      state[j] = state[at];
      if (state[at] == Still) {
        value[j] = joint.mimic.multiplier * value[at] + joint.mimic.offset;
        hold(joint, value[j], robot.joints[at].name, report);
      }
      at = j;
    }
  }
}

}  // namespace

void resolveStructure(UrdfReport& report, UrdfRobot& robot) {
  if (robot.links.empty()) return;
  Index links = uniqueNames(robot.links, "link", report);
  findEnds(robot, links, report);
  Index joints = uniqueNames(robot.joints, "joint", report);
  growTree(robot, report);
  findRoot(robot, links, report);
  leaveWorld(robot, links, joints, report);
  resolveMimic(robot, joints, report);
}

std::vector<int> rigidClusters(const UrdfRobot& robot) {
  std::vector<int> cluster(robot.links.size());
  for (std::size_t i = 0; i < cluster.size(); ++i) cluster[i] = static_cast<int>(i);
  auto find = [&](int i) {
    while (cluster[i] != i) i = cluster[i] = cluster[cluster[i]];
    return i;
  };
  for (const UrdfJoint& j : robot.joints)
    if (j.type == dynamics::JointType::Fixed && !j.loop) cluster[find(j.child)] = find(j.parent);
  for (std::size_t i = 0; i < cluster.size(); ++i) cluster[i] = find(static_cast<int>(i));
  return cluster;
}

}  // namespace vertebra
