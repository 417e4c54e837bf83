"""Simulates an armature and bakes the result: a job made of small steps, so that an operator may show progress, stay responsive and stop.
Nothing of the scene changes before the last step; a job that is dropped leaves everything as it was."""
import json
import math

import bmesh
import bpy
import numpy as np

from . import armature as arm
from . import meshes, rigid
from .binding import vtb
from .simulation import Drag, Hit, Settings, Simulation

BAKED = "vertebra_baked"  # marks actions made here; its value: the constraints that the bake muted, (bone, constraint) each as JSON


class Before:
    """An armature as it was before it was baked: its animation, or its pose where it had none, and its constraints."""

    def __init__(self, scene, armature):
        self.scene, self.armature = scene, armature
        data = armature.animation_data
        self.baked = data.action if data and data.action and BAKED in data.action else None

    def muted(self):
        """Constraints that the bake muted and that are still there."""
        pairs = json.loads(self.baked[BAKED]) if self.baked else []
        bones = self.armature.pose.bones
        found = [bones[bone].constraints.get(name) for bone, name in pairs if bone in bones]
        return [constraint for constraint in found if constraint]

    def bring_back(self):
        """The armature is as before the bake; forget() or again() follows."""
        if not self.baked:
            return
        if self.armature.vertebra.source is None:
            now = self.scene.frame_current
            self.scene.frame_set(int(self.baked.frame_range[0]))  # whose pose it had, and keeps when the keys are gone
            self.armature.animation_data.action = None
            self.scene.frame_set(now)
        else:
            self.armature.animation_data.action = self.armature.vertebra.source
        for constraint in self.muted():
            constraint.mute = False

    def again(self):
        """The armature has the bake again."""
        if self.baked:
            self.armature.animation_data.action = self.baked
            for constraint in self.muted():
                constraint.mute = True

    def forget(self):
        """The bake is removed for good."""
        bpy.data.actions.remove(self.baked)
        self.baked = None


class Bake:
    def __init__(self, context, armature):
        self.context, self.armature, self.settings = context, armature, armature.vertebra.simulation
        scene, s = context.scene, self.settings
        self.first, self.last = (scene.frame_start, scene.frame_end) if s.use_scene_range else (s.first, s.last)
        if self.last <= self.first:
            raise ValueError(f"the simulation ends (frame {self.last}) where it starts or before (frame {self.first}): give it a range of frames")
        self.metres = arm.metres_per_unit(scene)
        self.figure = arm.bound(armature, scene, s.mass)
        self.findings = list(self.figure.model.findings)
        self.message = ""

    def _frame(self, frame, what):
        if not self.first <= frame <= self.last:
            raise ValueError(f"{what} (frame {frame}) lies outside of the frames {self.first} to {self.last} that are simulated")
        return frame - self.first

    def _link(self, bone, what):
        if bone not in self.figure.bones:
            raise ValueError(f"{what}: '{bone}' is no bone of {self.armature.name} that is simulated" if bone else f"{what}: choose a bone")
        return self.figure.bones.index(bone)

    def _colliders(self):
        collection = self.settings.colliders
        own = [o for o in collection.all_objects if o.type == "MESH" and self._carried(o)] if collection else []
        for one in own:
            self.findings.append((vtb.VTB_SEVERITY_WARNING, f"'{one.name}' is carried by {self.armature.name} and is no collider of it"))
        return [meshes.Collider(self.context, o, self.metres) for o in (collection.all_objects if collection else [])
                if o.type == "MESH" and o not in own]

    def _carried(self, one):
        while one:
            if one == self.armature:
                return True
            one = one.parent
        return False

    def _sample(self, colliders):
        """Yields the share done; then has worlds, links, and places of the drag."""
        s, before = self.settings, Before(self.context.scene, self.armature)
        target = s.drag_object if s.use_drag else None
        if s.use_drag and target is None:
            raise ValueError("drag: choose the object that the bone is dragged to")
        places = []
        before.bring_back()  # a bake starts from the animation, not from the bake before it
        try:
            steps = arm.sample(self.context, self.armature, self.first, self.last)
            while True:
                try:
                    share = next(steps)
                except StopIteration as end:
                    self.worlds, bones = end.value
                    break
                depsgraph = self.context.evaluated_depsgraph_get()
                for collider in colliders:
                    collider.record(depsgraph, last=share == 1)
                if target:
                    places.append(np.array(target.evaluated_get(depsgraph).matrix_world, dtype=float)[:3, 3] * self.metres)
                yield share
        finally:
            before.again()
        self.findings += [(vtb.VTB_SEVERITY_WARNING, f"collider '{one.name}' changes its shape; it is simulated with the shape that it has now, at frame "
                           f"{self.context.scene.frame_current}") for one in colliders if one.deforms]
        self.links = self.figure.links(self.worlds, bones)
        self.places = np.array(places)

    def _simulation(self, colliders):
        s, figure = self.settings, self.figure
        hit = drag = None
        if s.hit != "NONE":
            frame = self._frame(s.hit_frame, "hit")
            hit = Hit(frame, self._link(s.hit_bone, "hit"), s.hit == "BALL", tuple(s.impulse), tuple(s.ball_direction), s.ball_speed,
                      s.ball_distance, s.ball_mass, s.ball_radius)
            if hit.ball and not np.linalg.norm(hit.direction):
                raise ValueError("hit: the ball's direction is 0")
            flight = math.ceil(hit.distance / hit.speed * arm.frame_rate(self.context.scene) - 1e-6)
            if hit.ball and frame < flight:
                raise ValueError(f"hit: the ball flies for {hit.distance / hit.speed:.3g} s, so it can hit at frame {self.first + flight} or later; throw it "
                                 "from nearer or faster, or hit later")
        if s.use_drag:
            link = self._link(s.drag_bone, "drag")
            tail = (0, self.armature.data.bones[s.drag_bone].length * self.metres * np.linalg.norm(self.worlds[0, :3, 0]), 0, 1)
            if s.drag_last <= max(s.drag_first, self.first) or s.drag_first >= self.last:
                raise ValueError(f"drag: frames {s.drag_first} to {s.drag_last} are none of the frames {self.first} to {self.last} that are simulated")
            drag = Drag(link, tuple((figure.frames[link] @ tail)[:3]), self.places, max(0, s.drag_first - self.first),
                        min(s.drag_last, self.last) - self.first, s.drag_limit)
        fixed = s.base == "FIXED" or s.base == "MODEL" and not figure.model.floating
        if fixed and s.drive == "ANIMATION" and s.let_go:
            self.findings.append((vtb.VTB_SEVERITY_WARNING, f"{self.armature.name} has a fixed root: its drives never let go"))
        settings = Settings(
            rate=arm.frame_rate(self.context.scene), steps_per_second=s.steps_per_second, gravity=tuple(s.gravity), drive=s.drive, omega=s.omega,
            strength=s.strength, root_help=s.root_help, let_go=s.let_go, rest=s.rest, fixed=fixed, self_collision=s.self_collision,
            limits=s.limits, damping=s.damping, ground=s.ground, ground_height=s.ground_height * self.metres, friction=s.friction,
            restitution=s.restitution, **(dict(swing=s.swing, twist=s.twist) if s.bound_balls else {}))
        self.q = figure.model.coordinates(self.links)
        return Simulation(figure.model, settings, self.q, colliders, hit, drag)

    def run(self):
        """Does the work; yields the share done, 0 to 1, and whether the scene is being evaluated or simulated."""
        colliders = self._colliders()
        for share in self._sample(colliders):
            yield 0.3 * share, "reading the animation"
        simulation = self._simulation(colliders)
        frames = self.last - self.first
        poses, balls = [simulation.link_poses()], [None]
        for frame in range(frames):
            simulation.advance(frame)
            poses.append(simulation.link_poses())
            balls.append(simulation.ball_pose())
            yield 0.3 + 0.65 * (frame + 1) / frames, "simulating"
        self.poses = np.array(poses)
        self._write(balls)
        self.message = f"{frames + 1} frames of {self.armature.name} baked"
        if simulation.contradictions:
            self.findings.append((vtb.VTB_SEVERITY_WARNING, f"in {simulation.contradictions} frames constraints contradicted each other, and one of "
                                  "them gave way: limits, the fixed root and colliders may ask for what no motion can do"))

    def _write(self, balls):
        armature = self.armature
        before = Before(self.context.scene, armature)
        if before.baked:
            before.bring_back()
            before.forget()
        else:
            source = armature.animation_data.action if armature.animation_data else None
            armature.vertebra.source = source
            if source:
                source.use_fake_user = True
        action = arm.key_links(self.figure, rigid.matrices(self.poses), self.worlds, self.first, f"{armature.name} baked")
        arm.assign(armature, action)
        muted = [(bone, constraint) for bone in armature.pose.bones if bone.name in self.figure.bones
                 for constraint in bone.constraints if not constraint.mute]
        action[BAKED] = json.dumps([(bone.name, constraint.name) for bone, constraint in muted])
        for bone, constraint in muted:
            constraint.mute = True
            self.findings.append((vtb.VTB_SEVERITY_WARNING, f"constraint '{constraint.name}' of bone '{bone.name}' is muted: the keys hold its effect"))
        remove_ball(armature)
        if any(pose is not None for pose in balls):
            self._write_ball(balls)
        self.context.view_layer.update()

    def _write_ball(self, balls):
        s, armature = self.settings, self.armature
        mesh, shape = bpy.data.meshes.new(f"{armature.name} ball"), bmesh.new()
        bmesh.ops.create_uvsphere(shape, u_segments=24, v_segments=12, radius=s.ball_radius / self.metres)
        shape.to_mesh(mesh)
        shape.free()
        mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
        mesh.materials.append(meshes.material_of((0.8, 0.25, 0.1, 1)))
        ball = bpy.data.objects.new(mesh.name, mesh)
        armature.users_collection[0].objects.link(ball)
        armature.vertebra.ball = ball
        begin = next(i for i, pose in enumerate(balls) if pose is not None)
        # Before it is thrown it waits, hidden, where its flight begins.
        poses = np.array([balls[max(i, begin)] for i in range(len(balls))])
        frames = np.arange(self.first, self.last + 1, dtype=float)
        action = bpy.data.actions.new(ball.name)
        ball.rotation_mode = "QUATERNION"
        arm.key_channel(action, "location", poses[:, :3] / self.metres, frames, "LINEAR", "ball")
        arm.key_channel(action, "rotation_quaternion", poses[:, [6, 3, 4, 5]], frames, "LINEAR", "ball")
        hidden = (frames < self.first + begin).astype(float)[:, None]
        for path in ("hide_viewport", "hide_render"):
            arm.key_channel(action, path, hidden, frames, "CONSTANT", "ball")
        arm.assign(ball, action)


def remove_ball(armature):
    """The ball of a bake before, with its mesh and keys."""
    ball = armature.vertebra.ball
    if ball is not None:
        mesh, action = ball.data, ball.animation_data.action if ball.animation_data else None
        bpy.data.objects.remove(ball)
        bpy.data.meshes.remove(mesh)
        if action is not None and not action.users:
            bpy.data.actions.remove(action)
