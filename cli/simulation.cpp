// Builds the world of one figure, steps it and keeps the accounts; see simulation.hpp.
#include "cli/simulation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>

#include "cli/output.hpp"

namespace vertebra::cli {

namespace {

constexpr double kGravity = 9.81;

// q v q*: a vector turned by a quaternion x, y, z, w; only its height.
double heightOf(const double* pose, const double* point) {
  const double x = pose[3], y = pose[4], z = pose[5], w = pose[6];
  return pose[2] + 2 * (x * z - w * y) * point[0] + 2 * (y * z + w * x) * point[1] + (1 - 2 * (x * x + y * y)) * point[2];
}

}  // namespace

double lowestPoint(const vtb_skeleton* skeleton, const std::vector<double>& poses) {
  double low = std::numeric_limits<double>::infinity();
  const int shapes = infoOf(skeleton).shapes;
  for (int i = 0; i < shapes; ++i) {
    auto info = sized<vtb_visual_info>();
    check(vtb_skeleton_get_visual(skeleton, 1, i, &info), "reading a collision shape");
    std::vector<double> vertices(3 * std::size_t(info.vertices));
    check(vtb_skeleton_get_visual_mesh(skeleton, 1, i, vertices.data(), info.vertices, nullptr, 0), "reading a collision shape");
    for (std::size_t v = 0; v < info.vertices; ++v) low = std::min(low, heightOf(&poses[7 * std::size_t(info.link)], &vertices[3 * v]));
  }
  if (std::isfinite(low)) return low;
  for (std::size_t i = 2; i < poses.size(); i += 7) low = std::min(low, poses[i]);
  return low;
}

namespace {

double largestExtent(const std::vector<double>& poses) {
  double extent = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double low = poses[axis], high = poses[axis];
    for (std::size_t i = axis; i < poses.size(); i += 7) low = std::min(low, poses[i]), high = std::max(high, poses[i]);
    extent = std::max(extent, high - low);
  }
  return extent > 0 ? extent : 1;
}

vtb_energy energyOf(const vtb_world* world) {
  auto energy = sized<vtb_energy>();
  check(vtb_world_get_energy(world, &energy), "reading the energy");
  return energy;
}

// The trace: one row per `every` steps, the start included.
class Trace {
 public:
  Trace(const std::string& path, const std::vector<std::string>& coordinates) : path_(path), file_(path, std::ios::binary) {
    std::string head = "time";
    for (const std::string& name : coordinates) head += "," + quoted(name);
    write(head + ",kinetic,potential,work_drives,work_applied,lost_damping,lost_friction,lost_impact,lost_clamp,corrected,contacts\n");
  }
  void row(double time, const std::vector<double>& q, const vtb_energy& e, int contacts) {
    std::string line = number(time);
    for (const double value : q) line += "," + number(value);
    for (const double value :
         {e.kinetic, e.potential, e.work_drives, e.work_applied, e.lost_damping, e.lost_friction, e.lost_impact, e.lost_clamp, e.corrected})
      line += "," + number(value);
    write(line + "," + std::to_string(contacts) + "\n");
  }
  void close() {
    file_.close();
    verify();
  }

 private:
  static std::string number(double value) { return std::isfinite(value) ? shortest(value) : "nan"; }
  static std::string quoted(const std::string& name) {
    if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
    std::string text = "\"";
    for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + "\"";
  }
  void write(const std::string& text) {
    file_ << text;
    verify();
  }
  void verify() const {
    if (!file_) throw Failure("cannot write " + path_);
  }

  std::string path_;
  std::ofstream file_;
};

}  // namespace

Simulation::Simulation(const Model& model, const Arguments& arguments, const Plan& plan, std::vector<double> q0,
                       const std::vector<double>& v0, const vtb_motion* motion)
    : plan_(plan),
      coordinates_(coordinatesOf(model, arguments)),
      q_(std::move(q0)),
      floating_(floats(model, arguments)),
      weight_(infoOf(model.skeleton.get()).mass * kGravity) {
  auto settings = defaults(vtb_world_def_init);
  settings.flags |= VTB_WORLD_FLAG_ENERGY_ACCOUNT;
  if (!plan_.sleep) settings.flags |= VTB_WORLD_FLAG_NO_SLEEP;
  if (plan_.stages) settings.flags |= VTB_WORLD_FLAG_STAGE_TIMES;
  settings.time_step = plan_.step;
  settings.substeps = plan_.substeps;
  settings.joint.tree_solver = plan_.tree_solver;
  settings.solver.type = plan_.solver;
  settings.stepper = plan_.stepper;
  vtb_world* world = nullptr;
  check(vtb_world_create(&settings, &world), "making the world");
  world_.reset(world);
  if (plan_.ground) {
    auto plane = defaults(vtb_shape_def_init);
    plane.type = VTB_SHAPE_TYPE_PLANE;
    vtb_shape shape;
    check(vtb_shape_create(world, vtb_body{}, &plane, &shape), "making the ground");
  }

  const double lift = place(model);
  auto def = defaults(vtb_figure_def_init);
  def.base = baseOf(arguments);
  def.skeleton = model.skeleton.get();
  if (!floating_) def.pose[2] = lift;
  check(vtb_figure_create(world, &def, &figure_), "putting the figure into the world");
  if (floating_) q_[2] += lift;
  if (motion) drives_ = std::make_unique<Drives>(world, figure_, model, coordinates_, floating_, motion, size_, floating_ ? lift : 0);
  check(vtb_figure_set_state(world, figure_, at(q_), at(v0)), "setting the first state");
  start_ = energyOf(world);
}

double Simulation::place(const Model& model) {
  std::vector<double> poses(7 * std::size_t(infoOf(model.skeleton.get()).links));
  size_t total = 0;
  check(vtb_dynamics_poses(coordinates_.workspace.get(), at(q_), at(poses), poses.size() / 7, 0, &total), "kinematics of the first state");
  size_ = largestExtent(poses);
  return plan_.place ? plan_.drop - lowestPoint(model.skeleton.get(), poses) : 0;
}

// Energy that appeared since the start and that no work or loss explains, in weight x 1 m.
double Simulation::share(const vtb_energy& now) const {
  const auto since = [&](double vtb_energy::*account) { return now.*account - start_.*account; };
  const double made =
      since(&vtb_energy::kinetic) + since(&vtb_energy::potential) - since(&vtb_energy::work_drives) - since(&vtb_energy::work_applied);
  const double taken = since(&vtb_energy::lost_damping) + since(&vtb_energy::lost_friction) + since(&vtb_energy::lost_impact) +
                       since(&vtb_energy::lost_clamp);
  return (made + taken) / weight_;
}

namespace {
constexpr const char* kStages[] = {"forces", "move", "collide", "factor", "rows", "solve", "finish", "particles"};  // VTB_STAGE_*
}

void StageTimes::write(Json& json, long steps) const {
  if (!asked) return;
  json.key("us_by_stage").beginObject();
  for (int i = 0; i < 8; i++) json.member(kStages[i], seconds[i] / static_cast<double>(steps) * 1e6);
  json.endObject();
}
void StageTimes::write(Table& table, long steps) const {
  if (!asked) return;
  for (int i = 0; i < 8; i++)
    table.add({std::string("time per step, ") + kStages[i], readable(seconds[i] / static_cast<double>(steps) * 1e6), "us"});
}

Measures Simulation::run() {
  using Clock = std::chrono::steady_clock;
  Measures m;
  m.stages.asked = plan_.stages;
  m.restPenetration = std::numeric_limits<double>::quiet_NaN();
  const long count = std::lround(plan_.time / plan_.step), restFrom = count - count / 10;
  std::unique_ptr<Trace> trace;
  if (!plan_.trace.empty()) {
    trace = std::make_unique<Trace>(plan_.trace, coordinates_.q);
    trace->row(0, q_, start_, 0);
  }
  Progress progress("simulating");
  auto stats = sized<vtb_world_stats>(), awake = stats;
  double contacts = 0, least = 0;
  for (long i = 0; i < count; ++i) {
    if (drives_) drives_->aim(static_cast<double>(i + 1) * plan_.step);
    const auto begin = Clock::now();
    const vtb_status status = vtb_world_step(world_.get(), 1);
    m.wall += std::chrono::duration<double>(Clock::now() - begin).count();
    if (status == VTB_E_DIVERGED) {
      std::fprintf(stderr, "vertebra: step %ld: %s\n", i + 1, vtb_last_error());
      m.diverged = true;
      break;
    }
    if (status == VTB_E_INFEASIBLE) {
      if (m.infeasible++ == 0) std::fprintf(stderr, "vertebra: step %ld: %s\n", i + 1, vtb_last_error());
    } else if (status != VTB_E_UNSOLVED) {  // its statistics say that
      check(status, "step " + std::to_string(i + 1));
    }
    m.steps = i + 1;
    check(vtb_world_get_stats(world_.get(), &stats), "reading statistics");
    const vtb_energy energy = energyOf(world_.get());
    m.jointError = std::max(m.jointError, stats.max_joint_error);
    m.unsolved += stats.unsolved;
    m.capped += stats.capped;
    m.stages.add(stats);
    if (stats.sleeping_bodies == 0) awake = stats;  // what sleeps stands still: what was seen last goes on to hold
    m.penetration = std::max(m.penetration, awake.max_penetration);
    if (i + 1 > restFrom) m.restPenetration = std::fmax(m.restPenetration, awake.max_penetration);
    contacts += awake.contacts;
    m.drift = share(energy);
    if (!(std::fabs(m.drift) <= m.driftMax)) m.driftMax = std::fabs(m.drift);  // keeps what is not a number
    const double left = (energy.kinetic + energy.potential - energy.work_drives - energy.work_applied - start_.kinetic - start_.potential +
                         start_.work_drives + start_.work_applied) /
                        weight_;
    least = std::min(least, left);
    if (!(left - least <= m.rise)) m.rise = left - least;
    m.corrected = (energy.corrected - start_.corrected) / weight_;
    if (trace && (i + 1) % plan_.every == 0) {
      size_t total = 0;
      check(vtb_figure_get_q(world_.get(), figure_, at(q_), q_.size(), &total), "reading the coordinates");
      trace->row(static_cast<double>(i + 1) * plan_.step, q_, energy, awake.contacts);
    }
    progress.update(static_cast<double>(i + 1) / static_cast<double>(count));
  }
  if (trace) trace->close();
  m.contacts = m.steps > 0 ? contacts / static_cast<double>(m.steps) : 0;
  return m;
}

}  // namespace vertebra::cli
