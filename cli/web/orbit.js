// The camera of somebody who walks about a thing: a target, a direction and a distance, turned, moved and brought nearer by the mouse or by
// fingers. Metres, radians, z up, as the viewer's rig.
class Orbit {
  constructor() {
    this.target = new THREE.Vector3(0, 0, 0.8);
    this.azimuth = -0.61;
    this.elevation = 0.33;
    this.distance = 6;
    this.camera = new THREE.PerspectiveCamera(34, 1, 0.1, 1000);
    this.camera.up.set(0, 0, 1);
  }

  // From position, target, up and fov, as the C interface has them; made for pictures of so many times their height.
  set(given, aspect) {
    const away = new THREE.Vector3(...given.position).sub(this.target.set(...given.target));
    this.distance = Math.max(away.length(), 1e-3);
    this.elevation = Math.min(Math.max(Math.asin(away.z / this.distance), -Orbit.steepest), Orbit.steepest);
    this.azimuth = Math.hypot(away.x, away.y) < 1e-3 * this.distance ? Math.atan2(-given.up[1], -given.up[0]) : Math.atan2(away.y, away.x);
    this.camera.fov = given.fov * 180 / Math.PI;
    if (aspect > this.camera.aspect) this.distance *= aspect / this.camera.aspect;  // a narrow window shows as much across
    this.place();
  }

  back() {
    const level = Math.cos(this.elevation);
    return new THREE.Vector3(level * Math.cos(this.azimuth), level * Math.sin(this.azimuth), Math.sin(this.elevation));
  }

  place() {
    const camera = this.camera;
    camera.position.copy(this.target).addScaledVector(this.back(), this.distance);
    camera.near = 0.01 * this.distance;
    camera.far = 100 * this.distance;
    camera.lookAt(this.target);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  turn(dx, dy) {
    this.azimuth -= 0.006 * dx;
    this.elevation = Math.min(Math.max(this.elevation + 0.006 * dy, -Orbit.steepest), Orbit.steepest);
    this.place();
  }

  move(dx, dy, height) {
    const scale = 2 * this.distance * Math.tan(0.5 * this.camera.fov * Math.PI / 180) / height;
    const right = new THREE.Vector3(), up = new THREE.Vector3();
    this.camera.matrixWorld.extractBasis(right, up, new THREE.Vector3());
    this.target.addScaledVector(right, -dx * scale).addScaledVector(up, dy * scale);
    this.place();
  }

  zoom(notches) {
    this.distance = Math.min(Math.max(this.distance * 0.88 ** notches, 1e-3), 1e6);
    this.place();
  }

  shift(by) {
    this.target.add(by);
    this.place();
  }

  // The mouse, two fingers: pinch, and pan by both. takes(event): somebody else's, asked when a button goes down.
  listen(element, takes) {
    const fingers = new Map();
    element.addEventListener("pointerdown", (event) => {
      element.focus();
      if (fingers.size === 0 && takes(event)) return;
      element.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY, pan: event.button === 1 || event.shiftKey });
    });
    element.addEventListener("pointermove", (event) => {
      const finger = fingers.get(event.pointerId);
      if (!finger) return;
      const dx = event.clientX - finger.x, dy = event.clientY - finger.y;
      const other = [...fingers].find(([id]) => id !== event.pointerId);
      if (other) {
        const apart = (x, y) => Math.max(Math.hypot(x - other[1].x, y - other[1].y), 1);
        this.distance *= apart(finger.x, finger.y) / apart(event.clientX, event.clientY);
        this.move(0.5 * dx, 0.5 * dy, element.clientHeight);
      } else if (finger.pan) {
        this.move(dx, dy, element.clientHeight);
      } else {
        this.turn(dx, dy);
      }
      finger.x = event.clientX;
      finger.y = event.clientY;
    });
    const leave = (event) => fingers.delete(event.pointerId);
    element.addEventListener("pointerup", leave);
    element.addEventListener("pointercancel", leave);
    element.addEventListener("contextmenu", (event) => event.preventDefault());
  }
}
Orbit.steepest = 0.5 * Math.PI - 1e-3;
