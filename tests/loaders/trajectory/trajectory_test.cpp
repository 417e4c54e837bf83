// Trajectories: velocities and links' twists against positions, files written and read again, faults of files with their lines.
#include <cstdio>

#include "engine/figure/trajectory_arrays.hpp"
#include "engine/math/rotation.hpp"
#include "loaders/trajectory/csv.hpp"
#include "loaders/trajectory/npz.hpp"
#include "loaders/write_file.hpp"
#include "tests/support.hpp"

using namespace vertebra;
using dynamics::JointType;

namespace {
// A base, an arm on a hinge about y, a hand on a slide along x.
std::shared_ptr<const figure::FigureModel> armModel() {
  auto s = std::make_shared<figure::Skeleton>();
  for (const char* name : {"base", "arm \xC3\xA9", "hand"}) {
    figure::LinkDescription link;
    link.name = name;
    link.mass = 1;
    link.inertia = Mat3::Identity();
    s->links.push_back(link);
  }
  for (int j = 0; j < 2; j++) {
    figure::JointDescription joint;
    joint.name = j ? "slide" : "hinge";
    joint.type = j ? JointType::Prismatic : JointType::Revolute;
    joint.parent = j;
    joint.child = j + 1;
    joint.axis = j ? Vec3::UnitX() : Vec3::UnitY();
    joint.inParent.p = Vec3(0.5, 0, 0.1);
    s->joints.push_back(joint);
  }
  s->root = 0;
  return figure::makeFigureModel(s, figure::BaseKind::Floating);
}

// The root turns at a constant rate and moves along a parabola.
figure::Trajectory movement(const figure::FigureModel& model, int frames, double fps) {
  figure::Trajectory t;
  t.name = "arm";
  t.names = model.coordinates.qNames;
  t.frameTime = 1 / fps;
  for (int i = 0; i < frames; i++) {
    const double time = i / fps;
    const Quat q = quatFromAxisAngle(Vec3(1, 2, 2), 3 * time);
    t.q.insert(t.q.end(), {2 * time, time * time, 1, q.x(), q.y(), q.z(), q.w(), 0.1 * i, -0.01 * i});
  }
  return t;
}
}  // namespace

TEST_CASE("velocities of a trajectory are those of its positions, on the group, the first and last frame included") {
  const auto model = armModel();
  const figure::Trajectory t = movement(*model, 5, 50);
  REQUIRE(figure::faultOfTrajectory(t, *model).empty());
  std::vector<double> v(static_cast<std::size_t>(model->nv())), moved(static_cast<std::size_t>(model->nq()));
  REQUIRE(v.size() == 8);
  for (int i = 0; i < 5; i++) {
    figure::trajectoryVelocities(t, *model, i, v.data());
    CHECK(v[0] == Approx(2).margin(1e-12));
    CHECK(v[1] == Approx(2 * i / 50.0).margin(1e-12));
    CHECK((Vec3(v[3], v[4], v[5]) - Vec3(1, 2, 2)).norm() < 1e-12);
    CHECK(v[6] == Approx(5).margin(1e-12));
    CHECK(v[7] == Approx(-0.5).margin(1e-12));
  }
}

TEST_CASE("twists of links are the rates of their poses: by second order of the frame time") {
  const auto model = armModel();
  double errors[2];
  for (int k = 0; k < 2; k++) {
    const double fps = 200 * (k + 1);
    const int n = 41, middle = 20;
    figure::Trajectory t = movement(*model, n, fps);
    for (int i = 0; i < n; i++) t.q[static_cast<std::size_t>(9 * i + 7)] = std::sin(4 * (i - middle) / fps);
    for (int i = 0; i < n; i++) t.q[static_cast<std::size_t>(9 * i + 8)] = 0.2 * std::cos(3 * (i - middle) / fps + 1);
    const figure::TrajectoryArrays a = figure::trajectoryArrays(t, model);
    REQUIRE(a.positions.size() == static_cast<std::size_t>(n * 3 * 3));
    const auto place = [&](int frame, int link) { return Vec3(a.positions.data() + 3 * (3 * frame + link)); };
    const auto turn = [&](int frame, int link) {
      const double* q = a.orientations.data() + 4 * (3 * frame + link);
      return Quat(q[0], q[1], q[2], q[3]);
    };
    double worst = 0;
    for (int link = 0; link < 3; link++) {
      const Vec3 v = (place(middle + 1, link) - place(middle - 1, link)) * (0.5 * fps);
      const Vec3 w = quatLog(turn(middle + 1, link) * turn(middle - 1, link).conjugate()) * (0.5 * fps);
      worst = std::max(worst, (v - Vec3(a.linear.data() + 3 * (3 * middle + link))).norm());
      worst = std::max(worst, (w - Vec3(a.angular.data() + 3 * (3 * middle + link))).norm());
    }
    errors[k] = worst;
  }
  CHECK(errors[0] < 2e-3);
  CHECK(errors[0] / errors[1] == Approx(4).margin(0.3));
}

TEST_CASE("a trajectory written as CSV reads back to the last bit") {
  const auto model = armModel();
  const figure::Trajectory t = movement(*model, 5, 30);
  const std::string text = writeTrajectoryText(t);
  std::string windows = "\xEF\xBB\xBF";
  for (const char c : text) windows += c == '\n' ? std::string("\r\n") : c == ',' ? std::string(" , ") : std::string(1, c);
  for (const std::string& each : {text, windows}) {
    figure::Trajectory again;
    Diagnostics d;
    REQUIRE(loadTrajectoryText(each, "x.csv", again, d));
    CHECK(d.entries.empty());
    CHECK(again.q == t.q);
    CHECK(again.name == "arm");
    CHECK(again.frameTime == Approx(t.frameTime).epsilon(1e-15));
    CHECK(again.names[7] == "hinge");
    CHECK(figure::faultOfTrajectory(again, *model).empty());
  }
  CHECK(writeTrajectoryJson(t).find("{\"fps\":30,\"figure\":\"arm\",\"names\":[\"root_x\",") == 0);
}

TEST_CASE("names that a CSV cannot hold are told before it is written") {
  figure::Trajectory t = movement(*armModel(), 2, 30);
  CHECK(unwritableName(t).empty());
  for (const char* name : {"a,b", "a\nb", " a", "a ", "a\r", ""}) {
    t.names[8] = name;
    CHECK(unwritableName(t).find(std::string("'") + name + "'") != std::string::npos);
  }
}

TEST_CASE("what does not fit a CSV of a trajectory is told with its line") {
  const std::string head = "# fps=30\nroot_x,root_y,root_z,root_qx,root_qy,root_qz,root_qw,a\n", row = "0,0,0,0,0,0,1,2\n";
  const struct {
    std::string text;
    const char* code;
    int line;
  } cases[] = {
      {"", "csv.header", 0},
      {"# fps=30\n", "csv.header", 1},
      {head, "csv.empty", 2},
      {head.substr(9) + row, "csv.fps", 2},
      {"# fps=0\n" + head + row, "csv.fps", 1},
      {"# fps=many\n" + head + row, "csv.fps", 1},
      {"# fps=30\n# fps=60\n" + row, "csv.fps", 2},
      {"# fps=1\na,b\n", "csv.header", 2},
      {"# fps=1\nroot_x,root_y\n", "csv.header", 2},
      {"# fps=30\nroot_x,root_y,root_z,root_qx,root_qy,root_qz,root_qw,a,a\n", "csv.header", 2},
      {"# fps=30\nroot_x,root_y,root_z,root_qx,root_qy,root_qz,root_qw,a,\n", "csv.header", 2},
      {head + row + "0,0,0,0,0,0,1\n", "csv.row", 4},
      {head + row + "0,0,0,0,0,0,1,x\n", "csv.number", 4},
      {head + row + "0,0,0,0,0,0,1,nan\n", "csv.number", 4},
      {head + row + "0,0,0,0,0,0,1,\n", "csv.number", 4},
      {head + "0,0,0,0,0,0,0,2\n", "csv.quaternion", 3},
  };
  for (const auto& each : cases) {
    INFO(each.text);
    figure::Trajectory t;
    Diagnostics d;
    REQUIRE(!loadTrajectoryText(each.text, "x.csv", t, d));
    REQUIRE(d.firstError());
    CHECK(d.firstError()->code == each.code);
    CHECK(d.firstError()->line == each.line);
  }
  figure::Trajectory t;
  Diagnostics d;
  REQUIRE(loadTrajectoryText(head + "0,0,0,0,0,3,4,2\n", "x.csv", t, d));
  CHECK(d.entries.size() == 1);
  CHECK(t.q[5] == Approx(0.6));
}

TEST_CASE("quaternions of the root and of ball joints are made unit, and told once") {
  const std::string text =
      "# "
      "fps=10\nroot_x,root_y,root_z,root_qx,root_qy,root_qz,root_qw,arm.x,arm.y,arm.z,arm.w,knee\n0,0,0,0,0,0,1,0,0,0,2,2\n0,0,0,0,0,0,3,0,"
      "0.6,0,0.8,2\n";
  figure::Trajectory t;
  Diagnostics d;
  REQUIRE(loadTrajectoryText(text, "x.csv", t, d));
  CHECK(t.frame(0)[10] == 1);
  CHECK(t.frame(0)[11] == 2);
  CHECK(t.frame(1)[6] == 1);
  CHECK(t.frame(1)[8] == 0.6);
  int told = 0;
  for (const Diagnostic& each : d.entries) told += each.code == "csv.quaternion";
  CHECK(told == 1);
  Diagnostics none;
  CHECK_FALSE(loadTrajectoryText(text.substr(0, text.find("0,0,0,2,2")) + "0,0,0,0,2\n", "x.csv", t, none));
}

TEST_CASE("an archive is written for npz_test.py", "[write]") {
  const auto model = armModel();
  const std::string archive = writeNpz(figure::trajectoryArrays(movement(*model, 5, 50), model));
  CHECK(archive == writeNpz(figure::trajectoryArrays(movement(*model, 5, 50), model)));
  Diagnostics d;
  REQUIRE(writeFile(archive, "npz_test.npz", d));
}
