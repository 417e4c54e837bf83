"""Rigid transforms and rotations as numpy arrays, many at once: poses (position, quaternion x y z w) as the library has them, 4 x 4
matrices as Blender has them, Euler angles as BVH files have them. Any leading dimensions. No bpy here."""
import numpy as np


def matrices(poses):
    """4 x 4 matrices of poses."""
    poses = np.asarray(poses, dtype=float)
    x, y, z, w = np.moveaxis(poses[..., 3:], -1, 0)
    result = np.zeros(poses.shape[:-1] + (4, 4))
    result[..., 0, 0], result[..., 0, 1], result[..., 0, 2] = 1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)
    result[..., 1, 0], result[..., 1, 1], result[..., 1, 2] = 2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)
    result[..., 2, 0], result[..., 2, 1], result[..., 2, 2] = 2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)
    result[..., :3, 3] = poses[..., :3]
    result[..., 3, 3] = 1
    return result


def quaternions(rotations):
    """Quaternions x, y, z, w of rotation matrices (3 x 3, or the corner of 4 x 4)."""
    m = np.asarray(rotations, dtype=float)
    xx, yy, zz = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    # Four times the products of each component with all: the row of the largest component is well conditioned.
    products = np.stack([
        np.stack([1 + xx - yy - zz, m[..., 0, 1] + m[..., 1, 0], m[..., 0, 2] + m[..., 2, 0], m[..., 2, 1] - m[..., 1, 2]], -1),
        np.stack([m[..., 0, 1] + m[..., 1, 0], 1 - xx + yy - zz, m[..., 1, 2] + m[..., 2, 1], m[..., 0, 2] - m[..., 2, 0]], -1),
        np.stack([m[..., 0, 2] + m[..., 2, 0], m[..., 1, 2] + m[..., 2, 1], 1 - xx - yy + zz, m[..., 1, 0] - m[..., 0, 1]], -1),
        np.stack([m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1], 1 + xx + yy + zz], -1)], -2)
    largest = np.argmax(np.diagonal(products, axis1=-2, axis2=-1), -1)
    rows = np.take_along_axis(products, largest[..., None, None], -2)[..., 0, :]
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def poses(transforms):
    """Poses of 4 x 4 matrices."""
    transforms = np.asarray(transforms, dtype=float)
    return np.concatenate([transforms[..., :3, 3], quaternions(transforms)], -1)


def inverse(transforms):
    """Inverses of rigid 4 x 4 matrices."""
    transforms = np.asarray(transforms, dtype=float)
    result = np.zeros_like(transforms)
    turned = np.swapaxes(transforms[..., :3, :3], -1, -2)
    result[..., :3, :3] = turned
    result[..., :3, 3] = -np.einsum("...ij,...j->...i", turned, transforms[..., :3, 3])
    result[..., 3, 3] = 1
    return result


def rotated(rotation, position=(0, 0, 0)):
    """The 4 x 4 matrix of a 3 x 3 rotation and a position."""
    result = np.eye(4)
    result[:3, :3], result[:3, 3] = rotation, position
    return result


def rotation_about(axis, angle):
    """3 x 3 rotation matrices about a unit axis."""
    angle = np.asarray(angle, dtype=float)[..., None, None]
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * (cross @ cross)


def angle_about(axis, rotations):
    """The angle of a rotation's part about a unit axis, -pi to pi."""
    q = quaternions(rotations)
    angle = 2 * np.arctan2(q[..., :3] @ np.asarray(axis), q[..., 3])
    return (angle + np.pi) % (2 * np.pi) - np.pi


def euler(rotations, order):
    """Angles [rad] of R(order[0]) R(order[1]) R(order[2]), order three different letters of XYZ."""
    m = np.asarray(rotations, dtype=float)
    i, j, k = ("XYZ".index(letter) for letter in order)
    sign = 1 if (j - i) % 3 == 1 else -1
    first = np.arctan2(-sign * m[..., j, k], m[..., k, k])
    middle = np.arctan2(sign * m[..., i, k], np.hypot(m[..., i, i], m[..., i, j]))
    # The last turn is what the first leaves: so both fit together where the middle one is near a right angle and each alone is uncertain.
    rest = np.swapaxes(rotation_about(np.eye(3)[i], first), -1, -2) @ m[..., :3, :3]
    last = np.arctan2(sign * rest[..., j, i], rest[..., j, j])
    return np.stack([first, middle, last], -1)
