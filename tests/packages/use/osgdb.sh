# vertebra-osgdb: OpenSceneGraph finds the reader of URDF files; that of BVH files comes by its name and by its folder.
set -euo pipefail
DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0 install -y --no-install-recommends openscenegraph
osgconv humanoid.urdf /tmp/humanoid.osgt
grep -q 'Name "pelvis"' /tmp/humanoid.osgt
osgconv -e vertebra_bvh walk.bvh /tmp/named.osgt
OSG_LIBRARY_PATH=$(dirname "$(dirname "$(dpkg -L vertebra-osgdb | grep '/vertebra/osgPlugins.*/osgdb_bvh\.so$')")") osgconv walk.bvh /tmp/found.osgt
for file in named found; do grep -q 'osg::AnimationPathCallback' /tmp/$file.osgt; done
echo "OpenSceneGraph reads robots and clips"
