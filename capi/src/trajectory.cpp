// Trajectories: a figure's coordinates over time, read and written.
#include "capi/src/conversions_results.hpp"
#include "capi/src/objects.hpp"
#include "engine/figure/trajectory_arrays.hpp"
#include "engine/figure/trajectory_motion.hpp"
#include "loaders/trajectory/csv.hpp"
#include "loaders/trajectory/npz.hpp"
#include "loaders/write_file.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {

const figure::Trajectory& framesOf(const vtb_trajectory* trajectory) { return *required(trajectory, "trajectory").frames; }

void putNumbers(const double* values, std::size_t count, double* q, size_t capacity, size_t* total) {
  ArrayOut<double> out(q, 1, capacity, 0, total, "q");
  for (std::size_t i = 0; i < count; i++) out.put(i, values + i);
  out.setTotal(count);
}

void save(const std::string& content, const char* path) {
  Diagnostics findings;
  if (!writeFile(content, path, findings)) refuse(VTB_E_IO, firstErrorText(findings));
}

std::string csvOf(const figure::Trajectory& t) {
  if (const std::string wrong = unwritableName(t); !wrong.empty()) refuse(VTB_E_UNSUPPORTED, wrong);
  return writeTrajectoryText(t);
}

std::shared_ptr<const figure::FigureModel> modelFor(const figure::Trajectory& t, const vtb_skeleton* skeleton) {
  auto model = required(skeleton, "skeleton").freeModel();
  if (const std::string fault = figure::faultOfTrajectory(t, *model); !fault.empty()) refuse(VTB_E_ARG, "skeleton does not fit: " + fault);
  return model;
}

std::shared_ptr<const figure::Trajectory> kept(bool loaded, figure::Trajectory&& t) {
  return loaded ? std::make_shared<const figure::Trajectory>(std::move(t)) : nullptr;
}

}  // namespace

vtb_status vtb_trajectory_get_info(const vtb_trajectory* trajectory, vtb_trajectory_info* out) {
  return guarded(__func__, [&] {
    const figure::Trajectory& t = framesOf(trajectory);
    vtb_trajectory_info info = described<vtb_trajectory_info>(TrajectoryPairs::list, t);
    info.frames = t.frames();
    info.nq = t.nq();
    writeStruct(out, info);
  });
}

vtb_status vtb_trajectory_get_name(const vtb_trajectory* trajectory, int32_t index, char* buffer, size_t size, size_t* needed) {
  return guarded(__func__, [&] {
    const figure::Trajectory& t = framesOf(trajectory);
    const std::string& name = t.names[inRange(index, t.names.size(), "index")];
    required(needed, "needed");
    writeText(name, buffer, size, needed);
  });
}

vtb_status vtb_trajectory_get_frame(const vtb_trajectory* trajectory, int32_t frame, double* q, size_t capacity, size_t* total) {
  return guarded(__func__, [&] {
    const figure::Trajectory& t = framesOf(trajectory);
    putNumbers(t.frame(inRange(frame, static_cast<std::size_t>(t.frames()), "frame")), t.names.size(), q, capacity, total);
  });
}

vtb_status vtb_trajectory_get_frames(const vtb_trajectory* trajectory, double* q, size_t capacity, size_t* total) {
  return guarded(__func__, [&] {
    const figure::Trajectory& t = framesOf(trajectory);
    putNumbers(t.q.data(), t.q.size(), q, capacity, total);
  });
}

vtb_status vtb_trajectory_save_csv(const vtb_trajectory* trajectory, const char* path) {
  return guarded(__func__, [&] {
    const figure::Trajectory& t = framesOf(trajectory);
    required(path, "path");
    save(csvOf(t), path);
  });
}

vtb_status vtb_trajectory_write_csv(const vtb_trajectory* trajectory, char* buffer, size_t size, size_t* needed) {
  return guarded(__func__, [&] {
    const figure::Trajectory& t = framesOf(trajectory);
    required(needed, "needed");
    writeText(csvOf(t), buffer, size, needed);
  });
}

vtb_status vtb_trajectory_save_json(const vtb_trajectory* trajectory, const char* path) {
  return guarded(__func__, [&] {
    const figure::Trajectory& t = framesOf(trajectory);
    required(path, "path");
    save(writeTrajectoryJson(t), path);
  });
}

vtb_status vtb_trajectory_write_json(const vtb_trajectory* trajectory, char* buffer, size_t size, size_t* needed) {
  return guarded(__func__, [&] {
    const figure::Trajectory& t = framesOf(trajectory);
    required(needed, "needed");
    writeText(writeTrajectoryJson(t), buffer, size, needed);
  });
}

vtb_status vtb_trajectory_save_npz(const vtb_trajectory* trajectory, const vtb_skeleton* skeleton, const char* path) {
  return guarded(__func__, [&] {
    const figure::Trajectory& t = framesOf(trajectory);
    const auto model = modelFor(t, skeleton);
    required(path, "path");
    const std::string archive = writeNpz(figure::trajectoryArrays(t, model));
    if (archive.empty()) refuse(VTB_E_UNSUPPORTED, "the archive would have 4 GB or more; save parts of the trajectory");
    save(archive, path);
  });
}

vtb_status vtb_trajectory_load_csv(const char* path, vtb_diagnostics** diagnostics, vtb_trajectory** out) {
  return guarded(__func__, [&] {
    required(path, "path");
    required(out, "out");
    requireReadable(path);
    deliver(diagnostics, out, [&](Diagnostics& findings) {
      figure::Trajectory t;
      const bool loaded = loadTrajectoryFile(path, t, findings);
      return kept(loaded, std::move(t));
    });
  });
}

vtb_status vtb_trajectory_parse_csv(const char* text, size_t size, const char* name, vtb_diagnostics** diagnostics, vtb_trajectory** out) {
  return guarded(__func__, [&] {
    requiredArray(text, size, "text");
    required(name, "name");
    required(out, "out");
    deliver(diagnostics, out, [&](Diagnostics& findings) {
      figure::Trajectory t;
      const bool loaded = loadTrajectoryText(std::string_view(text, size), name, t, findings);
      return kept(loaded, std::move(t));
    });
  });
}

vtb_status vtb_trajectory_get_velocities(const vtb_trajectory* trajectory, const vtb_skeleton* skeleton, int32_t frame, double* v,
                                         size_t capacity, size_t* total) {
  return guarded(__func__, [&] {
    const figure::Trajectory& t = framesOf(trajectory);
    const auto model = modelFor(t, skeleton);
    inRange(frame, static_cast<std::size_t>(t.frames()), "frame");
    ArrayOut<double> out(v, 1, capacity, 0, total, "v");
    std::vector<double> values(static_cast<std::size_t>(model->nv()));
    figure::trajectoryVelocities(t, *model, frame, values.data());
    for (std::size_t i = 0; i < values.size(); i++) out.put(i, &values[i]);
    out.setTotal(values.size());
  });
}

vtb_status vtb_motion_from_trajectory(const vtb_trajectory* trajectory, const vtb_skeleton* skeleton, vtb_motion** out) {
  return guarded(__func__, [&] {
    const figure::Trajectory& t = framesOf(trajectory);
    const auto model = modelFor(t, skeleton);
    required(out, "out");
    figure::Motion clip;
    if (const std::string wrong = figure::motionFromTrajectory(t, *model, clip); !wrong.empty()) refuse(VTB_E_UNSUPPORTED, wrong);
    *out = new vtb_motion{std::make_shared<const figure::Motion>(std::move(clip))};
  });
}

vtb_status vtb_trajectory_from_motion(const vtb_motion* motion, const vtb_skeleton* skeleton, int32_t* found, vtb_trajectory** out) {
  return guarded(__func__, [&] {
    const figure::Motion& clip = *required(motion, "motion").clip;
    const auto model = required(skeleton, "skeleton").freeModel();
    required(out, "out");
    if (clip.frames() == 0) refuse(VTB_E_UNSUPPORTED, "the motion has no frames");
    auto made = std::make_shared<figure::Trajectory>();
    int matched = 0;
    if (const std::string wrong = figure::trajectoryFromMotion(clip, *model, *made, matched); !wrong.empty())
      refuse(VTB_E_UNSUPPORTED, wrong + "; vtb_retarget puts motions onto other figures");
    *out = new vtb_trajectory{std::move(made)};
    if (found) *found = matched;
  });
}

vtb_status vtb_trajectory_retain(vtb_trajectory* trajectory) {
  return guarded(__func__, [&] { retain(required(trajectory, "trajectory")); });
}

vtb_status vtb_trajectory_release(vtb_trajectory* trajectory) {
  return guarded(__func__, [&] { release(trajectory); });
}
