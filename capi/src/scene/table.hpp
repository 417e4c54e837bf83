// The elements of scene files; table.cpp holds what each takes.
#pragma once
#include "loaders/scene/grammar.hpp"

namespace vertebra::capi::scene {

using vertebra::scene::ElementRule;

extern const ElementRule kScene, kSettings, kMaterial, kBody, kSphere, kCapsule, kBox, kCylinder, kPlane, kConvex, kMesh, kCompound,
    kHeightfield, kJoint, kAxis, kMotor, kOrientationMotor, kTarget, kCoupling, kTerm, kDriveline, kPoints, kPoint, kParticles, kEmitter,
    kSink, kParticle, kField, kSensor, kNoCollision, kForce, kFigure, kPose, kFigureMotor, kFigureOrientationMotor, kDrive, kGains,
    kAnimation, kPlay, kRootDrive, kMarkerDrive, kMarker, kInverseDynamics, kBalance, kPointAt, kGoal, kMotion, kCamera, kState, kBodyState,
    kJointState, kFigureState, kParticlesState, kExact;

}  // namespace vertebra::capi::scene
