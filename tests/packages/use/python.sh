# python3-vertebra: finds the library and vertebra.json of their package, steps a world, and draws it where vertebra-viewer is.
set -euo pipefail
cd /
cat >/tmp/world.py <<'TEXT'
import sys
import vertebra
from vertebra import find
assert find.__file__ == "/usr/lib/python3/dist-packages/vertebra/find.py", find.__file__
assert find.find_library() == sys.argv[1], find.find_library()
assert find.find_description() == "/usr/share/vertebra/vertebra.json", find.find_description()
world = vertebra.World()
world.ground()
ball = world.sphere((0, 0, 1), 0.1)
world.step(24)
assert abs(ball.position[2] - (1 - 9.81 * 0.1**2 / 2)) < 1e-3, ball.position
page, drawn = world._repr_html_(), world._repr_png_()
assert "<iframe" in page and "1 bod" in page, page[:300]
assert drawn.startswith(b"\x89PNG")
TEXT
python3 /tmp/world.py "$(dpkg -L libvertebra1 | grep '/libvertebra\.so\.1$')"
mkdir -p /tmp/python_pictures
python3 -B /usr/share/vertebra/examples/python/robot_drop.py /tmp/python_pictures
test -s /tmp/python_pictures/robot_drop.png
python3 -B /usr/share/vertebra/examples/python/sensors.py /tmp/python_pictures
test -s /tmp/python_pictures/sensors.svg
echo "the Python package works"
