// Motions: BVH clips read, written, sampled and edited.
#include "capi/src/clips.hpp"
#include "capi/src/conversions_results.hpp"
#include "capi/src/objects.hpp"
#include "loaders/bvh/bvh.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {

BvhOptions bvhOptions(const vtb_bvh_def* given) {
  const vtb_bvh_def def = readOptional(given);
  BvhOptions options;
  if (def.flags & ~uint32_t(VTB_LOAD_FLAG_STRICT))
    refuse(VTB_E_ARG, "flags has other bits than VTB_LOAD_FLAG_STRICT, the only option of a BVH file");
  options.strict = def.flags & VTB_LOAD_FLAG_STRICT;
  options.unit = def.unit;
  options.upAxis = def.up_axis;
  return options;
}

std::shared_ptr<const figure::Motion> kept(bool loaded, figure::Motion&& motion) {
  return loaded ? std::make_shared<const figure::Motion>(std::move(motion)) : nullptr;
}

vtb_motion* newMotion(figure::Motion&& motion) { return new vtb_motion{std::make_shared<const figure::Motion>(std::move(motion))}; }

}  // namespace

vtb_status vtb_bvh_def_init(vtb_bvh_def* def, uint32_t struct_size) { return initStruct(__func__, def, struct_size); }

vtb_status vtb_motion_load_bvh(const char* path, const vtb_bvh_def* def, vtb_diagnostics** diagnostics, vtb_motion** out) {
  return guarded(__func__, [&] {
    required(path, "path");
    required(out, "out");
    const BvhOptions options = bvhOptions(def);
    requireReadable(path);
    deliver(diagnostics, out, [&](Diagnostics& findings) {
      figure::Motion motion;
      const bool loaded = loadBvhFile(path, options, motion, findings);
      return kept(loaded, std::move(motion));
    });
  });
}

vtb_status vtb_motion_parse_bvh(const char* text, size_t size, const char* name, const vtb_bvh_def* def, vtb_diagnostics** diagnostics,
                                vtb_motion** out) {
  return guarded(__func__, [&] {
    requiredArray(text, size, "text");
    required(name, "name");
    required(out, "out");
    const BvhOptions options = bvhOptions(def);
    deliver(diagnostics, out, [&](Diagnostics& findings) {
      figure::Motion motion;
      const bool loaded = loadBvhText(std::string_view(text, size), name, options, motion, findings);
      return kept(loaded, std::move(motion));
    });
  });
}

vtb_status vtb_motion_save_bvh(const vtb_motion* motion, const char* path) {
  return guarded(__func__, [&] {
    const figure::Motion& clip = clipOf(motion);
    required(path, "path");
    Diagnostics findings;
    if (!writeBvhFile(clip, path, findings)) refuse(VTB_E_IO, firstErrorText(findings));
  });
}

vtb_status vtb_motion_write_bvh(const vtb_motion* motion, char* buffer, size_t size, size_t* needed) {
  return guarded(__func__, [&] {
    const figure::Motion& clip = clipOf(motion);
    required(needed, "needed");
    writeText(writeBvhText(clip), buffer, size, needed);
  });
}

vtb_status vtb_motion_retain(vtb_motion* motion) {
  return guarded(__func__, [&] { retain(required(motion, "motion")); });
}

vtb_status vtb_motion_release(vtb_motion* motion) {
  return guarded(__func__, [&] { release(motion); });
}

vtb_status vtb_motion_get_info(const vtb_motion* motion, vtb_motion_info* out) {
  return guarded(__func__, [&] {
    const figure::Motion& clip = clipOf(motion);
    vtb_motion_info info = described<vtb_motion_info>(MotionPairs::list, clip);
    info.joints = static_cast<int32_t>(clip.joints.size());
    for (const figure::MotionJoint& j : clip.joints) info.roots += j.parent < 0;
    info.frames = clip.frames();
    writeStruct(out, info);
  });
}

vtb_status vtb_motion_get_joint(const vtb_motion* motion, int32_t joint, vtb_motion_joint* out) {
  return guarded(__func__, [&] {
    const figure::Motion& clip = clipOf(motion);
    const figure::MotionJoint& j = clip.joints[inRange(joint, clip.joints.size(), "joint")];
    vtb_motion_joint info = described<vtb_motion_joint>(MotionJointPairs::list, j);
    info.name = j.name.c_str();
    info.channel_count = static_cast<int32_t>(j.channels.size());
    info.end_sites = static_cast<int32_t>(j.endSites.size());
    for (std::size_t c = 0; c < std::min(j.channels.size(), std::size(info.channels)); c++)
      info.channels[c] = static_cast<uint8_t>(j.channels[c]);
    writeStruct(out, info);
  });
}

vtb_status vtb_motion_find_joint(const vtb_motion* motion, const char* name, int32_t* joint) {
  return guarded(__func__, [&] {
    const int found = clipOf(motion).findJoint(&required(name, "name"));
    required(joint, "joint");
    if (found < 0) refuse(VTB_E_ARG, "there is no joint '" + std::string(name) + "'");
    *joint = found;
  });
}

vtb_status vtb_motion_get_frame(const vtb_motion* motion, int32_t frame, double* values, size_t capacity, size_t* total) {
  return guarded(__func__, [&] {
    const figure::Motion& clip = clipOf(motion);
    const double* row = clip.frame(inRange(frame, static_cast<std::size_t>(clip.frames()), "frame"));
    ArrayOut<double> out(values, 1, capacity, 0, total, "values");
    for (int i = 0; i < clip.channelCount; i++) out.put(static_cast<std::size_t>(i), row + i);
    out.setTotal(static_cast<std::size_t>(clip.channelCount));
  });
}

vtb_status vtb_motion_get_poses(const vtb_motion* motion, int32_t frame, int32_t raw, double* poses, size_t capacity, size_t stride_bytes,
                                size_t* total) {
  return guarded(__func__, [&] {
    const figure::Motion& clip = clipOf(motion);
    const double* row = clip.frame(inRange(frame, static_cast<std::size_t>(clip.frames()), "frame"));
    const bool fileAxes = boolean(raw, "raw");
    ArrayOut<double> out(poses, 7, capacity, stride_bytes, total, "poses");
    std::vector<Pose> world(clip.joints.size());
    figure::motionWorldPoses(clip, row, fileAxes, world.data());
    putPoses(out, world.data(), world.size());
  });
}

vtb_status vtb_motion_sample_poses(const vtb_motion* motion, double time, int32_t raw, double* poses, size_t capacity, size_t stride_bytes,
                                   size_t* total) {
  return guarded(__func__, [&] {
    const figure::Motion& clip = clipOf(motion);
    finite(time, "time");
    const bool fileAxes = boolean(raw, "raw");
    ArrayOut<double> out(poses, 7, capacity, stride_bytes, total, "poses");
    std::vector<Pose> world(clip.joints.size());
    figure::motionWorldPosesAt(clip, time, fileAxes, world.data());
    putPoses(out, world.data(), world.size());
  });
}

vtb_status vtb_motion_scaled(const vtb_motion* motion, double scale, vtb_motion** out) {
  return guarded(__func__, [&] {
    const figure::Motion& clip = clipOf(motion);
    positive(scale, "scale");
    required(out, "out");
    *out = newMotion(figure::motionScaled(clip, scale));
  });
}

vtb_status vtb_motion_resampled(const vtb_motion* motion, double frames_per_second, vtb_motion** out) {
  return guarded(__func__, [&] {
    const figure::Motion& clip = clipOf(motion);
    ratio(frames_per_second, "frames_per_second");
    required(out, "out");
    fitting(clip, frames_per_second);
    *out = newMotion(figure::motionResampled(clip, frames_per_second));
  });
}

vtb_status vtb_motion_trimmed(const vtb_motion* motion, int32_t first, int32_t last, vtb_motion** out) {
  return guarded(__func__, [&] {
    const figure::Motion& clip = clipOf(motion);
    const auto frames = static_cast<std::size_t>(clip.frames());
    inRange(first, frames, "first");
    inRange(last, frames, "last");
    if (first > last) refuse(VTB_E_ARG, "first is larger than last");
    required(out, "out");
    *out = newMotion(figure::motionTrimmed(clip, first, last));
  });
}
