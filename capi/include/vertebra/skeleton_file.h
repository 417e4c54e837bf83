/* skeleton_file.h - models of figures as files of their own: everything that a skeleton holds, readable, to be edited by hand or by
 * program. */
#ifndef VTB_SKELETON_FILE_H
#define VTB_SKELETON_FILE_H

/* Reads a skeleton file (docs/reference/skeleton.md) or a URDF, by its outermost element. VTB_E_IO, VTB_E_PARSE.
 * @def or NULL: how to read a URDF */
vtb_status vtb_skeleton_load(const char* path, const vtb_urdf_def* def, vtb_diagnostics** diagnostics, vtb_skeleton** out);
/* The same from text; paths of meshes in it are relative to the folder of name. VTB_E_PARSE.
 * @text array of size, or NULL: the file's content, UTF-8; need not end in NUL
 * @name: stands for the file in the findings
 * @def or NULL: how to read a URDF */
vtb_status vtb_skeleton_parse(const char* text, size_t size, const char* name, const vtb_urdf_def* def, vtb_diagnostics** diagnostics,
                              vtb_skeleton** out);
/* Writes a skeleton file, which reads back the same to round-off of its orientations; meshes and hulls stand in it as points. VTB_E_IO. */
vtb_status vtb_skeleton_save(const vtb_skeleton* skeleton, const char* path);
/* The same into memory. */
vtb_status vtb_skeleton_write(const vtb_skeleton* skeleton, char* buffer, size_t size, size_t* needed);
/* What skeleton files may hold, as Markdown: every element with its attributes. */
vtb_status vtb_skeleton_get_reference(char* buffer, size_t size, size_t* needed);

#endif
