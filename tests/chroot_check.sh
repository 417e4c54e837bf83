#!/usr/bin/env bash
# First contact, tried for real: a bare Debian 12 root in DIR, a clean clone of HEAD in it, then the two commands of the README.
# Ends by naming every file the run left outside the checkout and outside dpkg's own places. Called by ./dev chroot-check DIR.
# DIR is kept; an earlier one of ours is made anew.
set -euo pipefail

dir=$(readlink -m "$1")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$root/tests/bare_root.sh"
git -C "$root" diff --quiet HEAD || echo "note: uncommitted changes are not part of the clone"
bare_root "$dir"
git clone -q --no-hardlinks "$root" "$dir/root/vertebra"
touch "$dir.stamp"

inside "$dir" /root/vertebra "./dev demo"  # first, when only the packages of the build are there
inside "$dir" /root/vertebra "./dev test"
inside "$dir" /root/vertebra "./dev test"  # again: nothing is installed or built

left=$(cd "$dir" && find root home tmp opt srv usr/local var/tmp -newer "$dir.stamp" -type f -not -path 'root/vertebra/*')
if [[ -n $left ]]; then
  printf 'files left outside the checkout:\n%s\n' "$left" >&2
  exit 1
fi
echo "nothing but packages is left outside the checkout"
