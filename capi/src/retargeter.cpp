// Retargeting frame by frame.
#include "capi/src/retarget_map.hpp"
#include "engine/retarget/online.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {

constexpr double kLongestLatency = 10;  // s

// A frame that a call made, to the caller's array. The frame is given once: a buffer that is too small is refused before.
template <class F>
void nextFrame(vtb_retargeter* r, double* q, size_t capacity, size_t* total, int32_t* ready, F&& make) {
  required(ready, "ready");
  const std::size_t nq = static_cast<std::size_t>(r->online->nq());
  required(q, "q");
  if (capacity < nq) refuse(VTB_E_ARG, "q holds " + std::to_string(capacity) + " numbers; a frame has " + std::to_string(nq));
  *ready = make(q) ? 1 : 0;
  if (*ready && !std::all_of(q, q + nq, [](double x) { return std::isfinite(x); }))
    refuse(VTB_E_UNSUPPORTED, "the frame's coordinates are not numbers; look for poses that are far away, and start again");
  if (total) *total = *ready ? nq : 0;
}

}  // namespace

vtb_status vtb_retargeter_create(const vtb_motion* motion, const vtb_skeleton* skeleton, const vtb_retarget_def* given, double latency,
                                 vtb_retargeter** out) {
  return guarded(__func__, [&] {
    const figure::Motion& clip = *required(motion, "motion").clip;
    required(skeleton, "skeleton");
    required(out, "out");
    finiteNotNegative(latency, "latency");
    if (latency > kLongestLatency) refuse(VTB_E_ARG, "latency is larger than 10 s");
    auto object = std::make_unique<vtb_retargeter>();
    const std::string wrong =
        retarget::Online::create(clip, skeleton->freeModel(), retargetSettings(given, clip, *skeleton->model), latency, object->online);
    if (!wrong.empty()) refuse(VTB_E_UNSUPPORTED, wrong);
    *out = object.release();
  });
}

vtb_status vtb_retargeter_get_info(const vtb_retargeter* retargeter, vtb_retargeter_info* out) {
  return guarded(__func__, [&] {
    const retarget::Online& o = *required(retargeter, "retargeter").online;
    vtb_retargeter_info info{};
    info.joints = o.joints();
    info.nq = o.nq();
    info.latency = o.latency();
    info.frame_time = o.frameTime();
    writeStruct(out, info);
  });
}

vtb_status vtb_retargeter_push(vtb_retargeter* retargeter, const double* poses, double* q, size_t capacity, size_t* total, int32_t* ready) {
  return guarded(__func__, [&] {
    retarget::Online& o = *required(retargeter, "retargeter").online;
    required(poses, "poses");
    std::vector<Pose> frame;
    for (int j = 0; j < o.joints(); j++) frame.push_back(pose(poses + 7 * j, "poses"));
    nextFrame(retargeter, q, capacity, total, ready, [&](double* to) { return o.push(frame.data(), to); });
  });
}

vtb_status vtb_retargeter_finish(vtb_retargeter* retargeter, double* q, size_t capacity, size_t* total, int32_t* ready) {
  return guarded(__func__, [&] {
    retarget::Online& o = *required(retargeter, "retargeter").online;
    nextFrame(retargeter, q, capacity, total, ready, [&](double* to) { return o.finish(to); });
  });
}

vtb_status vtb_retargeter_restart(vtb_retargeter* retargeter) {
  return guarded(__func__, [&] { required(retargeter, "retargeter").online->restart(); });
}

vtb_status vtb_retargeter_destroy(vtb_retargeter* retargeter) {
  return guarded(__func__, [&] { delete retargeter; });
}
