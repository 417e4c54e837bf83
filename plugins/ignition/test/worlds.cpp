// Worlds of the comparison: SDFormat text from numbers.
#include "plugins/ignition/test/worlds.hpp"

#include <sstream>

#include "plugins/ignition/test/reference.hpp"

namespace compare {

namespace {

std::string world(const std::string& models, double gravity = kGravity) {
  std::ostringstream text;
  text << "<sdf version='1.9'><world name='scene'><gravity>0 0 " << -gravity << "</gravity>" << models << "</world></sdf>";
  return text.str();
}

std::string inertial(double mass, double x, double y, double z, const std::string& pose = "0 0 0 0 0 0") {
  std::ostringstream text;
  text << "<inertial><pose>" << pose << "</pose><mass>" << mass << "</mass><inertia><ixx>" << x << "</ixx><iyy>" << y << "</iyy><izz>" << z
       << "</izz><ixy>0</ixy><ixz>0</ixz><iyz>0</iyz></inertia></inertial>";
  return text.str();
}

std::string box(const std::string& size, double friction) {
  std::ostringstream text;
  text << "<collision name='shape'><geometry><box><size>" << size << "</size></box></geometry><surface><friction><ode><mu>" << friction
       << "</mu><mu2>" << friction << "</mu2></ode></friction></surface></collision>";
  return text.str();
}

std::string hinge(int number, const std::string& parent, const std::string& child, const std::string& axis, const std::string& more) {
  return "<joint name='hinge" + std::to_string(number) + "' type='revolute'><parent>" + parent + "</parent><child>" + child +
         "</child><axis><xyz>" + axis + "</xyz>" + more + "</axis></joint>";
}

const double kCube = 0.2 * 0.2 / 6;  // moment of inertia of a cube of 1 kg

}  // namespace

std::string rods(int count, const std::string& limits) {
  std::ostringstream model;
  model.precision(17);
  model << "<model name='rods'><pose>0 0 5 0 0 0</pose>";
  for (int i = 0; i < count; ++i)
    model << "<link name='rod" << i << "'><pose>" << i * kLength << " 0 0 0 0 0</pose>"
          << inertial(kMass, 0.1 * 0.1 / 6, kInertia, kInertia, "0.5 0 0 0 0 0") << "</link>";
  for (int i = 0; i < count; ++i)
    model << hinge(i, i ? "rod" + std::to_string(i - 1) : "world", "rod" + std::to_string(i), "0 1 0", limits);
  model << "</model>";
  return world(model.str());
}

std::string boxes(int count, double height) {
  std::ostringstream models;
  models << "<model name='floor'><static>true</static><link name='floor'><collision name='plane'><geometry><plane><normal>0 0 1</normal>"
            "<size>20 20</size></plane></geometry></collision></link></model>";
  for (int i = 0; i < count; ++i)
    models << "<model name='box" << i << "'><pose>0 0 " << height + 0.1 + 0.2 * i << " 0 0 0</pose><link name='box" << i << "'>"
           << inertial(1, kCube, kCube, kCube) << box("0.2 0.2 0.2", 0.8) << "</link></model>";
  return world(models.str());
}

std::string incline(double angle, double friction) {
  std::ostringstream models;
  models.precision(17);
  models << "<model name='board'><static>true</static><pose>0 0 0 0 " << angle << " 0</pose><link name='board'>" << box("20 20 1", friction)
         << "</link></model><model name='box0'><pose>" << 0.6 * std::sin(angle) << " 0 " << 0.6 * std::cos(angle) << " 0 " << angle
         << " 0</pose><link name='box0'>" << inertial(1, kCube, kCube, kCube) << box("0.2 0.2 0.2", friction) << "</link></model>";
  return world(models.str());
}

std::string arm() {
  std::ostringstream model;
  model << "<model name='arm'>";
  for (int i = 0; i < 7; ++i)
    model << "<link name='arm" << i << "'><pose>0 0 " << 0.2 * i << " 0 0 0</pose>"
          << inertial(3 - 0.3 * i, 0.02, 0.018, 0.006, i % 2 ? "0.02 0 0.1 0 0 0" : "0 0.03 0.1 0 0 0") << "</link>";
  for (int i = 0; i < 7; ++i)
    model << hinge(i, i ? "arm" + std::to_string(i - 1) : "world", "arm" + std::to_string(i), i % 2 ? "0 1 0" : "0 0 1",
                   "<dynamics><damping>0.3</damping></dynamics>");
  model << "</model>";
  return world(model.str());
}

std::string block() { return world("<model name='block'><link name='block'>" + inertial(1, 0.01, 0.02, 0.03) + "</link></model>", 0); }

}  // namespace compare
