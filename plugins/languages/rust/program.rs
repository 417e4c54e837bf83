// The program of ../c/program.c in Rust, without a crate; vertebra.rs is made by declare.py. Argument: a URDF file.
mod vertebra;
use std::ffi::{c_void, CStr, CString};
use std::mem::{size_of, zeroed};
use std::os::raw::c_int;
use std::ptr::{null, null_mut};
use vertebra::*;

fn check(status: i32) {
    if status != VTB_OK {
        eprintln!("{}", unsafe { CStr::from_ptr(vtb_last_error()) }.to_string_lossy());
        std::process::exit(1);
    }
}

unsafe extern "C" fn count(user: *mut c_void, _world: *const vtb_world) {
    *(user as *mut c_int) += 1;
}

unsafe extern "C" fn swirl(_user: *mut c_void, world: *const vtb_world, _field: vtb_field, body: vtb_body, force: *mut f64, _torque: *mut f64) -> i32 {
    let mut pose = [0.0f64; 7];
    if vtb_body_get_pose(world, body, pose.as_mut_ptr()) != VTB_OK {
        return 0;
    }
    *force.add(0) += -0.5 * pose[1];
    *force.add(1) += 0.5 * pose[0];
    1
}

fn main() {
    let model = CString::new(std::env::args().nth(1).expect("usage: program FILE.urdf")).unwrap();
    let missing = CString::new("missing.urdf").unwrap();
    let mut steps: c_int = 0;
    unsafe {
        let mut skeleton: *mut vtb_skeleton = null_mut();
        let status = vtb_skeleton_load_urdf(missing.as_ptr(), null(), null_mut(), &mut skeleton);
        println!("missing {}", CStr::from_ptr(vtb_status_name(status)).to_str().unwrap());
        let mut world_def: vtb_world_def = zeroed();
        check(vtb_world_def_init(&mut world_def, size_of::<vtb_world_def>() as u32));
        world_def.callbacks.after_step = Some(count);
        world_def.callbacks.user = &mut steps as *mut c_int as *mut c_void;
        let mut world: *mut vtb_world = null_mut();
        check(vtb_world_create(&world_def, &mut world));
        check(vtb_make_ground(world, 0.8, null_mut()));
        check(vtb_skeleton_load_urdf(model.as_ptr(), null(), null_mut(), &mut skeleton));
        let mut figure_def: vtb_figure_def = zeroed();
        check(vtb_figure_def_init(&mut figure_def, size_of::<vtb_figure_def>() as u32));
        figure_def.pose[2] = 0.6;
        figure_def.skeleton = skeleton;
        let mut figure = vtb_figure { bits: 0 };
        check(vtb_figure_create(world, &figure_def, &mut figure));
        let mut field_def: vtb_field_def = zeroed();
        check(vtb_field_def_init(&mut field_def, size_of::<vtb_field_def>() as u32));
        field_def.type_ = VTB_FIELD_TYPE_USER;
        field_def.user.evaluate = Some(swirl);
        let mut field = vtb_field { bits: 0 };
        check(vtb_field_create(world, &field_def, &mut field));
        check(vtb_world_step(world, 240));
        let mut poses = [0.0f64; 64 * 7];
        let mut links = 0usize;
        check(vtb_figure_get_poses(world, figure, poses.as_mut_ptr(), 64, 0, &mut links));
        println!("steps {} links {}", steps, links);
        for row in poses[..7 * links].chunks(7) {
            println!("{}", row.iter().map(|x| format!("{:016x}", x.to_bits())).collect::<Vec<_>>().join(" "));
        }
        check(vtb_world_destroy(world));
        check(vtb_skeleton_release(skeleton));
    }
}
