// What the verbs share in front of the C ABI: owned handles, statuses as Failure, loading a URDF or BVH with its diagnostics,
// and coordinates by name.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include <vertebra/vertebra.h>

#include "capi/client/owned.hpp"
#include "cli/arguments.hpp"
#include "cli/json.hpp"

namespace vertebra::cli {

using namespace client;

// Failure with the library's text unless the status is VTB_OK.
void check(vtb_status status, const std::string& doing);

// A struct of the C ABI, filled by its _init function.
template <class T>
T defaults(vtb_status (*init)(T*, uint32_t)) {
  T result;
  check(init(&result, sizeof(T)), "preparing a definition");
  return result;
}

// The array of a vector for the C ABI, which wants an address even of nothing.
inline double* at(std::vector<double>& values) {
  static thread_local double none = 0;
  return values.empty() ? &none : values.data();
}
inline const double* at(const std::vector<double>& values) { return at(const_cast<std::vector<double>&>(values)); }

struct Diagnostic {
  int severity, line;
  std::string code, file, element, message;
};
std::vector<Diagnostic> take(vtb_diagnostics* list);  // and release; NULL allowed
std::string describe(const Diagnostic& diagnostic);   // one line, as compilers write
// A line each; alike ones but errors once with their number, and no lists of paths, unless all are asked for.
std::string describe(const std::vector<Diagnostic>& diagnostics, bool all);
void write(Json& json, const std::vector<Diagnostic>& diagnostics);
const char* severityName(int severity);

// A file could not be read; what the loader had to say comes along.
struct LoadFailure : Failure {
  LoadFailure(const std::string& text, std::vector<Diagnostic> list) : Failure(text), diagnostics(std::move(list)) {}
  std::vector<Diagnostic> diagnostics;
};

struct Model {
  Skeleton skeleton;
  Motion motion;  // null for a URDF
  std::vector<Diagnostic> diagnostics;
};

// Options of every verb that reads a figure; baseOptions for those that need its coordinates.
std::vector<Option> loadOptions();
std::vector<Option> baseOptions();

vtb_stepper stepperOf(const Arguments& arguments, vtb_stepper fallback);  // of --stepper
bool isBvh(const std::string& path);                                      // by content, else by extension
Motion loadMotion(const std::string& path, const Arguments& arguments, std::vector<Diagnostic>& diagnostics);
Model loadModel(const std::string& path, const Arguments& arguments);
void printDiagnostics(const std::vector<Diagnostic>& diagnostics, const Arguments& arguments);  // on stderr

// By extension .npz, .json, else CSV.
void saveTrajectory(const vtb_trajectory* trajectory, const vtb_skeleton* skeleton, const std::string& path);

// A workspace of the model's skeleton and the names of its coordinates.
struct Coordinates {
  Workspace workspace;
  std::vector<std::string> q, v;
};
vtb_base baseOf(const Arguments& arguments);
bool floats(const Model& model, const Arguments& arguments);
Coordinates coordinatesOf(const Model& model, const Arguments& arguments);
std::vector<double> neutral(const Coordinates& coordinates);

// Values of an option that is either all numbers (v,v,…) or by name (name=v,…), those not named as in fallback.
std::vector<double> namedNumbers(const Arguments& arguments, const std::string& option, const std::vector<std::string>& names,
                                 std::vector<double> fallback);

// Information of the parts.
vtb_motion_info infoOf(const vtb_motion* motion);
vtb_skeleton_info infoOf(const vtb_skeleton* skeleton);
std::string nameOf(const vtb_skeleton* skeleton);
vtb_link_info linkOf(const vtb_skeleton* skeleton, int link);
vtb_joint_info jointOf(const vtb_skeleton* skeleton, int joint);

}  // namespace vertebra::cli
