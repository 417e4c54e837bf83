// Optical markers: records read, written and synthesised.
#include "loaders/markers/markers.hpp"

#include "capi/src/check.hpp"
#include "capi/src/objects.hpp"
#include "engine/figure/marker_synthesis.hpp"
#include "engine/figure/motion_mend.hpp"
#include "loaders/write_file.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {

const figure::MarkerRecord& recordOf(const vtb_markers* markers) { return *required(markers, "markers").record; }

std::shared_ptr<const figure::MarkerRecord> kept(bool loaded, figure::MarkerRecord&& record) {
  return loaded ? std::make_shared<const figure::MarkerRecord>(std::move(record)) : nullptr;
}

bool zPointsUp(vtb_up_axis up) {
  if (oneOf(up, "up") == VTB_UP_AXIS_X) refuse(VTB_E_ARG, "up is x; in TRC files y or z points up");
  return up == VTB_UP_AXIS_Z;
}

}  // namespace

vtb_status vtb_marker_faults_def_init(vtb_marker_faults_def* def, uint32_t struct_size) { return initStruct(__func__, def, struct_size); }

vtb_status vtb_markers_from_motion(const vtb_motion* motion, const char* set, const vtb_marker_faults_def* given,
                                   vtb_diagnostics** diagnostics, vtb_markers** out) {
  return guarded(__func__, [&] {
    const figure::Motion& clip = *required(motion, "motion").clip;
    required(out, "out");
    const vtb_marker_faults_def def = readOptional(given);
    if (set) requireReadable(set);
    deliver(diagnostics, out, [&](Diagnostics& findings) {
      std::vector<figure::MarkerPlace> places;
      std::vector<std::string> joints;
      for (const figure::MotionJoint& joint : clip.joints) joints.push_back(joint.name);
      if (!set)
        for (const std::string& joint : joints) places.push_back({joint, joint, Vec3::Zero()});
      else if (!loadMarkerSet(set, joints, places, findings))
        return kept(false, {});
      if (def.swaps > 0 && places.size() < 2) refuse(VTB_E_ARG, "swaps exchange two markers; there is one");
      return kept(true, figure::synthesiseMarkers(clip, places, {def.noise, def.dropout, def.swaps, def.seed}));
    });
  });
}

vtb_status vtb_markers_load_trc(const char* path, vtb_up_axis up, vtb_diagnostics** diagnostics, vtb_markers** out) {
  return guarded(__func__, [&] {
    required(path, "path");
    required(out, "out");
    const bool zUp = zPointsUp(up);
    requireReadable(path);
    deliver(diagnostics, out, [&](Diagnostics& findings) {
      figure::MarkerRecord record;
      const bool loaded = loadTrcFile(path, zUp, record, findings);
      return kept(loaded, std::move(record));
    });
  });
}

vtb_status vtb_markers_parse_trc(const char* text, size_t size, const char* name, vtb_up_axis up, vtb_diagnostics** diagnostics,
                                 vtb_markers** out) {
  return guarded(__func__, [&] {
    requiredArray(text, size, "text");
    required(name, "name");
    required(out, "out");
    const bool zUp = zPointsUp(up);
    deliver(diagnostics, out, [&](Diagnostics& findings) {
      figure::MarkerRecord record;
      const bool loaded = loadTrcText(std::string_view(text, size), name, zUp, record, findings);
      return kept(loaded, std::move(record));
    });
  });
}

vtb_status vtb_markers_save_trc(const vtb_markers* markers, const char* path) {
  return guarded(__func__, [&] {
    const figure::MarkerRecord& record = recordOf(markers);
    required(path, "path");
    Diagnostics findings;
    if (!writeFile(writeTrcText(record), path, findings)) refuse(VTB_E_IO, firstErrorText(findings));
  });
}

vtb_status vtb_markers_write_trc(const vtb_markers* markers, char* buffer, size_t size, size_t* needed) {
  return guarded(__func__, [&] {
    const figure::MarkerRecord& record = recordOf(markers);
    required(needed, "needed");
    writeText(writeTrcText(record), buffer, size, needed);
  });
}

vtb_status vtb_markers_get_info(const vtb_markers* markers, vtb_markers_info* out) {
  return guarded(__func__, [&] {
    const figure::MarkerRecord& record = recordOf(markers);
    vtb_markers_info info{};
    info.markers = static_cast<int32_t>(record.names.size());
    info.frames = record.frames();
    info.frame_time = record.frameTime;
    writeStruct(out, info);
  });
}

vtb_status vtb_markers_get_name(const vtb_markers* markers, int32_t index, char* buffer, size_t size, size_t* needed) {
  return guarded(__func__, [&] {
    const figure::MarkerRecord& record = recordOf(markers);
    const std::string& name = record.names[inRange(index, record.names.size(), "index")];
    required(needed, "needed");
    writeText(name, buffer, size, needed);
  });
}

vtb_status vtb_markers_get_frame(const vtb_markers* markers, int32_t frame, double* positions, size_t capacity, size_t stride_bytes,
                                 size_t* total) {
  return guarded(__func__, [&] {
    const figure::MarkerRecord& record = recordOf(markers);
    const Vec3* row = record.frame(inRange(frame, static_cast<std::size_t>(record.frames()), "frame"));
    ArrayOut<double> out(positions, 3, capacity, stride_bytes, total, "positions");
    for (std::size_t m = 0; m < record.names.size(); m++) out.put(m, row[m].data());
    out.setTotal(record.names.size());
  });
}

vtb_status vtb_motion_from_markers(const vtb_markers* markers, int32_t fill, vtb_diagnostics** diagnostics, vtb_motion** out) {
  return guarded(__func__, [&] {
    const figure::MarkerRecord& record = recordOf(markers);
    between(fill, 0, 1, "fill");
    required(out, "out");
    auto findings = std::make_unique<vtb_diagnostics>();
    std::vector<int> missing;
    figure::Motion clip = figure::motionFromMarkers(record, missing);
    for (std::size_t k = 0; k < missing.size(); k++) {
      const std::string marker = "marker '" + record.names[k] + "'";
      const std::string share = std::to_string(missing[k]) + " of " + std::to_string(record.frames()) + " frames";
      if (missing[k] == record.frames()) refuse(VTB_E_UNSUPPORTED, marker + " has no position in any frame");
      if (missing[k] > 0 && fill == 0)
        refuse(VTB_E_UNSUPPORTED, marker + " has no position in " + share + ", and gaps are not to be filled");
      if (missing[k] > 0)
        findings->list.add(Severity::Warning, "markers.filled", "", 0, marker,
                           "it has no position in " + share + "; straight lines fill them");
    }
    *out = new vtb_motion{std::make_shared<const figure::Motion>(std::move(clip))};
    if (diagnostics) *diagnostics = findings.release();
  });
}

vtb_status vtb_markers_retain(vtb_markers* markers) {
  return guarded(__func__, [&] { retain(required(markers, "markers")); });
}

vtb_status vtb_markers_release(vtb_markers* markers) {
  return guarded(__func__, [&] { release(markers); });
}
