"""A figure in a world, frame by frame: its drives, a hit, a drag, the ground and colliders. Metres, seconds, radians, Z up, world axes. No bpy
here: the add-on's operators fill the settings and take poses out."""
import dataclasses
import math

import numpy as np

from . import clip, rigid
from .binding import Error, vertebra, vtb


@dataclasses.dataclass
class Hit:
    """What strikes a link at a frame, counted from the first: an impulse at the link's centre of mass, or a thrown ball."""
    frame: int
    link: int
    ball: bool
    impulse: tuple = (0, 0, 0)  # N s
    direction: tuple = (0, 1, 0)  # in which the ball flies
    speed: float = 8.0  # m/s
    distance: float = 2.0  # m: from the start of the flight to the link
    mass: float = 4.0  # kg
    radius: float = 0.12  # m


@dataclasses.dataclass
class Drag:
    """A point of a link drawn to places by a bounded force, from one frame to another, counted from the first."""
    link: int
    point: tuple  # m, link frame
    places: np.ndarray  # [T, 3], m
    first: int
    last: int
    limit: float  # N
    omega: float = 20.0  # rad/s


@dataclasses.dataclass
class Settings:
    rate: float = 24.0  # 1/s: of frames
    steps_per_second: float = 240.0  # at least; a frame is a whole number of steps
    gravity: tuple = (0, 0, -9.81)
    drive: str = "ANIMATION"  # LIMP, HOLD (the first pose) or ANIMATION
    omega: float = 60.0  # rad/s: of the drives
    strength: float = 1.0  # share of the efforts of the model
    root_help: float = 1.0  # largest force on the root as a share of the weight; 0 = none
    let_go: float = 0.0  # N: contact force that lets go; 0 = never
    rest: float = 0.5  # s: how long it is let go at least
    fixed: bool = False  # the root is fixed
    self_collision: bool = True
    limits: bool = True  # of the model; else none
    swing: float = math.inf  # rad: of ball joints that have no limits
    twist: float = math.inf  # rad: likewise, to both sides
    damping: float = 0.0  # N m s/rad: added on each axis that turns
    ground: bool = True
    ground_height: float = 0.0  # m
    friction: float = 0.8
    restitution: float = 0.0


class Simulation:
    """q [T, nq]: the animation, whose first frame is the start. colliders: with points, triangles, frames [T, 4, 4], moves, name."""

    def __init__(self, model, settings, q, colliders=(), hit=None, drag=None):
        self.model, self.settings, self.hit, self.drag = model, settings, hit, drag
        self.steps = max(1, math.ceil(settings.steps_per_second / settings.rate - 1e-9))
        self.dt = 1 / (settings.rate * self.steps)
        self.contradictions = 0  # frames in which constraints contradicted each other
        self.world = vertebra.World(gravity=settings.gravity, time_step=self.dt)
        self._surface = dict(surface_friction=settings.friction, surface_restitution=settings.restitution)
        if settings.ground:
            self.world.add_shape(type="plane", pose=(0, 0, settings.ground_height, 0, 0, 0, 1), **self._surface)
        self._add_colliders(colliders)
        self._add_figure(q)
        self._drag = self.figure.add_marker_drive([drag.link], [drag.point], omega=drag.omega, limit=drag.limit) if drag else None
        self._ball = None

    def _add_colliders(self, colliders):
        self._moving = []
        for collider in colliders:
            pose = rigid.poses(np.array(collider.frames))
            try:
                if collider.moves:
                    body = self.world.add_body(kind="kinematic", pose=pose[0])
                    self.world.add_shape(body, type="convex", geometry_points=collider.points, **self._surface)
                    self._moving.append((body, pose))
                else:
                    self.world.add_shape(type="mesh", pose=pose[0], geometry_points=collider.points, geometry_triangles=collider.triangles, **self._surface)
            except Error as error:
                raise ValueError(f"collider '{collider.name}': {error}") from None

    def _add_figure(self, q):
        model, settings = self.model, self.settings
        q = np.ascontiguousarray(q, dtype=float)
        self.figure = self.world.add_figure(model.skeleton, flags=0 if settings.self_collision else vertebra.FigureFlag.NO_SELF_COLLISION, pose=q[0, :7],
                                            base="fixed" if settings.fixed else "floating")
        self._set_axes()
        trajectory = clip.trajectory_of(model, q if len(q) > 1 else np.tile(q, (2, 1)), settings.rate, "animation")
        v = trajectory.velocities(model.skeleton, 0) if settings.drive != "HOLD" else np.zeros(model.nv)
        root_q, root_v = (7, 6) if settings.fixed else (0, 0)  # a fixed root has no coordinates
        self.figure.q, self.figure.v = q[0, root_q:], v[root_v:]
        self._followed = None
        if settings.drive == "ANIMATION" and settings.fixed:
            # The library's animations move the root: a figure with a fixed one follows by drives whose pose is set before each step.
            self._followed, self._q = self.figure.add_drive(omega=settings.omega, strength=settings.strength), q
        elif settings.drive == "ANIMATION":
            limp = 0.02 * min(1.0, (25 / settings.omega) ** 2)  # the same softness whatever the stiffness was: the root sinks too
            self.figure.add_animation(omega=settings.omega, strength=settings.strength, largest_impact=settings.let_go or math.inf,
                                      rest=settings.rest, limp=limp).play(trajectory, blend=0.0)
        elif settings.drive == "HOLD":
            self.figure.add_drive(omega=settings.omega, strength=settings.strength)
        if settings.drive != "LIMP" and settings.root_help > 0 and not settings.fixed:
            weight = model.info.mass * float(np.linalg.norm(settings.gravity))
            heads = model.workspace.poses(q[0])[:, :3]
            arm = float(np.linalg.norm(np.ptp(heads, axis=0))) / 2
            limit = settings.root_help * weight if weight > 0 else math.inf
            self.figure.add_root_drive(omega=(settings.omega,) * 6, limit=(limit,) * 3 + (limit * max(arm, 0.1),) * 3)

    def _set_axes(self):
        """Limits and damping as the settings say."""
        settings, turning = self.settings, ("revolute", "continuous", "universal", "spherical")
        for joint in self.model.joints:
            if joint.q < 0:
                continue
            held = self.figure.joint(joint.index)
            for axis in range(joint.axes):
                more = settings.damping if joint.type_name in turning else 0.0
                free = {} if settings.limits else dict(lower=-math.inf, upper=math.inf)
                held.set_axis(axis, damping=held.axis(axis).damping + more, **free)
            if joint.type == vtb.VTB_JOINT_TYPE_SPHERICAL and (not settings.limits or not joint.has_cone):
                swing, twist = (settings.swing, settings.twist) if settings.limits else (math.inf, math.inf)
                vtb.vtb_joint_set_swing_twist(self.world, held, swing, -twist, twist)

    def link_poses(self):
        return self.figure.poses()

    def ball_pose(self):
        """Pose of the thrown ball, or None before it is thrown."""
        return None if self._ball is None else self._ball.pose

    def _strike(self, frame):
        hit = self.hit
        if hit is None:
            return
        if hit.ball:
            flight = hit.distance / hit.speed
            if frame == hit.frame - math.ceil(flight * self.settings.rate - 1e-6):
                self._throw(flight)
        elif frame == hit.frame:
            self.figure.body(hit.link).add_impulse(hit.impulse)

    def _throw(self, flight):
        """The ball flies so that it passes where the link's centre of mass comes if the link keeps its present velocity."""
        hit, gravity = self.hit, np.array(self.settings.gravity)
        body = self.figure.body(hit.link)
        pose, twist, definition = body.pose, body.twist, body.definition
        arm = rigid.matrices(pose)[:3, :3] @ np.array(definition.com)
        target = pose[:3] + arm + flight * (twist[:3] + np.cross(twist[3:], arm))
        way = np.array(hit.direction, dtype=float)
        way /= np.linalg.norm(way)
        velocity = way * hit.speed - gravity * flight / 2
        moment = 0.4 * hit.mass * hit.radius ** 2
        self._ball = self.world.add_body(pose=(*(target - way * hit.distance), 0, 0, 0, 1), twist=(*velocity, 0, 0, 0), mass=hit.mass,
                                         inertia=(moment, 0, 0, moment, 0, moment))
        self.world.add_shape(self._ball, type="sphere", size=(hit.radius, 0, 0), **self._surface)

    def _follow(self, frame, share):
        """The pose of drives: `share` of the way to the next frame."""
        workspace, q = self.model.workspace, self._q
        way = workspace.difference(q[frame], q[min(frame + 1, len(q) - 1)])
        self._followed.set_pose(workspace.integrate(q[frame], way, share)[7:], way[6:] * self.settings.rate)

    def _place(self, frame, share):
        """Where the dragged point shall be: `share` of the way to the next frame."""
        drag = self.drag
        here = drag.first <= frame < drag.last
        following = min(frame + 1, len(drag.places) - 1)
        place = drag.places[frame] + share * (drag.places[following] - drag.places[frame]) if here else np.full(3, np.nan)
        velocity = (drag.places[following] - drag.places[frame]) * self.settings.rate if here else np.zeros(3)
        self._drag.set_places(place, velocity)

    def advance(self, frame):
        """From this frame, counted from 0, to the next."""
        self._strike(frame)
        for body, poses in self._moving:
            body.move_to(poses[min(frame + 1, len(poses) - 1)], 1 / self.settings.rate)
        contradicts = False
        for step in range(self.steps):
            if self._followed:
                self._follow(frame, (step + 1) / self.steps)
            if self._drag:
                self._place(frame, (step + 1) / self.steps)
            try:
                self.world.step()
            except Error as error:
                if error.status != vtb.VTB_E_INFEASIBLE:
                    raise ValueError(f"at {(frame + step / self.steps) / self.settings.rate:.3f} s: {error}") from None
                contradicts = True
        self.contradictions += contradicts
