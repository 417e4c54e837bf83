// The viewer's drawing in software: a robot of 50 meshes and 200,000 triangles, written as URDF and STL files into a folder, is opened and
// drawn by the viewer, off-screen at 1280 x 720. Prints markdown: seconds from the file to the first picture, then pictures a second while
// its joints move, plain and with shadows, beside the aims; and the processor's time, which other work on the machine does not stretch so
// much.
//
// usage: view_table [FOLDER] [SECONDS]; the folder for the files (default: view_table_files), how long each case is drawn (default: 3)
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "vertebra_view.h"

namespace {

constexpr int kLinks = 50, kRings = 41, kSides = 50;  // 2 (rings - 1) x sides = 4,000 triangles a mesh
constexpr int kWidth = 1280, kHeight = 720;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// s: of all threads.
double processor() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void check(vtb_status status, const char* text) {
  if (status == VTB_OK) return;
  std::fprintf(stderr, "view_table: %s\n", text);
  std::exit(1);
}
void world(vtb_status status) { check(status, vtb_last_error()); }
void view(vtb_status status) { check(status, vtb_view_last_error()); }

// A bumpy rod of 0.2 m along z, closed.
void writeMesh(const std::string& path, int number) {
  const auto on = [&](int ring, int side) {
    const double s = static_cast<double>(ring) / kRings, angle = 2 * M_PI * (side % kSides) / kSides;
    const double radius =
        ring == 0 || ring == kRings ? 0 : 0.05 * std::sin(M_PI * s) * (1 + 0.1 * std::sin(6 * angle + number) * std::sin(9 * M_PI * s));
    return std::vector<float>{static_cast<float>(radius * std::cos(angle)), static_cast<float>(radius * std::sin(angle)),
                              static_cast<float>(0.2 * s)};
  };
  std::ofstream out(path, std::ios::binary);
  const std::uint32_t count = 2 * (kRings - 1) * kSides;
  out.write(std::string(80, ' ').data(), 80).write(reinterpret_cast<const char*>(&count), 4);
  const auto triangle = [&](const std::vector<float>& a, const std::vector<float>& b, const std::vector<float>& c) {
    const float none[3] = {0, 0, 0};
    out.write(reinterpret_cast<const char*>(none), 12);
    for (const auto* corner : {&a, &b, &c}) out.write(reinterpret_cast<const char*>(corner->data()), 12);
    out.write("\0", 2);
  };
  for (int i = 0; i < kRings; i++)
    for (int j = 0; j < kSides; j++) {
      if (i > 0) triangle(on(i, j), on(i, j + 1), on(i + 1, j + 1));
      if (i < kRings - 1) triangle(on(i, j), on(i + 1, j + 1), on(i + 1, j));
    }
}

// Five arms of ten links on a base that is the first of them.
std::string writeRobot(const std::string& folder) {
  std::filesystem::create_directories(folder);
  const std::string path = folder + "/robot.urdf";
  std::ofstream out(path);
  out << "<robot name='fifty'>\n";
  for (int i = 0; i < kLinks; i++) {
    const std::string name = "part" + std::to_string(i);
    writeMesh(folder + "/" + name + ".stl", i);
    out << "<link name='" << name
        << "'><inertial><origin xyz='0 0 0.1'/><mass value='1'/><inertia ixx='0.01' iyy='0.01' izz='0.002' ixy='0' ixz='0' "
           "iyz='0'/></inertial>"
        << "<visual><geometry><mesh filename='" << name << ".stl'/></geometry><material name='m" << i << "'><color rgba='"
        << 0.3 + 0.6 * (i % 5) / 4 << " " << 0.3 + 0.6 * (i % 7) / 6 << " " << 0.3 + 0.6 * (i % 3) / 2
        << " 1'/></material></visual></link>\n";
    if (i == 0) continue;
    const int parent = i <= 5 ? 0 : i - 5;
    out << "<joint name='joint" << i << "' type='continuous'><parent link='part" << parent << "'/><child link='" << name
        << "'/><origin xyz='0 0 " << (parent == 0 ? 0.1 : 0.2) << "' rpy='0 " << (parent == 0 ? 1.2 : 0.1) << " "
        << (parent == 0 ? 1.257 * i : 0) << "'/><axis xyz='0 1 0'/></joint>\n";
  }
  out << "</robot>\n";
  return path;
}

struct Opened {
  vtb_skeleton* skeleton = nullptr;
  vtb_world* world = nullptr;
  vtb_figure figure{};
  vtb_viewer* viewer = nullptr;
  vtb_view* view = nullptr;  // the viewer's
  std::vector<double> q;
  std::vector<std::uint8_t> pixels = std::vector<std::uint8_t>(std::size_t{3} * kWidth * kHeight);

  // As a window draws a played robot, but that the picture comes into memory too.
  void draw() {
    ::view(vtb_viewer_frame(viewer, 1.0 / 60));
    ::view(vtb_view_draw(view, pixels.data(), pixels.size()));
  }
};

vtb_status follow(void* user, vtb_world* world, double time) {
  Opened& opened = *static_cast<Opened*>(user);
  for (std::size_t i = 0; i < opened.q.size(); i++) opened.q[i] = 0.3 * std::sin(6 * time + static_cast<double>(i));
  return vtb_figure_set_state(world, opened.figure, opened.q.data(), nullptr);
}

void open(const std::string& path, Opened& made) {
  world(vtb_skeleton_load_urdf(path.c_str(), nullptr, nullptr, &made.skeleton));
  world(vtb_world_create(nullptr, &made.world));
  vtb_figure_def def;
  world(vtb_figure_def_init(&def, sizeof def));
  def.skeleton = made.skeleton;
  def.base = VTB_BASE_FIXED;
  world(vtb_figure_create(made.world, &def, &made.figure));
  made.q.resize(kLinks - 1);
  vtb_viewer_def viewer;
  view(vtb_viewer_def_init(&viewer, sizeof viewer));
  viewer.flags = VTB_VIEWER_OFFSCREEN | VTB_VIEWER_PLAYED | VTB_VIEWER_BARE;
  viewer.samples = 0;  // as in a window that is drawn by software
  viewer.end = 1e6;
  viewer.follow = follow;
  viewer.user = &made;
  view(vtb_viewer_create(&viewer, made.world, &made.viewer));
  view(vtb_viewer_get_view(made.viewer, &made.view));
  vtb_camera camera{};
  camera.struct_size = sizeof camera;
  camera.position[0] = 2.5, camera.position[1] = -3.5, camera.position[2] = 1.8;
  camera.target[2] = 0.2;
  camera.up[2] = 1;
  camera.fov = 0.7;
  view(vtb_viewer_set_camera(made.viewer, &camera));
  made.draw();
}

struct Rate {
  double pictures;   // a second by the clock
  double processor;  // ms of all threads, a picture
};
Rate rate(Opened& opened, std::uint32_t shadows, double seconds) {
  vtb_viewer_state state{};
  state.struct_size = sizeof state;
  view(vtb_viewer_get_state(opened.viewer, &state));
  vtb_viewer_event key{};
  key.struct_size = sizeof key;
  key.type = VTB_VIEWER_EVENT_KEY;
  key.key = 'h';
  if ((state.shown & VTB_VIEW_SHADOWS) != shadows) view(vtb_viewer_send(opened.viewer, &key));
  opened.draw();  // shaders of another state
  const double start = now(), busy = processor();
  int pictures = 0;
  for (; now() - start < seconds; pictures++) {
    opened.draw();
  }
  return {pictures / (now() - start), 1e3 * (processor() - busy) / pictures};
}

}  // namespace

int main(int argc, char** argv) {
  const std::string path = writeRobot(argc > 1 ? argv[1] : "view_table_files");
  const double seconds = argc > 2 ? std::atof(argv[2]) : 3, start = now();
  Opened opened;
  open(path, opened);
  std::printf("| | by the clock | aim | processor, ms |\n|---|--:|--:|--:|\n");
  std::printf("| from the file to the first picture, s | %.2f | < 3 | %.0f |\n", now() - start, 1e3 * processor());
  const auto row = [&](const char* name, std::uint32_t shadows, int aim) {
    const Rate measured = rate(opened, shadows, seconds);
    std::printf("| pictures a second, %s | %.1f | >= %d | %.1f |\n", name, measured.pictures, aim, measured.processor);
  };
  row("plain", 0, 30);
  row("with shadows", VTB_VIEW_SHADOWS, 15);
  view(vtb_view_write_png((std::filesystem::path(path).parent_path() / "robot.png").c_str(), opened.pixels.data(), kWidth, kHeight));
  vtb_viewer_destroy(opened.viewer);
  vtb_world_destroy(opened.world);
  vtb_skeleton_release(opened.skeleton);
}
