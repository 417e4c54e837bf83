// The page of a recorded run: everything is in it. Between pictures positions go straight and quaternions by the shorter way.
class Recorded {
  constructor(data) {
    this.picture = new Picture(element("picture"));
    this.data = data;
    this.pictures = data.pictures;
    this.at = 0;         // picture, with its fraction
    this.speed = 1;
    this.playing = data.pictures > 1;
    this.targets = numbersOf(data.targets, Float32Array);
    this.targetBefore = null;
    for (const body of data.bodies) {
      this.picture.addBody(body.body);
      body.positions = numbersOf(body.positions, Float32Array);
      body.turns = numbersOf(body.turns, Int16Array);
    }
    for (const mesh of data.meshes) this.picture.addMesh(mesh);
    this.picture.setGround(data.ground);
    this.picture.setShadows(data.shadows);
    this.picture.orbit.set(data.camera, 16 / 9);
    this.start = { target: this.picture.orbit.target.clone(), azimuth: this.picture.orbit.azimuth, elevation: this.picture.orbit.elevation, distance: this.picture.orbit.distance };
    element("told").textContent = data.title;
    this.makeBar();
    this.listen();
    this.show(0);
    let last = performance.now();
    const draw = (now) => {
      if (this.playing) this.go(this.at + Math.max(0, now - last) / 1000 * this.speed * data.rate);
      last = now;
      this.picture.draw();
      requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);
  }

  makeBar() {
    this.told = document.createElement("output");
    if (this.pictures > 1) {
      this.pause = button("pause", "Space", () => this.play(!this.playing));
      button("‹", ", one picture back", () => this.stepBy(-1));
      button("›", ". one picture on", () => this.stepBy(1));
      this.scrub = document.createElement("input");
      Object.assign(this.scrub, { type: "range", min: 0, max: this.pictures - 1, step: "any", value: 0, title: "time" });
      this.scrub.addEventListener("input", () => {
        this.play(false);
        this.show(Number(this.scrub.value));
      });
      element("bar").append(this.scrub, this.told);
      this.pace = button("× 1", "speed: + and -", () => this.setSpeed(this.speed >= 4 ? 0.125 : 2 * this.speed));
    }
    button("view", "0: from where it was seen at first", () => this.home());
  }

  listen() {
    const canvas = this.picture.canvas;
    this.picture.orbit.listen(canvas, () => false);
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.picture.orbit.zoom(-Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY) / 100, 3));
    }, { passive: false });
    window.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const acts = { " ": () => this.play(!this.playing), ".": () => this.stepBy(1), ",": () => this.stepBy(-1), "+": () => this.setSpeed(2 * this.speed),
        "=": () => this.setSpeed(2 * this.speed), "-": () => this.setSpeed(0.5 * this.speed), r: () => this.show(0), 0: () => this.home() };
      if (!acts[event.key] || (this.pictures < 2 && event.key !== "0")) return;
      event.preventDefault();
      acts[event.key]();
    });
    canvas.focus();
  }

  play(playing) {
    this.playing = playing;
    if (playing && this.at >= this.pictures - 1) this.show(0);
    this.pause.textContent = playing ? "pause" : "play";
  }

  stepBy(pictures) {
    this.play(false);
    this.show(Math.min(Math.max(Math.round(this.at) + pictures, 0), this.pictures - 1));
  }

  setSpeed(speed) {
    this.speed = Math.min(Math.max(speed, 1 / 64), 64);
    this.pace.textContent = `× ${this.speed}`;
  }

  home() {
    const { orbit } = this.picture;
    Object.assign(orbit, { azimuth: this.start.azimuth, elevation: this.start.elevation, distance: this.start.distance });
    orbit.target.copy(this.targetBefore);
    orbit.place();
  }

  go(at) {
    const end = this.pictures - 1;
    this.show(at > end ? at % end : at);  // round and round
  }

  show(at) {
    this.at = at;
    const first = Math.min(Math.floor(at), Math.max(this.pictures - 2, 0)), share = at - first;
    const now = new THREE.Quaternion(), next = new THREE.Quaternion();
    for (const body of this.data.bodies) {
      const a = Math.min(Math.max(first - body.first, 0), body.count - 1), b = Math.min(a + 1, body.count - 1);
      const p = body.positions, mix = (k) => p[3 * a + k] + share * (p[3 * b + k] - p[3 * a + k]);
      now.fromArray(body.turns, 4 * a).normalize();
      now.slerp(next.fromArray(body.turns, 4 * b).normalize(), share);
      this.picture.place(body.body, mix(0), mix(1), mix(2), now.x, now.y, now.z, now.w);
    }
    const nearest = Math.round(at);
    for (const mesh of this.data.meshes) this.picture.meshes.get(mesh.part).visible = mesh.first <= nearest && nearest <= mesh.last;
    if (this.data.particles) this.picture.setParticles(numbersOf(this.data.particles[nearest], Float32Array));
    const target = new THREE.Vector3(...[0, 1, 2].map((k) => {
      const from = this.targets[3 * first + k], to = this.targets[3 * Math.min(first + 1, this.pictures - 1) + k];
      return from + share * (to - from);
    }));
    if (this.targetBefore) this.picture.orbit.shift(target.clone().sub(this.targetBefore));
    this.targetBefore = target;
    this.time = this.data.times[0] + (this.pictures > 1 ? at / (this.pictures - 1) * (this.data.times[1] - this.data.times[0]) : 0);
    if (!this.scrub) return;
    this.scrub.value = at;
    this.told.textContent = `${this.time.toFixed(2)} of ${this.data.times[1].toFixed(2)} s`;
  }
}

// data: what was recorded, or null: the command runs a world.
function startPage(data) {
  try {
    window.vertebra = data ? new Recorded(data) : new Live();
  } catch (error) {
    element("message").textContent = `This page needs WebGL: ${error.message}`;
    element("message").hidden = false;
    throw error;
  }
}
