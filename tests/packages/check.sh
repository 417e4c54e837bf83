#!/usr/bin/env bash
# Our Debian packages on a machine that has nothing else: a bare Debian 12 root in DIR, the packages of FOLDER installed there by apt, each
# then used for what it is for, without a checkout. Called by ./dev packages-check DIR.
set -euo pipefail

dir=$(readlink -m "$1")
folder=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../bare_root.sh"
compgen -G "$folder/*.deb" >/dev/null || { echo "no packages in $folder: ./dev packages makes them" >&2; exit 1; }
bare_root "$dir"
mkdir "$dir/root/packages" "$dir/root/use"
cp "$folder"/*.deb "$dir/root/packages"
cp "$here"/use/* "$here/../../models/urdf/humanoid.urdf" "$here/../../models/motions/walk.bvh" "$dir/root/use"

apt="DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0 install -y --no-install-recommends"
inside "$dir" /root/packages "$apt ./*.deb"
for script in "$here"/use/*.sh; do
  inside "$dir" /root/use "bash $(basename "$script")"
done
inside "$dir" /root/packages 'for deb in *.deb; do dpkg-deb --field "$deb" Package; done | xargs apt-get -q purge -y'
left=$(find "$dir/usr" \( -name '*vertebra*' -o -name 'vtb*' \) | head)
[[ -z $left ]] || { printf 'files left after the packages were removed:\n%s\n' "$left" >&2; exit 1; }
echo "every package was installed, used and removed"
