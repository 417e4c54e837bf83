// Sensors: what is read at sites of bodies and joints at the end of each physics step, kept until the next. They read poses, velocities,
// accelerations, forces of joints and contacts, and change nothing. SI units; world axes or those of the site. See vtb_sensor_type.
#pragma once
#include "engine/state/contact_world.hpp"

namespace vertebra::sensors {

void sampleSensors(ContactWorld& w, double h);  // of all, after a step of length h; allocates nothing
// Of one that no step has sampled yet: pose and velocity at present, no acceleration, no forces.
void readAtPresent(const ContactWorld& w, SensorSlot& sensor);

}  // namespace vertebra::sensors
