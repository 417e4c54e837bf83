// MuJoCo as Debian packages it (2.2.2) on the scenes of the benchmark; the scene is written as MJCF text.
// options: integrator=Euler|RK4|implicit, cone=pyramidal|elliptic, iters= (100)
#include <mujoco/mujoco.h>

#include <cstdarg>

#include "bench/harness.hpp"

namespace {

using namespace bench;

// MuJoCo's XML reader rejects more than 100 nested elements, so deeper bodies are written to a file of their own and included.
constexpr int kDepthOfAFile = 80;

class Mujoco : public Engine {
 public:
  ~Mujoco() override {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }
  std::string name() override { return std::string("mujoco-") + mj_versionString(); }

  void build(const Scene& scene, const Arguments& a) override {
    scene_ = scene;
    integrator_ = a.text("integrator", "Euler");
    cone_ = a.text("cone", "pyramidal");
    children_.resize(scene_.bodies.size());
    joint_.assign(scene_.bodies.size(), -1);
    for (std::size_t k = 0; k < scene_.joints.size(); k++) {
      const Joint& j = scene_.joints[k];
      joint_[j.child] = static_cast<int>(k);
      if (j.parent >= 0) children_[j.parent].push_back(j.child);
    }
    mju_user_warning = [](const char*) {};  // it would write a log file during the timing; diverged() reports instead
    files_.emplace_back();
    put(0, "<mujoco><compiler angle='radian'/>");
    // Room for the pile's contacts; without contacts MuJoCo's own sizes suffice, and a reset after divergence has less to clear.
    if (scene_.ground) put(0, "<size njmax='3000' nconmax='800' nstack='2000000'/>");
    put(0, "<option timestep='%.17g' iterations='%d' integrator='%s' cone='%s' solver='Newton'>", a.step,
        static_cast<int>(a.number("iters", 100)), integrator_.c_str(), cone_.c_str());
    if (!scene_.ground) put(0, "<flag contact='disable'/>");
    put(0, "</option><worldbody>\n");
    if (scene_.ground) put(0, "<geom type='plane' size='50 50 1' friction='%.17g 0 0'/>\n", scene_.friction);
    for (std::size_t i = 0; i < scene_.bodies.size(); i++)
      if (joint_[i] < 0 || scene_.joints[joint_[i]].parent < 0) putBody(0, 1, static_cast<int>(i), {}, {});
    put(0, "</worldbody></mujoco>\n");
    compile();
  }

  void step() override { mj_step(model_, data_); }

  void sync() override {
    mj_kinematics(model_, data_);
    mj_comPos(model_, data_);
    mj_comVel(model_, data_);
  }

  State get(int i) override {
    const int id = ids_[i];
    const mjtNum *p = data_->xipos + 3 * id, *q = data_->xquat + 4 * id;
    mjtNum v[6];
    mj_objectVelocity(model_, data_, mjOBJ_BODY, id, v, 0);
    return {{p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}, {v[3], v[4], v[5]}, {v[0], v[1], v[2]}};
  }

  bool diverged() override {  // MuJoCo then resets the state itself
    return data_->warning[mjWARN_BADQACC].number + data_->warning[mjWARN_BADQPOS].number + data_->warning[mjWARN_BADQVEL].number > 0;
  }

  std::string notes() override {
    return "double; integrator " + integrator_ + ", solver Newton, cone " + cone_ +
           (scene_.ground ? "; contacts " + std::to_string(data_->ncon) + ", rows " + std::to_string(data_->nefc) : "") +
           (diverged() ? "; DIVERGED: state was reset" : "");
  }

 private:
  void put(std::size_t file, const char* format, ...) __attribute__((format(printf, 3, 4))) {
    char buffer[1024];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(buffer, sizeof buffer, format, arguments);
    va_end(arguments);
    files_[file] += buffer;
  }

  void putBody(std::size_t file, int depth, int i, Vec parentPosition, Quat parentOrientation) {
    if (depth % kDepthOfAFile == 0) {
      files_.push_back("<mujocoinclude>\n");
      put(file, "<include file='part%zu.xml'/>\n", files_.size() - 1);
      file = files_.size() - 1;
    }
    const Body& b = scene_.bodies[i];
    const Vec p = rotate(conjugate(parentOrientation), b.position - parentPosition);
    const Quat q = conjugate(parentOrientation) * b.orientation;
    put(file, "<body name='%s' pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'>", b.name.c_str(), p.x, p.y, p.z, q.w, q.x, q.y, q.z);
    put(file, "<inertial pos='0 0 0' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>\n", b.mass, b.inertia.x, b.inertia.y, b.inertia.z);
    if (joint_[i] < 0)
      put(file, "<freejoint/>");
    else
      putJoint(file, b, scene_.joints[joint_[i]]);
    const char* type = b.shape == Shape::capsule ? "capsule" : b.shape == Shape::box ? "box" : "sphere";
    const double second = b.shape == Shape::capsule ? b.size.z : b.size.y > 0 ? b.size.y : 1e-3;
    put(file, "<geom type='%s' size='%.17g %.17g %.17g' contype='1' conaffinity='%d' friction='%.17g 0 0'/>\n", type, b.size.x, second,
        b.size.z > 0 ? b.size.z : 1e-3, scene_.bodiesCollide ? 1 : 0, scene_.friction);
    for (const int child : children_[i]) putBody(file, depth + 1, child, b.position, b.orientation);
    put(file, "</body>\n");
    if (depth % kDepthOfAFile == 0) put(file, "</mujocoinclude>\n");
  }

  void putJoint(std::size_t file, const Body& b, const Joint& j) {
    if (j.type == JointType::fixed) return;
    const Vec anchor = rotate(conjugate(b.orientation), j.anchor - b.position), axis = rotate(conjugate(b.orientation), j.axis);
    const bool hinge = j.type == JointType::hinge;
    put(file, "<joint type='%s' pos='%.17g %.17g %.17g' axis='%.17g %.17g %.17g' stiffness='%.17g' damping='%.17g'",
        hinge ? "hinge" : "ball", anchor.x, anchor.y, anchor.z, axis.x, axis.y, axis.z, j.stiffness, j.damping);
    if (j.limited) put(file, " limited='true' range='%.17g %.17g'", hinge ? j.lower : 0, hinge ? j.upper : j.cone);
    put(file, "/>\n");
  }

  void compile() {
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    for (std::size_t i = 0; i < files_.size(); i++) {
      const std::string file = i == 0 ? "scene.xml" : "part" + std::to_string(i) + ".xml";
      mj_makeEmptyFileVFS(files.get(), file.c_str(), static_cast<int>(files_[i].size()));
      std::memcpy(files->filedata[mj_findFileVFS(files.get(), file.c_str())], files_[i].data(), files_[i].size());
    }
    char error[1000] = "";
    model_ = mj_loadXML("scene.xml", files.get(), error, sizeof error);
    mj_deleteVFS(files.get());
    if (model_ == nullptr) {
      std::fprintf(stderr, "mujoco: %s\n", error);
      std::exit(1);
    }
    data_ = mj_makeData(model_);
    for (const Body& b : scene_.bodies) ids_.push_back(mj_name2id(model_, mjOBJ_BODY, b.name.c_str()));
  }

  Scene scene_;
  std::string integrator_, cone_;
  std::vector<std::string> files_;  // the first is the scene, the others are included
  std::vector<std::vector<int>> children_;
  std::vector<int> joint_, ids_;
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) { return bench::run<Mujoco>(argc, argv); }
