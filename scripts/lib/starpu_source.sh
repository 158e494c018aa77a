# shellcheck shell=bash
# StarPU's source tarball: STARPU_SOURCE, or Debian's source package through an apt configuration of our own.

other_ways=(
  "Other ways to get StarPU >= 1.4: Spack or Guix (package 'starpu'), then STARPU_ROOT=<its prefix>;"
  "or a release tarball of StarPU: STARPU_SOURCE=<file.tar.gz>. See docs/installing.md."
)

source_checksum() { sha256sum "$1" | cut -c1-8; }

# private_apt FOLDER: writes an apt configuration that sees the source packages of Debian testing and unstable on
# the mirror this machine already uses, with its own lists; the system's apt state is not touched.
private_apt() {
  local folder=$1 keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  [[ -e $keyring ]] || return 1
  mkdir -p "$folder"/lists/partial "$folder"/cache/archives/partial
  # shellcheck disable=SC2016 # apt expands these
  apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' | sed -n 's/^Debian //p' | sort -u |
    while read -r mirror; do
      printf "deb-src [signed-by=$keyring] %s %s main\n" "$mirror" testing "$mirror" unstable
    done >"$folder/sources.list"
  [[ -s $folder/sources.list ]] || return 1
  # The system's hooks are for its own package lists. apt's download user cannot enter a private cache folder.
  cat >"$folder/apt.conf" <<CONF
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
APT::Sandbox::User "root";
Dir::Etc::sourcelist "$folder/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::State::lists "$folder/lists";
Dir::Cache "$folder/cache";
CONF
}

# download_source FOLDER LOG: puts Debian's newest starpu 1.4.x tarball into FOLDER and prints its path.
download_source() {
  local folder=$1 log=$2 version
  local state=$cache/work/apt
  private_apt "$state" || { echo "no Debian mirror with its keyring in apt's configuration" >>"$log"; return 1; }
  logged "$log" apt-get -q -c "$state/apt.conf" update || return 1
  version=$(apt-cache -c "$state/apt.conf" showsrc --only-source starpu 2>>"$log" | sed -n 's/^Version: \(1\.4\..*\)/\1/p' | sort -V | tail -1)
  [[ -n $version ]] || { echo "no starpu 1.4.x among the source packages" >>"$log"; return 1; }
  mkdir -p "$state/download"
  (cd "$state/download" && logged "$log" apt-get -q -c "$state/apt.conf" source --download-only --tar-only "starpu=$version") || return 1
  mkdir -p "$folder"
  mv "$state"/download/starpu_1.4*.orig.tar.* "$folder/" || return 1
}

cached_source() { compgen -G "$cache/sources/starpu_1.4*.orig.tar.*" | sort -V | tail -1; }

# find_source LOG: prints the path of the tarball to build from, downloading it once.
find_source() {
  if [[ -n ${STARPU_SOURCE:-} ]]; then
    [[ -r $STARPU_SOURCE ]] || die "STARPU_SOURCE=$STARPU_SOURCE cannot be read" "Name a release tarball of StarPU >= 1.4."
    printf '%s\n' "$STARPU_SOURCE"
    return
  fi
  if [[ -z $(cached_source) ]]; then
    have_apt || die "StarPU >= 1.4 is not installed, and this system has no apt-get to fetch its source with" "${other_ways[@]}"
    say "fetching the source of StarPU (log: $1)"
    download_source "$cache/sources" "$1" || die "the source of StarPU could not be fetched" "Log: $1" "${other_ways[@]}"
  fi
  cached_source
}
