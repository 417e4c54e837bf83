// See guess.hpp.
#include "engine/retarget/guess.hpp"

namespace vertebra::retarget {

std::vector<Match> matchesOf(const figure::Motion& motion, const Roles& roles, const Target& target) {
  std::vector<Match> out;
  for (int r = 0; r < kRoles; r++) {
    const Role role = static_cast<Role>(r);
    Match m{nameOf(role), {}, {}};
    if (roles[role] >= 0) m.joint = motion.joints[static_cast<std::size_t>(roles[role])].name;
    if (target.link[role] >= 0) m.link = target.model->skeleton->links[static_cast<std::size_t>(target.link[role])].name;
    out.push_back(std::move(m));
  }
  return out;
}

std::string guess(const figure::Motion& motion, std::shared_ptr<const figure::FigureModel> model, const RoleMap& given, RoleMap& out) {
  Roles roles;
  Target target;
  const std::string name = model->skeleton->name;
  std::string wrong = findRoles(motion, given, roles);
  if (!wrong.empty()) wrong = "motion '" + motion.name + "': " + wrong;
  if (const std::string more = readTarget(std::move(model), given, target); !more.empty())
    wrong += (wrong.empty() ? "figure '" : "; figure '") + name + "': " + more;
  out = {};
  const std::vector<Match> found = matchesOf(motion, roles, target);
  for (int r = 0; r < kRoles; r++) {
    out.joint[static_cast<Role>(r)] = found[static_cast<std::size_t>(r)].joint;
    out.link[static_cast<Role>(r)] = found[static_cast<std::size_t>(r)].link;
  }
  return wrong;
}

}  // namespace vertebra::retarget
