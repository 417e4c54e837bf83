// The program of ../c/program.c in C#; Vertebra.cs is made by declare.py. Argument: a URDF file.
using System;
using System.Runtime.InteropServices;
using static Vertebra;

public static unsafe class Program {
  static int steps;

  static void Check(int status) {
    if (status != VTB_OK) throw new Exception(Marshal.PtrToStringAnsi(vtb_last_error()));
  }

  static void Count(void* user, void* world) {
    ++steps;
  }

  static int Swirl(void* user, void* world, vtb_field field, vtb_body body, double* force, double* torque) {
    double* pose = stackalloc double[7];
    if (vtb_body_get_pose(world, body, pose) != VTB_OK) return 0;
    force[0] += -0.5 * pose[1];
    force[1] += 0.5 * pose[0];
    return 1;
  }

  public static int Main(string[] arguments) {
    if (Differing() != null) throw new Exception(Differing() + " has another size than in C");
    void* skeleton, world;
    Console.WriteLine("missing " + Marshal.PtrToStringAnsi(vtb_status_name(vtb_skeleton_load_urdf("missing.urdf", null, null, &skeleton))));
    vtb_world_def worldDef;
    Check(vtb_world_def_init(&worldDef, (uint)sizeof(vtb_world_def)));
    var count = new vtb_callbacks_after_step(Count);  // variables keep delegates from being collected
    worldDef.callbacks.after_step = Marshal.GetFunctionPointerForDelegate(count);
    Check(vtb_world_create(&worldDef, &world));
    Check(vtb_make_ground(world, 0.8, null));
    Check(vtb_skeleton_load_urdf(arguments[0], null, null, &skeleton));
    vtb_figure_def figureDef;
    Check(vtb_figure_def_init(&figureDef, (uint)sizeof(vtb_figure_def)));
    figureDef.pose[2] = 0.6;
    figureDef.skeleton = skeleton;
    vtb_figure figure;
    Check(vtb_figure_create(world, &figureDef, &figure));
    vtb_field_def fieldDef;
    Check(vtb_field_def_init(&fieldDef, (uint)sizeof(vtb_field_def)));
    fieldDef.type = VTB_FIELD_TYPE_USER;
    var swirl = new vtb_user_law_evaluate(Swirl);
    fieldDef.user.evaluate = Marshal.GetFunctionPointerForDelegate(swirl);
    vtb_field field;
    Check(vtb_field_create(world, &fieldDef, &field));
    Check(vtb_world_step(world, 240));
    double* poses = stackalloc double[64 * 7];
    UIntPtr links;
    Check(vtb_figure_get_poses(world, figure, poses, (UIntPtr)64, UIntPtr.Zero, &links));
    Console.WriteLine("steps " + steps + " links " + links);
    for (uint row = 0; row < (uint)links; ++row) {
      var shown = new string[7];
      for (int i = 0; i < 7; ++i) shown[i] = BitConverter.DoubleToInt64Bits(poses[7 * row + i]).ToString("x16");
      Console.WriteLine(string.Join(" ", shown));
    }
    Check(vtb_world_destroy(world));
    Check(vtb_skeleton_release(skeleton));
    GC.KeepAlive(count);
    GC.KeepAlive(swirl);
    return 0;
  }
}
