#!/usr/bin/env python3
"""The classes of the Python package against the C functions that they stand for and against closed forms: things and their iteration, words for
enumerators, exceptions, callbacks, arrays, findings, files. Argument: the folder of the client. Leaves with 77 where numpy is not installed.
"""
import contextlib
import ctypes
import inspect
import pathlib
import re
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: python3-numpy is not installed")
    sys.exit(77)
sys.path.insert(0, sys.argv[1])
import vertebra  # noqa: E402
from vertebra import (ArgError, BodyKind, BusyError, DivergedError, Error, JointType, Markers, Motion, ParseError, RetargetMap, RetargetReport, Retargeter, Scene,  # noqa: E402
                      Skeleton, StaleError, Trajectory, World, WorldFlag, retarget, track, vtb)

MODELS = pathlib.Path(sys.argv[1]).parents[2] / "models"


@contextlib.contextmanager
def raises(kind, text=""):
    """That kind of exception, with that in its text."""
    try:
        yield
    except kind as error:
        assert text in str(error), f"{text!r} is not in {error}"
    else:
        raise AssertionError(f"no {kind.__name__}")


def test_enumerations_and_errors():
    assert JointType.REVOLUTE == vtb.VTB_JOINT_TYPE_REVOLUTE and WorldFlag.NO_SLEEP | WorldFlag.PLANAR == 257
    assert isinstance(WorldFlag.NO_SLEEP | WorldFlag.PLANAR, WorldFlag) and "turns about an axis" in JointType.REVOLUTE.__doc__
    kinds = [kind for kind in vars(vertebra).values() if inspect.isclass(kind) and issubclass(kind, Error) and kind is not Error]
    assert len(kinds) == 11 and len(vertebra.__all__) == len(set(vertebra.__all__))
    world = World(stepper="ode", flags=WorldFlag.NO_SLEEP)
    assert world.settings.stepper == vtb.VTB_STEPPER_ODE
    with raises(TypeError, "is none of impulse, variational"):
        World(stepper="leapfrog")
    with raises(ArgError, "time_step"):
        World(time_step=-1)


def test_arguments():
    """What C could not check is refused before."""
    world = World()
    body = world.box((0, 0, 1), (0.1, 0.1, 0.1))
    for wrong in (np.zeros(3), np.zeros(7, np.float32), np.zeros(14)[::2], (0, 0, 1)):
        with raises(ctypes.ArgumentError, "pose"):
            vtb.vtb_body_get_pose(world, body, wrong)
    with raises(ctypes.ArgumentError, "steps: -1 does not go into uint32_t"):
        world.step(-1)
    with raises(ctypes.ArgumentError, "vtb_world"):
        vtb.vtb_world_step(Skeleton(MODELS / "urdf/arm7.urdf"), 1)
    with raises(ctypes.ArgumentError, "vtb_body"):
        vtb.vtb_body_wake(world, world.ground())
    with raises(AttributeError, "vertebra.h has no vtb_wrold_step"):
        vtb.vtb_wrold_step
    assert "advances" in vtb.vtb_world_step.__doc__.lower() and "time_step" in vtb.vtb_world_step.__doc__


def test_things():
    with World() as world:
        floor = world.ground()
        a, b = world.box((0, 0, 2), (0.1, 0.1, 0.1), mass=2), world.sphere((0.5, 0, 2), 0.1)
        hinge = world.hinge(a, b, (0.25, 0, 2), (0, 1, 0))
        assert world.bodies == [a, b] and world.joints == [hinge] and len(world.shapes) == 3 and world.shapes[0] == floor
        assert a.mass == 2 and a.kind is BodyKind.DYNAMIC and a.joints == [hinge] and [each.body for each in a.shapes] == [a] and not floor.body
        a.name, hinge.user_value = "door", 7
        assert world.find("body", "door") == a and a.name == "door" and hinge.user_value == 7
        b.twist = (0, 0, 0, 0, 3, 0)
        hinge.set_axis(lower=-1)
        assert hinge.axis().lower == -1 and hinge.axis().upper == np.inf
        hinge.set_motor(mode="velocity", velocity=2, damping=5)
        hinge.set_motor(max_force=9)
        motor = hinge.motor()
        assert (motor.mode, motor.velocity, motor.damping, motor.max_force) == (vtb.VTB_MOTOR_MODE_VELOCITY, 2, 5, 9)
        hinge.q = [0.25]
        assert abs(hinge.q[0] - 0.25) < 1e-12
        pose = np.empty(7)
        vtb.vtb_body_get_pose(world, a, pose)
        assert (a.pose == pose).all() and (world.poses()[0] == pose).all()
        hit = world.ray((0, 0, 5), (0, 0, -1))
        assert hit.body == a and world.ray((9, 9, 1), (0, 0, 1)) is None
        floor.set_surface(friction=0.25)
        assert floor.surface.friction == 0.25 and floor.surface.restitution == 0
        # Python would make a new attribute of what does not exist, and nothing would come of it.
        with raises(AttributeError, "Shape has no restitution to set"):
            floor.restitution = 0.5
        with raises(AttributeError, "World has no hash_ to set; hash?"):
            world.hash_ = 0
        with raises(AttributeError, "vtb_motor_def has no max_froce to set; max_force?"):
            motor.max_froce = 1

        class Arena(World):
            pass

        with Arena() as arena:
            arena.score = 1
        assert arena.score == 1
        hinge.destroy()
        with raises(StaleError, "joint no longer exists"):
            hinge.q = [0]
    assert repr(world) == "<World, closed>"
    with raises(ArgError, "world"):
        world.step()


def test_arrays():
    world, skeleton = World(), Skeleton(MODELS / "urdf/humanoid.urdf")
    world.ground()
    figures = [world.add_figure(skeleton, pose=(2 * i, 0, 1.2, 0, 0, 0, 1)) for i in range(3)]
    world.step(10)
    poses = world.poses()
    assert all((poses[figure.rows] == figure.poses()).all() for figure in figures)
    again = world.poses(out=poses)
    assert again is poses and len(figures[1].bodies) == len(figures[1].poses()) == skeleton.info.links
    with raises(ValueError, "room for 2 rows"):
        world.poses(out=np.empty((2, 7)))
    world.step(960)
    contacts = world.contacts()
    weight = 3 * skeleton.info.mass * 9.81
    assert len(contacts) == world.stats.contacts > 0 and contacts.dtype.itemsize == ctypes.sizeof(vtb.vtb_contact)
    assert abs(contacts.force[contacts.body_a["bits"] == 0].sum(axis=0)[2] - weight) < 0.05 * weight, "they lie on the ground"
    assert figures[0].q.shape == (figures[0].nq,) and figures[0].v.shape == (figures[0].nv,)
    figure = figures[0]
    figure.q = workspace_q = figure.workspace().neutral()
    assert (figure.q == workspace_q).all()
    with raises(ValueError, "q must have"):
        figure.q = [0, 1]


def test_callbacks():
    world, count, told = World(substeps=2), [], []
    world.sphere((0, 0, 1), 0.1)
    world.before_step(lambda w: count.append(w.time))
    after = world.after_step(lambda w: count.append(w.poses()[0, 2]))
    world.step(3)
    assert len(count) == 12 and count[0] == 0 and callable(after)
    world.before_step(None)
    world.after_step(None)
    world.step()
    assert len(count) == 12

    @world.before_step
    def fail(w):
        count.append("called")
        raise KeyError("mine")

    with raises(KeyError, "mine"):
        world.step(5)
    assert count[12:] == ["called"], "functions after the first that raised are not called"
    world.before_step(lambda w: w.wake_all())
    with raises(BusyError, "vtb_world_wake_all"):
        world.step()
    world.before_step(None)
    world.step()
    world.log(lambda status, text: told.append((status, text)))
    with raises(ArgError):
        world.step(0) or world.set(time_step=-1)
    passed = World()
    passed.ground()
    ball = passed.sphere((0, 0, 0.2), 0.1)
    passed.filter(lambda a, b: False)
    passed.step(120)
    assert ball.pose[2] < -0.5, "the filter lets it pass through the ground"


def test_force_field_and_constraint():
    """A spring to the origin by a callback: x = cos(wt); a pendulum by a row of the caller's keeps its length."""
    world = World(gravity=(0, 0, 0), time_step=1e-3, flags=WorldFlag.NO_SLEEP)
    ball = world.sphere((1, 0, 0), 0.1, mass=2)
    world.add_force_field(lambda body: -8 * body.position, bodies=[ball], potential=lambda body: 4 * body.position @ body.position)
    assert abs(world.energy.potential - 4) < 1e-12
    world.step(1000)
    assert abs(ball.pose[0] - np.cos(2)) < 1e-5, ball.pose
    world.add_force_field(lambda body: (0, 0))
    with raises(ValueError, "a force has 3 numbers"):
        world.step()
    world = World(time_step=1e-3)
    ball = world.sphere((1, 0, 0), 0.1)

    def rod(row, index):
        place = ball.position
        length = np.sqrt(place @ place)
        row.error, row.bodies[0, :3] = length - 1, place / length
        return index == 0

    constraint = world.add_constraint(rod, [ball])
    world.step(500)
    place, twist = ball.position, ball.twist
    assert abs(np.linalg.norm(place) - 1) < 1e-6 and abs(twist[:3] @ twist[:3] / 2 + 9.81 * place[2]) < 0.02 and constraint.forces[0] < 0
    with raises(DivergedError, ""):
        raise vertebra.errors.error_of(vtb.VTB_E_DIVERGED, "")


def test_snapshot_and_scene():
    scene = Scene(MODELS / "scenes/pool.xml")
    world, other = scene.world(), scene.world()
    world.step(50)
    state, number = world.save(), world.hash
    world.step(50)
    assert world.hash != number
    other.restore(state)
    assert other.hash == number and abs(other.time - world.time / 2) < 1e-9
    other.step(50)
    assert other.hash == world.hash
    with raises(ArgError):
        world.restore(state[:100])
    bad = "<scene><ball/></scene>"
    try:
        Scene(text=bad, name="mine.xml")
    except ParseError as error:
        assert error.findings and error.findings[0].file == "mine.xml" and error.findings[0].severity.name == "ERROR" and "ball" in str(error.findings[0])
    else:
        raise AssertionError("it was read")
    again = Scene(text=world.scene_text(), name=str(MODELS / "scenes/again.xml")).world()
    again.step(20)
    world.step(20)
    assert again.hash == world.hash or np.allclose(again.poses(), world.poses(), atol=1e-9)


def test_motions():
    motion, skeleton = Motion(MODELS / "motions/walk.bvh"), Skeleton(MODELS / "urdf/humanoid.urdf")
    frames = motion.frames()
    assert frames.shape == (len(motion), motion.info.joints, 7) and np.allclose(frames[5], motion.poses(5 * motion.info.frame_time), atol=1e-9)
    assert motion.channels().shape[1] == motion.info.channels and len(motion.joint_names) == motion.info.joints
    short = motion.trimmed(0, 39)
    result = retarget(short, skeleton)
    assert len(result) == 40 and result.q.shape == (40, result.info.nq) and result.findings and len(result.names) == result.info.nq
    assert RetargetReport(short, skeleton, result).info.frames == 40
    live = Retargeter(short, skeleton, latency=0.1)
    got = [q for frame in short.frames() if (q := live.push(frame)) is not None] + list(live.finish())
    assert len(got) == 40 and np.linalg.norm(got[20][:3] - result.q[20, :3]) < 0.1
    with tempfile.TemporaryDirectory() as folder:
        result.save(pathlib.Path(folder) / "walk.csv")
        assert np.allclose(Trajectory(pathlib.Path(folder) / "walk.csv").q, result.q, atol=1e-9)
        text = (pathlib.Path(folder) / "walk.csv").read_text()
        assert np.array_equal(Trajectory(text=text).q, Trajectory(pathlib.Path(folder) / "walk.csv").q)
        with raises(ValueError, ".csv, .json or .npz"):
            result.save(pathlib.Path(folder) / "walk.txt")
    clip = result.motion(skeleton)
    assert len(clip) == 40 and np.allclose(clip.trajectory(skeleton).q[:, 7:], result.q[:, 7:], atol=1e-9)
    assert len(short.mended("cut")) == 40
    record = Markers(MODELS / "motions/walk.trc")
    with raises(Error, "gaps are not to be filled"):
        record.motion()
    filled = record.motion(fill=True)
    assert len(filled) == record.info.frames and any(f.code == "markers.filled" for f in filled.findings)
    roles = RetargetMap.guess(short, skeleton)
    assert "retarget_map" in str(roles) and str(RetargetMap(text=str(roles))) == str(roles)
    given = RetargetMap()
    given.set("head", "Chest", None)
    assert str(RetargetMap.guess(short, skeleton, given)) != str(roles), "what is given counts"
    with raises(ParseError, "mine.xml"):
        RetargetMap(text="<retarget_map><role/></retarget_map>", name="mine.xml")
    with raises(ParseError, "mine.csv"):
        Trajectory(text="root_x\nnothing\n", name="mine.csv")
    done, info = track(result, skeleton)
    assert info.fell == 0 and len(done) > 0 and info.error_mean < 0.1


def test_controllers():
    world, skeleton = World(gravity=(0, 0, 0)), Skeleton(MODELS / "urdf/arm7.urdf")
    arm = world.add_figure(skeleton)
    drive = arm.add_drive(pose="neutral", omega=30)
    wanted = arm.q
    wanted[:3] = 0.3
    drive.set_pose(wanted)
    world.step(480)
    assert np.abs(arm.q - wanted).max() < 5e-3 and arm.controllers == [drive] and drive.info.type == vertebra.ControllerType.DRIVE
    point = arm.add_point()
    goal = point.add_goal(link=len(skeleton.links) - 1, target=(0.4, 0.1, 0.6), from_=-1)
    world.step(10)
    assert 0 < point.error(goal) < 2
    assert arm.body(skeleton.link_names[3]) == arm.bodies[3] and arm.joint(skeleton.joint_names[2]) == arm.joints[2]


def test_driveline():
    """A gear of ratio 2 between two rotors: arrays and their counts are made from sequences."""
    world = World()
    rotors = [world.add_joint(type="rotor") for _ in range(2)]
    for rotor, inertia in zip(rotors, (1.0, 2.0)):
        rotor.set_axis(armature=inertia)
    world.add_driveline([(rotors[0], 0, 1), (rotors[1], 0, 1)], type="gearbox", ratios=[0, 2]).set_input(gear=1)
    rotors[0].v = [4]
    world.step(240)
    fast, slow = (rotor.v[0] for rotor in rotors)
    assert abs(fast - 2 * slow) < 1e-3 and slow > 0.5, (fast, slow)


def test_documentation():
    """Every public class, method and property has a text."""
    for name in vertebra.__all__:
        thing = getattr(vertebra, name)
        if not inspect.isclass(thing) or issubclass(thing, Exception):
            continue
        assert thing.__doc__, name
        for member, value in vars(thing).items():
            if not member.startswith("_") and (callable(value) or hasattr(value, "__get__")) and not isinstance(value, type):
                assert value.__doc__, f"{name}.{member}"
    for entry in vtb._described:
        assert getattr(vtb, entry).__doc__, entry


def test_notebook():
    """A page with the command, a picture with the view library alone, else the text; pages of the next seconds leave the world as it is."""
    world = World()
    world.ground()
    world.box((0, 0, 1), (0.2, 0.2, 0.2))
    text, drawn = world._repr_html_(), world._repr_png_()
    paged = vertebra.find.find_command() is not None
    assert "1 bodies" in text and ("<iframe" in text) == paged and ("<img" in text) == (drawn is not None and not paged)
    if paged:
        world.step(24)
        before = world.hash
        page = world.page(0.5)
        first, last = map(float, re.search(r'"times":\[([^,]+),([^\]]+)\]', page.text).groups())
        assert world.hash == before and abs(first - world.time) < 1e-9 and abs(last - first - 0.5) < 1e-9
        world.add_force_field(lambda body: (0, 0, 1))  # which no scene holds
        with raises(vertebra.errors.UnsupportedError):
            world.page(0.5)
        assert "<img" in world._repr_html_() or drawn is None
    if drawn is None:
        print("no picture: libvertebra_view is not there or cannot draw")
        return
    image = vertebra.world.picture.pixels(world, 160, 90)
    assert drawn[:8] == b"\x89PNG\r\n\x1a\n" and image.shape == (90, 160, 3) and len(np.unique(image.reshape(-1, 3), axis=0)) > 50


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
        print(name, "good")
