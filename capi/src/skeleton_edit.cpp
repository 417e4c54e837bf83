// Skeletons made of skeletons; see skeleton_edit.h.
#include "engine/figure/skeleton_edit.hpp"

#include "capi/src/conversions.hpp"
#include "capi/src/convert.hpp"
#include "capi/src/objects.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {

// `work` edits a copy and returns an empty string, or what is wrong.
template <class Work>
vtb_status edited(const char* function, const vtb_skeleton* skeleton, vtb_skeleton** out, Work&& work) {
  return guarded(function, [&] {
    auto copy = std::make_shared<figure::Skeleton>(*required(skeleton, "skeleton").model);
    required(out, "out");
    if (const std::string wrong = work(*copy); !wrong.empty()) refuse(VTB_E_ARG, wrong);
    *out = new vtb_skeleton{std::move(copy)};
  });
}

}  // namespace

vtb_status vtb_skeleton_scaled(const vtb_skeleton* skeleton, double factor, vtb_skeleton** out) {
  return edited(__func__, skeleton, out, [&](figure::Skeleton& s) { return figure::scaleSkeleton(s, factor); });
}

vtb_status vtb_skeleton_link_scaled(const vtb_skeleton* skeleton, int32_t link, double length, double thickness, vtb_skeleton** out) {
  return edited(__func__, skeleton, out, [&](figure::Skeleton& s) {
    return link == -1 ? figure::scaleLinks(s, length, thickness) : figure::scaleLink(s, link, length, thickness);
  });
}

vtb_status vtb_skeleton_joint_retyped(const vtb_skeleton* skeleton, int32_t joint, vtb_joint_type type, const double* axis,
                                      vtb_skeleton** out) {
  return edited(__func__, skeleton, out, [&](figure::Skeleton& s) {
    inRange(joint, s.joints.size(), "joint");
    auto def = defaults<vtb_skeleton_joint_def>();  // its description says what is allowed
    def.type = type;
    std::copy_n(&required(axis, "axis"), 3, def.axis);
    figure::JointDescription wanted;
    readPairs(SkeletonJointPairs::list, readStruct(&def), wanted);
    return figure::setJointType(s, joint, wanted.type, wanted.axis);
  });
}

vtb_status vtb_skeleton_joint_merged(const vtb_skeleton* skeleton, int32_t joint, vtb_skeleton** out) {
  return edited(__func__, skeleton, out, [&](figure::Skeleton& s) { return figure::mergeJoint(s, joint); });
}

vtb_status vtb_skeleton_joint_dropped(const vtb_skeleton* skeleton, int32_t joint, vtb_skeleton** out) {
  return edited(__func__, skeleton, out, [&](figure::Skeleton& s) { return figure::dropJoint(s, joint); });
}

vtb_status vtb_skeleton_mirrored(const vtb_skeleton* skeleton, int32_t plane_normal, vtb_skeleton** out) {
  return edited(__func__, skeleton, out, [&](figure::Skeleton& s) { return figure::mirrorSkeleton(s, plane_normal); });
}
