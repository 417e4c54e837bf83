// The verbs of the command. Each prints its result on stdout and throws UsageError or Failure when it cannot; the exit status is
// returned only by a verb that has a result to show although it could not finish.
#pragma once
#include "cli/arguments.hpp"

namespace vertebra::cli {

struct Verb {
  Syntax syntax;
  int (*run)(const Arguments& arguments);
};

Verb infoVerb();
Verb figureVerb();
Verb fkVerb();
Verb dynamicsVerb();
Verb simulateVerb();
Verb convertVerb();
Verb retargetVerb();
Verb motionVerb();
Verb markersVerb();
Verb renderVerb();
Verb viewVerb();
Verb fmuVerb();

}  // namespace vertebra::cli
