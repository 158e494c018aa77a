# What the shell benchmarks share. Source it.

# The program and its machine; STARPATH_PROGRAM overrides the build tree's.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
starpath=${STARPATH_PROGRAM:-$root/build/native/apps/starpath}
[ -x "$starpath" ] || { echo "no program at $starpath: run scripts/build.sh, or set STARPATH_PROGRAM" >&2; exit 1; }

# Runs begin without what earlier ones measured, unless a benchmark is about that.
export STARPATH_PROFILE=${STARPATH_PROFILE:-none}

machine() { echo "machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores"; }

# on_ranks N COMMAND...: on so many ranks of this machine, which may share its cores
on_ranks() { OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe --bind-to none -n "$@"; }

# summary_value JSON KEY: a number at the top level of the last line that `starpath --json` printed
summary_value() {
  printf '%s\n' "$1" | tail -n 1 | sed -e 's/"shares":.*}},//' -e "s/.*\"$2\":\([0-9.e+-]*\).*/\1/"
}

# median of the numbers on standard input, a line each
median() { sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
