"""Mesh objects: visuals of links carried by bones, and mesh objects of the scene as colliders."""
import bpy
import numpy as np
from mathutils import Matrix

from . import rigid
from .armature import FRAME, LINK


def mesh_of(name, vertices, triangles):
    """A mesh; vertices in Blender units. Edges sharper than 30 degrees look sharp."""
    mesh = bpy.data.meshes.new(name)
    mesh.vertices.add(len(vertices))
    mesh.vertices.foreach_set("co", np.asarray(vertices, dtype=np.float32).ravel())
    mesh.loops.add(3 * len(triangles))
    mesh.loops.foreach_set("vertex_index", np.asarray(triangles, dtype=np.int32).ravel())
    mesh.polygons.add(len(triangles))
    mesh.polygons.foreach_set("loop_start", np.arange(0, 3 * len(triangles), 3, dtype=np.int32))
    mesh.polygons.foreach_set("loop_total", np.full(len(triangles), 3, dtype=np.int32))
    mesh.polygons.foreach_set("use_smooth", np.ones(len(triangles), dtype=bool))
    if hasattr(mesh, "use_auto_smooth"):  # Blender 4.1 and later have no such property
        mesh.use_auto_smooth, mesh.auto_smooth_angle = True, np.radians(30)
    mesh.update(calc_edges=True)
    mesh.validate()
    return mesh


def material_of(rgba):
    """The material of a colour, made once."""
    name = "vertebra " + " ".join(f"{round(255 * c):d}" for c in rgba)
    material = bpy.data.materials.get(name)
    if material is None:
        material = bpy.data.materials.new(name)
        material.diffuse_color = rgba
        material.use_nodes = True
        shader = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
        shader.inputs["Base Color"].default_value = rgba
        shader.inputs["Alpha"].default_value = rgba[3]
        if rgba[3] < 1:
            material.blend_method = "BLEND"
    return material


def carried(collection, armature, bone_name, name, vertices, triangles, rgba, metres):
    """A mesh object that a bone carries; vertices in the frame of the bone's link [m]."""
    mesh = mesh_of(name, vertices / metres, triangles)
    mesh.materials.append(material_of(rgba))
    result = bpy.data.objects.new(name, mesh)
    collection.objects.link(result)
    result.parent, result.parent_type, result.parent_bone = armature, "BONE", bone_name
    bone = armature.data.bones[bone_name]
    frame = rigid.matrices(list(bone[FRAME]))
    frame[:3, 3] /= metres
    # Blender hangs what a bone carries at its tail.
    result.matrix_parent_inverse = Matrix.Translation((0, -bone.length, 0)) @ Matrix(rigid.inverse(frame))
    return result


def add_visuals(context, armature, model, metres, collision):
    """Objects for all visuals (or collision shapes) of a model. Returns them and the lowest point [m] at the neutral pose."""
    bone_of = {bone[LINK]: bone.name for bone in armature.data.bones if LINK in bone}
    frames = rigid.matrices(model.workspace.poses(model.workspace.neutral()))
    collection = armature.users_collection[0]
    if collision:
        collection = bpy.data.collections.new(f"{armature.name} collision")
        context.collection.children.link(collection)
    result, lowest = [], np.inf
    for link, vertices, triangles, rgba in model.visuals(collision):
        if len(triangles):
            name = model.links[link] + (" collision" if collision else " visual")
            result.append(carried(collection, armature, bone_of[model.links[link]], name, vertices, triangles, rgba, metres))
            lowest = min(lowest, np.min(vertices @ frames[link, 2, :3] + frames[link, 2, 3]))
    if collision:
        for one in result:
            one.display_type, one.hide_render = "WIRE", True
    return result, lowest


class Collider:
    """A mesh object of the scene: points [n, 3] in metres (its scale is in them), triangles, and its world transforms over time."""

    def __init__(self, context, source, metres):
        self.name, self.source, self.metres = source.name, source, metres
        self.points, self.triangles = self._geometry(context.evaluated_depsgraph_get())
        if not len(self.triangles):
            raise ValueError(f"collider '{source.name}' has no faces: give it some, or take it out of the colliders")
        self.frames, self.deforms = [], False

    def _geometry(self, depsgraph):
        """Points and triangles as they are now."""
        evaluated = self.source.evaluated_get(depsgraph)
        mesh = evaluated.to_mesh()
        try:
            mesh.calc_loop_triangles()
            points, triangles = np.empty(3 * len(mesh.vertices)), np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
            mesh.vertices.foreach_get("co", points)
            mesh.loop_triangles.foreach_get("vertices", triangles)
        finally:
            evaluated.to_mesh_clear()
        _, stretch = _split(np.array(evaluated.matrix_world, dtype=float))
        triangles = triangles.reshape(-1, 3).astype(np.uint32)
        if np.linalg.det(stretch) < 0:
            triangles = triangles[:, ::-1].copy()  # a mirrored object: outside stays outside
        return points.reshape(-1, 3) @ stretch.T * self.metres, triangles

    def record(self, depsgraph, last):
        """Notes where the object is now; in the last frame also whether its shape is still that of the beginning."""
        frame, _ = _split(np.array(self.source.evaluated_get(depsgraph).matrix_world, dtype=float))
        frame[:3, 3] *= self.metres
        self.frames.append(frame)
        if last:
            points, _ = self._geometry(depsgraph)
            self.deforms = len(points) != len(self.points) or np.max(np.abs(points - self.points)) > 1e-4

    @property
    def moves(self):
        return np.max(np.abs(np.array(self.frames) - self.frames[0])) > 1e-6


def _split(matrix):
    """A matrix as a rigid frame and what is left: matrix = frame * stretch. The frame is the nearest rotation, of a mirrored object that
    of its negative."""
    u, _, v = np.linalg.svd(matrix[:3, :3])
    turn = u @ v * np.sign(np.linalg.det(u @ v))
    return rigid.rotated(turn, matrix[:3, 3]), turn.T @ matrix[:3, :3]
