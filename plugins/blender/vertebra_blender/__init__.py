"""Vertebra in Blender: robots and motion capture as armatures, retargeting between them, and physics that is baked to keyframes. A client of
the C ABI through the Python binding. Rooms: binding, rigid, model, clip and simulation know nothing of Blender; armature and meshes build and
read its objects; bake joins both; *_operators and panel are what users see; properties is what the .blend file keeps."""
import bpy

from . import bake_operators, export_operators, import_operators, panel, properties, retarget_operators

bl_info = {
    "name": "Vertebra",
    "description": "Import URDF and BVH, retarget motion, simulate figures and bake them",
    "author": "The vertebra project",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "3D view, sidebar, tab Vertebra; File, Import and Export",
    "category": "Animation",
}

CLASSES = (import_operators.CLASSES + export_operators.CLASSES + retarget_operators.CLASSES + bake_operators.CLASSES + panel.CLASSES)


def register():
    properties.register()
    for one in CLASSES:
        bpy.utils.register_class(one)
    bpy.types.TOPBAR_MT_file_import.append(panel.import_menu)
    bpy.types.TOPBAR_MT_file_export.append(panel.export_menu)


def unregister():
    bpy.types.TOPBAR_MT_file_export.remove(panel.export_menu)
    bpy.types.TOPBAR_MT_file_import.remove(panel.import_menu)
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
    properties.unregister()
