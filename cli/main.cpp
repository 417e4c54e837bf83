// The vertebra command: finds the verb, turns failures into messages on stderr and exit statuses: 0 done, 1 could not, 2 usage.
#include <cstdio>
#include <exception>

#include "cli/model.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"

namespace {

using namespace vertebra::cli;

std::string overview(const std::vector<Verb>& verbs) {
  std::string text =
      "usage: vertebra VERB ... [options]\n\nArticulated figures from URDF and BVH, and scenes of them: read, computed with, "
      "simulated, retargeted.\n\nverbs:\n";
  for (const Verb& verb : verbs)
    text += "  " + verb.syntax.verb + std::string(10 - verb.syntax.verb.size(), ' ') + verb.syntax.summary + "\n";
  return text +
         "\nvertebra VERB --help tells more; vertebra --version prints the version.\n"
         "Exit status: 0 done, 1 could not be done, 2 wrong usage. Messages go to stderr. With --json exactly one object is printed\n"
         "on stdout; when a thing could not be done it holds error and diagnostics.\n";
}

// With --json the reader still gets one object, so that a program need not parse messages.
void reportFailure(const Arguments& arguments, const std::string& error, const std::vector<Diagnostic>& diagnostics) {
  printDiagnostics(diagnostics, arguments);
  std::fprintf(stderr, "vertebra: %s\n", error.c_str());
  if (!arguments.has("json")) return;
  Json json;
  json.beginObject().member("error", error).key("diagnostics");
  write(json, diagnostics);
  try {
    print(json.endObject().text() + "\n");
  } catch (const Failure&) {  // stdout is gone; stderr has it all
  }
}

int runVerb(const Verb& verb, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--") break;
    if (word == "--help" || word == "-h") {
      print(helpText(verb.syntax));
      return 0;
    }
  }
  const Arguments arguments(verb.syntax, words);
  try {
    return verb.run(arguments);
  } catch (const LoadFailure& failure) {
    reportFailure(arguments, failure.what(), failure.diagnostics);
  } catch (const Failure& failure) {
    reportFailure(arguments, failure.what(), {});
  } catch (const std::bad_alloc&) {
    reportFailure(arguments, "not enough memory", {});
  }
  return 1;
}

int runCommand(std::vector<std::string> words) {
  const std::vector<Verb> verbs{infoVerb(),   figureVerb(),   fkVerb(),      dynamicsVerb(), simulateVerb(), convertVerb(),
                                motionVerb(), retargetVerb(), markersVerb(), renderVerb(),   viewVerb(),     fmuVerb()};
  if (words.empty()) {
    std::fputs(overview(verbs).c_str(), stderr);
    return 2;
  }
  const std::string name = words.front();
  words.erase(words.begin());
  if (name == "--help" || name == "-h") {
    print(overview(verbs));
    return 0;
  }
  if (name == "--version") {
    print(std::string("vertebra ") + vtb_version() + "\n");
    return 0;
  }
  for (const Verb& verb : verbs) {
    if (verb.syntax.verb != name) continue;
    try {
      return runVerb(verb, words);
    } catch (const UsageError& error) {
      std::fprintf(stderr, "vertebra %s: %s\nusage: vertebra %s %s [options]; more with vertebra %s --help\n", name.c_str(), error.what(),
                   name.c_str(), verb.syntax.operands.c_str(), name.c_str());
      return 2;
    }
  }
  std::fprintf(stderr, "vertebra: there is no verb '%s'\n\n%s", name.c_str(), overview(verbs).c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return runCommand(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vertebra: %s\n", error.what());
    return 1;
  }
}
