// The Catch2 runner shared by all test programs, and the folder of the sources.
#define CATCH_CONFIG_MAIN
#include "tests/support.hpp"

std::string test::sourceDir() { return VERTEBRA_SOURCE_DIR; }
