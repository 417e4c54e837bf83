"""Operators that simulate: bake with progress and cancel in the window, in one go in the background; take the bake back; choose colliders."""
import time

import bpy

from .bake import Bake, Before, remove_ball
from .binding import Error, why
from .import_operators import NeedsArmature, active_armature
from .report import Failing, keep, tell


class SimulateAndBake(NeedsArmature, bpy.types.Operator):
    """Simulate the active armature and bake the result to keyframes. Esc or Cancel stops it and leaves everything as it was"""

    bl_idname, bl_label, bl_options = "vertebra.bake", "Simulate and bake", {"REGISTER", "UNDO"}
    SLICE = 0.05  # s: of work between two looks at the user

    @classmethod
    def poll(cls, context):
        if context.window_manager.vertebra.baking:
            cls.poll_message_set("A bake is running")
            return False
        return super().poll(context)

    def _begin(self, context):
        self._started = time.perf_counter()
        self._bake = Bake(context, context.object)
        self._steps = self._bake.run()

    def _failed(self, error):
        self.report({"ERROR"}, why(error))
        return {"CANCELLED"}

    def _finished(self, context):
        bake = self._bake
        seconds = time.perf_counter() - self._started
        motion = (bake.last - bake.first) / (context.scene.render.fps / context.scene.render.fps_base)
        return tell(self, context, f"{bake.message} in {seconds:.2f} s ({seconds / motion:.2f} s for a second of motion)", bake.findings)

    def execute(self, context):
        try:
            self._begin(context)
            told = 0
            for share, what in self._steps:
                if share >= told + 0.1:
                    told = share
                    print(f"vertebra: {what}: {100 * share:.0f} %", flush=True)
            return self._finished(context)
        except (Error, ValueError) as error:
            return self._failed(error)

    def invoke(self, context, event):
        if bpy.app.background:
            return self.execute(context)
        try:
            self._begin(context)
        except (Error, ValueError) as error:
            return self._failed(error)
        manager = context.window_manager
        manager.vertebra.baking, manager.vertebra.cancel, manager.vertebra.progress = True, False, 0
        manager.progress_begin(0, 100)
        self._timer = manager.event_timer_add(0.01, window=context.window)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        running = context.window_manager.vertebra
        if event.type == "ESC" or running.cancel:
            self._end(context)
            self.report({"INFO"}, "The bake was cancelled; nothing has changed")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"PASS_THROUGH"} if event.type in {"MOUSEMOVE", "LEFTMOUSE"} else {"RUNNING_MODAL"}
        until = time.perf_counter() + self.SLICE
        try:
            while time.perf_counter() < until:
                share, what = next(self._steps)
                running.progress = 100 * share
        except Exception as error:
            self._end(context)
            if isinstance(error, StopIteration):
                return self._finished(context)
            if isinstance(error, (Error, ValueError, ReferenceError)):  # the last: what is baked was removed
                return self._failed(error)
            raise
        context.window_manager.progress_update(running.progress)
        context.workspace.status_text_set(f"Vertebra: {what}, {running.progress:.0f} %. Esc cancels")
        for area in context.screen.areas:
            area.tag_redraw()
        return {"RUNNING_MODAL"}

    def _end(self, context):
        self._steps.close()
        manager = context.window_manager
        manager.vertebra.baking = manager.vertebra.cancel = False
        manager.event_timer_remove(self._timer)
        manager.progress_end()
        context.workspace.status_text_set(None)

    def cancel(self, context):
        self._end(context)


class CancelBake(bpy.types.Operator):
    """Stop the bake that runs; nothing has changed"""

    bl_idname, bl_label = "vertebra.cancel_bake", "Cancel"

    @classmethod
    def poll(cls, context):
        return context.window_manager.vertebra.baking

    def execute(self, context):
        context.window_manager.vertebra.cancel = True
        return {"FINISHED"}


class RemoveBake(NeedsArmature, Failing):
    """Give the active armature its animation or pose before the bake back, and remove the thrown ball"""

    bl_idname, bl_label = "vertebra.remove_bake", "Remove bake"

    @classmethod
    def poll(cls, context):
        armature = active_armature(context)
        if not (armature and Before(context.scene, armature).baked):
            cls.poll_message_set("The active armature has no bake")
            return False
        return True

    def work(self, context):
        armature = context.object
        before = Before(context.scene, armature)
        before.bring_back()
        before.forget()
        remove_ball(armature)
        context.scene.frame_set(context.scene.frame_current)
        return tell(self, context, f"{armature.name} has its {'animation' if armature.vertebra.source else 'pose'} back")


class AddColliders(NeedsArmature, Failing):
    """Put the selected mesh objects into the collection of colliders of the active armature"""

    bl_idname, bl_label = "vertebra.add_colliders", "Add selected meshes"

    def work(self, context):
        chosen, settings = [o for o in context.selected_objects if o.type == "MESH"], context.object.vertebra.simulation
        if not chosen:
            raise ValueError("select mesh objects besides the armature, which stays the active object")
        if settings.colliders is None:
            settings.colliders = bpy.data.collections.new(f"{context.object.name} colliders")
            context.scene.collection.children.link(settings.colliders)
        for one in chosen:
            if one.name not in settings.colliders.objects:
                settings.colliders.objects.link(one)
        keep(context, [])
        self.report({"INFO"}, f"{len(settings.colliders.all_objects)} colliders in '{settings.colliders.name}'")
        return {"FINISHED"}


CLASSES = (SimulateAndBake, CancelBake, RemoveBake, AddColliders)
