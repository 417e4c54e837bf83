// Trajectories: a figure's coordinates over time, read and written.
#include "capi/src/conversions_results.hpp"
#include "capi/src/objects.hpp"
#include "loaders/trajectory/csv.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {

const figure::Trajectory& framesOf(const vtb_trajectory* trajectory) { return *required(trajectory, "trajectory").frames; }

void putNumbers(const double* values, std::size_t count, double* q, size_t capacity, size_t* total) {
  ArrayOut<double> out(q, 1, capacity, 0, total, "q");
  for (std::size_t i = 0; i < count; i++) out.put(i, values + i);
  out.setTotal(count);
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
    Diagnostics findings;
    if (!writeTrajectoryFile(t, path, findings)) refuse(VTB_E_IO, firstErrorText(findings));
  });
}

vtb_status vtb_trajectory_write_csv(const vtb_trajectory* trajectory, char* buffer, size_t size, size_t* needed) {
  return guarded(__func__, [&] {
    const figure::Trajectory& t = framesOf(trajectory);
    required(needed, "needed");
    writeText(writeTrajectoryText(t), buffer, size, needed);
  });
}

vtb_status vtb_trajectory_retain(vtb_trajectory* trajectory) {
  return guarded(__func__, [&] { retain(required(trajectory, "trajectory")); });
}

vtb_status vtb_trajectory_release(vtb_trajectory* trajectory) {
  return guarded(__func__, [&] { release(trajectory); });
}
