"""Every URDF of models/urdf (and real ones): bones, meshes and baked poses against the C ABI's forward kinematics to 1e-4 m, in scenes of two
unit scales; locks and limits; what is refused."""
import ctypes
import sys
import time

sys.path.insert(0, __file__.rsplit("/", 1)[0])
import bpy  # noqa: E402
import numpy as np  # noqa: E402
from harness import OUT, SHARED, SOURCE, arm, clip, fresh, heads, model, near, picture, refused, rigid, shared_files, vertebra  # noqa: E402

FRAMES = 6


def random_poses(m, rng):
    """Random coordinates within limits, with a moving root."""
    q = np.tile(m.workspace.neutral(), (FRAMES, 1))
    for t in range(FRAMES):
        turn = rng.normal(size=4)
        q[t, :7] = np.concatenate([rng.uniform(-1, 1, 3), turn / np.linalg.norm(turn)])
        for joint in m.joints:
            if joint.q >= 0 and joint.axes == 1:
                lower, upper = np.clip(joint.limits[0], -2, 2)
                q[t, joint.q] = rng.uniform(lower, upper) if lower < upper else lower
    return q


def check(path, metres, rng):
    scene = fresh(metres)
    started = time.perf_counter()
    bpy.ops.vertebra.import_model(filepath=str(path), visuals=True, collision=path.parent.name == "urdf", on_ground=True)
    seconds = time.perf_counter() - started
    armature = bpy.context.object
    m = model.Model.from_file(path, flags=vertebra.LoadFlag.DERIVE_COLLISION)
    bone_of = {bone[arm.LINK]: bone.name for bone in armature.data.bones}
    names = [bone_of[link] for link in m.links]
    base = np.array(armature.matrix_world, dtype=float)[:3, 3] * metres
    at_rest = near(heads(armature, names, 1), m.workspace.poses(m.workspace.neutral())[:, :3] + base, 1e-4, f"{path.name} at rest")

    q = random_poses(m, rng)
    csv = OUT / f"{path.stem}.csv"
    trajectory = clip.trajectory_of(m, q, 30, "poses")
    trajectory.save(csv)
    bpy.ops.vertebra.import_trajectory(filepath=str(csv))
    assert armature.animation_data.action, "no action"
    visuals = [o for o in bpy.data.objects if o.parent == armature]
    assert len(visuals) >= sum(1 for _, _, triangles, _ in m.visuals(False) if len(triangles)), "visuals are missing"
    worst = 0
    for t in range(FRAMES):
        poses = m.workspace.poses(q[t])
        worst = max(worst, near(heads(armature, names, 1 + t), poses[:, :3], 1e-4, f"{path.name}, frame {t}"))
        links = rigid.matrices(poses)
        depsgraph = bpy.context.evaluated_depsgraph_get()
        for visual in visuals:
            link = m.links.index(armature.data.bones[visual.parent_bone][arm.LINK])
            world = np.array(visual.evaluated_get(depsgraph).matrix_world, dtype=float)
            world[:3, 3] *= metres
            near(world, links[link], 2e-4, f"{path.name}, mesh {visual.name}, frame {t}")

    back = OUT / f"{path.stem}_back.csv"
    scene.frame_start, scene.frame_end = 1, FRAMES
    bpy.ops.vertebra.export_trajectory(filepath=str(back))
    read = vertebra.Trajectory(back)
    again = read.q
    near(1 / read.info.frame_time, 30, 1e-9, "rate")
    for t in range(FRAMES):
        near(m.workspace.poses(again[t])[:, :3], m.workspace.poses(q[t])[:, :3], 1e-4, f"{path.name} exported, frame {t}")
    print(f"{path.name} at {metres} m/unit: {len(names)} bones, {len(visuals)} meshes, import {seconds:.2f} s, rest {at_rest:.1e} m, worst {worst:.1e} m")
    return armature, m


def locks():
    """One channel of a hinge's bone turns the joint by as much, and Blender's IK has the joint's limits."""
    armature, m = check(SOURCE / "models/urdf/arm7.urdf", 1.0, np.random.default_rng(1))
    armature.animation_data_clear()
    tried = 0
    for joint in m.joints:
        if joint.type_name not in ("revolute", "continuous"):
            continue
        bone = armature.pose.bones[m.links[joint.child]]
        free = [i for i in range(3) if not bone.lock_rotation[i]]
        assert len(free) == 1 and all(bone.lock_location), f"{bone.name}: channels {free}"
        sign = np.sign((rigid.matrices(list(bone.bone[arm.FRAME]))[:3, :3].T @ joint.child_frame[:3, :3] @ joint.axis)[free[0]])
        for other in armature.pose.bones:
            other.matrix_basis.identity()
        bone.rotation_euler[free[0]] = 0.3 * sign
        q = m.workspace.neutral()
        q[2] = armature.location.z
        q[joint.q] = 0.3
        near(heads(armature, m.links, 1), m.workspace.poses(q)[:, :3], 1e-4, f"{bone.name} turned by its channel")
        bone.rotation_euler[free[0]] = 0
        tried += 1
    assert tried == 7, tried


def every_type():
    """Coordinates of each type of joint, from poses of links back to coordinates."""
    vtb = vertebra.vtb
    rng = np.random.default_rng(2)
    for word in ("revolute", "continuous", "prismatic", "universal", "spherical", "planar", "floating", "cylindrical", "screw", "wheel"):
        builder, index = ctypes.c_void_p(), ctypes.c_int32()
        vtb.vtb_skeleton_builder_create("two", ctypes.byref(builder))
        for name in ("a", "b"):
            link = vtb.make("vtb_link_def", name=name, mass=1.0, inertia=(1, 0, 0, 1, 0, 1))
            vtb.vtb_skeleton_builder_add_link(builder, ctypes.byref(link), ctypes.byref(index))
        frames = [(*rng.normal(size=3), *(lambda x: x / np.linalg.norm(x))(rng.normal(size=4))) for _ in range(2)]
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        axis2 = np.cross(axis, rng.normal(size=3))
        axis2 /= np.linalg.norm(axis2)
        joint = vtb.make("vtb_skeleton_joint_def", name="j", type=word, parent=0, child=1,
                         parent_frame=frames[0], child_frame=frames[1], axis=axis, axis2=axis2, pitch=0.5)
        vtb.vtb_skeleton_builder_add_joint(builder, ctypes.byref(joint), ctypes.byref(index))
        m = model.Model(vertebra.Skeleton._made(vtb.vtb_skeleton_builder_finish, builder, 0))
        vtb.vtb_skeleton_builder_destroy(builder)
        q = np.empty((5, m.nq))
        for t in range(5):
            q[t] = m.workspace.integrate(m.workspace.neutral(), rng.uniform(-1.2, 1.2, m.nv), 1)
        links = rigid.matrices([m.workspace.poses(row) for row in q])
        again = rigid.matrices([m.workspace.poses(row) for row in m.coordinates(links)])
        near(again, links, 1e-9, f"{word}: links of the coordinates found")
        if word not in ("spherical", "floating"):
            near(m.coordinates(links)[:, 7:], q[:, 7:], 1e-9, f"{word}: coordinates")


def refusals():
    fresh()
    refused(lambda: bpy.ops.vertebra.import_model(filepath=str(OUT / "absent.urdf")), "absent.urdf")
    broken = OUT / "broken.urdf"
    broken.write_text("<robot name='x'><link name='a'></robot>")
    refused(lambda: bpy.ops.vertebra.import_model(filepath=str(broken)), "broken.urdf")
    bpy.ops.vertebra.import_model(filepath=str(SOURCE / "models/urdf/arm7.urdf"))
    armature = bpy.context.object
    refused(lambda: bpy.ops.vertebra.export_trajectory(filepath=str(OUT / "x.txt")), ".csv, .json or .npz")
    refused(lambda: bpy.ops.vertebra.import_trajectory(filepath=str(OUT / "humanoid.csv")), "another figure")
    armature.scale = (1, 2, 1)
    bpy.context.view_layer.update()
    refused(lambda: bpy.ops.vertebra.export_trajectory(filepath=str(OUT / "x.csv")), "scaled", "apply the scale")
    armature.scale = (2, 2, 2)
    bpy.context.view_layer.update()
    refused(lambda: bpy.ops.vertebra.export_trajectory(filepath=str(OUT / "x.csv")), "from its place in the model")
    armature.scale = (1, 1, 1)
    bpy.ops.object.select_all(action="DESELECT")
    bpy.context.view_layer.objects.active = None
    assert not bpy.ops.vertebra.export_trajectory.poll(), "exports without an armature"


def main():
    rng = np.random.default_rng(0)
    ours = sorted((SOURCE / "models/urdf").glob("*.urdf"))
    assert len(ours) == 4, ours
    for path in ours:
        for metres in (1.0, 0.01):
            check(path, metres, rng)
    locks()
    every_type()
    refusals()
    real = ["g1_description/g1_29dof_rev_1_0.urdf", "panda_description/urdf/panda.urdf", "talos_data/robots/talos_reduced.urdf",
            "bullet/cartpole.urdf", "simple_humanoid_description/urdf/simple_humanoid.urdf"]
    for name in real:
        for path in shared_files("urdf/" + name, name):
            check(path, 1.0, rng)
    if (SHARED / "urdf" / real[0]).exists():
        fresh()
        bpy.ops.vertebra.import_model(filepath=str(SHARED / "urdf" / real[0]))
        pixels = picture("g1.png", (0, 0, 0.68), (2.1, -2.5, 1.2))
        assert 0.02 < np.mean(np.std(pixels, axis=-1) + np.abs(pixels - pixels[0, 0]).max(-1) > 0.1) < 0.9, "the picture shows no robot"
    print("passed")


main()
