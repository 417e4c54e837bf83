// The program of ../c/program.c in Java through JNA; Vertebra.java is made by declare.py. Argument: a URDF file. The library is found in the
// folder that -Djna.library.path names.
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;

public final class Program {
  static final Vertebra vtb = Native.load("vertebra", Vertebra.class);
  static int steps;

  static void check(int status) {
    if (status != Vertebra.VTB_OK) throw new RuntimeException(vtb.vtb_last_error());
  }

  public static void main(String[] arguments) {
    if (Vertebra.differing() != null) throw new RuntimeException(Vertebra.differing() + " has another size than in C");
    PointerByReference skeleton = new PointerByReference(), created = new PointerByReference();
    System.out.println("missing " + vtb.vtb_status_name(vtb.vtb_skeleton_load_urdf("missing.urdf", null, null, skeleton)));
    Vertebra.vtb_world_def worldDef = new Vertebra.vtb_world_def();
    check(vtb.vtb_world_def_init(worldDef, worldDef.size()));
    worldDef.callbacks.after_step = (user, world) -> ++steps;
    check(vtb.vtb_world_create(worldDef, created));
    Pointer world = created.getValue();
    check(vtb.vtb_make_ground(world, 0.8, null));
    check(vtb.vtb_skeleton_load_urdf(arguments[0], null, null, skeleton));
    Vertebra.vtb_figure_def figureDef = new Vertebra.vtb_figure_def();
    check(vtb.vtb_figure_def_init(figureDef, figureDef.size()));
    figureDef.pose[2] = 0.6;
    figureDef.skeleton = skeleton.getValue();
    Vertebra.vtb_figure figure = new Vertebra.vtb_figure();
    check(vtb.vtb_figure_create(world, figureDef, figure));
    Vertebra.vtb_field_def fieldDef = new Vertebra.vtb_field_def();
    check(vtb.vtb_field_def_init(fieldDef, fieldDef.size()));
    fieldDef.type = Vertebra.VTB_FIELD_TYPE_USER;
    double[] pose = new double[7];
    fieldDef.user.evaluate = (user, inWorld, field, body, force, torque) -> {
      if (vtb.vtb_body_get_pose(inWorld, body, pose) != Vertebra.VTB_OK) return 0;
      force.setDouble(0, force.getDouble(0) + -0.5 * pose[1]);
      force.setDouble(8, force.getDouble(8) + 0.5 * pose[0]);
      return 1;
    };
    check(vtb.vtb_field_create(world, fieldDef, new Vertebra.vtb_field()));
    check(vtb.vtb_world_step(world, 240));
    double[] poses = new double[64 * 7];
    long[] links = new long[1];
    check(vtb.vtb_figure_get_poses(world, figure.value(), poses, 64, 0, links));
    System.out.println("steps " + steps + " links " + links[0]);
    for (int row = 0; row < links[0]; ++row) {
      StringBuilder shown = new StringBuilder();
      for (int i = 0; i < 7; ++i) shown.append(i > 0 ? " " : "").append(String.format("%016x", Double.doubleToRawLongBits(poses[7 * row + i])));
      System.out.println(shown);
    }
    check(vtb.vtb_world_destroy(world));
    check(vtb.vtb_skeleton_release(skeleton.getValue()));
  }
}
