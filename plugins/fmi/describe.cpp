// See describe.hpp. Rules: FMI 2.0.4, sections 2.2 and 4.3; FMI 3.0, sections 2.4 and 4.4.
//
// Outputs at a communication point are the state that the inner steps before it left: no input acts on them at the same point, so that
// their dependencies are empty. During the initialization they follow from the start coordinates and velocities of the joints.
#include "plugins/fmi/describe.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "plugins/fmi/component.hpp"
#include "plugins/fmi/units.hpp"

namespace vertebra::fmi {

namespace {

std::string number(double value) {
  char text[40];
  const auto end = std::to_chars(text, text + sizeof text, value);
  return {text, end.ptr};
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  return result;
}

std::string attribute(const char* name, const std::string& value) { return std::string(" ") + name + "=\"" + escaped(value) + "\""; }

const char* wordOf(Causality causality) {
  constexpr const char* kWords[] = {"independent", "parameter", "input", "output"};
  return kWords[static_cast<int>(causality)];
}
const char* wordOf(Variability variability) {
  constexpr const char* kWords[] = {"fixed", "tunable", "discrete", "continuous"};
  return kWords[static_cast<int>(variability)];
}

class Writer {
 public:
  Writer(const Model& model, int version, const Experiment& experiment) : m_(model), three_(version == 3), e_(experiment) {}

  std::string text() {
    t_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription";
    t_ += attribute("fmiVersion", three_ ? "3.0" : "2.0") + attribute("modelName", e_.name) +
          attribute(three_ ? "instantiationToken" : "guid", m_.token()) +
          attribute("description", "Multibody model; inner steps of " + number(m_.timeStep()) + " s") +
          attribute("generationTool", std::string("vertebra ") + vtb_version()) + attribute("variableNamingConvention", "structured");
    if (!three_) t_ += attribute("numberOfEventIndicators", "0");
    t_ += ">\n";
    capabilities();
    units();
    t_ += "  <LogCategories>\n";
    constexpr const char* kMeanings[] = {"steps made although not all constraints could be met", "values and steps refused",
                                         "calls that were wrong or could not be done"};
    for (int i = 0; i < 3; ++i) t_ += "    <Category" + attribute("name", kCategories[i]) + attribute("description", kMeanings[i]) + "/>\n";
    t_ += "  </LogCategories>\n  <DefaultExperiment startTime=\"0\"" + attribute("stopTime", number(e_.stopTime)) +
          attribute("stepSize", number(e_.stepSize)) + "/>\n";
    variables();
    structure();
    return t_ + "</fmiModelDescription>\n";
  }

 private:
  void flags(std::initializer_list<const char*> names, bool value) {
    for (const char* name : names) t_ += attribute(name, value ? "true" : "false");
  }

  void capabilities() {
    t_ += "  <CoSimulation" + attribute("modelIdentifier", e_.identifier);
    flags({"needsExecutionTool", "canBeInstantiatedOnlyOncePerProcess"}, false);
    flags({"canHandleVariableCommunicationStepSize"}, true);
    t_ += attribute("maxOutputDerivativeOrder", "0");
    if (three_) {
      flags({"canGetAndSetFMUState", "canSerializeFMUState"}, true);
      flags({"providesDirectionalDerivatives", "providesAdjointDerivatives", "providesPerElementDependencies", "providesIntermediateUpdate",
             "mightReturnEarlyFromDoStep", "canReturnEarlyAfterIntermediateUpdate", "hasEventMode", "providesEvaluateDiscreteStates"},
            false);
      t_ += attribute("fixedInternalStepSize", number(m_.timeStep()));
    } else {
      flags({"canGetAndSetFMUstate", "canSerializeFMUstate", "canNotUseMemoryManagementFunctions"}, true);
      flags({"canInterpolateInputs", "canRunAsynchronuously", "providesDirectionalDerivative"}, false);
    }
    t_ += "/>\n";
  }

  void units() {
    std::set<std::string> used;
    for (const Variable& v : m_.variables) used.insert(v.unit);
    t_ += "  <UnitDefinitions>\n";
    for (const Unit& unit : kUnits) {
      if (!used.count(unit.name)) continue;
      t_ += "    <Unit" + attribute("name", unit.name) + "><BaseUnit";
      const std::pair<const char*, int> exponents[] = {{"kg", unit.kg}, {"m", unit.m}, {"s", unit.s}, {"rad", unit.rad}};
      for (const auto& [name, exponent] : exponents)
        if (exponent != 0) t_ += attribute(name, std::to_string(exponent));
      t_ += "/></Unit>\n";
    }
    t_ += "  </UnitDefinitions>\n";
  }

  void variables() {
    t_ += "  <ModelVariables>\n";
    for (std::size_t i = 0; i < m_.variables.size(); ++i) {
      const Variable& v = m_.variables[i];
      std::string head = attribute("name", v.name) + attribute("valueReference", std::to_string(i)) +
                         attribute("description", v.description) + attribute("causality", wordOf(v.causality)) +
                         attribute("variability", wordOf(v.variability));
      // Neither the time nor, in FMI 2, inputs may have the attribute; of others it is that of their start.
      if (v.causality == Causality::kParameter) head += attribute("initial", "exact");
      if (v.causality == Causality::kOutput) head += attribute("initial", "calculated");
      std::string type;
      if (*v.unit) type += attribute("unit", v.unit);
      if (std::isfinite(v.min)) type += attribute("min", number(v.min));
      if (std::isfinite(v.max)) type += attribute("max", number(v.max));
      if (v.settable()) type += attribute("start", number(v.start));
      if (three_)
        t_ += std::string("    <") + (v.integer ? "Int32" : "Float64") + head + type + "/>\n";
      else
        t_ += "    <ScalarVariable" + head + "><" + (v.integer ? "Integer" : "Real") + type + "/></ScalarVariable>\n";
    }
    t_ += "  </ModelVariables>\n";
  }

  // All start coordinates (and velocities) of the joints that can move a thing of a figure, or of none; with `figure` = kNone those of all.
  std::vector<std::size_t> starts(std::size_t figure, bool velocities) const {
    std::vector<std::size_t> result;
    for (const JointLinks& links : m_.joints) {
      if (links.startQ == kNone || (figure != kNone && links.figure != kNone && links.figure != figure)) continue;
      for (int i = 0; i < links.nq; ++i) result.push_back(links.startQ + static_cast<std::size_t>(i));
      if (velocities)
        for (int i = 0; i < links.nv; ++i) result.push_back(links.startV + static_cast<std::size_t>(i));
    }
    return result;
  }

  std::vector<std::size_t> knownsAtStart(const Variable& v) const {
    std::vector<std::size_t> result;
    switch (v.role) {
      case Role::kQ:
      case Role::kV: {
        const JointLinks& links = m_.joints[v.owner];
        if (links.startQ == kNone) return starts(links.figure, v.role == Role::kV);
        for (int i = 0; i < links.nq; ++i) result.push_back(links.startQ + static_cast<std::size_t>(i));
        if (v.role == Role::kV)
          for (int i = 0; i < links.nv; ++i) result.push_back(links.startV + static_cast<std::size_t>(i));
        return result;
      }
      case Role::kPosition:
      case Role::kOrientation:
        return starts(m_.bodies[v.owner].figure, false);
      case Role::kVelocity:
      case Role::kAngularVelocity:
        return starts(m_.bodies[v.owner].figure, true);
      case Role::kKinetic:
        return starts(kNone, true);
      case Role::kPotential:
      case Role::kSensor: {
        result = {m_.gravity, m_.gravity + 1, m_.gravity + 2};
        const auto more = starts(kNone, v.role == Role::kSensor);
        result.insert(result.end(), more.begin(), more.end());
        return result;
      }
      default:
        return result;  // forces and counts are those of steps made
    }
  }

  void unknown(const char* element, std::size_t index, const std::vector<std::size_t>& knowns) {
    std::string list;
    for (const std::size_t known : knowns) list += (list.empty() ? "" : " ") + std::to_string(known + (three_ ? 0 : 1));
    t_ += std::string(three_ ? "    <" : "      <") + element +
          attribute(three_ ? "valueReference" : "index", std::to_string(index + (three_ ? 0 : 1))) + attribute("dependencies", list) +
          "/>\n";
  }

  // FMI 2 counts variables from 1, in their order; FMI 3 names value references.
  void structure() {
    t_ += "  <ModelStructure>\n";
    if (!three_) t_ += "    <Outputs>\n";
    for (std::size_t i = 0; i < m_.variables.size(); ++i)
      if (m_.variables[i].causality == Causality::kOutput) unknown(three_ ? "Output" : "Unknown", i, {});
    if (!three_) t_ += "    </Outputs>\n    <InitialUnknowns>\n";
    for (std::size_t i = 0; i < m_.variables.size(); ++i)
      if (m_.variables[i].causality == Causality::kOutput)
        unknown(three_ ? "InitialUnknown" : "Unknown", i, knownsAtStart(m_.variables[i]));
    if (!three_) t_ += "    </InitialUnknowns>\n";
    t_ += "  </ModelStructure>\n";
  }

  const Model& m_;
  bool three_;
  Experiment e_;
  std::string t_;
};

}  // namespace

double defaultStepSize(double innerStep) { return std::ceil(0.01 / innerStep - 1e-9) * innerStep; }

std::string describe(const Model& model, int version, const Experiment& experiment) { return Writer(model, version, experiment).text(); }

void writeReference(const std::string& resources, const Experiment& experiment, const std::function<void(const std::string&)>& write) {
  Instance instance(resources);
  const std::vector<Variable>& variables = instance.model().variables;
  std::vector<std::size_t> outputs;
  std::string line = "\"time\"";
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (variables[i].causality != Causality::kOutput) continue;
    outputs.push_back(i);
    line += ",\"";
    for (const char c : variables[i].name) line += c == '"' ? std::string("\"\"") : std::string(1, c);
    line += "\"";
  }
  write(line + "\n");
  instance.begin(0, false, 0);
  const long count = std::lround(std::floor(experiment.stopTime / experiment.stepSize + 1e-6));
  for (long k = 0;; ++k) {
    line = number(instance.time());
    for (const std::size_t i : outputs) line += "," + number(instance.get(i));
    write(line + "\n");
    if (k == count) return;
    const double point = static_cast<double>(k) * experiment.stepSize;
    const StepResult made = instance.step(point, static_cast<double>(k + 1) * experiment.stepSize - point);
    if (made.diverged) throw Failure("the default run diverges: " + made.warning);
  }
}

}  // namespace vertebra::fmi
