#!/usr/bin/env bash
# Clang's analysis of locks on the plug-in's sources: each member that a mutex guards (base/pure/thread_safety.hpp) is
# touched with that mutex held. Skipped without a Clang that understands ranges (16 or newer).
# Usage: locks_test.sh TREE
set -euo pipefail
cd "$1"
clang=$({ compgen -c clang++ | grep -xE 'clang\+\+(-[0-9]+)?' || true; } | sort -rV | while read -r name; do
  major=$("$name" -dumpversion 2>/dev/null | cut -d. -f1)
  if ((${major:-0} >= 16)); then echo "$name"; break; fi
done)
[[ -n $clang ]] || { echo "skipped: there is no clang++ 16 or newer"; exit 77; }
mapfile -t starpu < <(PKG_CONFIG_PATH=$(scripts/setup.sh native --print-pkgconfig) pkg-config --cflags starpu-1.4 |
  tr ' ' '\n' | sed -n 's/^-I/-isystem/p')

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# analyse FILE  says what is wrong; its status is that of the compiler
analyse() {
  "$clang" -std=c++20 -fsyntax-only -ferror-limit=0 -I. "${starpu[@]}" -Werror=thread-safety -Wno-writable-strings "$1" 2>&1
}

# 1. Every source, those of a folder together.
for folder in adapter estimates observe starpu; do
  printf '#include "%s"\n' sched_policies/"$folder"/*.cpp >"$scratch/$folder.cpp"
  analyse "$scratch/$folder.cpp"
done

# 2. Does the analysis see what is done without a lock? What it must not find fault with stands beside it.
cat >"$scratch/snippets.cpp" <<'TEXT'
#include "sched_policies/adapter/ready_tasks.hpp"
#include "sched_policies/adapter/turn.hpp"

struct Counter {
  starpath::StarpuMutex mutex;
  int value STARPATH_GUARDED_BY(mutex) = 0;
};
void right(starpath::ReadyTasks& tasks, starpath::QueuedTask& record, Counter& counter) {
  const starpath::Turn turn(tasks.mutex());
  tasks.park(record);
  const starpath::RelaxedLock lock(counter.mutex);
  ++counter.value;
}
void wrong(starpath::ReadyTasks& tasks, starpath::QueuedTask& record, Counter& counter) {
  { const starpath::Turn over(tasks.mutex()); }
  tasks.park(record);  // found
  ++counter.value;     // found
  const starpath::RelaxedLock another(tasks.mutex());
  ++counter.value;     // found
  const auto later = [&] { tasks.park(record); };  // found
  later();
}
TEXT
# lines_found FILE SOURCE  the lines of SOURCE that the analysis of FILE finds fault with
lines_found() { analyse "$1" | grep -oE "$2:[0-9]+:[0-9]+: error: .*thread-safety" | cut -d: -f2 | sort -nu || true; }
expected=$(grep -n '// found' "$scratch/snippets.cpp" | cut -d: -f1)
found=$(lines_found "$scratch/snippets.cpp" snippets.cpp)
[[ $found == "$expected" ]] || { printf 'of the snippets it finds fault with lines\n%s\nand not\n%s\n' "$found" "$expected"; exit 1; }

# 3. Does every turn guard something? Without it the analysis finds fault with what follows, up to the next function.
{
  printf '#include "sched_policies/adapter/turn.hpp"\n#include "sched_policies/adapter/ready_tasks.hpp"\n'
  printf 'namespace starpath { struct NoTurn { explicit NoTurn(StarpuMutex&) {} void wake(const std::vector<int>&) {} }; }\n'
} >"$scratch/without.cpp"
for source in sched_policies/adapter/*.cpp; do
  sed 's/\bTurn turn(/NoTurn turn(/' "$source" >"$scratch/${source##*/}"
  printf '#include "%s"\n' "${source##*/}" >>"$scratch/without.cpp"
done
analyse "$scratch/without.cpp" >"$scratch/said" || true
turns=0
for source in sched_policies/adapter/*.cpp; do
  name=${source##*/}
  found=$(grep -oE "/$name:[0-9]+:[0-9]+: error: .*thread-safety" "$scratch/said" | cut -d: -f2 | sort -nu || true)
  while IFS=: read -r line _; do
    turns=$((turns + 1))
    end=$(awk -v from="$line" 'NR > from && /^}/ { print NR; exit }' "$source")
    awk -v from="$line" -v end="$end" '$1 > from && $1 < end { yes = 1 } END { exit !yes }' <<<"$found" ||
      { echo "$source:$line: nothing after this turn needs it, or the analysis does not see what does"; exit 1; }
  done < <(grep -n '\bTurn turn(' "$source" || true)
done
((turns >= 15)) || { echo "found only $turns turns in sched_policies/adapter"; exit 1; }
