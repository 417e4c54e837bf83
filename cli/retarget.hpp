// What the parts of `vertebra retarget` share: one clip onto one figure, and what is told of it.
#pragma once
#include <string>
#include <vector>

#include "cli/model.hpp"

namespace vertebra::cli {

using RetargetMap = std::unique_ptr<vtb_retarget_map, Release<vtb_retarget_map_destroy>>;
using RetargetReport = std::unique_ptr<vtb_retarget_report, Release<vtb_retarget_report_destroy>>;

struct Retargeted {
  Trajectory trajectory;
  std::vector<Diagnostic> roles, findings;  // findings: what was changed of the motion
  double seconds = 0;                       // that it took
};

Retargeted retargetClip(const Motion& motion, const Model& model, const vtb_retarget_def& def);
RetargetMap loadRetargetMap(const std::string& path, std::vector<Diagnostic>& diagnostics);

// Measures of a trajectory (retarget_report.cpp): read, as members of an object of JSON, as a page that needs no other file.
RetargetReport measureClip(const Motion& motion, const Model& model, const Retargeted& made, const vtb_retarget_map* map);
vtb_retarget_report_info infoOf(const RetargetReport& report);
void writeSummary(Json& json, const vtb_retarget_report_info& info, double seconds);
struct Tracked;  // retarget_physics.hpp; null: without physics
void saveReport(const std::string& path, const RetargetReport& report, double seconds, const std::string& clip, const std::string& figure,
                const Tracked* tracked);
std::string reportPage(const RetargetReport& report, double seconds, const std::string& title,
                       const Tracked* tracked);  // retarget_page.cpp

// Every BVH below a folder (retarget_folder.cpp).
int retargetFolder(const Arguments& arguments);

void writeWhole(const std::string& path, const std::string& text);  // Failure if that does not work

}  // namespace vertebra::cli
