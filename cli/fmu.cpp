// vertebra fmu: a figure or a scene as a co-simulation FMU that any importer of FMI 2.0 or 3.0 runs, and the run to compare with.
#include <unistd.h>

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/fmu_licenses.hpp"
#include "cli/fmu_resources.hpp"
#include "cli/fmu_runtime.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "cli/zip.hpp"

namespace vertebra::cli {

namespace {

// A folder for a while.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "vertebra_fmu_XXXXXX").string();
    if (!mkdtemp(name.data())) throw Failure("cannot make a folder in " + std::filesystem::temp_directory_path().string());
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string identifierOf(const std::string& name) {
  std::string result = name;
  for (char& c : result)
    if (!std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) > 0x7F) c = '_';
  if (result.empty() || std::isdigit(static_cast<unsigned char>(result[0]))) result.insert(0, "_");
  return result;
}

// Where FMUs keep libraries for this machine. FMI 2.0 has names for x86 alone.
std::string platformOf(int version) {
#if defined(__x86_64__)
  return version == 2 ? "linux64" : "x86_64-linux";
#elif defined(__aarch64__)
  if (version == 3) return "aarch64-linux";
#endif
  throw Failure("FMI " + std::to_string(version) + ".0 has no name for this kind of machine" + (version == 2 ? "; use --fmi 3" : ""));
}

int run(const Arguments& arguments) {
  if (!arguments.has("output")) throw UsageError("-o OUT.fmu is needed");
  const std::filesystem::path out = arguments.text("output");
  if (out.extension() != ".fmu") throw UsageError("-o: the name of an FMU ends with .fmu");
  const int version = static_cast<int>(arguments.integer("fmi", 2, 2, 3));
  const double time = arguments.positive("time", 5), step = arguments.positive("step", 0);
  const std::string name = out.stem().string(), identifier = identifierOf(name), platform = platformOf(version);

  std::vector<Diagnostic> diagnostics;
  const Files resources = fmuResources(arguments, diagnostics);
  printDiagnostics(diagnostics, arguments);
  const Folder folder;
  for (const auto& [file, content] : resources) {
    std::ofstream to(folder.path() + "/" + file, std::ios::binary);
    to << content;
    to.close();
    if (!to) throw Failure("cannot write " + folder.path() + "/" + file);
  }

  const FmuRuntime runtime(version);
  const FmuModel model = runtime.describe(folder.path(), identifier, name, time, step);
  const std::filesystem::path reference = std::filesystem::path(out).replace_filename(name + "_ref.csv");
  {
    std::ofstream csv(reference, std::ios::binary);
    Progress progress("running the default experiment");
    double rows = 0;
    runtime.reference(folder.path(), time, model.stepSize, [&](std::string_view row) {
      csv << row;
      progress.update(rows++ * model.stepSize / time);
    });
    csv.close();
    if (!csv) throw Failure("cannot write " + reference.string());
  }

  Zip zip;
  zip.add("modelDescription.xml", model.description);
  zip.add("binaries/" + platform + "/" + identifier + ".so", contentOf(runtime.path()));
  const auto libraries = runtime.needed();
  for (const auto& [library, path] : libraries) zip.add("binaries/" + platform + "/" + library, contentOf(path));
  for (const auto& [file, content] : fmuLicenses(libraries)) zip.add("documentation/licenses/" + file, content);
  for (const auto& [file, content] : resources) zip.add("resources/" + file, content);
  zip.write(out.string());

  if (arguments.has("json")) {
    Json json;
    json.beginObject().member("fmu", out.string()).member("reference", reference.string()).member("fmi", version);
    json.member("model_identifier", identifier).member("inner_step", model.innerStep).member("step_size", model.stepSize);
    json.member("stop_time", time).member("inputs", model.inputs).member("parameters", model.parameters).member("outputs", model.outputs);
    json.member("bytes", static_cast<std::int64_t>(std::filesystem::file_size(out))).key("diagnostics");
    write(json, diagnostics);
    print(json.endObject().text() + "\n");
  } else {
    Table table({"FMU", out.string(), ""});
    table.add({"FMI", std::to_string(version) + ".0, co-simulation", ""});
    table.add({"inputs", std::to_string(model.inputs), ""});
    table.add({"parameters", std::to_string(model.parameters), ""});
    table.add({"outputs", std::to_string(model.outputs), ""});
    table.add({"inner step", readable(model.innerStep), "s"});
    table.add({"step between communication points", readable(model.stepSize), "s"});
    table.add({"size", readable(static_cast<double>(std::filesystem::file_size(out)) / 1e6), "MB"});
    table.add({"reference run", reference.string(), readable(time) + " s"});
    print(table.text());
  }
  return 0;
}

}  // namespace

Verb fmuVerb() {
  Syntax syntax;
  syntax.verb = "fmu";
  syntax.operands = "MODEL -o OUT.fmu";
  syntax.operandCount = 1;
  syntax.summary = "Writes a figure or a scene as an FMU for co-simulation (FMI 2.0 or 3.0).";
  syntax.options = {
      {"output", "OUT.fmu", "the FMU; the reference run goes beside it, as OUT_ref.csv", false, 'o'},
      {"fmi", "VERSION", "2 (default) or 3"},
      {"inputs", "KIND", "what comes in for each joint axis: torque (default), position or velocity"},
      {"dt", "H", "inner step, in s; 1/240 may be written so; by default 1/240, of a scene its own"},
      {"time", "T", "stop time of the default experiment, in s (default 5)"},
      {"step", "H", "its step between communication points, in s (default: the least multiple of the inner step from 0.01 s on)"},
      {"drop", "HEIGHT", "lowest point of the figure above z = 0 at the start, in m (default 0 for a floating base)"},
      {"ground", "", "a ground at z = 0 under a fixed base too; under a floating base it is always there"},
  };
  for (Option& option : loadOptions()) syntax.options.push_back(std::move(option));
  for (Option& option : baseOptions()) syntax.options.push_back(std::move(option));
  syntax.details =
      "The FMU holds all it needs: the model, the engine and the libraries that the engine needs, for this kind of machine. Of the host "
      "it\n"
      "needs the C and C++ libraries, as new as those of this machine.\n"
      "Inputs: of each joint axis tau, or q_target and v_target, or v_target; of each body force and moment; of machines what a driver\n"
      "sets. Parameters: gravity, q_start and v_start, gains. Outputs: q, v and motor_force of joints; position, orientation, velocity,\n"
      "angular_velocity and contact_force of bodies; readings of machines and sensors; energies, number of contacts. What has no name in "
      "a\n"
      "scene is not shown; figures with controllers have no joint inputs.\n"
      "A communication step makes as many inner steps as fit; the remainder is kept for the next one.\n"
      "JSON: fmu, reference, fmi, model_identifier, inner_step, step_size, stop_time, inputs, parameters, outputs, bytes, diagnostics.\n";
  return {syntax, run};
}

}  // namespace vertebra::cli
