# vertebra-viewer: a picture without a display.
set -euo pipefail
vertebra render walk.bvh --size 320x180 -o /tmp/walk.png
test "$(head -c 4 /tmp/walk.png | tail -c 3)" = PNG
echo "the viewer draws"
