#!/usr/bin/env python3
"""The Python client: layouts agree with the library, calls work, errors carry their text. Argument: the folder of the client.

Leaves with 77 (skipped) where numpy is not installed.
"""
import ctypes
import sys

try:
    import numpy as np
except ImportError:
    sys.exit(77)
sys.path.insert(0, sys.argv[1])
from vertebra import Error, World, vtb  # noqa: E402


def test_layouts():
    """Each struct as large as the library's: its _init call tells its defaults only if every field is where it should be."""
    world = vtb.make("vtb_world_def")
    assert world.gravity[2] == -9.81 and world.time_step == 1 / 240 and world.adaptive.halvings == 4, "vtb_world_def"
    settings = vtb.make("vtb_world_def", contact_margin=0.02, rollback_depth=0, gravity=(0, 0, -1))
    assert settings.contact.margin == 0.02 and settings.ode.rollback_depth == 0 and settings.solver.type == vtb.VTB_SOLVER_PGS and settings.gravity[2] == -1, "keywords"
    for wrong in ("speed", "contact", "contact_hue"):
        try:
            vtb.make("vtb_world_def", **{wrong: 1})
        except TypeError as error:
            assert wrong in str(error)
        else:
            raise AssertionError(f"{wrong} was taken for a field")
    shape = vtb.make("vtb_shape_def")
    assert shape.pose[6] == 1 and shape.mask == 0xFFFFFFFF and shape.rgba[3] == 1, "vtb_shape_def"
    joint = vtb.make("vtb_skeleton_joint_def")
    assert joint.parent == -1 and joint.mimic_multiplier == 1 and joint.axis2[1] == 1, "vtb_skeleton_joint_def"
    motor = vtb.make("vtb_motor_def")
    assert motor.max_force == float("inf"), "vtb_motor_def"
    assert vtb.VTB_E_INTERNAL == -10 and vtb.VTB_JOINT_TYPE_FLOATING == 7 and vtb.VTB_JOINT_TYPE_AXIS_LINEAR == 18


def test_world():
    called = []
    world = World(before_step=lambda user, handle: called.append(handle))
    world.add_shape(type=vtb.VTB_SHAPE_TYPE_PLANE)
    body = world.add_body(pose=(0, 0, 1, 0, 0, 0, 1))
    world.add_shape(body, size=(0.1, 0, 0))
    world.step(24)
    assert abs(world.time - 0.1) < 1e-12
    assert len(called) == 24
    poses = world.poses()
    assert poses.shape == (1, 7) and abs(poses[0, 2] - (1 - 0.5 * 9.81 * 0.01)) < 1e-3
    pose = np.empty(7)
    vtb.vtb_body_get_pose(world, body, pose)
    assert (pose == poses[0]).all()
    vtb.vtb_body_destroy(world, body)
    try:
        vtb.vtb_body_get_pose(world, body, pose)
    except Error as error:
        assert error.status == vtb.VTB_E_STALE and "vtb_body_get_pose" in str(error)
    else:
        raise AssertionError("a stale handle was taken")
    world.close()


def test_skeleton():
    text = (b"<robot name='r'><link name='a'/><link name='b'><inertial><origin xyz='0 0 -1'/><mass value='2'/>"
            b"<inertia ixx='0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' izz='0.1'/></inertial></link>"
            b"<joint name='j' type='continuous'><parent link='a'/><child link='b'/><axis xyz='0 1 0'/></joint></robot>")
    from vertebra import Skeleton, Workspace
    skeleton = Skeleton()
    skeleton.handle = ctypes.c_void_p()
    vtb.vtb_skeleton_parse_urdf(text, ctypes.c_size_t(len(text)), b"r", None, None, ctypes.byref(skeleton.handle))
    assert skeleton.info.links == 2 and skeleton.info.mass == 2
    workspace = Workspace(skeleton, base=vtb.VTB_BASE_FIXED)
    q, v, a = np.array([0.3]), np.array([0.5]), np.array([1.5])
    tau = workspace.inverse(q, v, a)
    assert abs(workspace.mass_matrix(q)[0, 0] - 2.1) < 1e-12
    assert abs(workspace.forward(q, v, tau)[0] - 1.5) < 1e-12
    world = World()
    figure = world.add_figure(skeleton, base=vtb.VTB_BASE_FIXED)
    figure.set_torques([0.0])
    world.step(10)
    assert figure.q.shape == (1,) and figure.poses().shape == (2, 7)


def test_joints_and_balances():
    world = World(gravity=(0, 0, 0), flags=vtb.VTB_WORLD_FLAG_ENERGY_ACCOUNT)
    a = world.add_body(mass=1, inertia=(1, 0, 0, 1, 0, 1), twist=(0, 0, 2, 0, 0, 0))
    b = world.add_body(mass=3, inertia=(1, 0, 0, 1, 0, 1), pose=(1, 0, 0, 0, 0, 0, 1), twist=(0, 0, 2, 0, 0, 0))
    joint = world.add_joint(a, b, type=vtb.VTB_JOINT_TYPE_SPHERICAL, as_they_stand=1)
    world.step(24)
    vtb.vtb_joint_destroy(world, joint)
    assert np.allclose(world.twists()[:, 2], 2)
    linear, angular = world.momentum
    assert np.allclose(linear, [0, 0, 8]) and np.allclose(angular, [0, -6, 0])
    assert abs(world.energy.kinetic - 8) < 1e-12
    world.close()


def test_ode():
    from vertebra import Ode
    ode = Ode([1.0, 0.0], lambda t, y: (y[1], -y[0]), integrator=vtb.VTB_INTEGRATOR_RK4, step=1e-3)
    assert np.allclose(ode.advance(2), [np.cos(2), -np.sin(2)], atol=1e-12) and (ode.y == ode.advance(2)).all()
    refusing = Ode([1.0], lambda t, y: None)
    try:
        refusing.advance(1)
    except Error as error:
        assert error.status == vtb.VTB_E_DIVERGED
    else:
        raise AssertionError("a step without derivative was made")


def test_sensors():
    after = []
    world = World(after_step=lambda user, handle: after.append(handle), substeps=2)
    world.ground()
    box = world.box((0, 0, 0.5), (0.1, 0.1, 0.1), mass=3)
    imu = world.add_sensor(box, type=vtb.VTB_SENSOR_TYPE_IMU)
    touch = world.add_sensor(box, type=vtb.VTB_SENSOR_TYPE_TOUCH)
    assert np.allclose(world.read(imu), [0, 0, 9.81, 0, 0, 0])
    world.step(10)
    assert len(after) == 20 and np.allclose(world.read(imu), 0, atol=1e-9) and world.read(touch) == 0
    world.step(240)
    assert np.allclose(world.read(imu), [0, 0, 9.81, 0, 0, 0], atol=1e-3) and np.allclose(world.read(touch), 3 * 9.81, atol=1e-3)
    world.close()


test_layouts()
test_world()
test_joints_and_balances()
test_ode()
test_skeleton()
test_sensors()
print("all good")
