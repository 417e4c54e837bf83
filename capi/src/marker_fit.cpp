// Optical markers to the motion of a figure.
#include "engine/retarget/bone_lengths.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "capi/src/check.hpp"
#include "capi/src/objects.hpp"
#include "loaders/markers/markers.hpp"

using namespace vertebra;
using namespace vertebra::capi;

struct MarkerFitting {
  std::unique_ptr<retarget::MarkerFit> fit;
  std::vector<std::string> names;  // of the set
  int latency = 0, first = 0;
};

struct vtb_marker_fitter {
  std::unique_ptr<MarkerFitting> fitting;
};

namespace {

// Every name that a marker may sit on.
std::vector<std::string> carriers(const figure::Skeleton& skeleton) {
  std::vector<std::string> out;
  for (const figure::LinkDescription& link : skeleton.links) out.push_back(link.name);
  for (const figure::JointDescription& joint : skeleton.joints) out.push_back(joint.name);
  return out;
}

retarget::MarkerFitSettings settingsOf(const vtb_marker_fit_def& def, double frameTime) {
  retarget::MarkerFitSettings settings;
  settings.noise = def.noise;
  settings.agility = def.agility;
  settings.placing = def.placing;
  settings.frameTime = frameTime;
  return settings;
}

// Null: the set does not load, for reasons among the findings.
std::unique_ptr<MarkerFitting> makeFitting(std::shared_ptr<const figure::Skeleton> skeleton, const char* set, double frameTime,
                                           const vtb_marker_fit_def& def, Diagnostics& findings) {
  std::vector<figure::MarkerPlace> places;
  if (!loadMarkerSet(set, carriers(*skeleton), places, findings)) return nullptr;
  auto out = std::make_unique<MarkerFitting>();
  retarget::MarkerFitSettings settings = settingsOf(def, frameTime);
  const double frames = def.latency / frameTime;
  if (!(frames < 1e4)) refuse(VTB_E_ARG, "latency is more than 10000 frames");
  settings.latency = out->latency = static_cast<int>(std::lround(frames));
  const std::string wrong =
      retarget::MarkerFit::create(figure::makeFigureModel(std::move(skeleton), figure::BaseKind::Floating), places, settings, out->fit);
  if (!wrong.empty()) refuse(VTB_E_UNSUPPORTED, wrong);
  for (const figure::MarkerPlace& p : places) out->names.push_back(p.name);
  return out;
}

// The record's positions in the order of the set; not a number where it has none. `unused`: markers that the set does not have.
std::vector<Vec3> arranged(const figure::MarkerRecord& record, const std::vector<std::string>& names, std::vector<std::string>& unused) {
  std::vector<int> column(names.size(), -1);
  for (std::size_t r = 0; r < record.names.size(); r++) {
    const auto at = std::find(names.begin(), names.end(), record.names[r]);
    if (at == names.end())
      unused.push_back(record.names[r]);
    else
      column[static_cast<std::size_t>(at - names.begin())] = static_cast<int>(r);
  }
  std::vector<Vec3> out;
  for (int i = 0; i < record.frames(); i++)
    for (int c : column) out.push_back(c < 0 ? Vec3(Vec3::Constant(std::numeric_limits<double>::quiet_NaN())) : record.frame(i)[c]);
  return out;
}

// What the record has and the set lacks, and the other way round.
void tellNames(const figure::MarkerRecord& record, const std::vector<std::string>& names, const std::vector<std::string>& unused,
               const char* set, Diagnostics& findings) {
  for (const std::string& name : unused)
    findings.add(Severity::Warning, "markers.unused", set, 0, "marker '" + name + "'", "the set does not have it; it was not used");
  for (const std::string& name : names)
    if (std::find(record.names.begin(), record.names.end(), name) == record.names.end())
      findings.add(Severity::Warning, "markers.missing", set, 0, "marker '" + name + "'",
                   "the record does not have it; it counts as hidden");
}

vtb_marker_fit_info infoOf(const MarkerFitting& f) {
  const retarget::MarkerFitCounts counts = f.fit->counts();
  vtb_marker_fit_info info{};
  info.markers = f.fit->markers();
  info.nq = f.fit->nq();
  info.latency = f.latency;
  info.swaps = counts.swaps;
  info.outliers = counts.outliers;
  info.hidden = counts.hidden;
  info.first = f.first;
  info.residual = counts.residual;
  return info;
}

MarkerFitting& fittingOf(vtb_marker_fitter* fitter) { return *required(fitter, "fitter").fitting; }
const MarkerFitting& fittingOf(const vtb_marker_fitter* fitter) { return *required(fitter, "fitter").fitting; }

// A frame that a call made, to the caller's array. The frame is given once: a buffer that is too small is refused before.
template <class Make>
void nextFrame(const MarkerFitting& f, double* q, size_t capacity, size_t* total, int32_t* ready, Make&& make) {
  required(ready, "ready");
  required(q, "q");
  const std::size_t nq = static_cast<std::size_t>(f.fit->nq());
  if (capacity < nq) refuse(VTB_E_ARG, "q holds " + std::to_string(capacity) + " numbers; a frame has " + std::to_string(nq));
  std::vector<double> made;
  *ready = make(made) ? 1 : 0;
  std::copy(made.begin(), made.end(), q);
  if (total) *total = made.size();
}

constexpr char kNoFrame[] = "no frame shows three markers of the set";

}  // namespace

vtb_status vtb_marker_fit_def_init(vtb_marker_fit_def* def, uint32_t struct_size) { return initStruct(__func__, def, struct_size); }

vtb_status vtb_marker_fitter_create(const vtb_skeleton* skeleton, const char* set, double frame_time, const vtb_marker_fit_def* given,
                                    vtb_diagnostics** diagnostics, vtb_marker_fitter** out) {
  return guarded(__func__, [&] {
    const auto model = required(skeleton, "skeleton").model;
    required(set, "set");
    required(out, "out");
    if (!(frame_time >= 1e-9 && frame_time <= 1e9)) refuse(VTB_E_ARG, "frame_time is not between 1e-9 and 1e9 s");
    const vtb_marker_fit_def def = readOptional(given);
    requireReadable(set);
    deliver(diagnostics, out, [&](Diagnostics& findings) { return makeFitting(model, set, frame_time, def, findings); });
  });
}

vtb_status vtb_marker_fitter_get_info(const vtb_marker_fitter* fitter, vtb_marker_fit_info* out) {
  return guarded(__func__, [&] { writeStruct(out, infoOf(fittingOf(fitter))); });
}

vtb_status vtb_marker_fitter_get_name(const vtb_marker_fitter* fitter, int32_t index, char* buffer, size_t size, size_t* needed) {
  return guarded(__func__, [&] {
    const MarkerFitting& f = fittingOf(fitter);
    const std::string& name = f.names[inRange(index, f.names.size(), "index")];
    required(needed, "needed");
    writeText(name, buffer, size, needed);
  });
}

vtb_status vtb_marker_fitter_get_offset(const vtb_marker_fitter* fitter, int32_t index, double offset[3]) {
  return guarded(__func__, [&] {
    const std::vector<Vec3>& all = fittingOf(fitter).fit->offsets();
    const Vec3& at = all[inRange(index, all.size(), "index")];
    required(offset, "offset");
    std::copy_n(at.data(), 3, offset);
  });
}

vtb_status vtb_marker_fitter_calibrate(vtb_marker_fitter* fitter, const vtb_markers* markers) {
  return guarded(__func__, [&] {
    MarkerFitting& f = fittingOf(fitter);
    std::vector<std::string> unused;
    if (!f.fit->calibrate(arranged(*required(markers, "markers").record, f.names, unused))) refuse(VTB_E_UNSUPPORTED, kNoFrame);
    f.first = 0;
  });
}

vtb_status vtb_marker_fitter_push(vtb_marker_fitter* fitter, const double* positions, double* q, size_t capacity, size_t* total,
                                  int32_t* ready) {
  return guarded(__func__, [&] {
    MarkerFitting& f = fittingOf(fitter);
    required(positions, "positions");
    std::vector<Vec3> row;
    for (std::size_t k = 0; k < f.names.size(); k++) row.push_back(Vec3(positions[3 * k], positions[3 * k + 1], positions[3 * k + 2]));
    nextFrame(f, q, capacity, total, ready, [&](std::vector<double>& to) {
      const bool made = f.fit->push(row.data(), to);
      if (!f.fit->started()) f.first++;
      return made;
    });
  });
}

vtb_status vtb_marker_fitter_finish(vtb_marker_fitter* fitter, double* q, size_t capacity, size_t* total, int32_t* ready) {
  return guarded(__func__, [&] {
    MarkerFitting& f = fittingOf(fitter);
    nextFrame(f, q, capacity, total, ready, [&](std::vector<double>& to) { return f.fit->finish(to); });
  });
}

vtb_status vtb_marker_fitter_predict(vtb_marker_fitter* fitter, double* positions, size_t capacity, size_t stride_bytes, size_t* total) {
  return guarded(__func__, [&] {
    MarkerFitting& f = fittingOf(fitter);
    if (!f.fit->started()) refuse(VTB_E_UNSUPPORTED, "nothing is known before a frame that shows three markers");
    std::vector<Vec3> next(f.names.size());
    f.fit->predict(next.data());
    ArrayOut<double> out(positions, 3, capacity, stride_bytes, total, "positions");
    for (std::size_t m = 0; m < next.size(); m++) out.put(m, next[m].data());
    out.setTotal(next.size());
  });
}

vtb_status vtb_marker_fitter_restart(vtb_marker_fitter* fitter) {
  return guarded(__func__, [&] {
    MarkerFitting& f = fittingOf(fitter);
    f.fit->restart();
    f.first = 0;
  });
}

vtb_status vtb_marker_fitter_destroy(vtb_marker_fitter* fitter) {
  return guarded(__func__, [&] { delete fitter; });
}

vtb_status vtb_markers_fit(const vtb_markers* markers, const vtb_skeleton* skeleton, const char* set, const vtb_marker_fit_def* given,
                           vtb_marker_fit_info* info, vtb_diagnostics** diagnostics, vtb_trajectory** out) {
  return guarded(__func__, [&] {
    const figure::MarkerRecord& record = *required(markers, "markers").record;
    const auto model = required(skeleton, "skeleton").model;
    required(set, "set");
    required(out, "out");
    if (info) structSize(info->struct_size);
    const vtb_marker_fit_def def = readOptional(given);
    requireReadable(set);
    deliver(diagnostics, out, [&](Diagnostics& findings) -> std::shared_ptr<const figure::Trajectory> {
      const std::unique_ptr<MarkerFitting> f = makeFitting(model, set, record.frameTime, def, findings);
      if (!f) return nullptr;
      std::vector<std::string> unused;
      const std::vector<Vec3> positions = arranged(record, f->names, unused);
      tellNames(record, f->names, unused, set, findings);
      if (def.calibrate && !f->fit->calibrate(positions)) refuse(VTB_E_UNSUPPORTED, kNoFrame);
      figure::Trajectory made;
      made.frameTime = record.frameTime;
      made.names = f->fit->coordinates().qNames;
      made.name = model->name;
      std::vector<double> q;
      const auto add = [&] {
        const int times = made.q.empty() ? f->first + 1 : 1;  // the first one also for the frames before it
        for (int k = 0; k < times; k++) made.q.insert(made.q.end(), q.begin(), q.end());
      };
      for (int i = 0; i < record.frames(); i++) {
        if (f->fit->push(&positions[static_cast<std::size_t>(i) * f->names.size()], q)) add();
        if (!f->fit->started()) f->first++;
      }
      while (f->fit->finish(q)) add();
      if (made.q.empty()) refuse(VTB_E_UNSUPPORTED, kNoFrame);
      if (info) writeStruct(info, infoOf(*f));
      return std::make_shared<const figure::Trajectory>(std::move(made));
    });
  });
}

vtb_status vtb_markers_calibrate_bones(const vtb_markers* markers, const vtb_skeleton* skeleton, const char* set,
                                       const vtb_marker_fit_def* given, vtb_diagnostics** diagnostics, vtb_skeleton** out) {
  return guarded(__func__, [&] {
    const figure::MarkerRecord& record = *required(markers, "markers").record;
    const auto model = required(skeleton, "skeleton").model;
    required(set, "set");
    required(out, "out");
    const vtb_marker_fit_def def = readOptional(given);
    requireReadable(set);
    deliver(diagnostics, out, [&](Diagnostics& findings) -> std::shared_ptr<const figure::Skeleton> {
      std::vector<figure::MarkerPlace> places;
      if (!loadMarkerSet(set, carriers(*model), places, findings)) return nullptr;
      std::vector<std::string> names, unused;
      for (const figure::MarkerPlace& p : places) names.push_back(p.name);
      const std::vector<Vec3> positions = arranged(record, names, unused);
      tellNames(record, names, unused, set, findings);
      auto made = std::make_shared<figure::Skeleton>(*model);
      retarget::BoneLengths lengths;
      const std::string wrong = retarget::calibrateBones(*made, places, settingsOf(def, record.frameTime), positions, lengths);
      if (!wrong.empty()) refuse(VTB_E_UNSUPPORTED, wrong);
      for (std::size_t l = 0; l < lengths.factors.size(); l++) {
        const double percent = 100 * (lengths.factors[l] - 1);
        if (!(std::fabs(percent) > 0.1)) continue;
        char text[96];
        std::snprintf(text, sizeof text, "its bone is %.1f %% %s", std::fabs(percent), percent > 0 ? "longer" : "shorter");
        findings.add(Severity::Info, "markers.bone", "", 0, "link '" + made->links[l].name + "'", text);
      }
      return made;
    });
  });
}
