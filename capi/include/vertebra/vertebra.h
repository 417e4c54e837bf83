/* vertebra.h - physics for articulated figures, the whole library behind one C header. It includes one header for each topic; programs
 * include this one only.
 *
 * Conventions. SI units, radians, right-handed, Z up. Quaternions are x, y, z, w and turn local into parent axes. Poses are 7
 * doubles: position [m], quaternion. Twists are 6 doubles: linear velocity of the link frame's origin [m/s], then angular velocity
 * [rad/s], world axes. Inertia is xx, xy, xz, yy, yz, zz about the centre of mass in link axes. Matrices are row-major.
 * A link frame is the frame of the file (URDF link, BVH joint); bodies are given and reported in it.
 *
 * Objects. A vtb_world is owned by the caller and used by one thread at a time; distinct worlds share nothing that changes.
 * vtb_skeleton, vtb_motion, vtb_trajectory, vtb_markers, vtb_scene and vtb_diagnostics are free of worlds, reference-counted and never
 * change after creation; any thread may read them. Things inside a world are value handles, given beside the world: one that no longer
 * exists, or belongs to another world, answers VTB_E_STALE. The zero handle means "none"; where a body is asked for it means the world
 * itself.
 *
 * Calls. Every call that can fail returns a vtb_status; on failure outputs are untouched and vtb_last_error() says what, where and
 * how to mend. Structs that are passed in start with struct_size and are prepared by their _init call; structs that are filled for the
 * caller have struct_size set by the caller; an unknown non-zero tail is refused. Settings of one concern stand together in a struct inside
 * another (contact of vtb_world_def), which has no struct_size. From 1.0 on a struct only grows at its end, and one that stands inside
 * another, or has no struct_size, never grows: a new field of an old concern is appended to the outer struct. Output arrays take a
 * capacity and report the total: min(capacity, total) entries are written. An array may be NULL where its capacity or its count (of points,
 * coordinates, bytes, ...) is 0. Stride 0 means packed; strides are in bytes. Strings are UTF-8; a text output takes a buffer and its size,
 * always ends in NUL when the size is not 0, and reports the bytes needed, NUL included.
 * Inside a callback only functions that take a const world may be called; others answer VTB_E_BUSY.
 *
 * Comments. The declarations and the comments beside them are the one description of the interface: capi/api reads both, and makes from
 * them the checks of what a caller passes in, the attributes of scene files, vertebra.json and vertebra_amalgamated.h. The build fails
 * where a comment does not follow this grammar:
 *   above a type or function    sentences on what it is. A function vtb_x_init needs none: it fills its struct with the defaults.
 *   behind or above a field     [specification] ["[" default "]"] ": " sentence; the specification is empty, or parts set off by ", ":
 *       array of A x B          length of what a pointer points to: numbers, and fields or parameters beside it
 *       unit                    such as m/s, N m/rad, 1 (a pure number), "pose" (m, then a quaternion), "twist" (m/s, then rad/s);
 *                               several with "or"; each number in double or float has one
 *       range                   > 0, >= 0, > 0 < 2, 0 to 1 (ends included), 0 or 1 (no, yes), any; with "or inf" where infinity is allowed,
 *                               with "-1 or" before it for one more value. Without a range numbers are finite
 *       unit                    (after a unit) the vector has unit length
 *       vtb_x_flag bits         the field is a sum of enumerators of that type; "bits": any bits
 *       except a b              of an enumeration: words that are not allowed
 *       or NULL                 a pointer that may be NULL
 *   behind a field that is a struct   a sentence. Fields in it are named by their paths, such as contact.margin; in scene files' <settings>
 *                               and <field> and as keywords of the Python binding with _ in place of the dot: contact_margin
 *   of a parameter              a line "@name specification: sentence" in the comment above the function, in the comment "Parameters of
 *                               this topic" of the header, or in base.h's "Parameters that mean the same in every call": the first of them
 *   behind or above an enumerator   a sentence. An enumerator's name begins with that of its type; what follows, in lower case, is its word
 *                               in scene files. A flag with the word no_x is the attribute x there, the other way round.
 * Directions follow from the types: what a pointer to const points to is read, what another points to is written; objects may change.
 * struct_size and reserved need no more than their sentence. */
#ifndef VTB_VERTEBRA_H
#define VTB_VERTEBRA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* A topic uses those above it. */
/* clang-format off */
#include "vertebra/base.h"
#include "vertebra/orientation.h"
#include "vertebra/pose.h"
#include "vertebra/joint_type.h"
#include "vertebra/shape.h"
#include "vertebra/skeleton.h"
#include "vertebra/skeleton_builder.h"
#include "vertebra/skeleton_file.h"
#include "vertebra/skeleton_edit.h"
#include "vertebra/motion.h"
#include "vertebra/motion_tools.h"
#include "vertebra/markers.h"
#include "vertebra/marker_fit.h"
#include "vertebra/dynamics.h"
#include "vertebra/trajectory.h"
#include "vertebra/retarget_map.h"
#include "vertebra/retarget.h"
#include "vertebra/retarget_report.h"
#include "vertebra/retargeter.h"
#include "vertebra/track.h"
#include "vertebra/ode.h"
#include "vertebra/settings.h"
#include "vertebra/world.h"
#include "vertebra/threads.h"
#include "vertebra/body.h"
#include "vertebra/joint.h"
#include "vertebra/coupling.h"
#include "vertebra/field.h"
#include "vertebra/constraint.h"
#include "vertebra/driveline.h"
#include "vertebra/particles.h"
#include "vertebra/figure.h"
#include "vertebra/controller.h"
#include "vertebra/contact.h"
#include "vertebra/sensor.h"
#include "vertebra/query.h"
#include "vertebra/scene.h"
#include "vertebra/make.h"
#include "vertebra/objects.h"
/* clang-format on */

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
