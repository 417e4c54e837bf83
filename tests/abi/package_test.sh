#!/usr/bin/env bash
# Installs the build to a prefix of its own, moves that prefix, and builds and runs a C program against it in both ways users have:
# find_package and pkg-config. Arguments: cmake, build directory, C compiler, scratch directory.
set -euo pipefail
cmake=$1 build=$2 cc=$3 scratch=$4
client=$(cd "$(dirname "${BASH_SOURCE[0]}")/client" && pwd)

rm -rf "$scratch"
"$cmake" --install "$build" --prefix "$scratch/first" >/dev/null
prefix=$scratch/moved
mv "$scratch/first" "$prefix"

"$cmake" -G Ninja -S "$client" -B "$scratch/by_cmake" -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix"
"$cmake" --build "$scratch/by_cmake"
"$scratch/by_cmake/client"

pc=$(find "$prefix" -name vertebra.pc)
export PKG_CONFIG_PATH=${pc%/*}
# shellcheck disable=SC2046  # the flags are words
"$cc" -std=c99 "$client/client.c" $(pkg-config --cflags --libs vertebra) -o "$scratch/by_pkg_config"
LD_LIBRARY_PATH=$(pkg-config --variable=libdir vertebra) "$scratch/by_pkg_config"

[[ -s $prefix/share/vertebra/vertebra.json ]] || { echo "vertebra.json is not installed" >&2; exit 1; }
"$cc" -std=c99 -fsyntax-only -x c "$prefix/include/vertebra/vertebra_amalgamated.h"

soname=$(readelf -d "$(find "$prefix" -name libvertebra.so)" | grep SONAME)
[[ $soname == *'[libvertebra.so.1]'* ]] || { echo "unexpected $soname" >&2; exit 1; }
"$cmake" -G Ninja -S "$prefix/share/vertebra/examples" -B "$scratch/examples" -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix"
"$cmake" --build "$scratch/examples"
"$scratch/examples/example_robot_drop" "$scratch" >/dev/null  # finds its model, and writes its picture where the viewer is built
[[ ! -f $prefix/include/vertebra_view.h || -s $scratch/robot_drop.png ]] || { echo "the installed example drew nothing" >&2; exit 1; }

if [[ -x $prefix/bin/vertebra ]]; then
  "$prefix/bin/vertebra" --help >/dev/null  # finds its library without help
fi
