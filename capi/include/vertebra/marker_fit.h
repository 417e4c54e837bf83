/* marker_fit.h - optical markers to the motion of a figure: frame by frame or a whole record, with gaps and exchanged names. */
#ifndef VTB_MARKER_FIT_H
#define VTB_MARKER_FIT_H

/* Parameters of this topic.
 * @fitter: from positions of markers to a figure's coordinates
 * @positions array of markers x 3, m: world, Z up, in the order of the set; not a number where a marker is hidden
 * @q array of capacity, rad or m: receives nq coordinates where ready is 1; VTB_E_ARG if it is smaller
 * @ready: receives 1 if there is a frame, else 0
 */

/* How markers are fitted. */
typedef struct vtb_marker_fit_def {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  int32_t calibrate;    /* 0 or 1 [0]: a whole record first tells where the markers sit (vtb_markers_fit) */
  double noise;         /* m, 1e-6 to 1 [0.005]: standard deviation of a coordinate of a marker */
  double agility;       /* rad/s^2, 1e-3 to 1e6 [30]: standard deviation of accelerations of joints at the start, then by joint
                           as found, 0.1 to 3 times as much; of the root half as many m/s^2 */
  double placing;       /* m, 1e-6 to 1 [0.02]: standard deviation of where the set says that a marker sits, for calibration */
  double latency;       /* s, 0 to 10 [0.1]: how far a result may look ahead */
} vtb_marker_fit_def;
vtb_status vtb_marker_fit_def_init(vtb_marker_fit_def* def, uint32_t struct_size);
/* What a fitter takes and gives, and what it has met since it was made or restarted. */
typedef struct vtb_marker_fit_info {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  int32_t markers;      /* markers of the set */
  int32_t nq;           /* coordinates in a frame of the result, named as a trajectory's */
  int32_t latency;      /* frames from positions to their result */
  int32_t swaps;        /* pairs of markers that were found to have exchanged their names, and were exchanged back */
  int32_t outliers;     /* positions that fitted nowhere and were left out */
  int32_t hidden;       /* positions that were not there */
  int32_t first;        /* frames before three markers were seen together; a whole record's have the coordinates of the first after them */
  double residual;      /* m: root mean square distance of the positions that were used from the figure's */
} vtb_marker_fit_info;
/* A fitter for frames at equal steps. The set is an XML file as vtb_markers_from_motion has it; its joints are links or joints of the
 * skeleton, whose root is free. Diagnostics as for a URDF. VTB_E_IO, VTB_E_PARSE; VTB_E_UNSUPPORTED for fewer than three markers.
 * @set: path of the marker set
 * @frame_time s, > 0: from one frame to the next
 * @def or NULL: how to do it */
vtb_status vtb_marker_fitter_create(const vtb_skeleton* skeleton, const char* set, double frame_time, const vtb_marker_fit_def* def,
                                    vtb_diagnostics** diagnostics, vtb_marker_fitter** out);
/* Numbers of markers and coordinates, latency, what was met. */
vtb_status vtb_marker_fitter_get_info(const vtb_marker_fitter* fitter, vtb_marker_fit_info* out);
/* Name of a marker of the set.
 * @index: of the marker */
vtb_status vtb_marker_fitter_get_name(const vtb_marker_fitter* fitter, int32_t index, char* buffer, size_t size, size_t* needed);
/* Where a marker sits, as calibrated.
 * @index: of the marker
 * @offset m: receives its place in the frame of its link or joint */
vtb_status vtb_marker_fitter_get_offset(const vtb_marker_fitter* fitter, int32_t index, double offset[3]);
/* Finds where the markers sit from a record of the same actor, with markers of the same names; then forgets its frames. VTB_E_UNSUPPORTED
 * if no frame shows three of them.
 * @markers: the record */
vtb_status vtb_marker_fitter_calibrate(vtb_marker_fitter* fitter, const vtb_markers* markers);
/* The next frame. The result belongs to the frame that came `latency` frames before; there is none before three markers were seen
 * together. */
vtb_status vtb_marker_fitter_push(vtb_marker_fitter* fitter, const double* positions, double* q, size_t capacity, size_t* total,
                                  int32_t* ready);
/* One of the frames that are still held back, when no more frames come. */
vtb_status vtb_marker_fitter_finish(vtb_marker_fitter* fitter, double* q, size_t capacity, size_t* total, int32_t* ready);
/* Where the markers are expected in the frame to come, hidden ones too. VTB_E_UNSUPPORTED before the first fitted frame.
 * @positions array of capacity, m: receives 3 for each marker */
vtb_status vtb_marker_fitter_predict(vtb_marker_fitter* fitter, double* positions, size_t capacity, size_t stride_bytes, size_t* total);
/* Forgets all frames and exchanged names; where the markers sit stays. */
vtb_status vtb_marker_fitter_restart(vtb_marker_fitter* fitter);
/* Destroys a fitter.
 * @fitter or NULL: the fitter */
vtb_status vtb_marker_fitter_destroy(vtb_marker_fitter* fitter);
/* A whole record: each of its frames gets coordinates. Markers of the record that the set does not have are not used, those of the
 * set that the record does not have are hidden; the diagnostics tell both. VTB_E_IO, VTB_E_PARSE; VTB_E_UNSUPPORTED as
 * vtb_marker_fitter_create, and if no frame shows three markers.
 * @markers: the record
 * @set: path of the marker set
 * @def or NULL: how to do it
 * @info or NULL: receives what was met
 * @out: receives the trajectory */
vtb_status vtb_markers_fit(const vtb_markers* markers, const vtb_skeleton* skeleton, const char* set, const vtb_marker_fit_def* def,
                           vtb_marker_fit_info* info, vtb_diagnostics** diagnostics, vtb_trajectory** out);
/* The figure with bones as long as a record shows: all lengths together, by least squares, while the coordinates of each frame go along;
 * masses and inertias follow. A length that no marker tells stays. Diagnostics as of vtb_markers_fit, and markers.bone for each bone that
 * changed by more than a thousandth. VTB_E_IO, VTB_E_PARSE; VTB_E_UNSUPPORTED as vtb_markers_fit.
 * @markers: the record
 * @set: path of the marker set
 * @def or NULL: how the record is fitted; calibrate and latency do not count
 * @out: receives the skeleton */
vtb_status vtb_markers_calibrate_bones(const vtb_markers* markers, const vtb_skeleton* skeleton, const char* set,
                                       const vtb_marker_fit_def* def, vtb_diagnostics** diagnostics, vtb_skeleton** out);

#endif
