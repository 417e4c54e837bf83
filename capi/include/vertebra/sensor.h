/* sensor.h - sensors: what is read at sites of bodies and joints, kept after each physics step until the next. */
#ifndef VTB_SENSOR_H
#define VTB_SENSOR_H

/* Parameters of this topic.
 * @sensor: a sensor of this world
 */

/* What a sensor reads: how many values, and which. */
typedef enum vtb_sensor_type {
  VTB_SENSOR_TYPE_POSE = 0,         /* 7: the site in the world, position [m] and quaternion */
  VTB_SENSOR_TYPE_VELOCITY = 1,     /* 6: velocity of the site [m/s], angular velocity [rad/s] */
  VTB_SENSOR_TYPE_ACCELERATION = 2, /* 6: acceleration of the site [m/s^2], angular acceleration [rad/s^2], means over the physics step */
  /* 6: acceleration of the site less the gravity that its body feels [m/s^2], angular velocity [rad/s]: 0 in free fall, upwards at rest */
  VTB_SENSOR_TYPE_IMU = 3,
  /* 6: force [N], and torque [N m] about the site, of body_a on body_b through the joint: of all that it holds, of drives, springs, limits
   * and friction; means over the physics step */
  VTB_SENSOR_TYPE_FORCE_TORQUE = 4,
  VTB_SENSOR_TYPE_TOUCH = 5 /* 1: sum of the normal forces of contact points on the body [N], mean over the physics step */
} vtb_sensor_type;
/* Axes of what a sensor reads. */
typedef enum vtb_sensor_axes {
  VTB_SENSOR_AXES_SITE = 0, /* those of the site */
  VTB_SENSOR_AXES_WORLD = 1 /* those of the world */
} vtb_sensor_axes;
/* Which contact points of the body a sensor of type touch counts. */
typedef enum vtb_sensor_region {
  VTB_SENSOR_REGION_ALL = 0,    /* all */
  VTB_SENSOR_REGION_SPHERE = 1, /* those in a ball about the site; size[0] = radius */
  VTB_SENSOR_REGION_BOX = 2     /* those in a box about the site, along its axes; size = half extents */
} vtb_sensor_region;
/* A sensor. */
typedef struct vtb_sensor_def {
  uint32_t struct_size;     /* sizeof the struct in the caller's program */
  vtb_sensor_type type;     /* [pose]: what it reads */
  vtb_body body;            /* [none]: that carries the site; none = the world; of type force_torque none */
  vtb_joint joint;          /* [none]: of type force_torque: whose force is read; of others none */
  double pose[7];           /* pose [identity]: the site, in the body's link frame; of type force_torque in the joint's frame on body_b */
  vtb_sensor_axes axes;     /* [site]: of what it reads; a pose is always the world's */
  vtb_sensor_region region; /* [all]: of type touch: which contact points count */
  double size[3];           /* m, >= 0 [0]: of the region */
} vtb_sensor_def;
vtb_status vtb_sensor_def_init(vtb_sensor_def* def, uint32_t struct_size);
/* A sensor. It is sampled at the end of each physics step, under every stepper, and keeps what it read until the next, whatever is edited
 * between; snapshots and saved scenes hold it. Until the first step it reads the present: pose and velocity as they are, accelerations,
 * forces and torques 0, an IMU gravity. Of a prescribed body the acceleration is the change of its velocity since the last sample. It has
 * no effect on the motion. Its body's or joint's destruction destroys it. VTB_E_UNSUPPORTED for a rotor. */
vtb_status vtb_sensor_create(vtb_world* world, const vtb_sensor_def* def, vtb_sensor* out);
/* Destroys a sensor. */
vtb_status vtb_sensor_destroy(vtb_world* world, vtb_sensor sensor);
/* What it read: as many values as its type has, see vtb_sensor_type.
 * @values array of capacity, m or m/s or rad/s or m/s^2 or rad/s^2 or N or N m or 1, or NULL: receives them */
vtb_status vtb_sensor_get_values(const vtb_world* world, vtb_sensor sensor, double* values, size_t capacity, size_t* total);
/* What all sensors read, one after the other in the order of vtb_world_get_sensors.
 * @values array of capacity, m or m/s or rad/s or m/s^2 or rad/s^2 or N or N m or 1, or NULL: receives them */
vtb_status vtb_world_get_sensor_values(const vtb_world* world, double* values, size_t capacity, size_t* total);

#endif
