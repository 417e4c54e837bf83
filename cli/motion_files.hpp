// What `vertebra motion` and `vertebra figure --motion` read and write: BVH clips, TRC records of markers, CSVs of trajectories; all are
// worked on as clips.
#pragma once
#include <string>
#include <vector>

#include "cli/model.hpp"

namespace vertebra::cli {

enum class MotionForm { Clip, Markers, Trajectory };  // .bvh; .trc; .csv

MotionForm motionFormOf(const std::string& path);  // by extension, a BVH also by content

// fill: gaps of markers are filled, and told. figure: what has the coordinates of a trajectory, else may be null.
Motion readMotion(const std::string& path, const vtb_skeleton* figure, bool fill, const Arguments& arguments,
                  std::vector<Diagnostic>& diagnostics);

// The coordinates of the figure (null: of one made from the clip, returned as `made`) in each frame; joints that the clip lacks are told.
Trajectory trajectoryOf(const vtb_motion* motion, const vtb_skeleton* figure, Skeleton& made, std::vector<Diagnostic>& diagnostics);

// By extension: .bvh, .trc, .csv, .json, .npz; a Failure says why a form cannot hold it. UsageError: the extension is none of these.
void checkMotionName(const std::string& path);
void writeMotion(const std::string& path, const vtb_motion* motion, MotionForm from, const vtb_skeleton* figure,
                 std::vector<Diagnostic>& diagnostics);

// --table, --columns, --at: poses, velocities and accelerations of all joints over time (motion_table.cpp).
void writeMotionTable(const std::string& path, const vtb_motion* motion, const Arguments& arguments);

}  // namespace vertebra::cli
