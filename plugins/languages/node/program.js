// The program of ../c/program.c in Node. Arguments: library, vertebra.json, URDF file.
"use strict";
const koffi = require("koffi");
const [library, description, model] = process.argv.slice(2);
const vtb = require("./vertebra.js").load(library, description);
const check = vtb.check;
let steps = 0;

const skeleton = [null], created = [null];
console.log("missing " + vtb.vtb_status_name(vtb.vtb_skeleton_load_urdf("missing.urdf", null, null, skeleton)));
const worldDef = vtb.make("vtb_world_def");
worldDef.callbacks.after_step = vtb.callback("vtb_callbacks", "after_step", () => { ++steps; });
check(vtb.vtb_world_create(worldDef, created));
const world = created[0];
check(vtb.vtb_make_ground(world, 0.8, null));
check(vtb.vtb_skeleton_load_urdf(model, null, null, skeleton));
const figureDef = vtb.make("vtb_figure_def");
figureDef.pose[2] = 0.6;
figureDef.skeleton = skeleton[0];
const figure = {};
check(vtb.vtb_figure_create(world, figureDef, figure));
const fieldDef = vtb.make("vtb_field_def");
fieldDef.type = vtb.VTB_FIELD_TYPE_USER;
const pose = new Float64Array(7);
fieldDef.user.evaluate = vtb.callback("vtb_user_law", "evaluate", (user, inWorld, field, body, force, torque) => {
  if (vtb.vtb_body_get_pose(inWorld, body, pose) !== vtb.VTB_OK) return 0;
  const numbers = new Float64Array(koffi.view(force, 24));
  numbers[0] += -0.5 * pose[1];
  numbers[1] += 0.5 * pose[0];
  return 1;
});
check(vtb.vtb_field_create(world, fieldDef, {}));
check(vtb.vtb_world_step(world, 240));
const poses = new Float64Array(64 * 7), links = [0];
check(vtb.vtb_figure_get_poses(world, figure, poses, 64, 0, links));
console.log(`steps ${steps} links ${links[0]}`);
const words = new BigUint64Array(poses.buffer);
for (let row = 0; row < links[0]; ++row) {
  console.log(Array.from(words.subarray(7 * row, 7 * row + 7), (word) => word.toString(16).padStart(16, "0")).join(" "));
}
check(vtb.vtb_world_destroy(world));
check(vtb.vtb_skeleton_release(skeleton[0]));
