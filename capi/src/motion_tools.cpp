// Motions: smoothed, put together and mirrored; their velocities; what is found in them.
#include "capi/src/clips.hpp"
#include "capi/src/conversions_results.hpp"
#include "capi/src/objects.hpp"
#include "engine/figure/motion_analysis.hpp"
#include "engine/figure/motion_combine.hpp"
#include "engine/figure/motion_contacts.hpp"
#include "engine/figure/motion_derivatives.hpp"
#include "engine/figure/motion_filter.hpp"
#include "engine/figure/motion_joints.hpp"
#include "engine/figure/motion_loop.hpp"
#include "engine/figure/motion_mend.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {

// make(clip) returns an empty string, or why it cannot.
template <class Make>
void deliverMade(vtb_motion** out, Make&& make) {
  required(out, "out");
  figure::Motion made;
  const std::string wrong = make(made);
  if (!wrong.empty()) refuse(VTB_E_UNSUPPORTED, wrong);
  *out = new vtb_motion{std::make_shared<const figure::Motion>(std::move(made))};
}

void putRows(const figure::Motion& clip, int32_t frame, bool rates, double* values, size_t capacity, size_t stride, size_t* total,
             const char* name) {
  inRange(frame, static_cast<std::size_t>(clip.frames()), "frame");
  ArrayOut<double> out(values, 6, capacity, stride, total, name);
  std::vector<Vec6> rows(clip.joints.size());
  figure::motionDerivatives(clip, frame, rates ? rows.data() : nullptr, rates ? nullptr : rows.data());
  for (std::size_t j = 0; j < rows.size(); j++) out.put(j, rows[j].data());
  out.setTotal(rows.size());
}

void tell(const figure::Motion& clip, const figure::Outlier& o, Diagnostics& findings) {
  const std::string at = std::to_string(o.frame);
  char size[64];
  if (o.angle > 0)
    std::snprintf(size, sizeof size, "turns by %d degrees", static_cast<int>(o.angle * (180 / kPi) + 0.5));
  else
    std::snprintf(size, sizeof size, "moves by %d mm", static_cast<int>(std::min(o.path * 1000, 2e9) + 0.5));
  const std::string what = std::string(size) + (o.joints > 1 ? ", and " + std::to_string(o.joints - 1) + " other joints jump" : "");
  const auto add = [&](const char* code, const std::string& message) {
    findings.add(Severity::Warning, code, clip.name, 0, "joint '" + clip.joints[static_cast<std::size_t>(o.joint)].name + "'", message);
  };
  switch (o.kind) {
    case figure::OutlierKind::First:
      return add("motion.first-frame", what + " from frame 0 to 1; trim the clip to begin with frame 1");
    case figure::OutlierKind::Last:
      return add("motion.last-frame", what + " into the last frame, " + at + "; trim the clip to end before it");
    case figure::OutlierKind::Spike:
      return add("motion.spike", what + " in frame " + at + " alone; filter the clip, or mend the frame");
    case figure::OutlierKind::Jump:
      return add("motion.jump",
                 what + " from frame " + std::to_string(o.frame - 1) + " to " + at + "; the record flips, or two records meet there");
  }
}

}  // namespace

vtb_status vtb_motion_filtered(const vtb_motion* motion, vtb_filter filter, double cutoff, vtb_motion** out) {
  return guarded(__func__, [&] {
    const figure::Motion& clip = clipOf(motion);
    const figure::FilterKind kind = oneOf(filter, "filter") == VTB_FILTER_SPLINE ? figure::FilterKind::Spline : figure::FilterKind::LowPass;
    positive(cutoff, "cutoff");
    if (!(cutoff * clip.frameTime < 0.5)) refuse(VTB_E_ARG, "cutoff must be below half the frame rate");
    if (kind == figure::FilterKind::Spline && !(cutoff * clip.frameTime >= 1e-3))  // below, the sums lose their digits
      refuse(VTB_E_ARG, "cutoff of a spline must be at least a thousandth of the frame rate");
    if (!(cutoff * clip.frameTime > 1e-5)) refuse(VTB_E_ARG, "cutoff must be more than a hundred-thousandth of the frame rate");
    deliverMade(out, [&](figure::Motion& made) { return figure::motionFiltered(clip, kind, cutoff, made); });
  });
}

vtb_status vtb_motion_faster(const vtb_motion* motion, double factor, vtb_motion** out) {
  return guarded(__func__, [&] {
    const figure::Motion& clip = clipOf(motion);
    ratio(factor, "factor");
    fitting(clip, 1 / (factor * clip.frameTime));
    deliverMade(out, [&](figure::Motion& made) {
      made = figure::motionSpeed(clip, factor);
      return std::string();
    });
  });
}

vtb_status vtb_motion_appended(const vtb_motion* motion, const vtb_motion* second, double blend, vtb_motion** out) {
  return guarded(__func__, [&] {
    const figure::Motion &a = clipOf(motion), &b = *required(second, "second").clip;
    finiteNotNegative(blend, "blend");
    fitting(b, 1 / a.frameTime);
    deliverMade(out, [&](figure::Motion& made) { return figure::motionAppended(a, b, blend, made); });
  });
}

vtb_status vtb_motion_mirrored(const vtb_motion* motion, int32_t axis, vtb_motion** out) {
  return guarded(__func__, [&] {
    const figure::Motion& clip = clipOf(motion);
    between(axis, -1, 2, "axis");
    deliverMade(out, [&](figure::Motion& made) { return figure::motionMirrored(clip, axis, made); });
  });
}

vtb_status vtb_motion_reparented(const vtb_motion* motion, int32_t joint, int32_t parent, vtb_motion** out) {
  return guarded(__func__, [&] {
    const figure::Motion& clip = clipOf(motion);
    inRange(joint, clip.joints.size(), "joint");
    if (parent != -1) inRange(parent, clip.joints.size(), "parent");
    deliverMade(out, [&](figure::Motion& made) { return figure::motionReparented(clip, joint, parent, made); });
  });
}

vtb_status vtb_motion_dropped(const vtb_motion* motion, int32_t joint, vtb_motion** out) {
  return guarded(__func__, [&] {
    const figure::Motion& clip = clipOf(motion);
    inRange(joint, clip.joints.size(), "joint");
    deliverMade(out, [&](figure::Motion& made) { return figure::motionDropped(clip, joint, made); });
  });
}

vtb_status vtb_motion_in_place(const vtb_motion* motion, double* path, size_t capacity, size_t stride_bytes, size_t* total,
                               vtb_motion** out) {
  return guarded(__func__, [&] {
    const figure::Motion& clip = clipOf(motion);
    ArrayOut<double> places(path, 3, capacity, stride_bytes, total, "path");
    figure::GroundPath found;
    deliverMade(out, [&](figure::Motion& made) { return figure::motionInPlace(clip, found, made); });
    for (std::size_t i = 0; i < found.size(); i++) places.put(i, found[i].data());
    places.setTotal(found.size());
  });
}

vtb_status vtb_motion_looped(const vtb_motion* motion, int32_t first, int32_t last, double blend, vtb_motion** out) {
  return guarded(__func__, [&] {
    const figure::Motion& clip = clipOf(motion);
    inRange(first, static_cast<std::size_t>(clip.frames()), "first");
    inRange(last, static_cast<std::size_t>(clip.frames()), "last");
    if (last - first < 2) refuse(VTB_E_ARG, "last must be at least first + 2");
    finiteNotNegative(blend, "blend");
    deliverMade(out, [&](figure::Motion& made) { return figure::motionLooped(clip, first, last, blend, made); });
  });
}

vtb_status vtb_motion_get_velocities(const vtb_motion* motion, int32_t frame, double* velocities, size_t capacity, size_t stride_bytes,
                                     size_t* total) {
  return guarded(__func__, [&] { putRows(clipOf(motion), frame, true, velocities, capacity, stride_bytes, total, "velocities"); });
}

vtb_status vtb_motion_get_accelerations(const vtb_motion* motion, int32_t frame, double* accelerations, size_t capacity,
                                        size_t stride_bytes, size_t* total) {
  return guarded(__func__, [&] { putRows(clipOf(motion), frame, false, accelerations, capacity, stride_bytes, total, "accelerations"); });
}

vtb_status vtb_resting_def_init(vtb_resting_def* def, uint32_t struct_size) { return initStruct(__func__, def, struct_size); }

vtb_status vtb_motion_get_resting(const vtb_motion* motion, int32_t joint, const vtb_resting_def* given, uint32_t* resting, size_t capacity,
                                  size_t* total) {
  return guarded(__func__, [&] {
    const figure::Motion& clip = clipOf(motion);
    inRange(joint, clip.joints.size(), "joint");
    const vtb_resting_def def = readOptional(given);
    if (def.height_off < def.height_on) refuse(VTB_E_ARG, "height_off is smaller than height_on");
    if (def.speed_off < def.speed_on) refuse(VTB_E_ARG, "speed_off is smaller than speed_on");
    ArrayOut<uint32_t> out(resting, 1, capacity, 0, total, "resting");
    const figure::ContactRule rule{{def.height_on, def.height_off}, {def.speed_on, def.speed_off}, def.shortest};
    const double floor = def.find_floor ? std::nan("") : def.floor;
    const std::vector<bool> found = figure::motionContacts(clip, joint, floor, rule);
    for (std::size_t i = 0; i < found.size(); i++) {
      const uint32_t value = found[i];
      out.put(i, &value);
    }
    out.setTotal(found.size());
  });
}

vtb_status vtb_motion_find_outliers(const vtb_motion* motion, vtb_diagnostics** diagnostics, uint32_t* frames, size_t capacity,
                                    size_t* total) {
  return guarded(__func__, [&] {
    const figure::Motion& clip = clipOf(motion);
    ArrayOut<uint32_t> out(frames, 1, capacity, 0, total, "frames");
    auto findings = std::make_unique<vtb_diagnostics>();
    std::size_t count = 0;
    uint32_t before = 0;
    for (const figure::Outlier& o : figure::motionOutliers(clip)) {
      tell(clip, o, findings->list);
      const auto frame = static_cast<uint32_t>(o.frame);
      if (count > 0 && frame == before) continue;
      out.put(count++, &frame);
      before = frame;
    }
    out.setTotal(count);
    if (diagnostics) *diagnostics = findings.release();
  });
}

vtb_status vtb_motion_mended(const vtb_motion* motion, vtb_mend how, vtb_diagnostics** diagnostics, vtb_motion** out) {
  return guarded(__func__, [&] {
    const figure::Motion& clip = clipOf(motion);
    const figure::Mend mend = oneOf(how, "how") == VTB_MEND_CUT ? figure::Mend::Cut : figure::Mend::Interpolate;
    required(out, "out");
    const std::vector<figure::Outlier> outliers = figure::motionOutliers(clip);
    auto findings = std::make_unique<vtb_diagnostics>();
    std::vector<int> mended;
    figure::Motion made = figure::motionMended(clip, mend, outliers, mended);
    if (static_cast<int>(mended.size()) == clip.frames() && clip.frames() > 0) refuse(VTB_E_UNSUPPORTED, "no frame fits another one");
    for (const figure::Outlier& o : outliers)
      if (o.kind == figure::OutlierKind::Jump) tell(clip, o, findings->list);
    for (const int frame : mended)
      findings->list.add(Severity::Info, "motion.mended", clip.name, 0, "frame " + std::to_string(frame),
                         mend == figure::Mend::Cut ? "it does not fit its neighbours, and is taken out"
                                                   : "it does not fit its neighbours, and lies between them now");
    *out = new vtb_motion{std::make_shared<const figure::Motion>(std::move(made))};
    if (diagnostics) *diagnostics = findings.release();
  });
}

vtb_status vtb_motion_find_loop(const vtb_motion* motion, double shortest, int32_t* first, int32_t* last, double* error) {
  return guarded(__func__, [&] {
    const figure::Motion& clip = clipOf(motion);
    finiteNotNegative(shortest, "shortest");
    required(first, "first"), required(last, "last"), required(error, "error");
    const figure::Loop loop = figure::motionLoop(clip, shortest);
    if (loop.first < 0) refuse(VTB_E_UNSUPPORTED, "the clip has no two frames that are so far apart");
    *first = loop.first, *last = loop.last, *error = loop.error;
  });
}
