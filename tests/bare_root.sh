# Sourced by the checks on a bare Debian 12: makes such a root and runs commands in it. The mirror is the one this machine's own apt uses.
# bare_root DIR makes DIR anew (one that is not of our making is not touched); DIR.stamp is as old as the root. Needs root.

bare_root() {  # DIR
  local dir=$1 mirror
  ((EUID == 0)) || { echo "this check must run as root" >&2; exit 1; }
  if [[ -e $dir ]]; then
    [[ -f $dir.stamp ]] || { echo "$dir exists and was not made by such a check; refusing to touch it" >&2; exit 1; }
    rm -rf --one-file-system "$dir"
  fi
  mirror=$(apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
    awk '$1 == "bookworm" && $2 == "main" { print $3; exit }')
  [[ -n $mirror ]] || { echo "apt on this machine knows no bookworm main archive; run apt-get update first" >&2; exit 1; }
  mkdir -p "$(dirname "$dir")"
  touch "$dir.stamp"
  debootstrap --variant=minbase bookworm "$dir" "$mirror" >"$dir.debootstrap.log" 2>&1 || { tail "$dir.debootstrap.log" >&2; exit 1; }
}

inside() {  # DIR FOLDER COMMAND - in the new root, with /proc as every system has it (gone with the command) and an empty environment
  local start=$SECONDS
  echo "=== $3"
  env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb \
    unshare --mount bash -c 'mount -t proc proc "$1/proc" && exec chroot "$1" bash -c "cd $2 && $3"' - "$1" "$2" "$3"
  echo "=== $3: $((SECONDS - start)) s"
}
