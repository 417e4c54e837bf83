// Measures of trajectories: closed forms on made motions, and the scorer of ../shared/bench/retarget on real ones.
#include "engine/retarget/measure.hpp"
#include "engine/retarget/retarget.hpp"
#include "loaders/trajectory/csv.hpp"
#include "loaders/write_file.hpp"
#include "tests/engine/retarget/walker.hpp"
#include "tests/support.hpp"

using namespace vertebra;
using namespace vertebra::retarget;

namespace {

struct Made {
  figure::Motion motion;
  std::shared_ptr<const figure::FigureModel> model;
  figure::Trajectory trajectory;
};

Made walk(double seconds = 2) {
  Made made{walker::motion(walker::bvh(seconds)), walker::model(walker::robot()), {}};
  Result result;
  REQUIRE(retarget::retarget(made.motion, made.model, {}, result).empty());
  made.trajectory = std::move(result.trajectory);
  return made;
}

Measures measured(const Made& made) {
  Measures m;
  const std::string wrong = measure(made.motion, made.model, {}, made.trajectory, m);
  INFO(wrong);
  REQUIRE(wrong.empty());
  return m;
}

double* at(figure::Trajectory& t, int frame) { return t.q.data() + static_cast<std::size_t>(frame) * t.names.size(); }
int column(const figure::Trajectory& t, const std::string& name) {
  for (int c = 0; c < t.nq(); c++)
    if (t.names[static_cast<std::size_t>(c)] == name) return c;
  FAIL(name);
  return -1;
}

}  // namespace

TEST_CASE("a good trajectory measures well") {
  const Made made = walk();
  const Measures m = measured(made);
  REQUIRE(m.contacts.size() >= 4);
  CHECK(m.slideMost < 2e-3);
  CHECK(m.contactKept == 1);
  CHECK(std::fabs(m.contactHeight) < 1e-3);
  CHECK(m.depthMost < 2e-3);
  CHECK(m.limitFrames == 0);
  CHECK(m.limbs.relative < 0.03);
  CHECK(m.pathScale == Approx(0.68 / 0.82).margin(0.01));
  CHECK(std::fabs(m.yaw) < 0.01);
  CHECK(m.axes.size() == 22);
}

TEST_CASE("a figure moved 3 mm within a contact slides 3 mm there; back and forth counts once, its way twice") {
  Made made = walk();
  const Measures before = measured(made);
  const ContactMeasure* longest = &before.contacts[0];
  for (const ContactMeasure& c : before.contacts)
    if (c.last - c.first > longest->last - longest->first) longest = &c;
  const int middle = (longest->first + longest->last) / 2, later = (middle + longest->last) / 2;
  for (const bool back : {false, true}) {
    Made moved = made;
    for (int i = middle; i < (back ? later : moved.trajectory.frames()); i++) at(moved.trajectory, i)[0] += 3e-3;
    const Measures after = measured(moved);
    const ContactMeasure& c = after.contacts[static_cast<std::size_t>(longest - before.contacts.data())];
    CHECK(c.slide - longest->slide == Approx(3e-3).margin(6e-4));
    CHECK(c.path - longest->path == Approx(back ? 6e-3 : 3e-3).margin(1e-3));
  }
}

TEST_CASE("a figure lowered by 7 mm is 7 mm in the ground, lifted by 30 mm it floats and keeps no contact") {
  const Made made = walk();
  for (const double by : {-7e-3, 30e-3}) {
    Made moved = made;
    for (int i = 0; i < moved.trajectory.frames(); i++) at(moved.trajectory, i)[2] += by;
    const Measures m = measured(moved);
    CHECK(m.contactHeight == Approx(by).margin(5e-4));
    if (by < 0) {
      CHECK(m.depthMost == Approx(7e-3).margin(2e-3));
      CHECK(m.depthMost >= 7e-3 - 5e-4);
      CHECK(m.deepFrames == Approx(2 * m.contactShare).epsilon(1e-12));  // feet that are not in contact keep 2 mm above
      CHECK(m.deepest.find("ankle_roll") != std::string::npos);
      CHECK(m.contactKept == 1);
    } else {
      CHECK(m.depthMost == 0);
      CHECK(m.floatingFrames > 0.9);
      CHECK(m.contactKept == 0);
    }
    // The middle of the path and errors from the hips do not depend on the height.
    CHECK(m.limbs.relative == Approx(measured(made).limbs.relative).margin(1e-9));
  }
}

TEST_CASE("limits, rates, jumps and spikes of a coordinate that is set") {
  Made made = walk();
  const int elbow = column(made.trajectory, "left_elbow_joint");  // from -2.4 to 0, 20 rad/s
  for (int i = 0; i < made.trajectory.frames(); i++) at(made.trajectory, i)[elbow] = -1;
  at(made.trajectory, 10)[elbow] = 0.05;
  const Measures m = measured(made);
  for (const AxisMeasure& a : m.axes) {
    if (a.name != "left_elbow_joint") continue;
    CHECK(a.excess == Approx(0.05).epsilon(1e-12));
    CHECK(a.lowest == -1);
    CHECK(a.highest == 0.05);
    CHECK(a.beyond == Approx(1.0 / made.trajectory.frames()).epsilon(1e-12));
    CHECK(a.speed == Approx(1.05 * 30).epsilon(1e-9));
    CHECK(a.fast == Approx(2.0 / (made.trajectory.frames() - 1)).epsilon(1e-12));
    CHECK(a.jump == Approx(1.05).epsilon(1e-12));
    CHECK(a.spike == Approx(1.05).epsilon(1e-12));
  }
  CHECK(m.excess == Approx(0.05).epsilon(1e-12));
  CHECK(m.speedRatio == Approx(1.05 * 30 / 20).epsilon(1e-9));
  CHECK(m.limitFrames == Approx(1.0 / made.trajectory.frames()).epsilon(1e-12));
}

TEST_CASE("links pushed into each other are measured by their depth") {
  Made made = walk();
  const Measures before = measured(made);
  const int roll = column(made.trajectory, "left_hip_roll_joint");
  for (int i = 0; i < made.trajectory.frames(); i++) at(made.trajectory, i)[roll] = -0.8;  // the left leg into the right one
  const Measures m = measured(made);
  CHECK(before.overlapFrames == 0);
  CHECK(m.overlapMost > 0.02);
  CHECK(m.overlapFrames > 0.2);
  CHECK(m.overlapping.find("left") != std::string::npos);
  CHECK(m.overlapping.find("right") != std::string::npos);
}

TEST_CASE("a trajectory turned about the vertical measures the same, by another yaw") {
  Made made = walk();
  const Measures straight = measured(made);
  const double turn = 0.8;
  const Quat by(Eigen::AngleAxisd(turn, Vec3::UnitZ()));
  for (int i = 0; i < made.trajectory.frames(); i++) {
    double* q = at(made.trajectory, i);
    const Vec3 p = by * Vec3(q[0], q[1], q[2]);
    const Quat r = by * Quat(q[6], q[3], q[4], q[5]);
    for (int k = 0; k < 3; k++) q[k] = p[k];
    for (int k = 0; k < 4; k++) q[3 + k] = r.coeffs()[k];
  }
  const Measures turned = measured(made);
  CHECK(turned.yaw - straight.yaw == Approx(turn).margin(1e-9));
  CHECK(turned.limbs.relative == Approx(straight.limbs.relative).margin(1e-9));
  CHECK(turned.limbs.global == Approx(straight.limbs.global).margin(1e-9));
  CHECK(turned.slideMost == Approx(straight.slideMost).margin(1e-9));
  CHECK(turned.turn[Role::LeftFoot] == Approx(straight.turn[Role::LeftFoot]).margin(1e-6));
}

TEST_CASE("what does not belong together is refused; one frame is measured") {
  Made made = walk(1);
  Measures m;
  figure::Trajectory t = made.trajectory;
  t.q.resize(t.q.size() - t.names.size());
  CHECK(measure(made.motion, made.model, {}, t, m).find("frames") != std::string::npos);
  t = made.trajectory;
  t.q[9] = std::nan("");
  CHECK(measure(made.motion, made.model, {}, t, m).find("none") != std::string::npos);
  t = made.trajectory;
  t.names.pop_back();
  CHECK(!measure(made.motion, made.model, {}, t, m).empty());
  const Measures one = measured(walk(0));
  CHECK(one.frames.size() == 1);
  CHECK(std::isfinite(one.limbs.relative));
}

namespace {

// A number of the scorer's JSON: a key within a section.
double number(const std::string& json, const std::string& section, const std::string& key) {
  const std::size_t from = section.empty() ? 0 : json.find("\"" + section + "\": {");
  const std::size_t at = from == std::string::npos ? from : json.find("\"" + key + "\": ", from);
  INFO(section << " " << key);
  REQUIRE(at != std::string::npos);
  return std::atof(json.c_str() + at + key.size() + 4);
}

bool numpyThere() { return std::system(VERTEBRA_PYTHON " -c 'import numpy' > /dev/null 2>&1") == 0; }

std::string outputOf(const std::string& command) {
  std::string out;
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe);
  char buffer[4096];
  while (const std::size_t n = fread(buffer, 1, sizeof buffer, pipe)) out.append(buffer, n);
  CHECK(pclose(pipe) == 0);
  return out;
}

}  // namespace

TEST_CASE("measures agree with those of an independent scorer on real clips and a real robot") {
  REQUIRE_SHARED_DATA();
  const std::string data = test::sharedData(), scorer = data + "/../bench/retarget/retarget_score.py";
  if (!numpyThere() || !std::filesystem::exists(scorer)) {
    WARN("skipped: measures agree with those of an independent scorer needs python3 with numpy and ../shared/bench/retarget");
    return;
  }
  const std::string urdf = data + "/urdf/g1_description/g1_29dof_rev_1_0.urdf";
  figure::Skeleton skeleton;
  Diagnostics findings;
  REQUIRE(loadUrdfFile(urdf, {}, skeleton, findings));
  const auto model = figure::makeFigureModel(std::make_shared<const figure::Skeleton>(std::move(skeleton)), figure::BaseKind::Floating);
  for (const char* clip : {"bandai1_walk_normal_001", "bandai1_punch_normal_001"})
    for (const bool bad : {false, true}) {
      INFO(clip << (bad ? ", spoiled" : ""));
      Made made{{}, model, {}};
      const std::string bvh = data + "/bvh/" + clip + ".bvh";
      REQUIRE(loadBvhFile(bvh, {}, made.motion, findings));
      Result result;
      REQUIRE(retarget::retarget(made.motion, model, {.rate = 30}, result).empty());
      made.trajectory = std::move(result.trajectory);
      if (bad)  // slides, sinks, passes limits, legs in each other
        for (int i = 0; i < made.trajectory.frames(); i++) {
          at(made.trajectory, i)[0] += 0.02 * std::sin(0.3 * i);
          at(made.trajectory, i)[2] -= 0.012;
          at(made.trajectory, i)[column(made.trajectory, "left_knee_joint")] -= 0.2;
          at(made.trajectory, i)[column(made.trajectory, "right_hip_roll_joint")] += 0.25;
        }
      const std::string csv = std::string("measure_") + clip + ".csv";
      REQUIRE(writeFile(writeTrajectoryText(made.trajectory), csv, findings));
      const std::string json =
          outputOf(VERTEBRA_PYTHON " -B '" + scorer + "' '" + urdf + "' " + csv + " --source '" + bvh + "' --json 2> /dev/null");
      std::remove(csv.c_str());
      const Measures m = measured(made);
      CHECK(1e3 * m.slideMean == Approx(number(json, "slide", "mean_mm")).margin(0.3));
      CHECK(1e3 * m.slideMost == Approx(number(json, "slide", "max_mm")).margin(1));
      CHECK(1e3 * m.slideSpeed == Approx(number(json, "slide", "speed_mm_s")).margin(3));
      CHECK(static_cast<double>(m.contacts.size()) == number(json, "slide", "contacts"));
      CHECK(100 * m.contactShare == Approx(number(json, "contact", "share_pct")).margin(0.01));
      CHECK(1e3 * m.contactHeight == Approx(number(json, "contact", "floor_mm")).margin(0.3));
      CHECK(1e3 * m.depthMost == Approx(number(json, "ground", "max_mm")).margin(1));
      CHECK(100 * m.deepFrames == Approx(number(json, "ground", "over5_pct")).margin(2));
      CHECK(100 * m.limitFrames == Approx(number(json, "limits", "frames_pct")).margin(0.01));
      CHECK(std::max(0.0, m.excess) == Approx(number(json, "limits", "max_rad")).margin(1e-4));
      CHECK(m.speedRatio == Approx(number(json, "velocity", "peak_over_limit")).margin(1e-3));
      CHECK(m.jump == Approx(number(json, "velocity", "jump_rad")).margin(1e-4));
      CHECK(m.spike == Approx(number(json, "velocity", "spike_rad")).margin(1e-4));
      CHECK(100 * m.spikeFrames == Approx(number(json, "velocity", "spike_frames_pct")).margin(0.01));
      CHECK(m.jerk == Approx(number(json, "velocity", "jerk_rms")).epsilon(1e-3));
      CHECK(m.yaw * 180 / kPi == Approx(number(json, "pose", "yaw_deg") + 90).margin(0.3));  // its x axis is the file's z axis
      CHECK(1e3 * m.limbs.relative == Approx(number(json, "pose", "root_relative_mm")).margin(2));
      CHECK(1e3 * m.limbs.relative95 == Approx(number(json, "pose", "root_relative_p95_mm")).margin(4));
      CHECK(m.turn[Role::LeftHand] * 180 / kPi == Approx(number(json, "orientation_deg", "left_hand")).margin(0.5));
      CHECK(m.turn[Role::RightFoot] * 180 / kPi == Approx(number(json, "orientation_deg", "right_foot")).margin(0.5));
      CHECK(m.footJerk == Approx(number(json, "jerk_over_source", "foot")).margin(0.1));
      // Its hulls are polytopes around ours, and so overlap more.
      CHECK(100 * m.overlapFrames <= number(json, "self", "over10_pct") + 1);
      CHECK(1e3 * m.overlapMost <= number(json, "self", "max_mm") + 1);
    }
}
