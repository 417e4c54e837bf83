// See controllers.hpp.
#include "capi/src/controllers.hpp"

namespace vertebra::capi {

namespace {

constexpr std::uint64_t kMark = 0x726c6c6f72746e63;  // at the end of a snapshot with controllers, behind the number of their doubles

std::vector<double> stateOf(const vtb_world& world) {
  std::vector<double> numbers;
  control::ControllerState out(numbers);
  for (const auto& c : world.controlled) c->stack.exchange(out);
  return numbers;
}

bool setState(vtb_world& world, const std::vector<double>& numbers) {
  control::ControllerState in(numbers.data(), numbers.size());
  for (const auto& c : world.controlled) c->stack.exchange(in);
  return !in.failed() && in.left() == 0;
}

}  // namespace

void ControlledFigure::keep(vtb_world& world) {
  acted_ = false;
  drives_.clear();
  for (int joint : figureOf(world, figure).joints())
    if (joint >= 0) drives_.emplace_back(joint, world.engine.jointDrive(joint));
  state_.clear();
  control::ControllerState out(state_);
  stack.exchange(out);
}

void ControlledFigure::act(vtb_world& world) {
  acted_ = true;
  check(stack.before(world.engine, figureOf(world, figure)));
  if (world.engine.settings().stepper == Stepper::Displacement && !stack.command().forces.empty())
    refuse(VTB_E_UNSUPPORTED,
           "controllers do not push links under the stepper displacement, whose sweeps do not converge then; to mend: use another stepper");
}

void ControlledFigure::takeBack(vtb_world& world) {
  if (!acted_) return;
  for (const auto& [joint, drive] : drives_) world.engine.takeBackDrive(joint, drive);
  control::ControllerState in(state_.data(), state_.size());
  stack.exchange(in);
}

bool hasControllers(const vtb_world& world, vtb_figure figure) {
  return std::any_of(world.controlled.begin(), world.controlled.end(),
                     [&](const auto& c) { return c->figure.bits == figure.bits && !c->stack.controllers().empty(); });
}

void dropControllers(vtb_world& w) {
  for (std::size_t i = 0; i < w.controllerSlots.size(); i++)
    if (w.controllerSlots[i] && w.figures.find(w.controllerSlots[i]->figure.bits) < 0) {
      w.controllers.drop(static_cast<int>(i));
      w.controllerSlots[i].reset();
    }
  w.controlled.erase(std::remove_if(w.controlled.begin(), w.controlled.end(),
                                    [&](const auto& c) { return w.figures.find(c->figure.bits) < 0 || !c->stack.acts(); }),
                     w.controlled.end());
}

void saveControllers(const vtb_world& world, std::vector<std::uint8_t>& state) {
  if (world.controlled.empty()) return;
  const std::vector<double> numbers = stateOf(world);
  const std::uint64_t tail[2] = {numbers.size(), kMark};
  const std::size_t at = state.size(), bytes = numbers.size() * sizeof(double);
  state.resize(at + bytes + sizeof tail);
  std::memcpy(state.data() + at, numbers.data(), bytes);
  std::memcpy(state.data() + at + bytes, tail, sizeof tail);
}

void restoreWithControllers(vtb_world& w, const std::uint8_t* state, std::size_t size) {
  std::uint64_t tail[2] = {0, 0};
  if (size >= sizeof tail) std::memcpy(tail, state + size - sizeof tail, sizeof tail);
  const bool holds = tail[1] == kMark && tail[0] <= (size - sizeof tail) / sizeof(double);
  if (!holds && w.controlled.empty()) return check(w.engine.restore(state, size));
  if (holds != !w.controlled.empty())
    refuse(VTB_E_ARG, holds ? "the snapshot is of a world whose figures have controllers; add these first"
                            : "the snapshot is of a world without controllers; destroy those of this world first");
  std::vector<double> numbers(tail[0]);
  const std::size_t bytes = numbers.size() * sizeof(double), engine = size - sizeof tail - bytes;
  if (bytes > 0) std::memcpy(numbers.data(), state + engine, bytes);
  const std::vector<double> before = stateOf(w);
  const auto undo = [&] { setState(w, before); };
  if (numbers.size() != before.size() || !setState(w, numbers)) {
    undo();
    refuse(VTB_E_ARG, "the snapshot is of a world with other controllers, clips or goals; build this one by the same calls");
  }
  if (Failure failure = w.engine.restore(state, engine)) {
    undo();
    check(failure);
  }
}

}  // namespace vertebra::capi
