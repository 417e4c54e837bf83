// What stands behind a vtb_world: the engine's world, the tables of handles, the caller's callbacks, and the two doors every function
// on a world goes through: reading() and changing().
#pragma once
#include <memory>
#include <optional>

#include "capi/src/check.hpp"
#include "capi/src/handle.hpp"
#include "capi/src/scene/names.hpp"
#include "engine/figure/figure.hpp"
#include "engine/world/world.hpp"

namespace vertebra::capi {
struct UserConstraint {  // a caller's callback and what it may write
  vtb_world* world = nullptr;
  int32_t (*evaluate)(void* user, const vtb_world* world, vtb_constraint self, int32_t index, vtb_row* row) = nullptr;
  void* user = nullptr;
  int32_t rows = 0;
  int bodyNumbers = 0, jointNumbers = 0;
};
inline constexpr int kNameKinds = VTB_NAMED_SENSOR + 1;
struct Player;
struct ControllerSlot;
struct ControlledFigure;
namespace scene {
struct Instance;
}
struct UserField {
  vtb_world* world = nullptr;
  vtb_user_law law;
};
}  // namespace vertebra::capi

struct vtb_world {
  vtb_world(const vertebra::WorldSettings& settings, vertebra::capi::WorldTag tag)
      : engine(settings),
        bodies(tag),
        shapes(tag),
        joints(tag),
        couplings(tag),
        constraints(tag),
        fields(tag),
        particles(tag),
        figures(tag),
        sensors(tag),
        controllers(tag) {}

  vertebra::world::World engine;
  vertebra::capi::HandleTable bodies, shapes, joints, couplings, constraints, fields, particles, figures, sensors, controllers;
  std::vector<std::optional<vertebra::figure::Figure>> figureSlots;
  std::size_t firstFreeFigure = 0;                                               // no free slot below
  std::vector<std::unique_ptr<vertebra::capi::UserConstraint>> userConstraints;  // by id
  std::vector<std::unique_ptr<vertebra::capi::UserField>> userFields;            // by id
  struct Model {
    vertebra::figure::BaseKind base;
    bool reduceMimic;
    std::weak_ptr<const vertebra::figure::FigureModel> model;
  };
  vertebra::capi::NameTable names[vertebra::capi::kNameKinds];           // by vtb_named
  std::vector<std::shared_ptr<vertebra::capi::scene::Instance>> scenes;  // in it; the first is that it was made from, if it was
  bool fromScene = false;
  std::vector<std::pair<std::uint64_t, std::uint64_t>>
      userValues[vertebra::capi::kNameKinds];                                    // by id: the handle it was set for, the number
  std::vector<std::shared_ptr<vertebra::capi::Player>> players;                  // clips that figures follow
  std::vector<std::shared_ptr<vertebra::capi::ControllerSlot>> controllerSlots;  // by id
  std::vector<std::shared_ptr<vertebra::capi::ControlledFigure>> controlled;     // figures with controllers
  std::vector<Model> models;                                                     // of living figures, so that equal figures share one
  vtb_callbacks calls{};
  vtb_threads_def threads{};  // of its steps
  bool listed = false;        // stands in the list of worlds that is stepped now
  bool inCallback = false;
  bool unsettled = false;  // memory ran out in the middle of a change: see settle
  bool broken = false;     // after another exception there
};

namespace vertebra::capi {

// While a callback of the caller runs. The callback may change the floating-point environment; ours is back afterwards.
class CallbackScope {
 public:
  explicit CallbackScope(vtb_world& world) : world_(world), outer_(world.inCallback) {
    std::fegetenv(&ours_);
    world.inCallback = true;
  }
  ~CallbackScope() {
    world_.inCallback = outer_;
    std::fesetenv(&ours_);
  }
  CallbackScope(const CallbackScope&) = delete;
  CallbackScope& operator=(const CallbackScope&) = delete;

 private:
  vtb_world& world_;
  bool outer_;
  std::fenv_t ours_;
};

void stepWorld(vtb_world& world, uint32_t steps);               // refuses what a step answers
void logFailure(vtb_world& world, vtb_status status) noexcept;  // hands the thread's error text to the caller's log
void logRemainder(vtb_world& world) noexcept;                   // what the last steps left unsolved or slowed down
void requirePotential(double potential);                        // refuses what a caller's field gave that is not finite
void check(const Failure& failure);                             // refuses with the status of its kind
vtb_status statusOf(const Failure& failure);

// After memory ran out in the middle of a change: destroys what has no handle yet, and drops handles of what is destroyed.
void settle(vtb_world& world);

inline void requireSound(const vtb_world& world) {
  if (world.broken) refuse(VTB_E_INTERNAL, "an earlier call failed in the middle of a change; this world may only be destroyed");
  if (world.unsettled) settle(const_cast<vtb_world&>(world));  // no world is const: the caller owns it
}

template <class Body>
vtb_status reading(const char* function, const vtb_world* world, Body&& body) noexcept {
  return guarded(function, [&] {
    requireSound(required(world, "world"));
    return body(*world);
  });
}

template <class Body>
vtb_status changing(const char* function, vtb_world* world, Body&& body) noexcept {
  const vtb_status status = guarded(function, [&] {
    if (required(world, "world").inCallback) refuse(VTB_E_BUSY, "called from inside a callback of this world");
    requireSound(*world);
    try {
      return body(*world);
    } catch (const Refusal&) {
      throw;
    } catch (const std::bad_alloc&) {
      world->unsettled = true;
      throw;
    } catch (const std::length_error&) {
      world->unsettled = true;
      throw;
    } catch (...) {
      world->broken = true;
      throw;
    }
  });
  if (status != VTB_OK && status != VTB_E_BUSY && world) logFailure(*world, status);
  return status;
}

const HandleTable& tableOf(const vtb_world& world, int kind);  // vtb_named

// Handles to slots of the engine; refuse with VTB_E_STALE, and with VTB_E_ARG the zero handle where the world itself is not meant.
int bodyOf(const vtb_world& world, vtb_body body, const char* name = "body");
int bodyOrWorld(const vtb_world& world, vtb_body body, const char* name = "body");
int shapeOf(const vtb_world& world, vtb_shape shape);
int jointOf(const vtb_world& world, vtb_joint joint, const char* name = "joint");
CouplingTerm termFrom(const vtb_world& world, const vtb_coupling_term& term, const char* name);  // checked
int couplingOf(const vtb_world& world, vtb_coupling coupling);
int constraintOf(const vtb_world& world, vtb_constraint constraint);
int fieldOf(const vtb_world& world, vtb_field field);
int particlesOf(const vtb_world& world, vtb_particles particles);
int sensorOf(const vtb_world& world, vtb_sensor sensor);
const figure::Figure& figureOf(const vtb_world& world, vtb_figure figure);

void dropDestroyed(vtb_world& world);  // what the engine's last destroying call took with it

}  // namespace vertebra::capi
