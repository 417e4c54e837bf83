// See scene.hpp.
#include "cli/scene.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "cli/model.hpp"
#include "cli/output.hpp"
#include "cli/simulation.hpp"

namespace vertebra::cli {

Scene loadScene(const std::string& path, std::vector<Diagnostic>& diagnostics) {
  vtb_diagnostics* list = nullptr;
  vtb_scene* scene = nullptr;
  const vtb_status status = vtb_scene_load(path.c_str(), &list, &scene);
  diagnostics = take(list);
  if (status != VTB_OK) throw LoadFailure(path + ": " + vtb_last_error(), diagnostics);
  return Scene(scene);
}

std::vector<Named> namesOf(const vtb_world* world, vtb_named kind) {
  std::vector<Named> names;
  uint64_t bits = 0;
  size_t needed = 0;
  for (size_t i = 0; vtb_world_get_name(world, kind, i, &bits, nullptr, 0, &needed) == VTB_OK; ++i) {
    std::string name(needed, '\0');
    check(vtb_world_get_name(world, kind, i, &bits, name.data(), name.size(), &needed), "reading a name");
    name.resize(needed - 1);
    names.push_back({name, bits});
  }
  return names;
}

World worldOf(vtb_scene* scene, const vtb_world_def* settings) {
  vtb_world* world = nullptr;
  check(vtb_scene_create_world(scene, settings, &world), "making the scene's world");
  return World(world);
}

namespace {

struct Kind {
  vtb_named kind;
  const char* plural;
};
constexpr Kind kKinds[] = {{VTB_NAMED_BODY, "bodies"},        {VTB_NAMED_SHAPE, "shapes"},       {VTB_NAMED_JOINT, "joints"},
                           {VTB_NAMED_COUPLING, "couplings"}, {VTB_NAMED_FIELD, "fields"},       {VTB_NAMED_FIGURE, "figures"},
                           {VTB_NAMED_CONSTRAINT, "parts"},   {VTB_NAMED_PARTICLES, "particles"}};

vtb_world_def settingsOf(const vtb_scene* scene) {
  auto settings = sized<vtb_world_def>();
  check(vtb_scene_get_settings(scene, &settings), "reading the settings");
  return settings;
}

void refuseOptions(const Arguments& arguments, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (arguments.has(name)) throw UsageError(std::string("--") + name + " does not apply to scene files");
}

class SceneTrace {
 public:
  SceneTrace(const std::string& path, const vtb_world* world)
      : path_(path), file_(path, std::ios::binary), bodies_(namesOf(world, VTB_NAMED_BODY)) {
    file_ << "time";
    for (const Named& body : bodies_)
      for (const char* part : {".x", ".y", ".z", ".qx", ".qy", ".qz", ".qw"}) file_ << ',' << body.name << part;
    file_ << ",kinetic,potential,contacts\n";
    verify();
  }
  void row(double time, const vtb_world* world, const vtb_energy& energy, int contacts) {
    std::string line = shortest(time);
    double pose[7];
    for (const Named& body : bodies_) {
      check(vtb_body_get_pose(world, {body.bits}, pose), "reading a pose");
      for (const double x : pose) line += "," + shortest(x);
    }
    file_ << line << ',' << shortest(energy.kinetic) << ',' << shortest(energy.potential) << ',' << contacts << '\n';
    verify();
  }
  void verify() {
    if (!file_) throw Failure("cannot write " + path_);
  }

 private:
  std::string path_;
  std::ofstream file_;
  std::vector<Named> bodies_;
};

vtb_energy energyOf(const vtb_world* world) {
  auto energy = sized<vtb_energy>();
  check(vtb_world_get_energy(world, &energy), "reading the energy");
  return energy;
}

struct SceneMeasures {
  long steps = 0, infeasible = 0, unsolved = 0, capped = 0;
  double wall = 0, jointError = 0, penetration = 0, contacts = 0;
  double unexplained = 0;  // J of energy that no work or loss explains
  bool diverged = false;
  StageTimes stages;
};

std::string asText(const SceneMeasures& m) {
  Table table({"measure", "value", "unit"});
  table.add({"steps", std::to_string(m.steps), ""});
  table.add({"time in steps", readable(m.wall), "s"});
  table.add({"time per step", readable(m.wall / static_cast<double>(m.steps) * 1e6), "us"});
  m.stages.write(table, m.steps);
  table.add({"largest joint error", readable(m.jointError), "m"});
  table.add({"energy unexplained", readable(m.unexplained), "J"});
  table.add({"largest penetration", readable(m.penetration), "m"});
  table.add({"mean contact points", readable(m.contacts), ""});
  table.add({"infeasible steps", std::to_string(m.infeasible), ""});
  table.add({"islands left unsolved", std::to_string(m.unsolved), ""});
  table.add({"speeds cut", std::to_string(m.capped), ""});
  table.add({"diverged", m.diverged ? "yes" : "no", ""});
  return table.text();
}

std::string asJson(const SceneMeasures& m) {
  Json json;
  json.beginObject().member("steps", static_cast<std::int64_t>(m.steps)).member("wall_s", m.wall);
  json.member("us_per_step", m.wall / static_cast<double>(m.steps) * 1e6).member("max_joint_error", m.jointError);
  json.member("energy_unexplained", m.unexplained).member("max_penetration", m.penetration).member("contacts_mean", m.contacts);
  json.member("infeasible", static_cast<std::int64_t>(m.infeasible)).member("unsolved", static_cast<std::int64_t>(m.unsolved));
  json.member("capped", static_cast<std::int64_t>(m.capped)).member("diverged", m.diverged);
  m.stages.write(json, m.steps);
  return json.endObject().text() + "\n";
}

}  // namespace

bool isScene(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string head(1 << 16, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  std::size_t at = head.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  while ((at = head.find('<', at)) != std::string::npos) {
    if (head.compare(at, 4, "<!--") == 0)
      at = head.find("-->", at);
    else if (head.compare(at, 2, "<?") == 0 || head.compare(at, 2, "<!") == 0)
      at = head.find('>', at);
    else
      return head.compare(at, 6, "<scene") == 0;
    if (at == std::string::npos) return false;
  }
  return false;
}

int infoOfScene(const Arguments& arguments) {
  const std::string path = arguments.operand(0);
  std::vector<Diagnostic> diagnostics;
  const Scene scene = loadScene(path, diagnostics);
  const World world = worldOf(scene.get(), nullptr);
  check(vtb_world_step(world.get(), 0), "counting");
  const vtb_world_def settings = settingsOf(scene.get());
  std::vector<std::string> cameras;
  auto camera = sized<vtb_camera>();
  for (int32_t i = 0; vtb_scene_get_camera(scene.get(), i, &camera) == VTB_OK; ++i) cameras.emplace_back(camera.name);
  if (arguments.has("json")) {
    Json json;
    json.beginObject().member("name", path).member("kind", "scene").member("time_step", settings.time_step);
    for (const Kind& kind : kKinds) {
      std::vector<std::string> names;
      for (const Named& named : namesOf(world.get(), kind.kind)) names.push_back(named.name);
      json.key(kind.plural).strings(names);
    }
    json.key("cameras").strings(cameras).key("diagnostics");
    write(json, diagnostics);
    print(json.endObject().text() + "\n");
    return 0;
  }
  std::string text = path + " (scene): steps of " + readable(settings.time_step) + " s\n";
  for (const Kind& kind : kKinds) {
    const std::vector<Named> names = namesOf(world.get(), kind.kind);
    if (names.empty()) continue;
    text += "\n" + std::to_string(names.size()) + " named " + kind.plural + ":";
    for (const Named& named : names) text += " " + named.name;
    text += "\n";
  }
  if (!cameras.empty()) text += "\ncameras: " + std::to_string(cameras.size()) + "\n";
  text += describe(diagnostics, arguments.has("verbose"));
  print(text);
  return 0;
}

int simulateScene(const Arguments& arguments) {
  refuseOptions(arguments, {"drop", "q0", "motion", "ground", "base", "mesh-root", "no-meshes", "derive-collision", "inertia", "unit", "up",
                            "root", "strict"});
  if (!arguments.has("time")) throw UsageError("--time is needed");
  if (arguments.has("every") && !arguments.has("trace")) throw UsageError("--every needs --trace");
  std::vector<Diagnostic> diagnostics;
  const Scene scene = loadScene(arguments.operand(0), diagnostics);
  printDiagnostics(diagnostics, arguments);
  vtb_world_def settings = settingsOf(scene.get());
  settings.time_step = arguments.positive("dt", settings.time_step);
  settings.substeps = static_cast<int32_t>(arguments.integer("substeps", settings.substeps, 1, 1000));
  settings.flags |= VTB_WORLD_FLAG_ENERGY_ACCOUNT | (arguments.has("no-sleep") ? VTB_WORLD_FLAG_NO_SLEEP : 0) |
                    (arguments.has("stages") ? VTB_WORLD_FLAG_STAGE_TIMES : 0);
  settings.joint.tree_solver =
      static_cast<vtb_tree_solver>(arguments.choice("tree-solver", {"articulated", "sparse", "dense"}, settings.joint.tree_solver));
  settings.solver.type =
      static_cast<vtb_solver>(arguments.choice("solver", {"pgs", "dantzig", "jacobi", "cg", "lemke"}, settings.solver.type));
  settings.stepper = stepperOf(arguments, settings.stepper);
  const double time = arguments.positive("time", 0);
  if (!(time / settings.time_step < 1e9)) throw UsageError("--time / --dt is more than 1e9 steps");
  const long count = std::max(1L, std::lround(time / settings.time_step)), every = arguments.integer("every", 1, 1, 1000000000);

  const World world = worldOf(scene.get(), &settings);
  const vtb_energy start = energyOf(world.get());
  double began = 0;
  check(vtb_world_get_time(world.get(), &began), "reading the time");
  std::unique_ptr<SceneTrace> trace;
  if (arguments.has("trace")) {
    trace = std::make_unique<SceneTrace>(arguments.text("trace"), world.get());
    trace->row(began, world.get(), start, 0);
  }
  SceneMeasures m;
  m.stages.asked = arguments.has("stages");
  auto stats = sized<vtb_world_stats>();
  Progress progress("simulating");
  using Clock = std::chrono::steady_clock;
  for (long i = 1; i <= count; ++i) {
    const auto begin = Clock::now();
    const vtb_status status = vtb_world_step(world.get(), 1);
    m.wall += std::chrono::duration<double>(Clock::now() - begin).count();
    m.steps = i;
    if (status == VTB_E_DIVERGED) {
      std::fprintf(stderr, "vertebra: step %ld: %s\n", i, vtb_last_error());
      m.diverged = true;
      break;
    }
    if (status == VTB_E_INFEASIBLE) {
      if (m.infeasible++ == 0) std::fprintf(stderr, "vertebra: step %ld: %s\n", i, vtb_last_error());
    } else if (status != VTB_E_UNSOLVED) {  // its statistics say that
      check(status, "step " + std::to_string(i));
    }
    check(vtb_world_get_stats(world.get(), &stats), "reading statistics");
    m.jointError = std::max(m.jointError, stats.max_joint_error);
    m.unsolved += stats.unsolved;
    m.capped += stats.capped;
    m.penetration = std::max(m.penetration, stats.max_penetration);
    m.contacts += stats.contacts;
    m.stages.add(stats);
    if (trace && i % every == 0)
      trace->row(began + static_cast<double>(i) * settings.time_step, world.get(), energyOf(world.get()), stats.contacts);
    progress.update(static_cast<double>(i) / static_cast<double>(count));
  }
  m.contacts /= static_cast<double>(m.steps);
  const vtb_energy end = energyOf(world.get());
  const auto balance = [](const vtb_energy& e) {
    return e.kinetic + e.potential - e.work_drives - e.work_applied + e.lost_damping + e.lost_friction + e.lost_impact + e.lost_clamp;
  };
  m.unexplained = balance(end) - balance(start);
  if (arguments.has("save")) check(vtb_world_save_scene(world.get(), arguments.text("save").c_str()), "saving the scene");
  print(arguments.has("json") ? asJson(m) : asText(m));
  return m.diverged ? 1 : 0;
}

int convertScene(const Arguments& arguments) {
  refuseOptions(arguments, {"trim", "resample", "scale", "strict"});
  const std::string &from = arguments.operand(0), &to = arguments.operand(1);
  std::vector<Diagnostic> diagnostics;
  const Scene scene = loadScene(from, diagnostics);
  printDiagnostics(diagnostics, arguments);
  const World world = worldOf(scene.get(), nullptr);
  check(vtb_world_save_scene(world.get(), to.c_str()), "writing " + to);
  if (arguments.has("json")) {
    Json json;
    json.beginObject().member("input", from).member("output", to).key("diagnostics");
    write(json, diagnostics);
    print(json.endObject().text() + "\n");
  } else {
    print(to + ": written\n");
  }
  return 0;
}

}  // namespace vertebra::cli
