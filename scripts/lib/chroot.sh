# shellcheck shell=bash
# A bare Debian in a folder: made by debootstrap, entered in namespaces that end with the command.

debian_mirror() {
  # shellcheck disable=SC2016 # apt expands these
  apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' | sed -n 's/^Debian //p' | head -1
}

# is_unreachable ADDRESS: no server answers. One that answers "not found" is reached.
is_unreachable() {
  local status=0
  wget --quiet --spider --tries=2 --timeout=20 "$1" || status=$?
  ((status == 4)) # wget's status for a failure of the network
}

# chroot_obstacle SUITE FOLDER [MIRROR]: prints in one line why no Debian can be made or entered in FOLDER here; nothing
# if one can.
chroot_obstacle() {
  local suite=$1 folder=$2 mirror=${3:-}
  if ((EUID != 0)); then
    echo "debootstrap and chroot need root"
  elif ! unshare --mount --pid --fork true 2>/dev/null; then
    echo "this system gives commands no namespaces of their own (unshare fails)"
  elif [[ -e $folder/etc/debian_version ]]; then
    return
  elif ! have_apt; then
    echo "a bare Debian can be made on Debian and its kin only"
  elif ! (install_packages debootstrap) >&2; then
    echo "debootstrap is missing and cannot be installed"
  else
    [[ $mirror ]] || mirror=$(debian_mirror)
    if [[ $mirror ]] && is_unreachable "$mirror/dists/$suite/Release"; then echo "the mirror $mirror does not answer"; fi
  fi
}

# adapt_chroot FOLDER: the network of this machine, on which a Debian that was kept may never have been.
adapt_chroot() {
  { grep -ls '^ *Acquire' /etc/apt/apt.conf.d/* || true; } | xargs -r cp -t "$1/etc/apt/apt.conf.d" # a proxy, for one
  cp /etc/resolv.conf "$1/etc/resolv.conf"
  # As an installed Debian has it: without, each start of StarPU or MPI asks a name server for this machine's name.
  printf '127.0.0.1 localhost\n127.0.1.1 %s\n' "$(uname -n)" >"$1/etc/hosts"
}

# make_chroot SUITE FOLDER LOG [MIRROR]: a minimal Debian in FOLDER, which is empty or holds one already. A Debian appears
# there complete or not at all.
make_chroot() {
  local suite=$1 folder=$2 log=$3 mirror=${4:-} making=$2.partial script=() obstacle
  if [[ -e $folder/etc/debian_version ]]; then
    adapt_chroot "$folder"
    return
  fi
  [[ -z $(ls -A "$folder") ]] || die "$folder is not empty, and holds no Debian" "Name another folder."
  obstacle=$(chroot_obstacle "$suite" "$folder" "$mirror")
  [[ -z $obstacle ]] || die "no Debian can be made here: $obstacle"
  [[ -n $mirror ]] || mirror=$(debian_mirror)
  [[ -n $mirror ]] || die "apt's configuration names no Debian mirror" "Name one with --mirror."
  say "making a bare Debian $suite (log: $log)"
  rm -rf --one-file-system "$making"
  # Suites younger than this machine's debootstrap are made as unstable is.
  [[ -e /usr/share/debootstrap/scripts/$suite ]] || script=(/usr/share/debootstrap/scripts/sid)
  logged "$log" debootstrap --variant=minbase "$suite" "$making" "$mirror" ${script[@]+"${script[@]}"} ||
    die "debootstrap failed: $(tail -1 "$log")" "Log: $log"
  echo 'APT::Keep-Downloaded-Packages "false";' >"$making/etc/apt/apt.conf.d/99starpath" # it may be kept: no packages twice
  adapt_chroot "$making"
  mv -T "$making" "$folder"
}

# in_chroot FOLDER COMMAND...: runs it in mount and process namespaces of its own. Mounts and processes that it
# leaves behind end with it, however it ends; the host never sees them.
in_chroot() {
  local folder=$1
  shift
  # shellcheck disable=SC2016 # for the shell inside
  unshare --mount --propagation private --pid --fork --kill-child bash -ec '
    folder=$1
    shift
    mount -t proc proc "$folder/proc"
    mount -t sysfs -o ro sysfs "$folder/sys"
    mount -t tmpfs tmpfs "$folder/dev/shm"
    exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root chroot "$folder" "$@"
  ' in_chroot "$folder" "$@" </dev/null
}

# copy_tree FOLDER: the tree as it is here: files that git knows or would add, with what is not committed yet.
copy_tree() {
  rm -rf "$1"
  mkdir -p "$1"
  (cd "$root" && git ls-files -z --cached --others --exclude-standard |
    tar -c --null --files-from=- --ignore-failed-read --warning=no-failed-read) | tar -x -C "$1"
}
