"""What the add-on keeps in the .blend file: on each armature its model, its animation before the bake, and how it is simulated; on each scene
what imports and retargeting ask. Lengths with a unit of the scene are in Blender units; all others are SI, whatever the scene's unit scale."""
import math

import bpy
from bpy.props import (BoolProperty, CollectionProperty, EnumProperty, FloatProperty, FloatVectorProperty, IntProperty, PointerProperty,
                       StringProperty)


def is_armature(_, candidate):
    return candidate.type == "ARMATURE"


class SimulationSettings(bpy.types.PropertyGroup):
    """How an armature is simulated."""

    first: IntProperty(name="Start", default=1, description="Frame whose pose and velocities the simulation starts from")
    last: IntProperty(name="End", default=120, description="Last frame that is baked")
    use_scene_range: BoolProperty(name="Scene's frame range", default=True, description="Bake the scene's frame range")
    steps_per_second: IntProperty(name="Steps per second", default=240, min=30, max=20000,
                                  description="Least number of steps of the simulation in a second; each frame is a whole number of steps")
    gravity: FloatVectorProperty(name="Gravity", default=(0, 0, -9.81), description="m/s², whatever the scene's unit scale")
    mass: FloatProperty(name="Mass", default=0, min=0, soft_max=200,
                        description="kg, of an armature without a model of its own; 0: from its height, as of a human")

    drive: EnumProperty(name="Drives", default="ANIMATION", items=[
        ("ANIMATION", "Follow the animation", "Springs and dampers on all joints draw the figure along its animation"),
        ("HOLD", "Hold the pose", "Springs and dampers on all joints hold the pose of the first frame"),
        ("LIMP", "Limp", "No drives: a rag-doll")])
    omega: FloatProperty(name="Stiffness", default=60, min=0.1, soft_max=100,
                         description="Natural frequency of each joint with what it carries, rad/s: the higher, the stiffer")
    strength: FloatProperty(name="Strength", default=1, min=0, soft_max=2,
                            description="Largest torque of each joint, as a share of the effort that the model gives it; without one: unbounded")
    root_help: FloatProperty(name="Hold of the root", default=1, min=0, soft_max=5,
                             description="Largest force that holds the root on its way, as a share of the weight; 0: it stands by itself")
    let_go: FloatProperty(name="Let go at", default=0, min=0, soft_max=2000,
                          description="Sum of contact forces of other bodies, N, at which the drives let go; 0: never")
    rest: FloatProperty(name="For", default=0.5, min=0, soft_max=5, description="How long the drives stay limp at least, s")
    base: EnumProperty(name="Root", default="MODEL", items=[
        ("MODEL", "As the model says", "Fixed where the model fixes it to the world, else free"),
        ("FREE", "Free", "The root moves freely"), ("FIXED", "Fixed", "The root stays where it is at the first frame")])
    self_collision: BoolProperty(name="Self-collision", default=True, description="Links of the figure touch each other")

    limits: BoolProperty(name="Joint limits", default=True, description="Joints keep the limits of the model")
    bound_balls: BoolProperty(name="Bound ball joints", default=True, description="Ball joints without limits in the model get these, from the rest pose")
    swing: FloatProperty(name="Swing", default=math.radians(100), min=0, max=math.pi, subtype="ANGLE",
                         description="Largest angle of the bone from its rest pose")
    twist: FloatProperty(name="Twist", default=math.radians(60), min=0, max=math.pi, subtype="ANGLE", description="Largest turn about the bone, to both sides")
    damping: FloatProperty(name="Damping", default=0.2, min=0, soft_max=10, description="Added on each joint axis that turns, N m s/rad")

    ground: BoolProperty(name="Ground", default=True, description="Level ground, solid below")
    ground_height: FloatProperty(name="Height", default=0, subtype="DISTANCE", description="Of the ground")
    friction: FloatProperty(name="Friction", default=0.8, min=0, soft_max=2, description="Coulomb's coefficient of ground, colliders and ball")
    restitution: FloatProperty(name="Bounce", default=0, min=0, max=1, description="Restitution of ground, colliders and ball")
    colliders: PointerProperty(name="Colliders", type=bpy.types.Collection,
                               description="Mesh objects that the figure collides with: as they are if they stand still, as their convex hulls if they move")

    hit: EnumProperty(name="Hit", default="NONE", items=[
        ("NONE", "None", "Nothing strikes the figure"), ("IMPULSE", "Impulse", "A sudden push on a bone"),
        ("BALL", "Ball", "A thrown ball, which becomes an object with keys")])
    hit_bone: StringProperty(name="Bone", description="Which bone is struck")
    hit_frame: IntProperty(name="At frame", default=24, description="When it is struck")
    impulse: FloatVectorProperty(name="Impulse", default=(0, 40, 0), description="N s, world axes, at the bone's centre of mass")
    ball_direction: FloatVectorProperty(name="Flies along", default=(0, 1, 0), subtype="XYZ", description="World axes")
    ball_speed: FloatProperty(name="Speed", default=8, min=0.1, soft_max=50, description="m/s")
    ball_mass: FloatProperty(name="Mass", default=4, min=1e-3, soft_max=100, description="kg")
    ball_radius: FloatProperty(name="Radius", default=0.12, min=1e-3, soft_max=1, description="m")
    ball_distance: FloatProperty(name="From", default=2, min=0, soft_max=20, description="m: length of its flight")

    use_drag: BoolProperty(name="Drag", default=False, description="An object, which may move, drags a bone along by a bounded force")
    drag_bone: StringProperty(name="Bone", description="Which bone is dragged, by its tail")
    drag_object: PointerProperty(name="To", type=bpy.types.Object, description="Where the bone's tail is drawn to")
    drag_first: IntProperty(name="From frame", default=1, description="When the drag begins")
    drag_last: IntProperty(name="To frame", default=120, description="When it ends")
    drag_limit: FloatProperty(name="Largest force", default=500, min=0.1, soft_max=5000, description="N")


class ArmatureData(bpy.types.PropertyGroup):
    """On an object that is an armature."""

    model: PointerProperty(name="Model", type=bpy.types.Text,
                           description="The figure's links, masses, joints and shapes, as a skeleton file that may be edited; without one they "
                                       "are made from the bones")
    source: PointerProperty(name="Animation before the bake", type=bpy.types.Action)
    ball: PointerProperty(type=bpy.types.Object)
    simulation: PointerProperty(type=SimulationSettings)


class Finding(bpy.types.PropertyGroup):
    text: StringProperty()
    severity: IntProperty()


class SceneData(bpy.types.PropertyGroup):
    """On a scene: the source of a retargeting, and what the last operator found."""

    clip: PointerProperty(name="Motion of", type=bpy.types.Object, poll=is_armature, description="Armature whose motion the active armature takes over")
    map: PointerProperty(name="Map", type=bpy.types.Text, description="Which bones and links play which roles, as a map file; without one all are found")
    findings: CollectionProperty(type=Finding)


class RunningBake(bpy.types.PropertyGroup):
    """On the window manager, which no file keeps and no undo changes: the bake that runs in the window."""

    baking: BoolProperty()
    cancel: BoolProperty()
    progress: FloatProperty(name="Baking", min=0, max=100, subtype="PERCENTAGE")


CLASSES = (SimulationSettings, ArmatureData, Finding, SceneData, RunningBake)


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)
    bpy.types.Object.vertebra = PointerProperty(type=ArmatureData)
    bpy.types.Scene.vertebra = PointerProperty(type=SceneData)
    bpy.types.WindowManager.vertebra = PointerProperty(type=RunningBake)


def unregister():
    del bpy.types.Object.vertebra, bpy.types.Scene.vertebra, bpy.types.WindowManager.vertebra
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
