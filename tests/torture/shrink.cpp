// Cuts down a torture world that fails: simpler settings, fewer bodies and joints, in halves, quarters and so on, as long as it still
// leaves the bound of the same measure. What is left is small enough to look at.
#include <chrono>
#include <stdexcept>

#include "tests/torture/torture.hpp"

namespace torture {
namespace {

class Shrinker {
 public:
  Shrinker(const Recipe& recipe, const Combination& combination, const Options& options, const Result& result)
      : recipe_(recipe),
        combination_(combination),
        options_(options),
        measure_(result.chief(combination)),
        level_(std::sqrt(boundOf(measure_, combination) * result.worst[measure_])),
        start_(Clock::now()) {}

  Recipe shrink() {
    keepIfItFails(recipe_);  // ends it where it first fails
    simplify();
    for (bool less = true; less && !late();) less = cut(true) | cut(false);
    return recipe_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool late() const { return std::chrono::duration<double>(Clock::now() - start_).count() > options_.shrinkTime; }

  bool keepIfItFails(const Recipe& candidate) {
    if (late()) return false;
    try {
      const Result result = run(candidate, combination_, options_, measure_, level_);
      if (result.worst[measure_] <= level_) return false;
      recipe_ = candidate;
      recipe_.seconds = static_cast<double>(result.steps) / combination_.rate;
      return true;
    } catch (const std::runtime_error&) {  // without these parts it is no world
      return false;
    }
  }

  template <class Change>
  void tryWith(const Change& change) {
    Recipe candidate = recipe_;
    change(candidate);
    keepIfItFails(candidate);
  }

  void simplify() {
    tryWith([](Recipe& r) { r.substeps = 1; });
    tryWith([](Recipe& r) { r.contactPositions = false; });
    tryWith([](Recipe& r) { r.sleep = false; });
    tryWith([](Recipe& r) {
      for (BodyPart& body : r.bodies) body.restitution = 0;
    });
    tryWith([](Recipe& r) {
      for (BodyPart& body : r.bodies) body.friction = 0;
    });
    tryWith([](Recipe& r) {
      for (JointPart& joint : r.joints) joint.damping = joint.friction = 0;
    });
    tryWith([](Recipe& r) {
      for (JointPart& joint : r.joints) joint.lower = -INFINITY, joint.upper = joint.swing = INFINITY;
    });
    tryWith([](Recipe& r) {
      for (JointPart& joint : r.joints) joint.mode = VTB_MOTOR_MODE_OFF;
    });
  }

  bool cut(bool bodies) {
    bool less = false;
    const auto count = [&] { return bodies ? recipe_.bodies.size() : recipe_.joints.size(); };
    for (std::size_t size = (count() + 1) / 2; size > 0; size /= 2)
      for (std::size_t first = 0; first < count() && !late();) {
        std::vector<bool> noBodies(recipe_.bodies.size(), false), noJoints(recipe_.joints.size(), false);
        std::vector<bool>& gone = bodies ? noBodies : noJoints;
        for (std::size_t i = first; i < first + size && i < gone.size(); i++) gone[i] = true;
        if (keepIfItFails(without(recipe_, noBodies, noJoints)))
          less = true;
        else
          first += size;
      }
    return less;
  }

  Recipe recipe_;
  Combination combination_;
  const Options& options_;
  Measure measure_;
  double level_;
  Clock::time_point start_;
};

}  // namespace

Recipe shrink(const Recipe& recipe, const Combination& combination, const Options& options, const Result& result) {
  return Shrinker(recipe, combination, options, result).shrink();
}

}  // namespace torture
