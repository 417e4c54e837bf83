# vertebra-ignition: the plugin stands where hosts of ignition-physics look for engines, and all that it needs is there.
set -euo pipefail
plugin=$(dirname "$(dpkg -L libignition-physics5-5 | grep 'libignition-physics5\.so\.5$')")/ign-physics-5/engine-plugins/libignition-physics-vertebra-plugin.so
test -f "$plugin"
if ldd -r "$plugin" 2>&1 | grep -E 'not found|undefined symbol'; then exit 1; fi
ldd "$plugin" | grep -q 'libvertebra\.so\.1 => /'
echo "the engine plugin for ignition-physics can be loaded"
