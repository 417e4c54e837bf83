#!/usr/bin/env bash
# First contact, tried for real: a bare Debian 12 root in DIR, a clean clone of HEAD in it, then the two commands of the README.
# Ends by naming every file the run left outside the checkout and outside dpkg's own places. Called by ./dev chroot-check DIR.
# The mirror is the one this machine's own apt is set up with. DIR is kept; an earlier one of ours is made anew.
set -euo pipefail

dir=$(readlink -m "$1")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
stamp=$dir.stamp
((EUID == 0)) || { echo "chroot-check must run as root" >&2; exit 1; }
if [[ -e $dir ]]; then
  [[ -f $stamp ]] || { echo "$dir exists and was not made by chroot-check; refusing to touch it" >&2; exit 1; }
  rm -rf --one-file-system "$dir"
fi
git -C "$root" diff --quiet HEAD || echo "note: uncommitted changes are not part of the clone"

mirror=$(apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
  awk '$1 == "bookworm" && $2 == "main" { print $3; exit }')
[[ -n $mirror ]] || { echo "apt on this machine knows no bookworm main archive; run apt-get update first" >&2; exit 1; }

mkdir -p "$(dirname "$dir")"
touch "$stamp"
debootstrap --variant=minbase bookworm "$dir" "$mirror" >"$dir.debootstrap.log" 2>&1 || { tail "$dir.debootstrap.log" >&2; exit 1; }
git clone -q --no-hardlinks "$root" "$dir/root/vertebra"
touch "$stamp"

inside() {  # COMMAND - in the new root, with /proc as every system has it (gone with the command) and an empty environment
  local start=$SECONDS
  echo "=== $1"
  env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb \
    unshare --mount bash -c 'mount -t proc proc "$1/proc" && exec chroot "$1" bash -c "cd /root/vertebra && $2"' - "$dir" "$1"
  echo "=== $1: $((SECONDS - start)) s"
}
inside "./dev demo"  # first, when only the packages of the build are there
inside "./dev test"
inside "./dev test"  # again: nothing is installed or built

left=$(cd "$dir" && find root home tmp opt srv usr/local var/tmp -newer "$stamp" -type f -not -path 'root/vertebra/*')
if [[ -n $left ]]; then
  printf 'files left outside the checkout:\n%s\n' "$left" >&2
  exit 1
fi
echo "nothing but packages is left outside the checkout"
