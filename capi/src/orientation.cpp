// Conversions of orientation: rotation matrix, axis and angle, Euler angles of any order. Radians.
#include "capi/src/check.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {
EulerOrder eulerOrder(const char* order) {
  const std::string_view text(&required(order, "order"));
  EulerOrder result{};
  bool good = text.size() == 3;
  for (std::size_t i = 0; good && i < 3; i++) {
    good = text[i] >= 'X' && text[i] <= 'Z';
    result[i] = text[i] - 'X';
  }
  if (!good || result[0] == result[1] || result[1] == result[2])
    refuse(VTB_E_ARG, "order must be three letters of X, Y, Z with different neighbours, such as \"ZXY\" or \"XYX\"");
  return result;
}
}  // namespace

vtb_status vtb_quat_from_matrix(const double* matrix, double* quaternion) {
  return guarded(__func__, [&] {
    finiteArray(matrix, 9, "matrix");
    required(quaternion, "quaternion");
    const Mat3 m = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(matrix);
    if (!((m.transpose() * m - Mat3::Identity()).cwiseAbs().maxCoeff() <= 1e-6) || !(m.determinant() > 0))
      refuse(VTB_E_ARG, "matrix is not a rotation: its columns must be orthogonal unit vectors, right-handed, to 1e-6");
    write(normalized(quatFromMatrix(m)), quaternion);
  });
}

vtb_status vtb_quat_to_matrix(const double* quaternion, double* matrix) {
  return guarded(__func__, [&] {
    const Quat q = capi::quaternion(quaternion, "quaternion");
    Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(&required(matrix, "matrix")) = q.toRotationMatrix();
  });
}

vtb_status vtb_quat_from_axis_angle(const double* axis, double angle, double* quaternion) {
  return guarded(__func__, [&] {
    const Vec3 a = vector(axis, "axis");
    finite(angle, "angle");
    required(quaternion, "quaternion");
    const double length = a.stableNorm();
    if (!(length > 0)) refuse(VTB_E_ARG, "axis has length 0, which gives no direction");
    write(quatFromAxisAngle(a / length, angle), quaternion);
  });
}

vtb_status vtb_quat_to_axis_angle(const double* quaternion, double* axis, double* angle) {
  return guarded(__func__, [&] {
    const Quat q = capi::quaternion(quaternion, "quaternion");
    required(axis, "axis");
    required(angle, "angle");
    const Vec3 rotation = quatLog(q);
    const double length = rotation.norm();
    write(length > 0 ? Vec3(rotation / length) : Vec3(Vec3::UnitX()), axis);  // no rotation: any axis does
    *angle = length;
  });
}

vtb_status vtb_quat_from_euler(const char* order, const double* angles, double* quaternion) {
  return guarded(__func__, [&] {
    const EulerOrder o = eulerOrder(order);
    const Vec3 a = vector(angles, "angles");
    write(normalized(quatFromEuler(o, a)), &required(quaternion, "quaternion"));
  });
}

vtb_status vtb_quat_to_euler(const double* quaternion, const char* order, double* angles) {
  return guarded(__func__, [&] {
    const Quat q = capi::quaternion(quaternion, "quaternion");
    const EulerOrder o = eulerOrder(order);
    write(eulerFromQuat(o, q), &required(angles, "angles"));
  });
}
