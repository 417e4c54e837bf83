"""The add-on in a window (under Xvfb): its tab and panels draw, the modal bake tells its progress, Esc and the button cancel it without a
trace, a finished bake can be undone. Simulated events drive it; a timer looks after each."""
import sys
import traceback

sys.path.insert(0, __file__.rsplit("/", 1)[0])
import bpy  # noqa: E402
from harness import OUT, SOURCE, vertebra_blender  # noqa: E402

bpy.context.preferences.view.show_splash = False
log, drawn, PANELS = [], set(), vertebra_blender.panel.CLASSES


def window_area():
    window = bpy.context.window_manager.windows[0]
    return window, next(area for area in window.screen.areas if area.type == "VIEW_3D")


def in_view(call):
    window, area = window_area()
    region = next(region for region in area.regions if region.type == "WINDOW")
    with bpy.context.temp_override(window=window, area=area, region=region):
        return call()


def armature():
    return next(o for o in bpy.data.objects if o.type == "ARMATURE")


def press(key, x=None, y=None):
    window, area = window_area()
    x, y = x or area.x + area.width // 2, y or area.y + area.height // 2
    window.event_simulate(type="MOUSEMOVE", value="NOTHING", x=x, y=y)
    window.event_simulate(type=key, value="PRESS", x=x, y=y)
    window.event_simulate(type=key, value="RELEASE", x=x, y=y)


def watch_panels():
    """Notes which panels are drawn without a fault, all unfolded."""
    for panel in reversed(PANELS):
        bpy.utils.unregister_class(panel)
    for panel in PANELS:
        panel.draw, panel.bl_options = noted(panel), set()
        bpy.utils.register_class(panel)


def noted(panel):
    before = panel.draw

    def draw(self, context):
        before(self, context)
        drawn.add(panel.bl_label)
    return draw


def prepare():
    watch_panels()
    for one in list(bpy.data.objects):
        bpy.data.objects.remove(one)
    bpy.context.scene.render.fps = 30
    bpy.ops.vertebra.import_bvh(filepath=str(SOURCE / "models/motions/walk.bvh"))
    _, area = window_area()
    area.spaces.active.show_region_ui = True
    s = armature().vertebra.simulation
    s.steps_per_second, s.hit, s.use_drag = 4000, "BALL", False  # slow enough to be stopped
    s.hit_bone, s.let_go = "Chest", 300
    bpy.ops.ed.undo_push(message="prepared")


def tab():
    """A click on the tab Vertebra, the last one of the sidebar; its place, which fonts decide, is found by trying downwards."""
    if drawn:
        return None
    _, area = window_area()
    sidebar = next(region for region in area.regions if region.type == "UI")
    press("LEFTMOUSE", sidebar.x + sidebar.width - 12, sidebar.y + sidebar.height - 150 - 10 * state["tries"])
    return "again"


def panels_drawn():
    in_view(lambda: bpy.ops.screen.screenshot(filepath=str(OUT / "panels.png")))
    return None if drawn == {panel.bl_label for panel in PANELS} else "again"


def begin():
    assert in_view(lambda: bpy.ops.vertebra.bake("INVOKE_DEFAULT", True)) == {"RUNNING_MODAL"}
    assert bpy.context.window_manager.vertebra.baking


def wait_progress(least):
    def step():
        data = bpy.context.window_manager.vertebra
        assert data.baking, "the bake has ended already"
        if data.progress < least:
            return "again"
        log.append(data.progress)
        assert not bpy.ops.vertebra.bake.poll(), "two bakes at once"
        in_view(lambda: bpy.ops.screen.screenshot(filepath=str(OUT / "window.png")))
    return step


def escape():
    press("ESC")


def cancelled():
    if bpy.context.window_manager.vertebra.baking:
        return "again"
    assert armature().animation_data.action.name == "walk", "a cancelled bake left its action"
    assert armature().vertebra.ball is None and [a.name for a in bpy.data.actions] == ["walk"]


def button():
    assert bpy.ops.vertebra.cancel_bake.poll()
    in_view(lambda: bpy.ops.vertebra.cancel_bake())


def shorter():
    bpy.context.scene.frame_end = 30
    armature().vertebra.simulation.steps_per_second = 240
    bpy.ops.ed.undo_push(message="shorter")


def finished():
    if bpy.context.window_manager.vertebra.baking:
        return "again"
    assert armature().animation_data.action.name == "walk baked", armature().animation_data.action.name
    in_view(lambda: bpy.ops.ed.undo())


def undone():
    assert armature().animation_data.action.name == "walk", "undo left the bake"
    in_view(lambda: bpy.ops.ed.redo())


def redone():
    assert armature().animation_data.action.name == "walk baked", "redo"


STEPS = [prepare, tab, panels_drawn, begin, wait_progress(5), escape, cancelled, begin, wait_progress(40), button, cancelled, shorter, begin,
         finished, undone, redone]
state = {"step": 0, "tries": 0}


def tick():
    try:
        step = STEPS[state["step"]]
        again = step() == "again"
    except Exception:
        traceback.print_exc()
        bpy.app.timers.register(lambda: leave(1), first_interval=0.01)
        return None
    state["tries"] = state["tries"] + 1 if again else 0
    if state["tries"] > 600:
        print(f"step {step.__name__} does not end")
        leave(1)
    if not again:
        print(f"step {state['step']}: {step.__name__} done", flush=True)
        state["step"] += 1
    if state["step"] == len(STEPS):
        print(f"passed; progress seen: {[round(p) for p in log]}", flush=True)
        leave(0)
    return 0.1


def leave(code):
    import os
    sys.stdout.flush()
    os._exit(code)  # Blender's own way out would ask whether to save


bpy.app.timers.register(tick, first_interval=1.0)
