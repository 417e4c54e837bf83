-- The program of ../c/program.c in LuaJIT, which reads vertebra_amalgamated.h itself. Arguments: library, header, URDF file.
-- LuaJIT cannot give structs by value to callbacks: a handle is one number of 64 bits, which comes in the same register, so the callback is
-- declared with numbers and cast.
local ffi, bit = require("ffi"), require("bit")
local library, header, model = ...
ffi.cdef((io.open(header):read("*a"):gsub("typedef [%w ]+ u?int%d+_t;\n", ""):gsub("typedef [%w ]+ size_t;\n", "")))
local vtb = ffi.load(library)

local function check(status)
  if status ~= "VTB_OK" and tonumber(status) ~= 0 then error(ffi.string(vtb.vtb_last_error()), 0) end
end

local steps = 0
local count = ffi.cast("void (*)(void*, const vtb_world*)", function() steps = steps + 1 end)
local pose = ffi.new("double[7]")
local swirl = ffi.cast("int32_t (*)(void*, const vtb_world*, uint64_t, uint64_t, double*, double*)", function(_, world, _, body, force)
  if tonumber(vtb.vtb_body_get_pose(world, ffi.new("vtb_body", body), pose)) ~= 0 then return 0 end
  force[0] = force[0] + -0.5 * pose[1]
  force[1] = force[1] + 0.5 * pose[0]
  return 1
end)

local function prepared(kind)
  local def = ffi.new("vtb_" .. kind .. "_def")
  check(vtb["vtb_" .. kind .. "_def_init"](def, ffi.sizeof(def)))
  return def
end

local skeleton = ffi.new("vtb_skeleton*[1]")
print("missing " .. ffi.string(vtb.vtb_status_name(vtb.vtb_skeleton_load_urdf("missing.urdf", nil, nil, skeleton))))
local def, world = prepared("world"), ffi.new("vtb_world*[1]")
def.callbacks.after_step = count
check(vtb.vtb_world_create(def, world))
check(vtb.vtb_make_ground(world[0], 0.8, nil))
check(vtb.vtb_skeleton_load_urdf(model, nil, nil, skeleton))
local figure_def, figure = prepared("figure"), ffi.new("vtb_figure[1]")
figure_def.pose[2], figure_def.skeleton = 0.6, skeleton[0]
check(vtb.vtb_figure_create(world[0], figure_def, figure))
local field_def, field = prepared("field"), ffi.new("vtb_field[1]")
field_def.type = vtb.VTB_FIELD_TYPE_USER
field_def.user.evaluate = ffi.cast("int32_t (*)(void*, const vtb_world*, vtb_field, vtb_body, double*, double*)", ffi.cast("void*", swirl))
check(vtb.vtb_field_create(world[0], field_def, field))
jit.off()  -- a compiled caller must not be called back
check(vtb.vtb_world_step(world[0], 240))
local poses, links = ffi.new("double[?]", 64 * 7), ffi.new("size_t[1]")
check(vtb.vtb_figure_get_poses(world[0], figure[0], poses, 64, 0, links))
print("steps " .. steps .. " links " .. tonumber(links[0]))
local words = ffi.cast("uint32_t*", poses)
for row = 0, tonumber(links[0]) - 1 do
  local shown = {}
  for i = row * 7, row * 7 + 6 do shown[#shown + 1] = bit.tohex(words[2 * i + 1]) .. bit.tohex(words[2 * i]) end
  print(table.concat(shown, " "))
end
check(vtb.vtb_world_destroy(world[0]))
check(vtb.vtb_skeleton_release(skeleton[0]))
