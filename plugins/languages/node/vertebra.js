// vertebra.h for Node, as vertebra.json tells it: load(library, description) gives every function, struct and constant. Structs are objects;
// `make` gives one with its defaults, `callback` a function to put in one. Needs the npm package koffi.
"use strict";
const fs = require("fs");
const koffi = require("koffi");

exports.load = function (library, description) {
  const api = JSON.parse(fs.readFileSync(description, "utf8"));
  const lib = koffi.load(library);
  const types = {double: "double", float: "float", int32_t: "int32_t", uint32_t: "uint32_t", uint64_t: "uint64_t", uint8_t: "uint8_t",
                 size_t: "size_t", char: "char", void: "void"};
  const structs = new Set(), objects = new Set(), vtb = {structs: types};
  for (const each of api.constants) vtb[each.name] = each.value;
  for (const each of api.enumerations) {
    types[each.name] = "int32_t";
    for (const value of each.values) vtb[value.name] = value.value;
  }
  for (const each of api.objects) {
    types[each.name] = koffi.opaque(each.name);
    objects.add(each.name);
  }
  const callback = (name, entry) => koffi.pointer(koffi.proto(name, entry.returns === "void*" ? "void *" : types[entry.returns],
                                                              entry.parameters.map((p) => p.kind === "callback" ? "void *" : field(name, p))));
  const field = (struct, entry) => {
    if (entry.kind === "callback") return callback(struct + "_" + entry.name, entry);
    if (entry.kind === "text") return "const char *";
    if (entry.kind === "pointer" || entry.kind === "object") return "void *";
    return entry.kind === "array" ? koffi.array(types[entry.element], entry.count) : types[entry.element];
  };
  const struct = (name, fields) => {
    types[name] = koffi.struct(name, Object.fromEntries(fields.map((each) => [each.name, field(name, each)])));
    structs.add(name);
  };
  for (const each of api.handles) struct(each.name, [{name: "bits", kind: "value", element: "uint64_t"}]);
  for (const each of api.structs) {
    struct(each.name, each.fields);
    if (koffi.sizeof(types[each.name]) !== each.size) throw new Error(each.name + " has another size than in C");
  }
  // Pointers: to a struct an object, which is filled where the library writes; to several numbers a Float64Array and the like; to one number,
  // or to a pointer that is given back, an array of one.
  const parameter = (entry) => {
    if (entry.kind === "text") return "const char *";
    if (entry.kind === "object") return "void *";
    if (entry.kind === "value") return types[entry.element];
    const depth = (entry.c_type.match(/\*/g) || ["*"]).length;
    if (depth === 2) return koffi.inout(koffi.pointer("void *"));
    if (objects.has(entry.element) || entry.element === "void" || entry.element === "char" || entry.length || entry.kind === "array") return "void *";
    const pointer = koffi.pointer(types[entry.element]);
    return entry.direction === "in" ? pointer : structs.has(entry.element) ? koffi.inout(pointer) : koffi.out(pointer);
  };
  for (const each of api.functions) {
    const returned = {"const char*": "const char *", vtb_status: "int32_t"}[each.returns] || each.returns;
    vtb[each.name] = lib.func(each.name, returned, each.parameters.map(parameter));
  }
  vtb.make = (name) => {
    const made = {};
    vtb.check(vtb[name + "_init"](made, koffi.sizeof(types[name])));
    return made;
  };
  // A function for a field of a struct that calls back; it lives until koffi.unregister.
  vtb.callback = (struct, field, call) => koffi.register(call, types[struct].members[field].type);
  vtb.check = (status) => {
    if (status !== vtb.VTB_OK) throw new Error(vtb.vtb_last_error());
  };
  return vtb;
};
