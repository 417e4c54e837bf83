% The program of ../c/program.c in Octave, through the mex file that vtb.c becomes. Argument: a URDF file.
1;
global steps = 0;
function count()
  global steps;
  steps += 1;
end
function force = swirl(pose)
  force = [-0.5 * pose(2), 0.5 * pose(1), 0];
end

model = argv(){1};
try
  vtb("load", "missing.urdf");
catch problem
  printf("missing %s\n", regexp(problem.message, 'VTB_E_\w+', "match"){1});
end
world = vtb("world", @count);
vtb("ground", world, 0.8);
skeleton = vtb("load", model);
figure = vtb("figure", world, skeleton, [0 0 0.6 0 0 0 1]);
vtb("force", world, @swirl);
vtb("step", world, 240);
poses = vtb("poses", world, figure);
printf("steps %d links %d\n", steps, rows(poses));
for row = 1:rows(poses)
  printf("%s\n", strjoin(cellstr(num2hex(poses(row, :)')).', " "));
end
vtb("destroy", world);
vtb("release", skeleton);
