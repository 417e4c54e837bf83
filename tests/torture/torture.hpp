// Torture of the engine through its C ABI: random worlds, drawn from a seed, stepped under every stepper, solver and step, and watched at
// each step. A world is data (Recipe), so that one that fails can be cut down part by part and be saved as a scene file.
// Units: SI, radians. Frames: Z up; poses, twists, points and axes in the world unless said otherwise, as in vertebra.h.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <vertebra/vertebra.h>

namespace torture {

using Vec = std::array<double, 3>;
using Quat = std::array<double, 4>;  // x, y, z, w

Vec operator+(const Vec& a, const Vec& b);
Vec operator-(const Vec& a, const Vec& b);
Vec operator*(double s, const Vec& a);
double dot(const Vec& a, const Vec& b);
Vec cross(const Vec& a, const Vec& b);
double length(const Vec& a);
Vec unit(const Vec& a);
Vec rotate(const Quat& q, const Vec& v);  // from local to parent axes
Vec rotateBack(const Quat& q, const Vec& v);
Quat between(const Vec& from, const Vec& to);  // the shortest turn; unit vectors

class Random {  // splitmix64: equal numbers on every machine
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
  }
  int below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double in(double low, double high) { return low + (high - low) * unit(); }
  double byFactor(double low, double high) { return low * std::pow(high / low, unit()); }  // even in the logarithm
  bool chance(double p) { return unit() < p; }
  Vec direction();
  Quat turn();

 private:
  std::uint64_t state_;
};

// A body with one shape, or a figure from a file; a static one may be a plane or terrain.
struct BodyPart {
  vtb_body_kind kind = VTB_BODY_KIND_DYNAMIC;
  vtb_shape_type shape = VTB_SHAPE_TYPE_BOX;
  Vec size{0.1, 0.1, 0.1};  // as vtb_shape_def.size
  Vec place{};
  Quat turn{0, 0, 0, 1};
  double mass = 1;
  double friction = 0.8, restitution = 0;
  std::uint32_t category = 1, mask = 0xffffffffu;
  std::vector<double> heights;  // of terrain, a square grid
  std::string model;            // URDF below models/urdf; then shape, size and mass are the file's
};

struct JointPart {
  vtb_joint_type type = VTB_JOINT_TYPE_REVOLUTE;
  int a = -1, b = -1;  // bodies of the recipe; -1 = the world
  Vec point{}, axis{1, 0, 0}, axis2{0, 1, 0};
  double lower = -INFINITY, upper = INFINITY;  // of every axis; of a ball: twist
  double swing = INFINITY;
  double damping = 0, friction = 0;
  vtb_motor_mode mode = VTB_MOTOR_MODE_OFF;
  double target = 0, stiffness = 0, gain = 0, maxForce = INFINITY;  // target: position or velocity, by mode
};

struct Recipe {
  std::uint64_t seed = 0;
  std::string family;
  std::vector<BodyPart> bodies;
  std::vector<JointPart> joints;
  int substeps = 1;
  bool contactPositions = false, sleep = true;
  double seconds = 4;   // simulated
  bool ground = false;  // the plane z = 0: nothing may be below it
};

struct Combination {
  vtb_stepper stepper;
  vtb_solver solver;
  int rate;  // Hz: 240 or 60
};
const char* stepperName(vtb_stepper stepper);
const char* solverName(vtb_solver solver);
const std::vector<Combination>& combinations();  // all that the engine accepts

// What is watched. Each has a bound that a world must keep in every step; unsolved and time have none.
enum Measure { DEPTH, JOINT, ENERGY, REGAIN, ACCOUNT, MOMENTUM, NUMBER, STATUS, MEASURES };
const char* measureName(Measure measure);
double boundOf(Measure measure, const Combination& combination);

struct Result {
  std::array<double, MEASURES> worst{};
  std::array<double, MEASURES> when{};  // s: simulated, when it first left its bound
  int unsolved = 0;                     // sum of the statistic
  int steps = 0;
  double seconds = 0, slowest = 0;  // of the clock: all steps, the slowest
  bool late = false;                // stopped because the time allowed was up
  std::string text;                 // of the status that ended it
  bool fails(Measure measure, const Combination& combination) const { return worst[measure] > boundOf(measure, combination); }
  bool fails(const Combination& combination) const;
  // The measure that fails by most; balances count only where nothing else fails.
  Measure chief(const Combination& combination) const;
};

struct Options {
  std::uint64_t seed = 1;  // of the first world
  int worlds = 42;
  std::vector<Combination> combinations;  // each world gets one by its seed, or all
  bool every = false, json = false;
  bool otherBuild = false;  // than the one that `known` is of: what it lists may hold
  double seconds = 4;       // simulated
  double timeAllowed = 20;  // s of the clock for a world
  double shrinkTime = 3;    // s of the clock for cutting down a world that fails; 0 = none
  std::string models, out;  // folders of the project's models, of the scenes of worlds that failed
  std::string known;        // file of the failures known; empty = none
};

struct Outcome {  // of one world
  std::uint64_t seed;
  std::string family;
  Combination combination;
  int substeps;
  bool contactPositions, sleep;
  std::size_t bodies, joints;
  Result result;
  std::string scene;                           // file, where it was saved
  std::size_t bodiesLeft = 0, jointsLeft = 0;  // after it was cut down
};

// families.cpp, machines.cpp
Recipe draw(std::uint64_t seed);
void addTree(Recipe& recipe, Random& random, const Vec& place, int links, double massRatio, std::uint32_t category);
void drawFigures(Recipe& recipe, Random& random);
void drawHeap(Recipe& recipe, Random& random);
void drawBridge(Recipe& recipe, Random& random);
void drawStack(Recipe& recipe, Random& random);
void drawGripper(Recipe& recipe, Random& random);
void drawWheels(Recipe& recipe, Random& random);
void drawChain(Recipe& recipe, Random& random);
void drawDrives(Recipe& recipe, Random& random);
BodyPart box(const Vec& place, const Vec& halfExtents, double mass);
BodyPart ball(const Vec& place, double radius, double mass);
void addGround(Recipe& recipe);
int add(Recipe& recipe, const BodyPart& body);
void join(Recipe& recipe, int a, int b, vtb_joint_type type, const Vec& point, const Vec& axis = {1, 0, 0});

// build.cpp
class World {  // of a recipe; throws std::runtime_error with the library's text where it cannot be made
 public:
  World(const Recipe& recipe, const Combination& combination, const Options& options);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  vtb_world* get() const { return world_; }

 private:
  vtb_world* world_ = nullptr;
};
// The scene that a body of the recipe, a figure, comes by, and the file that saved worlds include it from.
std::string modelText(const Recipe& recipe, std::size_t index, const Options& options);
std::string modelFile(const Recipe& recipe, std::size_t index, const Options& options);
// Takes out bodies that overlap others at the start, which would begin with energy of their own.
void separate(Recipe& recipe, const Options& options);
Recipe without(const Recipe& recipe, const std::vector<bool>& bodies, const std::vector<bool>& joints);  // those that are true

// run.cpp
// Steps a world to its end, or until one measure exceeds a level.
Result run(const Recipe& recipe, const Combination& combination, const Options& options, Measure until = MEASURES, double level = 0);

// shrink.cpp: the recipe with as little as still fails like the result, by its chief measure
Recipe shrink(const Recipe& recipe, const Combination& combination, const Options& options, const Result& result);

// report.cpp
void showProgress(std::size_t done, std::size_t all, std::size_t failing);
void printTable(const std::vector<Outcome>& outcomes);
void printFailures(const std::vector<Outcome>& outcomes);
void printJson(const std::vector<Outcome>& outcomes);

// known.cpp: compares with the list of known failures, says what differs, returns how much does
int differences(const std::vector<Outcome>& outcomes, const std::string& file, bool otherBuild);

}  // namespace torture
