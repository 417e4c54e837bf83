// `vertebra view --web` and `--export`: a world in a browser, running behind a server of this machine, or recorded in one file.
#pragma once
#include <string>

#include "cli/render_source.hpp"
#include "cli/view_library.hpp"

namespace vertebra::cli {

std::vector<Option> webOptions();  // --web, --port, --export, --time, --fps

void checkWeb(const Arguments& arguments);  // UsageError for what does not go together

// Serves the source's world in an off-screen viewer until the user ends it, a signal comes, or for so many seconds (0: no end). Prints the
// address.
void serveWeb(vtb_viewer* viewer, const Source& source, const Arguments& arguments, double seconds);

// Records what render would draw into --export's page.
void exportWeb(const Arguments& arguments);

}  // namespace vertebra::cli
