/* markers.h - positions of optical markers over time: TRC files read and written, synthesised from a clip and a marker set. */
#ifndef VTB_MARKERS_H
#define VTB_MARKERS_H

/* Parameters of this topic.
 * @markers: positions over time
 * @up: axis of the file that points up, y or z; guess = y, as is usual
 * @out: receives the result
 */

/* What a record of markers holds. */
typedef struct vtb_markers_info {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  int32_t markers;      /* number of markers */
  int32_t frames;       /* number of frames */
  uint32_t reserved;    /* must be 0 */
  double frame_time;    /* s: from one frame to the next */
} vtb_markers_info;
/* What is wrong with synthesised markers, as with those of cameras. */
typedef struct vtb_marker_faults_def {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  int32_t swaps;        /* 0 to 1000 [0]: how many times a marker and its nearest exchange their names, from a frame on */
  double noise;         /* m, >= 0 [0]: standard deviation of each coordinate (a sum of twelve uniform numbers) */
  double dropout;       /* 1, 0 to 0.99 [0]: share of frames without a marker, in gaps of 0.1 s on average */
  uint64_t seed;        /* any [0]: the same gives the same faults */
} vtb_marker_faults_def;
vtb_status vtb_marker_faults_def_init(vtb_marker_faults_def* def, uint32_t struct_size);
/* Markers of a clip. The set is an XML file: <markers> with a <marker name="LKNE" joint="LeftLeg" offset="0.05 0 0"/> each; the offset is
 * in metres, in the joint's frame. Diagnostics as for a URDF. VTB_E_IO, VTB_E_PARSE.
 * @set or NULL: path of the marker set; NULL = a marker with its name at the origin of each joint
 * @def or NULL: what is wrong with the markers */
vtb_status vtb_markers_from_motion(const vtb_motion* motion, const char* set, const vtb_marker_faults_def* def,
                                   vtb_diagnostics** diagnostics, vtb_markers** out);
/* Reads a TRC file: tabs, units m, cm or mm, a marker without a position where its three fields are empty or NaN. Diagnostics as for a
 * URDF. VTB_E_IO, VTB_E_PARSE. */
vtb_status vtb_markers_load_trc(const char* path, vtb_up_axis up, vtb_diagnostics** diagnostics, vtb_markers** out);
/* The same from text. VTB_E_PARSE.
 * @text array of size, or NULL: the file's content, UTF-8; need not end in NUL
 * @name: stands for the file in the findings */
vtb_status vtb_markers_parse_trc(const char* text, size_t size, const char* name, vtb_up_axis up, vtb_diagnostics** diagnostics,
                                 vtb_markers** out);
/* Writes a TRC file, Y up, millimetres; fields of a marker without a position are empty. VTB_E_IO. */
vtb_status vtb_markers_save_trc(const vtb_markers* markers, const char* path);
/* The same into memory. */
vtb_status vtb_markers_write_trc(const vtb_markers* markers, char* buffer, size_t size, size_t* needed);
/* Numbers of markers and frames, frame time. */
vtb_status vtb_markers_get_info(const vtb_markers* markers, vtb_markers_info* out);
/* Name of a marker.
 * @index: of the marker */
vtb_status vtb_markers_get_name(const vtb_markers* markers, int32_t index, char* buffer, size_t size, size_t* needed);
/* Positions of all markers in a frame, world axes, Z up.
 * @frame: counted from 0
 * @positions array of capacity, m: receives 3 for each marker; not a number where it has none */
vtb_status vtb_markers_get_frame(const vtb_markers* markers, int32_t frame, double* positions, size_t capacity, size_t stride_bytes,
                                 size_t* total);
/* A clip of the record, in metres, Z up: a joint without parent and without rotations for each marker, so that it can be resampled,
 * filtered and trimmed; vtb_markers_from_motion makes it a record again. A clip has no gaps. VTB_E_UNSUPPORTED: a marker has gaps that are
 * not to be filled, or no position at all.
 * @fill 0 or 1: 1: in a gap the marker moves on a straight line, before its first and behind its last position it stays
 * @diagnostics or NULL: receives a warning markers.filled for each marker that had gaps */
vtb_status vtb_motion_from_markers(const vtb_markers* markers, int32_t fill, vtb_diagnostics** diagnostics, vtb_motion** out);
/* One more owner; each releases once. */
vtb_status vtb_markers_retain(vtb_markers* markers);
/* One owner less; the last one destroys it.
 * @markers or NULL: positions over time */
vtb_status vtb_markers_release(vtb_markers* markers);

#endif
