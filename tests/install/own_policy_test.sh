#!/usr/bin/env bash
# Follows docs/write-a-policy.md with an installed tree: its files, its commands, a program that nobody changed for it.
# Then policies that break the contract.
# usage: own_policy_test.sh CMAKE BUILD SOURCE STARPU_PKGCONFIG
set -euo pipefail
cmake=$1 build=$2 source=$3 starpu=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export STARPU_SILENT=1 STARPU_NCPU=2 STARPU_NCUDA=0 STARPU_HOME=$scratch STARPATH_PROFILE=none
export PKG_CONFIG_PATH=$starpu PREFIX=$scratch/prefix PATH=${cmake%/*}:$PATH
unset STARPU_SCHED STARPU_SCHED_LIB

fail() { printf 'FAIL: %s\n' "$*"; exit 1; }
# block KIND NUMBER: the NUMBERth block of the page that is fenced as KIND.
block() {
  awk -v kind="$1" -v wanted="$2" '
    $0 == "```" { inside = 0 }
    inside
    $0 == "```" kind && ++count == wanted { inside = 1 }' "$source/docs/write-a-policy.md"
}
# expect_failure PATTERN COMMAND...: the command fails, and says PATTERN.
expect_failure() {
  if "${@:2}" >"$scratch/log" 2>&1; then cat "$scratch/log"; fail "${*:2} did not fail"; fi
  grep -q -- "$1" "$scratch/log" || { cat "$scratch/log"; fail "${*:2} does not say: $1"; }
}

"$cmake" --install "$build" --component sched --prefix "$PREFIX" --strip >"$scratch/log" || { cat "$scratch/log"; fail "cmake --install"; }
mkdir "$scratch/lifo"
cd "$scratch/lifo"
block cpp 1 >lifo.hpp
block cmake 1 >CMakeLists.txt
[[ -s lifo.hpp && -s CMakeLists.txt ]] || fail "the page has no such blocks"

echo "-- the commands of the page"
bash -euo pipefail -c "$(block sh 1)" >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "the page's commands"; }
grep -q '1/1 Test #1: lifo.contract .* Passed' "$scratch/log" || { cat "$scratch/log"; fail "the contract was not tested"; }
flags=()
eval "flags+=($(pkg-config --cflags --libs starpu-1.4))" # it quotes for a shell
cc -w -o program "$source/tests/install/app.c" "${flags[@]}" -Wl,-rpath,"$(pkg-config --variable=libdir starpu-1.4)"
[[ $(bash -c "$(block sh 2)") == "PASS sum=5050 policy=lifo" ]] || fail "the program does not run under lifo"

echo "-- Starpath's plug-in beside it in one program"
cc -w -I "$source" -o two_plugins "$source/tests/sched_policies/live/two_plugins.c" "${flags[@]}" -Wl,-rpath,"$(pkg-config --variable=libdir starpu-1.4)"
plugin=$(find "$PREFIX" -name libstarpath_sched.so)
[[ $(STARPU_SCHED_LIB=$plugin STARPU_SCHED=apex ./two_plugins "$PWD/build/liblifo.so" lifo) == "PASS two_plugins policy=apex" ]] ||
  fail "two plug-ins in one program"

echo "-- Starpath's policies beside it"
sed -i 's/starpath::Lifo)/starpath::Lifo WITH_STARPATH)/' CMakeLists.txt
cmake --build build >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "WITH_STARPATH"; }
for policy in lifo pats apex; do
  [[ $(STARPU_SCHED_LIB=$PWD/build/liblifo.so STARPU_SCHED=$policy ./program) == "PASS sum=5050 policy=$policy" ]] || fail "$policy of WITH_STARPATH"
done

echo "-- policies that break the contract"
cp lifo.hpp good.hpp
sed 's/std::size_t size() const { return queue_.size(); }//' good.hpp >lifo.hpp
expect_failure 'does not meet the contract of a policy' cmake --build build --target lifo
sed 's/return place ? queue_.remove_front(place) : nullptr;/return place \&\& size() != 3 ? queue_.remove_front(place) : nullptr;/' good.hpp >lifo.hpp
cmake --build build >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "a policy that keeps tasks compiles"; }
expect_failure 'policy lifo breaks its contract: seed [0-9]*: worker [0-9]* idles beside job' ctest --test-dir build --output-on-failure
sed 's/void push(TaskRecord& task) {/&\n    throw 42;/' good.hpp >lifo.hpp
cmake --build build --target lifo >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "a policy that throws compiles"; }
expect_failure "policy 'lifo' threw, so the program ends" env STARPU_SCHED_LIB="$PWD/build/liblifo.so" STARPU_SCHED=lifo ./program
sed -i 's/lifo.hpp/no.hpp/' CMakeLists.txt
expect_failure 'there is no file .*/no.hpp' cmake -S . -B build

echo "PASS own_policy"
