// The page of a world that runs in the command: server-sent events bring what is seen, what the user does goes back by POST, a line an act, in
// the words of the scripts of `vertebra view`.
const OVERLAYS = [["c", "contacts", 8], ["n", "forces", 128], ["x", "axes", 16], ["m", "centres of mass", 32], ["s", "skeleton", 64],
  ["t", "limits", 256], ["i", "inertia", 512], ["p", "paths", 1024], ["o", "collision shapes", 4], ["g", "ground", 1], ["h", "shadows", 2]];
const PRESSED = { " ": "space", Backspace: "backspace", ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down", PageUp: "pageup", PageDown: "pagedown" };
const HELD = ["a", "z", "left", "right", "up", "down", "pageup", "pagedown"];  // keys that act as long as they are down
const HELP = `left on a body: drag it; Ctrl: turn it; wheel meanwhile: push it away, draw it near
left beside it, or right: orbit     middle, or Shift: pan     wheel: zoom
Space pause, go on     . one step     , back     < a second back     r reset     + and - faster, slower
f shoot under the mouse     v ball, box, figure     a, z held: attract, repel
arrow keys: drive a vehicle     Page up, Page down: its gear
1 corner  2 front  3 back  4 left  5 right  6 above     0 all of it     l follow the body under the mouse
${OVERLAYS.map(([key, name]) => `${key} ${name}`).join("     ")}
j sliders     Tab nothing written     ? this`;

class Live {
  constructor() {
    this.picture = new Picture(element("picture"));
    this.state = null;
    this.lines = [];      // acts that wait
    this.sending = false;
    this.sentCamera = "";
    this.dragging = false;
    this.order = [];      // numbers of the bodies, as their poses come
    this.names = new Map();
    this.poses = new Float32Array(0);
    this.targets = false; // sliders set targets of motors
    this.makeBar();
    this.listen();
    this.source = new EventSource("events");
    this.source.onmessage = (event) => this.take(JSON.parse(event.data));
    this.source.onerror = () => this.say("the command has ended, or is busy");
    const draw = () => {
      this.picture.draw();
      requestAnimationFrame(draw);
    };
    draw();
  }

  // One batch is on its way at a time, so that acts come in order; of moves that wait only the last goes.
  act(...lines) {
    for (const line of lines) {
      const last = this.lines[this.lines.length - 1];
      if (last !== undefined && line.startsWith("move ") && last.startsWith("move ")) this.lines.pop();
      this.lines.push(line);
    }
    if (!this.sending) this.flush();
  }

  async flush() {
    this.sending = true;
    while (this.lines.length > 0) {
      const body = this.lines.splice(0).join("\n");
      try {
        const answer = await (await fetch("act", { method: "POST", body })).json();
        if (answer.error) this.say(answer.error);
        if (answer.camera) this.picture.orbit.set(answer.camera, this.size[0] / this.size[1]);
      } catch (error) {
        this.say("the command does not answer");
      }
    }
    this.sending = false;
  }

  // Where the mouse is, in the pixels of the command's picture, and from where it is seen.
  point(event) {
    const orbit = this.picture.orbit, scale = this.size[1] / window.innerHeight;
    const up = new THREE.Vector3(), none = new THREE.Vector3();
    orbit.camera.matrixWorld.extractBasis(none.clone(), up, none);
    const camera = ["camera", ...orbit.camera.position.toArray(), ...orbit.target.toArray(), ...up.toArray(), orbit.camera.fov * Math.PI / 180].join(" ");
    const lines = camera === this.sentCamera ? [] : [camera];
    this.sentCamera = camera;
    lines.push(`move ${0.5 * this.size[0] + (event.clientX - 0.5 * window.innerWidth) * scale} ${event.clientY * scale}`);
    return lines;
  }

  listen() {
    const canvas = this.picture.canvas;
    let looked = 0;
    this.picture.orbit.listen(canvas, (event) => {
      if (!this.state || event.button !== 0 || event.shiftKey) return false;
      const body = this.names.get(this.picture.bodyAt(event.clientX, event.clientY));
      if (!body || !body.held) return false;
      canvas.setPointerCapture(event.pointerId);
      this.dragging = true;
      this.act(...this.point(event), event.ctrlKey ? "press left ctrl" : "press left");
      return true;
    });
    canvas.addEventListener("pointermove", (event) => {
      this.mouse = event;
      if (!this.state || (!this.dragging && (event.buttons !== 0 || performance.now() - looked < 100))) return;
      looked = performance.now();
      this.act(...this.point(event));
    });
    const release = (event) => {
      if (this.dragging) this.act(...this.point(event), "release left");
      this.dragging = false;
    };
    canvas.addEventListener("pointerup", release);
    canvas.addEventListener("pointercancel", release);
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const notches = -Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY) / 100, 3);
      if (this.dragging) this.act(`scroll ${notches}`);
      else this.picture.orbit.zoom(notches);
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => this.key(event, true));
    canvas.addEventListener("keyup", (event) => this.key(event, false));
    canvas.focus();
  }

  key(event, down) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.state) return;
    const key = PRESSED[event.key] || event.key;
    if (down && key === "?") return this.toggle("help");
    if (down && key === "j" && !this.slidersButton.hidden) return this.toggle("sliders");
    if (key === "Tab") {
      event.preventDefault();
      if (down) for (const panel of document.querySelectorAll("#told, #bar")) panel.hidden = !panel.hidden;
      return;
    }
    if (HELD.includes(key)) {
      event.preventDefault();
      if (!event.repeat) this.act(...(this.mouse ? this.point(this.mouse) : []), `${down ? "hold" : "let"} ${key}`);
      return;
    }
    const known = ["space", "backspace", ..." .,<r+=-fvl0123456".split(""), ...OVERLAYS.map(([overlay]) => overlay)];
    if (!down || !known.includes(key)) return;
    event.preventDefault();
    this.act(...(this.mouse ? this.point(this.mouse) : []), `key ${key}`);
  }

  makeBar() {
    const key = (name) => () => this.act(`key ${name}`);
    this.pause = button("pause", "Space", key("space"));
    button("step", ". one step", key("."));
    button("back", ", back", key(","));
    button("reset", "r", key("r"));
    button("slower", "-", key("-"));
    button("faster", "+", key("+"));
    this.overlays = OVERLAYS.map(([name, text, bit]) => [button(text, name, key(name)), bit]);
    this.slidersButton = button("sliders", "j", () => this.toggle("sliders"));
    button("?", "help", () => this.toggle("help"));
    element("help").textContent = HELP;
  }

  toggle(panel) {
    element(panel).hidden = !element(panel).hidden;
  }

  say(text) {
    element("message").textContent = text;
    element("message").hidden = false;
    clearTimeout(this.saying);
    this.saying = setTimeout(() => { element("message").hidden = true; }, 3000);
  }

  take(message) {
    const picture = this.picture;
    if (message.picture) {  // the first of this connection: what was there before is of another
      for (const part of [...picture.meshes.keys()]) picture.removeMesh(part);
      for (const number of [...picture.bodies.keys()]) picture.removeBody(number);
      this.size = message.picture;
      this.sentCamera = "";
      if (!this.state) picture.orbit.set(message.camera, this.size[0] / this.size[1]);
      this.slidersButton.hidden = message.played;
      document.title = message.title + " - vertebra";
    }
    if (message.bodies) {
      this.order = message.bodies.map((body) => body.body);
      this.names = new Map(message.bodies.map((body) => [body.body, body]));
      for (const number of this.order) picture.addBody(number);
    }
    if (message.parts) {
      for (const mesh of message.meshes) picture.addMesh(mesh);
      const parts = new Map(message.parts);
      for (const part of [...picture.meshes.keys()]) {
        if (!parts.has(part)) picture.removeMesh(part);
        else picture.meshes.get(part).visible = parts.get(part) !== 0;
      }
    }
    if (message.bodies) for (const number of [...picture.bodies.keys()]) if (!this.names.has(number)) picture.removeBody(number);
    this.placeBodies(numbersOf(message.poses, Float32Array), message.followed);
    picture.setGround(message.ground);
    picture.setShadows((message.shown & 2) !== 0);
    picture.setParticles(message.particles ? numbersOf(message.particles, Float32Array) : []);
    picture.setMarks(message.marks || null);
    if (message.sliders) this.makeSliders(message.sliders);
    this.showSliders(message.values);
    this.state = message;
    this.tell(message);
  }

  // The camera goes with the body that is followed.
  placeBodies(poses, followed) {
    const at = followed >= 0 ? this.order.indexOf(followed) : -1;
    const group = at >= 0 ? this.picture.bodies.get(followed) : null, before = group ? group.position.clone() : null;
    this.order.forEach((number, i) => this.picture.place(number, ...poses.subarray(7 * i, 7 * i + 7)));
    if (group && this.state && this.state.followed === followed) this.picture.orbit.shift(group.position.clone().sub(before));
    this.poses = poses;
  }

  tell(state) {
    const rows = [["b", `${state.time.toFixed(3)} s   × ${state.speed}${state.paused ? "   paused" : ""}`]];
    if (!state.paused) rows.push([state.real_time < 0.97 ? "slow" : "", `${Math.round(100 * state.real_time)} % of the speed`]);
    rows.push(["", `${state.steps} steps   ${this.order.length} bodies   ${state.contacts} contacts   ${state.rows} rows`]);
    rows.push(["", `energy: kinetic ${state.kinetic.toPrecision(4)} J, potential ${state.potential.toPrecision(4)} J`]);
    if (state.under) rows.push(["", state.under]);
    if (state.held) rows.push(["", `held: ${state.held}, ${state.hold_force.toFixed(1)} N`]);
    element("told").replaceChildren(...rows.map(([kind, text]) => {
      const row = document.createElement("div"), inner = document.createElement(kind === "b" ? "b" : "span");
      if (kind === "slow") inner.className = kind;
      inner.textContent = text;
      row.append(inner);
      return row;
    }));
    this.pause.textContent = state.paused ? "go on" : "pause";
    for (const [made, bit] of this.overlays) made.setAttribute("aria-pressed", (state.shown & bit) !== 0);
    if (state.message) this.say(state.message);
  }

  makeSliders(sliders) {
    const panel = element("sliders"), kind = document.createElement("button");
    const title = () => { kind.textContent = this.targets ? "targets of motors" : "coordinates"; };
    kind.title = "coordinates, or targets of motors";
    kind.addEventListener("click", () => {
      this.targets = !this.targets;
      title();
    });
    title();
    this.sliders = sliders.map((slider) => {
      const row = document.createElement("label"), name = document.createElement("span"), input = document.createElement("input"), told = document.createElement("output");
      name.textContent = name.title = slider.name;
      Object.assign(input, { type: "range", min: slider.lower, max: slider.upper, step: "any" });
      input.addEventListener("input", () => this.act(`slider ${slider.joint} ${slider.axis} ${this.targets ? "target" : "coordinate"} ${input.value}`));
      input.addEventListener("pointerdown", () => { input.held = true; });
      input.addEventListener("change", () => { input.held = false; });
      row.append(name, input, told);
      return { row, input, told, unit: slider.slides ? "m" : "rad" };
    });
    panel.replaceChildren(kind, ...this.sliders.map((slider) => slider.row));
    if (sliders.length === 0) panel.append(" no joint has a coordinate");
  }

  showSliders(values) {
    if (element("sliders").hidden) return;
    this.sliders.forEach(({ input, told, unit }, i) => {
      const value = values[2 * i + (this.targets ? 1 : 0)];
      if (!input.held) input.value = value;
      told.textContent = `${value.toFixed(3)} ${unit}`;
    });
  }

  // Where the body of a name is, m, and in the window; for scripts.
  position(name) {
    const i = this.order.findIndex((number) => this.names.get(number).name === name);
    return i < 0 ? null : [...this.poses.subarray(7 * i, 7 * i + 3)];
  }
}
