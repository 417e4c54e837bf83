// Attributes that elements of both table files share.
#pragma once
#include "capi/src/scene/rules.hpp"

namespace vertebra::capi::scene {

Rules motorRules();             // of MotorValues
Rules orientationMotorRules();  // of OrientationMotorValues
Rules coordinateRules();        // of CoordinatesValues

}  // namespace vertebra::capi::scene
