"""Simulation and bake: bone positions against the C ABI stepped directly (1e-4 m) and against closed forms; drives, limits, colliders, hit, drag,
units, cancel, undo, and the time of a bake."""
import sys
import time

sys.path.insert(0, __file__.rsplit("/", 1)[0])
import bpy  # noqa: E402
import numpy as np  # noqa: E402
from harness import OUT, SOURCE, arm, command, fresh, heads, model, near, picture, refused, rigid, shared_files, vertebra  # noqa: E402

from vertebra_blender.bake import Bake  # noqa: E402

URDF = SOURCE / "models/urdf"


def robot(name, frames, metres=1.0, rate=30, height=None, **settings):
    """A scene with a robot ready to be baked over some frames. height: of the armature's object [m]."""
    scene = fresh(metres, rate)
    bpy.ops.vertebra.import_model(filepath=str(URDF / name), visuals=False)
    return ready(scene, bpy.context.object, frames, height, metres, **settings)


def ready(scene, armature, frames, height=None, metres=1.0, **settings):
    scene.frame_start, scene.frame_end = 1, frames
    if height is not None:
        armature.location.z = height / metres
    for name, value in settings.items():
        setattr(armature.vertebra.simulation, name, value)
    bpy.context.view_layer.update()
    return armature


def names_of(armature, m):
    of = {bone[arm.LINK]: bone.name for bone in armature.data.bones}
    return [of[link] for link in m.links]


def coordinates(armature, first, last):
    """Coordinates of a robot's frames, of its evaluated bones."""
    figure = arm.bound(armature, bpy.context.scene)
    return figure.model, figure.model.coordinates(figure.links(*arm.finished(arm.sample(bpy.context, armature, first, last))))


def against_the_library():
    """A limp humanoid falls onto the ground beside a box; the same world by calls of the library."""
    for metres in (1.0, 0.01):
        armature = robot("humanoid.urdf", 46, metres, height=1.3, drive="LIMP", damping=0.3, friction=0.6)
        bpy.ops.mesh.primitive_cube_add(size=1 / metres, location=(0.35 / metres, 0, 0.1 / metres), scale=(0.5, 1.0, 0.2))
        box = bpy.context.object
        box.select_set(True)
        bpy.context.view_layer.objects.active = armature
        bpy.ops.vertebra.add_colliders()
        assert [o.name for o in armature.vertebra.simulation.colliders.objects] == [box.name]
        assert bpy.ops.vertebra.bake() == {"FINISHED"}

        m = model.Model.from_file(URDF / "humanoid.urdf", flags=vertebra.LoadFlag.DERIVE_COLLISION)
        world = vertebra.World(time_step=1 / 240)
        surface = dict(surface_friction=0.6)
        world.add_shape(type="plane", **surface)
        corners = np.array([(x, y, z) for x in (-0.25, 0.25) for y in (-0.5, 0.5) for z in (-0.1, 0.1)])
        faces = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]
        world.add_shape(type="mesh", pose=(0.35, 0, 0.1, 0, 0, 0, 1), geometry_points=corners, geometry_triangles=faces, **surface)
        figure = world.add_figure(m.skeleton, pose=(0, 0, 1.3, 0, 0, 0, 1))
        for joint, known in zip(figure.joints, m.joints):
            for axis in range(known.axes):
                joint.set_axis(axis, damping=joint.axis(axis).damping + 0.3)
        names, worst = names_of(armature, m), 0
        touches = 12  # frames before the first contact, in which round-off of seven digits does not grow
        for frame in range(1, 47):
            if frame <= touches:
                worst = max(worst, near(heads(armature, names, frame), figure.poses()[:, :3], 1e-4, f"falling humanoid, {metres} m/unit, frame {frame}"))
            world.step(8)
        print(f"a limp humanoid at {metres} m/unit: worst {worst:.1e} m before contact")
        # What was baked is what the simulation gave, contact or not.
        bake = Bake(bpy.context, armature)
        armature.animation_data.action = None
        for bone in armature.pose.bones:
            bone.matrix_basis.identity()
        for _ in bake.run():
            pass
        worst = max(near(heads(armature, bake.figure.bones, 1 + f), bake.poses[f, :, :3], 1e-4, f"baked frame {f}") for f in range(46))
        lowest = heads(armature, names, 46)[:, 2].min()
        assert -0.02 < lowest < 0.2 and heads(armature, names, 46)[:, 2].max() < 1.0, "it does not lie on the ground"
        print(f"    baked bones against the simulation's links over 46 frames with contact: {worst:.1e} m")


def closed_forms():
    """Free fall; an impulse on a limp figure without gravity."""
    armature = robot("humanoid.urdf", 31, height=5, drive="LIMP", ground=False, damping=0, self_collision=False)
    bpy.ops.vertebra.bake()
    m, q = coordinates(armature, 1, 31)
    near(com(m, q[30]) - com(m, q[0]), (0, 0, -9.81 / 2), 1e-4, "free fall for a second")

    armature = robot("humanoid.urdf", 31, height=5, drive="LIMP", ground=False, gravity=(0, 0, 0), hit="IMPULSE", hit_bone="torso", hit_frame=11,
                     impulse=(10, 20, 5))
    assert "torso" in armature.data.bones, [b.name for b in armature.data.bones]
    bpy.ops.vertebra.bake()
    m, q = coordinates(armature, 1, 31)
    near(com(m, q[10]), com(m, q[0]), 1e-4, "nothing moves before the impulse")
    near(com(m, q[30]) - com(m, q[10]), np.array((10, 20, 5)) / m.info.mass * 20 / 30, 2e-3, "the centre of mass moves by impulse over mass")


def com(m, q):
    return m.workspace.com(q, np.zeros(m.nv))[0]


def limits():
    """Joints of a limp robot keep the model's limits; without them they do not."""
    beyond = {}
    for keep in (True, False):
        armature = robot("humanoid.urdf", 40, height=1.5, drive="LIMP", limits=keep, damping=0.05)
        bpy.ops.vertebra.bake()
        m, q = coordinates(armature, 1, 40)
        beyond[keep] = max(max(float(np.max(j.limits[0][0] - q[:, j.q])), float(np.max(q[:, j.q] - j.limits[0][1])))
                           for j in m.joints if j.q >= 0 and j.type_name == "revolute")
    print(f"limits passed by {beyond[True]:.1e} rad at most; without limits by {beyond[False]:.2f} rad")
    assert beyond[True] < 2e-3 and beyond[False] > 0.2, beyond


def holding():
    """A fixed arm holds its pose; limp it falls; its base does not move."""
    sunk = {}
    for drive in ("HOLD", "LIMP"):
        armature = robot("arm7.urdf", 31, drive=drive, ground=False)
        bone = next(b for b in armature.pose.bones if b.name == arm.bound(armature, bpy.context.scene).model.links[3])
        bone.rotation_euler[[i for i in range(3) if not bone.lock_rotation[i]][0]] = 0.9
        bpy.context.view_layer.update()
        m, before = coordinates(armature, 1, 1)
        bpy.ops.vertebra.bake()
        m, q = coordinates(armature, 1, 31)
        near(q[:, :3], q[0, :3], 1e-6, "the base of the arm")
        near(q[0, 7:], before[0, 7:], 1e-5, "the simulation starts from the pose")
        sunk[drive] = float(np.max(np.abs(q[30, 7:] - q[0, 7:])))
    print(f"an arm that holds its pose yields by {sunk['HOLD']:.3f} rad, limp by {sunk['LIMP']:.2f} rad")
    assert sunk["HOLD"] < 0.1 < 0.5 < sunk["LIMP"], sunk


def following_fixed():
    """An arm on a fixed root follows keys of its joints; that it cannot let go is told."""
    armature = robot("arm7.urdf", 61, drive="ANIMATION", omega=120, let_go=100)
    m = model.Model.from_file(URDF / "arm7.urdf")
    moved = [m.links[joint.child] for joint in m.joints if joint.type_name == "revolute"][1:4]
    for frame, angle in ((1, 0.0), (31, 0.5), (61, -0.3)):
        for name in moved:
            bone = armature.pose.bones[name]
            bone.rotation_euler[next(i for i in range(3) if not bone.lock_rotation[i])] = angle
            bone.keyframe_insert("rotation_euler", frame=frame)
    _, wanted = coordinates(armature, 1, 61)
    assert np.ptp(wanted[:, 7:], axis=0).max() > 0.7
    bpy.ops.vertebra.bake()
    assert any("never let go" in one.text for one in bpy.context.scene.vertebra.findings)
    _, q = coordinates(armature, 1, 61)
    near(q[:, :7], wanted[:, :7], 1e-5, "the fixed root")
    print(f"an arm on a fixed root follows its keys within {np.abs(q - wanted)[:, 7:].max():.3f} rad")
    near(q[:, 7:], wanted[:, 7:], 0.03, "an arm on a fixed root follows its keys")


def defaults():
    """Every robot of ours (and real ones) is baked as it is imported, with its meshes, for two seconds; bake times are told."""
    ours = sorted(URDF.glob("*.urdf"))
    real = shared_files("urdf/g1_description/g1_29dof_rev_1_0.urdf", "Unitree G1") + shared_files("urdf/panda_description/urdf/panda.urdf", "Panda")
    for path in ours + real:
        scene = fresh(rate=30)
        bpy.ops.vertebra.import_model(filepath=str(path))
        armature = ready(scene, bpy.context.object, 61)
        names = [bone.name for bone in armature.data.bones]
        before = heads(armature, names, 1)
        started = time.perf_counter()
        bpy.ops.vertebra.bake()
        seconds = time.perf_counter() - started
        moved = np.linalg.norm(heads(armature, names, 61) - before, axis=-1).max()
        print(f"{path.name}: {len(names)} bones baked in {seconds / 2:.2f} s per second of motion; it keeps its pose within {moved:.3f} m")
        assert moved < 0.15, moved


def walker(frames=120, **settings):
    scene = fresh(rate=30)
    bpy.ops.vertebra.import_bvh(filepath=str(SOURCE / "models/motions/walk.bvh"))
    return ready(scene, bpy.context.object, frames, **settings)


def following():
    """A walker follows its animation; a thrown ball hits it; the drives let go. The ball is an object with keys. Bake time is told."""
    armature = walker()
    names = [bone.name for bone in armature.data.bones]
    wanted = np.array([heads(armature, names, f) for f in range(1, 121)])
    started = time.perf_counter()
    bpy.ops.vertebra.bake()
    seconds = time.perf_counter() - started
    got = np.array([heads(armature, names, f) for f in range(1, 121)])
    error = np.linalg.norm(got - wanted, axis=-1)
    near(got[0], wanted[0], 1e-4, "the bake starts where the animation does")
    print(f"a walker follows its animation: mean {error.mean():.3f} m, largest {error.max():.3f} m; baked in {seconds / (119 / 30):.2f} s per second of motion")
    assert error.mean() < 0.02 and error.max() < 0.06, (error.mean(), error.max())
    lengths = np.linalg.norm(got[:, [i for i, b in enumerate(armature.data.bones) if b.parent]]
                             - got[:, [names.index(b.parent.name) for b in armature.data.bones if b.parent]], axis=-1)
    near(lengths, np.tile(lengths[0], (120, 1)), 2e-5, "lengths of bones over the bake")

    exported(armature, names, got)

    # Baked again, with a hit: from the animation, not from the first bake.
    first = armature.animation_data.action.name
    for name, value in dict(hit="BALL", hit_bone="Chest", hit_frame=60, ball_speed=9.0, ball_mass=6.0, ball_direction=(1, 0, 0), let_go=300.0,
                            rest=5.0).items():
        setattr(armature.vertebra.simulation, name, value)
    bpy.ops.vertebra.bake()
    hit = np.array([heads(armature, names, f) for f in range(1, 121)])
    near(hit[:50], got[:50], 1e-4, "before the hit both bakes are equal")
    assert np.linalg.norm(hit[110] - got[110], axis=-1).max() > 0.3, "the hit does nothing"
    assert hit[110][:, 2].max() < 0.8 * got[110][:, 2].max(), "it lets go and falls"
    assert armature.vertebra.source.name == "walk" and first not in [a.name for a in bpy.data.actions if a != armature.animation_data.action], "actions"
    ball = armature.vertebra.ball
    scene = bpy.context.scene
    flights = []
    for frame in range(54, 63):
        scene.frame_set(frame)
        chest = armature.pose.bones["Chest"]
        flights.append(np.linalg.norm(np.array(ball.matrix_world.translation) - np.array(armature.matrix_world @ chest.center)))
    assert min(flights) < 0.35 and not ball.hide_render, f"the ball misses: {min(flights):.2f} m"
    scene.frame_set(2)
    assert ball.hide_render and ball.hide_viewport, "the ball is seen before it is thrown"
    bpy.ops.mesh.primitive_plane_add(size=30, location=(0, -2, 0))
    at = hit[70].mean(axis=0)
    pixels = skin_and_picture(armature, "hit.png", at, 74)
    assert np.std(pixels) > 0.02, "an empty picture"
    bpy.context.view_layer.objects.active = armature
    bpy.ops.vertebra.remove_bake()
    near(np.array([heads(armature, names, f) for f in (1, 60, 120)]), wanted[[0, 59, 119]], 1e-6, "the animation is back")
    assert armature.vertebra.ball is None and "walk ball" not in bpy.data.objects
    refused(lambda: bpy.ops.vertebra.remove_bake(), "poll")


def exported(armature, names, got):
    """The baked motion as files that the command vertebra reads again: the bones are where they were."""
    out = OUT / "baked.bvh"
    bpy.ops.vertebra.export_bvh(filepath=str(out))
    read = command("motion", out, "--unit", "1", "--up", "z", "-o", str(OUT / "again.bvh"))
    assert read["frames"] == len(got) and abs(read["frame_time"] - 1 / 30) < 1e-6, read
    motion = vertebra.Motion(OUT / "again.bvh", unit=1.0, up_axis="z")
    order = [motion.joint_names.index(name) for name in names]
    worst = near(motion.frames()[:, order, :3], got, 1e-4, "the baked motion through vertebra motion")
    table = OUT / "baked.csv"
    bpy.ops.vertebra.export_trajectory(filepath=str(table))
    figure = arm.bound(armature, bpy.context.scene)
    poses = np.array([figure.model.workspace.poses(q)[:, :3] for q in vertebra.Trajectory(table).q])
    near(poses[:, [figure.bones.index(name) for name in names]], got, 1e-4, "the baked motion as a trajectory")
    print(f"the baked motion through export and vertebra motion: {worst:.1e} m")


def skin_and_picture(armature, name, at, frame):
    """A picture with the model's own shapes as a body: what the simulation touches."""
    from vertebra_blender import meshes
    figure = arm.bound(armature, bpy.context.scene)
    for link, vertices, triangles, _ in figure.model.visuals(True):
        bone = armature.data.bones[figure.bones[link]]
        bone[arm.LINK], bone[arm.FRAME] = figure.model.links[link], [float(x) for x in rigid.poses(figure.frames[link])]
        meshes.carried(bpy.context.scene.collection, armature, bone.name, bone.name, vertices, triangles, (0.35, 0.5, 0.75, 1), 1.0)
    return picture(name, (at[0], at[1], 0.7), (at[0] + 1.2, at[1] - 3.6, 1.5), size=(480, 320), frame=frame)


def surroundings():
    """A collider that moves pushes a limp figure aside; a dragged hand comes to the object; both must be asked for rightly."""
    armature = robot("humanoid.urdf", 60, drive="LIMP", height=1.0)
    bpy.ops.mesh.primitive_cube_add(size=1, location=(-2, 0, 0.5))
    wall = bpy.context.object
    wall.keyframe_insert("location", frame=1)
    wall.location.x = 1.5
    wall.keyframe_insert("location", frame=60)
    wall.select_set(True)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.vertebra.add_colliders()
    m = model.Model.from_file(URDF / "humanoid.urdf", flags=vertebra.LoadFlag.DERIVE_COLLISION)
    names = names_of(armature, m)
    bpy.ops.vertebra.bake()
    end = heads(armature, names, 60)
    assert end[:, 0].min() > 1.7, f"the wall passes through it: {end[:, 0].min():.2f}"
    wall.scale.z = 2
    wall.keyframe_insert("scale", frame=60)
    wall.scale.z = 1
    wall.keyframe_insert("scale", frame=1)
    bpy.ops.vertebra.bake()
    assert any("'Cube' changes its shape" in one.text for one in bpy.context.scene.vertebra.findings), "a collider changes its shape in silence"
    armature.vertebra.simulation.colliders.objects.link(bpy.data.objects.new("nothing", bpy.data.meshes.new("nothing")))
    refused(bpy.ops.vertebra.bake, "'nothing' has no faces")

    armature = robot("humanoid.urdf", 90, drive="HOLD")
    figure = arm.bound(armature, bpy.context.scene)
    hand = next(name for name in figure.bones if "hand" in name.lower() and "left" in name.lower() or name == "left_forearm")
    start = heads(armature, [hand], 1)[0]
    target = bpy.data.objects.new("target", None)
    bpy.context.scene.collection.objects.link(target)
    target.location = start
    target.keyframe_insert("location", frame=1)
    target.location = start + np.array((0.25, 0.0, 0.15))
    target.keyframe_insert("location", frame=60)
    s = armature.vertebra.simulation
    s.use_drag, s.drag_bone, s.drag_last, s.drag_limit, s.strength, s.omega = True, hand, 90, 400, 0.3, 8
    refused(bpy.ops.vertebra.bake, "choose the object")
    s.drag_object, s.drag_first = target, 90
    refused(bpy.ops.vertebra.bake, "drag: frames 90 to 90")
    s.drag_first = 1
    bpy.ops.vertebra.bake()
    bpy.context.scene.frame_set(90)
    tail = np.array(armature.matrix_world @ armature.pose.bones[hand].tail)
    way = np.linalg.norm(tail - np.array(target.location))
    print(f"a hand that is dragged by 0.29 m is {way:.3f} m from its target")
    assert way < 0.1, way


def refusals():
    armature = robot("humanoid.urdf", 20, hit="IMPULSE", hit_frame=40)
    refused(bpy.ops.vertebra.bake, "hit (frame 40) lies outside of the frames 1 to 20")
    armature.vertebra.simulation.hit_frame = 5
    refused(bpy.ops.vertebra.bake, "choose a bone")
    armature.vertebra.simulation.hit_bone = "tail"
    refused(bpy.ops.vertebra.bake, "'tail' is no bone")
    armature.vertebra.simulation.hit, armature.vertebra.simulation.hit_bone = "BALL", "torso"
    refused(bpy.ops.vertebra.bake, "flies for 0.25 s", "frame 9 or later")
    bpy.context.scene.frame_end = 1
    refused(bpy.ops.vertebra.bake, "give it a range of frames")
    assert armature.animation_data is None or armature.animation_data.action is None, "a refused bake left keys"


def cancelling():
    """A job that is dropped at any point leaves actions, pose, frame and objects as they were."""
    armature = walker(40, hit="BALL", hit_bone="Chest", hit_frame=20)
    scene = bpy.context.scene
    scene.frame_set(7)

    def state():
        return (armature.animation_data.action.name, sorted(a.name for a in bpy.data.actions), sorted(o.name for o in bpy.data.objects), scene.frame_current,
                [tuple(round(x, 6) for x in b.location) for b in armature.pose.bones])

    before = state()
    for stop in (1, 30, 41, 60):
        job = Bake(bpy.context, armature).run()
        for _ in range(stop):
            next(job)
        job.close()
        assert state() == before, f"cancelled after {stop} steps"
    shares = [share for share, _ in Bake(bpy.context, armature).run()]
    assert all(a <= b for a, b in zip(shares, shares[1:])) and 0 < shares[0] < shares[-1] <= 1, "progress goes forward"


def before_the_bake():
    """Removing a bake gives pose and constraints back; a second bake starts from them too, not from the first."""
    armature = robot("arm7.urdf", 20, drive="LIMP", self_collision=False, ground=False)
    bone = armature.pose.bones[3]
    free = next(i for i in range(3) if not bone.lock_rotation[i])
    bone.rotation_euler[free] = 0.4
    aim = bpy.data.objects.new("aim", None)
    bpy.context.scene.collection.objects.link(aim)
    aim.location = (1, 0.5, 2)
    constraint = armature.pose.bones[0].constraints.new("COPY_ROTATION")
    constraint.target, aim.rotation_euler = aim, (0, 0, 0.6)
    names = [b.name for b in armature.data.bones]
    pose = heads(armature, names, 1)
    near(heads(armature, names, 20), pose, 1e-6, "nothing moves yet")
    bpy.ops.vertebra.bake()
    assert constraint.mute and any("is muted" in one.text for one in bpy.context.scene.vertebra.findings)
    near(heads(armature, names, 1), pose, 1e-4, "the bake starts from pose and constraint")
    fallen = heads(armature, names, 20)
    assert np.abs(fallen - pose).max() > 0.05, "it does not fall"
    bpy.ops.vertebra.bake()
    near(heads(armature, names, 20), fallen, 1e-5, "a second bake is the first again")
    armature.vertebra.simulation.drive = "ANIMATION"
    bpy.ops.vertebra.bake()
    near(heads(armature, names, 20), pose, 0.02, "it follows the pose before the bake, not the bake")
    bpy.ops.vertebra.remove_bake()
    near(heads(armature, names, 20), pose, 1e-5, "the pose is back")
    assert not constraint.mute and not armature.animation_data.action and not bpy.data.actions


def undoing():
    """Undo takes a bake back, redo gives it again."""
    armature = walker(20)
    name = armature.name
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.vertebra.bake("EXEC_DEFAULT", True)  # with the undo step that the operator asks for
    assert bpy.data.objects[name].animation_data.action.name == "walk baked"
    bpy.ops.ed.undo()
    assert bpy.data.objects[name].animation_data.action.name == "walk", "undo left the bake"
    assert bpy.data.objects[name].vertebra.source is None
    bpy.ops.ed.redo()
    assert bpy.data.objects[name].animation_data.action.name == "walk baked", "redo"


def kept_in_the_file():
    """A saved .blend holds model and settings; nothing outside is needed."""
    robot("quadruped.urdf", 12, drive="HOLD", omega=30)
    path = OUT / "kept.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.open_mainfile(filepath=str(path))
    armature = next(o for o in bpy.data.objects if o.type == "ARMATURE")
    bpy.context.view_layer.objects.active = armature
    assert armature.vertebra.simulation.omega == 30 and armature.vertebra.model is not None
    bpy.ops.vertebra.bake()
    assert armature.animation_data.action


def main():
    for test in (against_the_library, closed_forms, defaults, limits, holding, following_fixed, following, surroundings, refusals, cancelling,
                 before_the_bake, undoing, kept_in_the_file):
        print(f"-- {test.__name__}", flush=True)
        test()
    print("passed")


main()
