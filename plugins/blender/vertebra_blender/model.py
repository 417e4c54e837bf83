"""A figure's model as the add-on needs it: links, joints and poses of a vtb_skeleton, its coordinates from poses of its links, and its
geometry. Metres, radians, Z up; link frames are those of the file. Trajectories have a floating base: seven numbers for the root link, then
the joints in the order of joint_type.h. No bpy here."""
import ctypes

import numpy as np

from . import rigid
from .binding import record_of, told, vertebra, vtb


class Joint:
    """A joint of a skeleton with its frames as matrices and its place among the coordinates (-1: it has none)."""

    def __init__(self, skeleton, workspace, index, info):
        self.index, self.name, self.type, self.type_name = index, info.name.decode(), info.type, info.type_name.decode()
        self.parent, self.child, self.axes, self.loop, self.mimic = info.parent, info.child, info.axes, bool(info.loop), info.mimic
        self.parent_frame, self.child_frame = rigid.matrices(info.parent_frame), rigid.matrices(info.child_frame)
        self.axis, self.axis2, self.pitch = np.array(info.axis), np.array(info.axis2), info.pitch
        self.has_cone = np.isfinite(info.limits.swing) or np.isfinite(info.limits.twist_lower) or np.isfinite(info.limits.twist_upper)
        q, v = ctypes.c_int32(), ctypes.c_int32()
        vtb.vtb_workspace_get_joint(workspace, index, ctypes.byref(q), ctypes.byref(v))
        self.q = q.value
        axes = [skeleton.axis(index, axis) for axis in range(self.axes)]
        self.limits = [(axis.lower, axis.upper) for axis in axes]

    def coordinates(self, relative):
        """Coordinates [T, n] of the transforms [T, 4, 4] of the child's joint frame in the parent's."""
        turn, place, axis = relative[:, :3, :3], relative[:, :3, 3], self.axis
        kind = self.type
        if kind in (vtb.VTB_JOINT_TYPE_REVOLUTE, vtb.VTB_JOINT_TYPE_CONTINUOUS, vtb.VTB_JOINT_TYPE_SCREW):
            return self._unwrapped(rigid.angle_about(axis, turn), 0)[:, None]
        if kind == vtb.VTB_JOINT_TYPE_PRISMATIC:
            return (place @ axis)[:, None]
        if kind == vtb.VTB_JOINT_TYPE_CYLINDRICAL:
            return np.stack([np.unwrap(rigid.angle_about(axis, turn)), place @ axis], -1)
        if kind == vtb.VTB_JOINT_TYPE_SPHERICAL:
            return self._steady(rigid.quaternions(turn))
        if kind == vtb.VTB_JOINT_TYPE_FLOATING:
            return np.concatenate([place, self._steady(rigid.quaternions(turn))], -1)
        if kind == vtb.VTB_JOINT_TYPE_UNIVERSAL:
            return np.stack(self._two_angles(turn), -1)
        if kind == vtb.VTB_JOINT_TYPE_WHEEL:
            return np.stack([place @ axis, *self._two_angles(turn)], -1)
        if kind == vtb.VTB_JOINT_TYPE_PLANAR:
            plane = self._plane_axes()
            return np.stack([place @ plane[:, 0], place @ plane[:, 1], np.unwrap(rigid.angle_about(axis, turn))], -1)
        raise ValueError(f"joint '{self.name}': coordinates of type {self.type_name} are not known to the add-on")

    def _unwrapped(self, angle, axis):
        """Angles without jumps, in the turn in which the first is within its limits."""
        angle = np.unwrap(angle)
        lower, upper = self.limits[axis]
        for turns in (0, 1, -1):
            if lower <= angle[0] + 2 * np.pi * turns <= upper:
                return angle + 2 * np.pi * turns
        return angle

    def _two_angles(self, turn):
        """Angles about the parent's axis, then about axis2 of the child."""
        image = np.einsum("tij,j->ti", turn, self.axis2)
        across = self.axis2 - self.axis * (self.axis @ self.axis2)
        first = np.arctan2(image @ np.cross(self.axis, across), image @ across)
        rest = np.swapaxes(rigid.rotation_about(self.axis, first), -1, -2) @ turn
        return np.unwrap(first), np.unwrap(rigid.angle_about(self.axis2, rest))

    def _plane_axes(self):
        """Turn along the shortest arc that takes z to the normal."""
        cross = np.cross((0, 0, 1), self.axis)
        length = np.linalg.norm(cross)
        if length < 1e-12:
            return np.eye(3) if self.axis[2] > 0 else rigid.rotation_about((1, 0, 0), np.pi)
        return rigid.rotation_about(cross / length, np.arctan2(length, self.axis[2]))

    @staticmethod
    def _steady(quaternions):
        """Signs so that neighbours are near each other."""
        signs = np.where(np.sum(quaternions[1:] * quaternions[:-1], -1) < 0, -1, 1)
        return quaternions * np.concatenate([[1], np.cumprod(signs)])[:, None]


class Model:
    """A skeleton; `parents` and `joint_of` by link (-1 at the root), links in an order in which parents come first in `order`."""

    def __init__(self, skeleton):
        self.skeleton = skeleton
        self.workspace = vertebra.Workspace(skeleton, base="floating")
        self.info, self.name, self.findings = skeleton.info, skeleton.name, told(skeleton.findings)
        self.nq, self.nv = self.workspace.nq, self.workspace.nv
        links = skeleton.links
        self.links, self.joint_of = [link.name.decode() for link in links], [link.parent_joint for link in links]
        self.joints = [Joint(skeleton, self.workspace, i, info) for i, info in enumerate(skeleton.joints)]
        self.parents = [self.joints[j].parent if j >= 0 else -1 for j in self.joint_of]
        self.order = self._parents_first()
        self.sites = [[] for _ in self.links]  # positions in the link frame
        for i in range(self.info.sites):
            site = record_of("vtb_skeleton_get_site", "vtb_site_info", skeleton, i)
            self.sites[site.link].append(np.array(site.pose[:3]))

    @classmethod
    def from_file(cls, path, **options):
        """A URDF or a skeleton file; options are the fields of vtb_urdf_def."""
        return cls(vertebra.Skeleton(path, **options))

    @classmethod
    def from_text(cls, text, name):
        """A skeleton file's text."""
        return cls(vertebra.Skeleton(text=text, name=name))

    @classmethod
    def from_motion(cls, motion, **options):
        """A figure with the bones of a clip; options are the fields of vtb_motion_figure_def."""
        return cls(vertebra.Skeleton.from_motion(motion, **options))

    @property
    def floating(self):
        return bool(self.info.floating_by_default)

    def _parents_first(self):
        children = [[] for _ in self.links]
        for link, parent in enumerate(self.parents):
            if parent >= 0:
                children[parent].append(link)
        order = [self.info.root]
        for link in order:
            order += children[link]
        return order

    def coordinates(self, links):
        """Coordinates [T, nq] that place the links as the transforms [T, links, 4, 4] do, as far as the joints allow."""
        q = np.tile(self.workspace.neutral(), (len(links), 1))
        root = links[:, self.info.root]
        q[:, :7] = np.concatenate([root[:, :3, 3], Joint._steady(rigid.quaternions(root))], -1)
        for joint in self.joints:
            if joint.q >= 0 and not joint.loop:
                relative = rigid.inverse(links[:, joint.parent] @ joint.parent_frame) @ links[:, joint.child] @ joint.child_frame
                values = joint.coordinates(relative)
                q[:, joint.q:joint.q + values.shape[1]] = values
        return q

    def visuals(self, collision):
        """Triangles for display: (link, vertices [n, 3], triangles [m, 3], rgba) of each visual or collision shape."""
        for i in range(self.info.shapes if collision else self.info.visuals):
            info = record_of("vtb_skeleton_get_visual", "vtb_visual_info", self.skeleton, int(collision), i)
            vertices, triangles = np.empty((info.vertices, 3)), np.empty((info.triangles, 3), dtype=np.uint32)
            vtb.vtb_skeleton_get_visual_mesh(self.skeleton, int(collision), i, vertices, info.vertices, triangles, info.triangles)
            yield info.link, vertices, triangles, tuple(info.rgba)
