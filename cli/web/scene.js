// The picture of a world: bodies with meshes, particles and overlays on a chequered ground, under a sun behind the eye's left shoulder, in
// the light of the viewer's shaders. Metres, z up, world.
const HAZE = 0xdbe5ef, SKY = 0x8fb0d9;  // at the horizon, above

function bytesOf(base64) {
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
const numbersOf = (base64, type) => new type(bytesOf(base64).buffer);
const colourOf = (hex) => new THREE.Color(hex);

// 1, 2 or 5 times a power of ten.
function roundNumber(x) {
  const power = 10 ** Math.floor(Math.log10(x)), share = x / power;
  return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
}

class Picture {
  constructor(canvas) {
    this.canvas = canvas;
    this.orbit = new Orbit();
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.scene = new THREE.Scene();
    this.bodies = new Map();  // by number: a group that goes with the body
    this.meshes = new Map();  // by number of the part
    this.world = this.group();
    this.scene.add(new THREE.HemisphereLight(new THREE.Color(0.46, 0.50, 0.56), new THREE.Color(0.32, 0.30, 0.28), 1));
    this.scene.children[this.scene.children.length - 1].position.set(0, 0, 1);
    this.sun = new THREE.DirectionalLight(new THREE.Color(0.78, 0.72, 0.62), 1);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.bias = -0.0004;
    this.scene.add(this.sun, this.sun.target);
    this.addGround();
    this.addSky();
    this.particles = null;
    const overlay = new THREE.ShaderMaterial({
      transparent: true, side: THREE.DoubleSide,
      vertexShader: "attribute vec4 tint;\nvarying vec4 colour;\nvoid main() { colour = tint; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",
      fragmentShader: "varying vec4 colour;\nvoid main() { gl_FragColor = colour; }",
    });
    this.marks = new THREE.Mesh(new THREE.BufferGeometry(), overlay);
    this.marks.renderOrder = 10;
    this.marks.frustumCulled = false;
    this.marks.onBeforeRender = () => this.renderer.clearDepth();  // seen through everything, the nearest of them in front
    this.scene.add(this.marks);
    this.resize();
    window.addEventListener("resize", () => this.resize());
  }

  group() {
    const group = new THREE.Group();
    this.scene.add(group);
    return group;
  }

  addGround() {
    const material = new THREE.MeshLambertMaterial({ side: THREE.DoubleSide });
    material.extensions = { derivatives: true };
    this.chequers = { tile: { value: 0.5 }, reach: { value: 30 }, haze: { value: colourOf(HAZE) } };
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.chequers);
      shader.vertexShader = shader.vertexShader.replace("void main() {", "varying vec3 place;\nvoid main() {")
        .replace("#include <project_vertex>", "#include <project_vertex>\nplace = (modelMatrix * vec4(transformed, 1.0)).xyz;");
      shader.fragmentShader = shader.fragmentShader.replace("void main() {", `
uniform float tile, reach;
uniform vec3 haze;
varying vec3 place;
void main() {`).replace("#include <map_fragment>", `
vec2 p = place.xy / tile, w = max(fwidth(p), vec2(1e-4));
vec2 part = 2.0 * (abs(fract((p - 0.5 * w) * 0.5) - 0.5) - abs(fract((p + 0.5 * w) * 0.5) - 0.5)) / w;
diffuseColor.rgb = mix(vec3(0.76, 0.76, 0.745), vec3(0.63, 0.635, 0.63), 0.5 - 0.5 * part.x * part.y);`)
        .replace("#include <fog_fragment>", "gl_FragColor.rgb = mix(gl_FragColor.rgb, haze, smoothstep(0.25, 1.0, distance(cameraPosition, place) / reach));");
    };
    this.ground = new THREE.Mesh(new THREE.PlaneBufferGeometry(2, 2), material);
    this.ground.receiveShadow = true;
    this.ground.frustumCulled = false;
    this.scene.add(this.ground);
  }

  addSky() {
    const material = new THREE.ShaderMaterial({
      side: THREE.BackSide, depthTest: false, depthWrite: false,
      uniforms: { haze: { value: colourOf(HAZE) }, above: { value: colourOf(SKY) } },
      vertexShader: "varying vec3 ray;\nvoid main() { ray = position; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",
      fragmentShader: "varying vec3 ray;\nuniform vec3 haze, above;\nvoid main() { gl_FragColor = vec4(mix(haze, above, smoothstep(0.0, 0.55, normalize(ray).z)), 1.0); }",
    });
    this.sky = new THREE.Mesh(new THREE.SphereBufferGeometry(1, 32, 24), material);
    this.sky.renderOrder = -10;
    this.sky.frustumCulled = false;
    this.scene.add(this.sky);
  }

  addBody(number) {
    if (!this.bodies.has(number)) this.bodies.set(number, this.group());
  }

  removeBody(number) {
    this.scene.remove(this.bodies.get(number));
    this.bodies.delete(number);
  }

  // A mesh as the command writes it; body -1: the world.
  addMesh(given) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(numbersOf(given.vertices, Float32Array), 3));
    geometry.setAttribute("normal", new THREE.BufferAttribute(numbersOf(given.normals, Int8Array), 3, true));
    geometry.setIndex(new THREE.BufferAttribute(numbersOf(given.triangles, given.wide ? Uint32Array : Uint16Array), 1));
    const [r, g, b, a] = given.rgba;
    const material = new THREE.MeshPhongMaterial({
      color: new THREE.Color(r, g, b), specular: 0x292929, shininess: 40, side: THREE.DoubleSide, shadowSide: THREE.BackSide,
      transparent: a < 1, opacity: a, depthWrite: a === 1,
    });
    const mesh = new THREE.Mesh(geometry, material);
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.userData.body = given.body;
    (given.body < 0 ? this.world : this.bodies.get(given.body)).add(mesh);
    this.meshes.set(given.part, mesh);
  }

  removeMesh(part) {
    const mesh = this.meshes.get(part);
    mesh.parent.remove(mesh);
    mesh.geometry.dispose();
    mesh.material.dispose();
    this.meshes.delete(part);
  }

  place(number, x, y, z, qx, qy, qz, qw) {
    const group = this.bodies.get(number);
    group.position.set(x, y, z);
    group.quaternion.set(qx, qy, qz, qw).normalize();
  }

  setGround(ground) {
    this.ground.visible = ground.shown;
    this.ground.position.z = ground.height;
  }

  setShadows(shadows) {
    this.sun.castShadow = shadows;
  }

  // Four numbers each: centre, radius.
  setParticles(numbers) {
    const count = numbers.length / 4;
    if (!this.particles || this.particles.instances < count) {
      if (this.particles) this.scene.remove(this.particles);
      const room = Math.max(64, 2 * count), ball = new THREE.SphereBufferGeometry(1, 12, 8);
      const geometry = new THREE.InstancedBufferGeometry();
      geometry.setIndex(ball.index);
      geometry.setAttribute("position", ball.attributes.position);
      geometry.setAttribute("normal", ball.attributes.normal);
      this.balls = new THREE.InstancedBufferAttribute(new Float32Array(4 * room), 4);
      geometry.setAttribute("ball", this.balls);
      const material = new THREE.MeshLambertMaterial({ color: new THREE.Color(0.35, 0.56, 0.80) });
      const shadow = new THREE.MeshDepthMaterial({ depthPacking: THREE.RGBADepthPacking });
      material.onBeforeCompile = shadow.onBeforeCompile = (shader) => {
        shader.vertexShader = shader.vertexShader.replace("void main() {", "attribute vec4 ball;\nvoid main() {")
          .replace("#include <begin_vertex>", "vec3 transformed = ball.xyz + ball.w * position;");
      };
      this.particles = new THREE.Mesh(geometry, material);
      this.particles.customDepthMaterial = shadow;
      this.particles.castShadow = true;
      this.particles.instances = room;
      this.particles.frustumCulled = false;
      this.scene.add(this.particles);
    }
    this.balls.array.set(numbers);
    this.balls.needsUpdate = true;
    this.particles.geometry.maxInstancedCount = count;
    this.particles.visible = count > 0;
  }

  // Triangles of overlays, with their colours; null: none.
  setMarks(marks) {
    this.marks.visible = marks !== null;
    if (!marks) return;
    this.marks.geometry.dispose();
    this.marks.geometry = new THREE.BufferGeometry();
    this.marks.geometry.setAttribute("position", new THREE.BufferAttribute(numbersOf(marks.points, Float32Array), 3));
    this.marks.geometry.setAttribute("tint", new THREE.BufferAttribute(bytesOf(marks.colours), 4, true));
  }

  resize() {
    const width = window.innerWidth, height = window.innerHeight;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.orbit.camera.aspect = width / height;
    this.orbit.place();
  }

  // The body under a point of the window, or -1.
  bodyAt(x, y) {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(2 * x / window.innerWidth - 1, 1 - 2 * y / window.innerHeight), this.orbit.camera);
    const hits = ray.intersectObjects([...this.meshes.values()].filter((mesh) => mesh.visible));
    return hits.length > 0 ? hits[0].object.userData.body : -1;
  }

  // Where a point of the world is in the window.
  pixelOf(x, y, z) {
    const p = new THREE.Vector3(x, y, z).project(this.orbit.camera);
    return [0.5 * (p.x + 1) * window.innerWidth, 0.5 * (1 - p.y) * window.innerHeight];
  }

  draw() {
    const { target, distance, azimuth, camera } = this.orbit;
    const round = azimuth - 0.7;
    this.sun.target.position.copy(target);
    this.sun.position.set(0.55 * Math.cos(round), 0.55 * Math.sin(round), 0.835).multiplyScalar(3 * distance).add(target);
    const box = this.sun.shadow.camera, half = 0.7 * distance;
    box.left = box.bottom = -half;
    box.right = box.top = half;
    box.near = 0.5 * distance;
    box.far = 6 * distance;
    box.updateProjectionMatrix();
    this.chequers.tile.value = roundNumber(distance / 12);
    this.chequers.reach.value = 7 * distance;
    this.ground.scale.set(12 * distance, 12 * distance, 1);
    this.ground.position.x = target.x;
    this.ground.position.y = target.y;
    this.sky.position.copy(camera.position);
    this.sky.scale.setScalar(10 * distance);
    this.renderer.render(this.scene, camera);
  }
}

const element = (name) => document.getElementById(name);

function button(text, title, press) {
  const made = document.createElement("button");
  made.textContent = text;
  made.title = title;
  made.addEventListener("click", () => {
    press();
    element("picture").focus();
  });
  element("bar").append(made);
  return made;
}
