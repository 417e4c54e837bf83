"""The tab Vertebra in the sidebar of the 3D view, and the entries in the menus Import and Export."""
import textwrap

import bpy

from .binding import vtb
from .import_operators import active_armature


SHOWN = 12  # findings


def draw_finding(column, one, width):
    """A finding over as many lines as the panel's width asks for."""
    lines = textwrap.wrap(one.text, max(18, (width - 90) // 7))
    column.label(text=lines[0], icon="INFO" if one.severity == vtb.VTB_SEVERITY_INFO else "ERROR")
    for line in lines[1:]:
        column.label(text=line, icon="BLANK1")


class Tab:
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "Vertebra"


class FilesPanel(Tab, bpy.types.Panel):
    bl_idname, bl_label = "VERTEBRA_PT_files", "Files"

    def draw(self, context):
        column = self.layout.column(align=True)
        column.operator("vertebra.import_model", icon="IMPORT")
        column.operator("vertebra.import_bvh", icon="IMPORT")
        column.operator("vertebra.import_trajectory", icon="IMPORT")
        column = self.layout.column(align=True)
        column.operator("vertebra.export_bvh", icon="EXPORT")
        column.operator("vertebra.export_trajectory", icon="EXPORT")
        found = context.scene.vertebra.findings
        if found:
            box = self.layout.box()
            box.label(text=f"Found by the last call: {len(found)}")
            for one in sorted(found, key=lambda one: -one.severity)[:SHOWN]:
                draw_finding(box.column(align=True), one, context.region.width)
            if len(found) > SHOWN:
                box.label(text=f"{len(found) - SHOWN} more are in the console")


class RetargetPanel(Tab, bpy.types.Panel):
    bl_idname, bl_label = "VERTEBRA_PT_retarget", "Retarget"

    def draw(self, context):
        data, column = context.scene.vertebra, self.layout.column()
        column.use_property_split, column.use_property_decorate = True, False
        column.prop(data, "clip")
        row = column.row(align=True)
        row.prop(data, "map")
        row.operator("vertebra.guess_map", text="", icon="VIEWZOOM")
        column.operator("vertebra.retarget", icon="ARMATURE_DATA")


class SimulationPanel(Tab, bpy.types.Panel):
    bl_idname, bl_label = "VERTEBRA_PT_simulation", "Simulation"

    def draw(self, context):
        armature, layout = active_armature(context), self.layout
        layout.use_property_split, layout.use_property_decorate = True, False
        if not armature:
            layout.label(text="Select an armature")
            return
        s, running = armature.vertebra.simulation, context.window_manager.vertebra
        column = layout.column()
        column.prop(armature.vertebra, "model")
        if armature.vertebra.model is None:
            column.prop(s, "mass")
        column.prop(s, "use_scene_range")
        if not s.use_scene_range:
            row = column.row(align=True)
            row.prop(s, "first")
            row.prop(s, "last")
        if running.baking:
            layout.prop(running, "progress", slider=True)
            layout.operator("vertebra.cancel_bake", icon="CANCEL")
        else:
            layout.operator("vertebra.bake", icon="PHYSICS")
            layout.operator("vertebra.remove_bake", icon="LOOP_BACK")


class Part(Tab):
    bl_parent_id, bl_options = "VERTEBRA_PT_simulation", {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context):
        return active_armature(context) is not None

    def draw(self, context):
        self.layout.use_property_split, self.layout.use_property_decorate = True, False
        self.draw_settings(self.layout.column(), active_armature(context), active_armature(context).vertebra.simulation)


class DrivesPanel(Part, bpy.types.Panel):
    bl_idname, bl_label, bl_options = "VERTEBRA_PT_drives", "Drives", set()

    def draw_settings(self, column, armature, s):
        column.prop(s, "drive")
        if s.drive != "LIMP":
            column.prop(s, "omega")
            column.prop(s, "strength")
            column.prop(s, "root_help")
        if s.drive == "ANIMATION":
            column.prop(s, "let_go")
            if s.let_go:
                column.prop(s, "rest")
        column.prop(s, "base")


class LimitsPanel(Part, bpy.types.Panel):
    bl_idname, bl_label = "VERTEBRA_PT_limits", "Limits"

    def draw_settings(self, column, armature, s):
        column.prop(s, "limits")
        if s.limits:
            column.prop(s, "bound_balls")
            if s.bound_balls:
                column.prop(s, "swing")
                column.prop(s, "twist")
        column.prop(s, "damping")
        column.prop(s, "self_collision")


class SurroundingsPanel(Part, bpy.types.Panel):
    bl_idname, bl_label = "VERTEBRA_PT_surroundings", "Ground and colliders"

    def draw_settings(self, column, armature, s):
        column.prop(s, "ground")
        if s.ground:
            column.prop(s, "ground_height")
        column.prop(s, "colliders")
        column.operator("vertebra.add_colliders", icon="ADD")
        column.prop(s, "friction")
        column.prop(s, "restitution")
        column.prop(s, "gravity")
        column.prop(s, "steps_per_second")


class HitPanel(Part, bpy.types.Panel):
    bl_idname, bl_label = "VERTEBRA_PT_hit", "Hit"

    def draw_settings(self, column, armature, s):
        column.prop(s, "hit")
        if s.hit == "NONE":
            return
        column.prop_search(s, "hit_bone", armature.data, "bones")
        column.prop(s, "hit_frame")
        for name in ("impulse",) if s.hit == "IMPULSE" else ("ball_direction", "ball_speed", "ball_mass", "ball_radius", "ball_distance"):
            column.prop(s, name)


class DragPanel(Part, bpy.types.Panel):
    bl_idname, bl_label = "VERTEBRA_PT_drag", "Drag"

    def draw_settings(self, column, armature, s):
        column.prop(s, "use_drag")
        if s.use_drag:
            column.prop_search(s, "drag_bone", armature.data, "bones")
            for name in ("drag_object", "drag_first", "drag_last", "drag_limit"):
                column.prop(s, name)


def import_menu(self, context):
    self.layout.operator("vertebra.import_model", text="Robot (.urdf) by Vertebra")
    self.layout.operator("vertebra.import_bvh", text="Motion capture (.bvh) by Vertebra")
    self.layout.operator("vertebra.import_trajectory", text="Trajectory (.csv) by Vertebra")


def export_menu(self, context):
    self.layout.operator("vertebra.export_bvh", text="Motion capture (.bvh) by Vertebra")
    self.layout.operator("vertebra.export_trajectory", text="Trajectory (.csv, .json, .npz) by Vertebra")


CLASSES = (FilesPanel, RetargetPanel, SimulationPanel, DrivesPanel, LimitsPanel, SurroundingsPanel, HitPanel, DragPanel)
