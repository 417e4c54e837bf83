! The program of ../c/program.c in Fortran; vertebra.f90 is made by declare.py. Argument: a URDF file.
module callbacks
  use vertebra
  implicit none
  integer :: steps = 0
contains
  subroutine count(user, world) bind(c)
    type(c_ptr), value :: user, world
    steps = steps + 1
  end subroutine

  function swirl(user, world, field, body, force, torque) bind(c) result(answer)
    type(c_ptr), value :: user, world
    type(vtb_field), value :: field
    type(vtb_body), value :: body
    real(c_double), intent(inout) :: force(3), torque(3)
    integer(c_int32_t) :: answer
    real(c_double) :: pose(7)
    answer = 0
    if (vtb_body_get_pose(world, body, pose) /= VTB_OK) return
    force(1) = force(1) + (-0.5_c_double) * pose(2)
    force(2) = force(2) + 0.5_c_double * pose(1)
    answer = 1
  end function
end module

program falls
  use callbacks
  implicit none
  type(c_ptr), target :: skeleton, world
  type(vtb_world_def), target :: world_def
  type(vtb_figure_def), target :: figure_def
  type(vtb_field_def), target :: field_def
  type(vtb_figure), target :: figure
  type(vtb_field), target :: field
  real(c_double), target :: poses(7, 64)
  integer(c_size_t), target :: links
  character(len=1024) :: model
  integer :: i, row
  if (differing() /= 0) error stop "structs have other sizes than in C"
  call get_command_argument(1, model)
  print '(a)', "missing "//text(vtb_status_name(vtb_skeleton_load_urdf("missing.urdf"//c_null_char, c_null_ptr, c_null_ptr, c_loc(skeleton))))
  call check(vtb_world_def_init(c_loc(world_def), int(c_sizeof(world_def), c_int32_t)))
  world_def%callbacks%after_step = c_funloc(count)
  call check(vtb_world_create(c_loc(world_def), c_loc(world)))
  call check(vtb_make_ground(world, 0.8_c_double, c_null_ptr))
  call check(vtb_skeleton_load_urdf(trim(model)//c_null_char, c_null_ptr, c_null_ptr, c_loc(skeleton)))
  call check(vtb_figure_def_init(c_loc(figure_def), int(c_sizeof(figure_def), c_int32_t)))
  figure_def%pose(3) = 0.6_c_double
  figure_def%skeleton = skeleton
  call check(vtb_figure_create(world, c_loc(figure_def), c_loc(figure)))
  call check(vtb_field_def_init(c_loc(field_def), int(c_sizeof(field_def), c_int32_t)))
  field_def%type_ = VTB_FIELD_TYPE_USER
  field_def%user%evaluate = c_funloc(swirl)
  call check(vtb_field_create(world, c_loc(field_def), c_loc(field)))
  call check(vtb_world_step(world, 240_c_int32_t))
  call check(vtb_figure_get_poses(world, figure, c_loc(poses), 64_c_size_t, 0_c_size_t, c_loc(links)))
  print '(a,i0,a,i0)', "steps ", steps, " links ", links
  do row = 1, int(links)
    print '(7(a,:," "))', (hex(poses(i, row)), i = 1, 7)
  end do
  call check(vtb_world_destroy(world))
  call check(vtb_skeleton_release(skeleton))
contains
  subroutine check(status)
    integer(c_int32_t), intent(in) :: status
    if (status == VTB_OK) return
    print '(a)', text(vtb_last_error())
    stop 1
  end subroutine

  ! The 16 digits of the bits, in small letters.
  function hex(x) result(digits)
    real(c_double), intent(in) :: x
    character(len=16) :: digits
    integer :: k
    write (digits, '(z16.16)') transfer(x, 0_c_int64_t)
    do k = 1, 16
      if (digits(k:k) >= "A") digits(k:k) = achar(iachar(digits(k:k)) + 32)
    end do
  end function

  ! A text of C.
  function text(at) result(copied)
    type(c_ptr), intent(in) :: at
    character(len=:), allocatable :: copied
    character(kind=c_char), pointer :: letters(:)
    integer :: k
    call c_f_pointer(at, letters, [4096])
    copied = ""
    do k = 1, 4096
      if (letters(k) == c_null_char) exit
      copied = copied//letters(k)
    end do
  end function
end program
