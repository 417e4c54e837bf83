// vertebra dynamics: mass matrix, bias, forward or inverse dynamics, energy and momentum of a figure in a given state.
#include "cli/model.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"

namespace vertebra::cli {

namespace {

struct Result {
  Coordinates coordinates;
  std::vector<double> matrix, bias, gravity, solved;  // solved: qdd or tau
  bool forward = false;
  double kinetic = 0, potential = 0, com[3] = {}, momentum[6] = {};
};

Result compute(const Arguments& arguments) {
  if (!arguments.has("q") || !arguments.has("qd")) throw UsageError("--q and --qd are needed");
  if (arguments.has("tau") == arguments.has("qdd")) throw UsageError("one of --tau and --qdd is needed");
  const std::vector<double> g = arguments.has("gravity") ? arguments.numbers("gravity", 3) : std::vector<double>{0, 0, -9.81};
  const Model model = loadModel(arguments.operand(0), arguments);
  printDiagnostics(model.diagnostics, arguments);

  Result r;
  r.coordinates = coordinatesOf(model, arguments);
  r.forward = arguments.has("tau");
  vtb_workspace* workspace = r.coordinates.workspace.get();
  const std::size_t nv = r.coordinates.v.size();
  const std::vector<double> zero(nv);
  const auto q = namedNumbers(arguments, "q", r.coordinates.q, neutral(r.coordinates));
  const auto v = namedNumbers(arguments, "qd", r.coordinates.v, zero);
  const auto given = namedNumbers(arguments, r.forward ? "tau" : "qdd", r.coordinates.v, zero);

  r.matrix.resize(nv * nv);
  r.bias.resize(nv);
  r.gravity.resize(nv);
  r.solved.resize(nv);
  check(vtb_dynamics_mass_matrix(workspace, at(q), at(r.matrix)), "mass matrix");
  check(vtb_dynamics_bias(workspace, at(q), at(v), at(g), at(r.bias)), "bias");
  check(vtb_dynamics_gravity(workspace, at(q), at(g), at(r.gravity)), "gravity");
  if (r.forward)
    check(vtb_dynamics_forward(workspace, at(q), at(v), at(given), at(g), at(r.solved)), "forward dynamics");
  else
    check(vtb_dynamics_inverse(workspace, at(q), at(v), at(given), at(g), at(r.solved)), "inverse dynamics");
  check(vtb_dynamics_energy(workspace, at(q), at(v), at(g), &r.kinetic, &r.potential), "energy");
  double velocity[3];
  check(vtb_dynamics_com(workspace, at(q), at(v), r.com, velocity), "centre of mass");
  check(vtb_dynamics_momentum(workspace, at(q), at(v), r.momentum), "momentum");
  return r;
}

std::string asJson(const Result& r) {
  const std::size_t nv = r.coordinates.v.size();
  Json json;
  json.beginObject().key("coordinates").strings(r.coordinates.q).key("velocities").strings(r.coordinates.v);
  json.key("M").beginArray();
  for (std::size_t i = 0; i < nv; ++i) json.numbers(r.matrix.data() + i * nv, nv);
  json.endArray().key("bias").numbers(r.bias).key("gravity").numbers(r.gravity).key(r.forward ? "qdd" : "tau").numbers(r.solved);
  json.key("energy").beginObject().member("kinetic", r.kinetic).member("potential", r.potential).endObject();
  json.key("com").numbers(r.com, 3).key("momentum").numbers(r.momentum, 6);
  return json.endObject().text() + "\n";
}

std::string asText(const Result& r) {
  const std::size_t nv = r.coordinates.v.size();
  Table vectors({"velocity", r.forward ? "qdd" : "tau", "bias", "gravity"});
  for (std::size_t i = 0; i < nv; ++i)
    vectors.add({r.coordinates.v[i], readable(r.solved[i]), readable(r.bias[i]), readable(r.gravity[i])});
  std::vector<std::string> heads{"M"};
  heads.insert(heads.end(), r.coordinates.v.begin(), r.coordinates.v.end());
  Table matrix(heads);
  for (std::size_t i = 0; i < nv; ++i) {
    std::vector<std::string> cells{r.coordinates.v[i]};
    for (std::size_t j = 0; j < nv; ++j) cells.push_back(readable(r.matrix[i * nv + j]));
    matrix.add(std::move(cells));
  }
  return vectors.text() + "\n" + matrix.text() + "\nkinetic energy    " + readable(r.kinetic) + " J\npotential energy  " +
         readable(r.potential) + " J\ncentre of mass    " + readable(r.com, 3) + " m\nlinear momentum   " + readable(r.momentum, 3) +
         " kg m/s\nangular momentum  " + readable(r.momentum + 3, 3) + " kg m^2/s about the centre of mass\n";
}

int run(const Arguments& arguments) {
  const Result result = compute(arguments);
  print(arguments.has("json") ? asJson(result) : asText(result));
  return 0;
}

}  // namespace

Verb dynamicsVerb() {
  Syntax syntax;
  syntax.verb = "dynamics";
  syntax.operands = "FILE --q VALUES --qd VALUES (--tau VALUES | --qdd VALUES)";
  syntax.operandCount = 1;
  syntax.summary = "The equation of motion tau = M qdd + bias of a figure in a given state, solved for qdd or for tau.";
  syntax.options = {
      {"q", "VALUES", "all coordinates as v,v,... or some by name as name=v,name=v, the others neutral (see info for the names)"},
      {"qd", "VALUES", "velocities, the same way; those not named are 0"},
      {"tau", "VALUES", "joint forces, one per velocity: forward dynamics"},
      {"qdd", "VALUES", "accelerations, one per velocity: inverse dynamics"},
      {"gravity", "X,Y,Z", "in m/s^2 (default 0,0,-9.81)"},
  };
  for (Option& option : loadOptions()) syntax.options.push_back(std::move(option));
  for (Option& option : baseOptions()) syntax.options.push_back(std::move(option));
  syntax.details =
      "JSON: coordinates, velocities, M (rows), bias (gravity included), gravity (that part of the bias alone), qdd (with --tau) or tau\n"
      "(with --qdd), energy{kinetic, potential}, com, momentum (linear, then angular about the centre of mass). World axes, SI units.\n"
      "Joint springs, damping, friction and armature are not part of M and bias.\n";
  return {syntax, run};
}

}  // namespace vertebra::cli
