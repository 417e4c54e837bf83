// Files of optical markers. TRC (Cortex, Motive, OpenSim): five lines of head, then a row a frame, tabs between fields; three fields a
// marker, empty or NaN where it was not seen. Marker sets: <markers><marker name="LKNE" joint="LeftLeg" offset="0.05 0 0"/> ...</markers>,
// offsets in metres in the joint's frame. Findings carry lines; what does not fit is an error.
#pragma once
#include <string>
#include <string_view>

#include "engine/figure/markers.hpp"
#include "loaders/diagnostics.hpp"

namespace vertebra {

// zUp: the file's z points up, else its y. False when there is an error; `out` is then unspecified.
bool loadTrcText(std::string_view text, const std::string& name, bool zUp, figure::MarkerRecord& out, Diagnostics& diagnostics);
bool loadTrcFile(const std::string& path, bool zUp, figure::MarkerRecord& out, Diagnostics& diagnostics);
std::string writeTrcText(const figure::MarkerRecord& record);  // Y up, millimetres to six decimals

// joints: names on which a marker may sit.
bool loadMarkerSet(const std::string& path, const std::vector<std::string>& joints, std::vector<figure::MarkerPlace>& out,
                   Diagnostics& diagnostics);

}  // namespace vertebra
