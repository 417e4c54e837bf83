# libvertebra-dev: a C program by pkg-config, a C++ program by the CMake package, the examples.
set -euo pipefail
DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0 install -y --no-install-recommends g++ cmake make pkg-config
cat >/tmp/hello.c <<'TEXT'
#include <stdio.h>
#include <vertebra/vertebra.h>
int main(void) {
  vtb_world *world;
  return vtb_world_create(NULL, &world) || vtb_world_step(world, 10) || vtb_world_destroy(world) || !puts(vtb_version());
}
TEXT
cc /tmp/hello.c -o /tmp/hello $(pkg-config --cflags --libs vertebra)
/tmp/hello
mkdir -p /tmp/app
cp /tmp/hello.c /tmp/app/hello.cpp
cat >/tmp/app/CMakeLists.txt <<'TEXT'
cmake_minimum_required(VERSION 3.25)
project(app CXX)
find_package(vertebra REQUIRED)
add_executable(app hello.cpp)
target_link_libraries(app PRIVATE vertebra::vertebra)
TEXT
cmake -S /tmp/app -B /tmp/app/build >/dev/null
cmake --build /tmp/app/build
/tmp/app/build/app
cmake -S /usr/share/vertebra/examples -B /tmp/examples >/dev/null
cmake --build /tmp/examples
/tmp/examples/example_robot_drop /tmp
test -s /tmp/robot_drop.png  # vertebra-viewer is installed too
echo "programs build against the library"
