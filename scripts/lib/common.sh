# shellcheck shell=bash
# What every script shares: where things are, how to say something, how to fail.

# shellcheck disable=SC2034 # for the scripts
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cache=${STARPATH_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/starpath}
[[ $cache == /* ]] || cache=$PWD/$cache

say() { printf '%s\n' "starpath: $*" >&2; }

# die WHAT [WHAT TO DO...]: one message, one line each, then the end.
die() {
  printf '%s\n' "starpath: error: $1" >&2
  shift
  (($# == 0)) || printf '  %s\n' "$@" >&2
  exit 1
}

# logged LOGFILE COMMAND...: run it with its output appended to the log only.
logged() {
  local log=$1
  shift
  printf '\n$ %s\n' "$*" >>"$log"
  "$@" >>"$log" 2>&1 </dev/null
}

# hold_lock NAME: one set-up of a kind at a time; released when the script ends.
hold_lock() {
  mkdir -p "$cache" || die "cannot create the cache folder $cache" "Set STARPATH_CACHE to a folder you can write to."
  exec {lock_fd}>"$cache/$1.lock"
  flock -n "$lock_fd" && return
  say "waiting for another set-up to finish ($cache/$1.lock)"
  flock "$lock_fd"
}
