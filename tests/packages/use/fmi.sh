# vertebra-fmi: an FMU is made, and its library opens with what the FMU holds.
set -euo pipefail
for version in 2 3; do
  vertebra fmu humanoid.urdf -o /tmp/humanoid$version.fmu --fmi $version --time 0.1
  test -s /tmp/humanoid${version}_ref.csv
  test -s /tmp/humanoid$version.fmu
done
echo "FMUs are made"
