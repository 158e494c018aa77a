#!/usr/bin/env bash
# scripts/check.sh: what it makes of stages that pass, fail, and find no time. The stages' commands are stand-ins here.
set -uo pipefail
source_root=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/scripts"
cp -r "$source_root/scripts/check.sh" "$source_root/scripts/lib" "$tree/scripts/"
fail() {
  printf 'check_test: %s\n' "$*" >&2
  cat "$tree/output" >&2
  exit 1
}
# stand_in NAME: a script of the tree, its text from stdin
stand_in() {
  { echo '#!/usr/bin/env bash'; cat; } >"$tree/scripts/$1"
  chmod +x "$tree/scripts/$1"
}
# check EXPECTED_STATUS ARGUMENT...
check() {
  local expected=$1 status
  shift
  "$tree/scripts/check.sh" "$@" >"$tree/output" 2>&1
  status=$?
  ((status == expected)) || fail "exit status $status, expected $expected"
}
says() { grep -qE -- "$1" "$tree/output" || fail "it does not say: $1"; }
closes_with() { [[ $(tail -1 "$tree/output") == "$1" ]] || fail "its last line is not: $1"; }

stand_in demo.sh <<<'echo a demo'
stand_in test.sh <<'TEXT'
case ${2:-native} in
  native) echo '100% tests passed, 0 tests failed out of 1234' ;;
  simgrid) echo '100% tests passed, 0 tests failed out of 56' ;;
  asan)
    printf '%s\n' '1/2 Test #7: good ...   Passed    0.01 sec' '    Start 8: bad' '2/2 Test #8: bad ...***Failed    0.01 sec' \
      'what the bad test printed' '' '50% tests passed, 1 tests failed out of 2' '' 'The following tests FAILED:' $'\t  8 - bad (Failed)' ''
    exit 8
    ;;
esac
TEXT
stand_in fuzz.sh <<<'sleep 30'
stand_in try-distribution.sh <<'TEXT'
echo 'starpath: Debian trixie was not tried: it rains' >&2
exit 77
TEXT

check 0 demo native simgrid
says '^starpath: demo: passed, [0-9]+ s$'
says '^starpath: simgrid: passed, [0-9]+ s, 56 tests$'
closes_with '100% tests passed, 0 tests failed out of 1234'

# A test fails: the stages after it run all the same, and the end of the output says which test it was and why.
check 1 native asan-rest simgrid
says '^starpath: asan-rest: FAILED, [0-9]+ s, 2 tests \(log: build/check/asan-rest.log\)$'
sed -n '/why the stage asan-rest failed/,$p' "$tree/output" >"$tree/end"
grep -q '^what the bad test printed$' "$tree/end" || fail 'its end does not say what the test printed'
grep -q '8 - bad (Failed)' "$tree/end" || fail 'its end does not name the test'
if grep -q 'good' "$tree/end"; then fail 'its end names a test that passed'; fi
says '^starpath: simgrid: passed'
if grep -q '^100% tests passed.*1234$' <(tail -1 "$tree/output"); then fail 'it closes as if all had passed'; fi

# No time for it: left out, and said so. The README's commands run all the same.
check 0 --minutes 1 demo native simgrid
says '^starpath: native: passed'
says '^starpath: simgrid: left out: it may take [0-9]+ minutes, and [01] are left$'
closes_with '100% tests passed, 0 tests failed out of 1234'

# A demo that took no time shows that the caches are warm: then the stages have less time, and need less.
check 0 --minutes 60 --warm-minutes 5 demo conformance simgrid
says '^starpath: conformance: left out: it may take 6 minutes, and [45] are left$'
says '^starpath: simgrid: passed'

# Where native took longer than its row states, the stages after it are expected to take longer too.
sed -i.fast 's/^  "native|[0-9]*|/  "native|0.001|/' "$tree/scripts/check.sh"
cp "$tree/scripts/test.sh" "$tree/fast_test.sh"
stand_in test.sh <<<"sleep 1; echo '100% tests passed, 0 tests failed out of 1234'"
check 0 --minutes 60 native simgrid
says '^starpath: simgrid: left out: it may take [0-9]{3} minutes, and (59|60) are left$'
mv "$tree/scripts/check.sh.fast" "$tree/scripts/check.sh"
mv "$tree/fast_test.sh" "$tree/scripts/test.sh"

# A stage that this machine cannot run says so in one line.
check 0 native newer
says '^starpath: newer: left out: Debian trixie was not tried: it rains$'
closes_with '100% tests passed, 0 tests failed out of 1234'

# The time is over while it runs.
check 0 --minutes 60 --hard-stop 0 native fuzz
says '^starpath: fuzz: left out: stopped after [0-9]+ s, when the time was over$'

check 1 no_such_stage
says 'unknown stage: no_such_stage'
echo PASS
