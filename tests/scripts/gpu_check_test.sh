#!/usr/bin/env bash
# gpu-check.py where there is no GPU: what it makes of what the programs do, which are stand-ins here, however they end.
set -uo pipefail
source_dir=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/bundle/bin"
cp "$source_dir/scripts/gpu-check.py" "$work/bundle/"
fail() {
  printf 'gpu_check_test: %s\n' "$*" >&2
  cat "$work/log" >&2
  exit 1
}
program() { # NAME: its text from stdin
  { echo '#!/usr/bin/env bash'; cat; } >"$work/bundle/bin/$1"
  chmod +x "$work/bundle/bin/$1"
}
check() { # EXPECTED_STATUS OPTION...
  local expected=$1 status
  shift
  rm -rf "$work/out"
  "$work/bundle/gpu-check.py" --out "$work/out" "$@" >"$work/log" 2>&1
  status=$?
  ((status == expected)) || fail "exit status $status, expected $expected"
  ((status >= 2)) || valid_report
}
valid_report() {
  [[ -s $work/out/report.html && -s $work/out/report.md ]] || fail 'a report is missing'
  ! command -v python3 >/dev/null || python3 -m json.tool "$work/out/report.json" >/dev/null || fail 'report.json is no JSON'
}
says() { grep -q -- "$1" "$work/${2:-log}" || fail "it does not say: $1"; }
ended() { says "\"step\": \"$1\", .*\"status\": \"$2\"" out/report.json; } # STEP STATUS

program gpu_tests <<'TEXT'
[[ ${NO_DEVICE:-} ]] && { echo 'there is no CUDA device here' >&2; exit 77; }
echo 'device: a "stand-in" \ of tests'
[[ ${HANGS:-} && $* != *FeaturesOfNoObject* ]] && sleep 100
[[ -z ${KERNELS_DIFFER:-} ]] || { echo '[  FAILED  ] Cuda.Watershed'; exit 1; }
TEXT
program gpu_bench <<'TEXT'
while (($#)); do
  [[ $1 == --json ]] && echo '{"tile_ms": 20}' >"$2"
  shift
done
printf '%s\n' '| operation | CPU core ms | GPU ms | transfer ms | speedup | GB/s | of a copy | same bytes |' '|---|---|---|---|---|---|---|---|' \
  '| watershed | 1600.25 | 4.125 | 0.500 | 387.9 | 12.5 | 0.9 % | yes |' '' 'NBIA by tile size, a tile' '| 32 | 1 | 1 | 1 | 1 | 1 | 1 | yes |'
[[ -z ${BENCH_DIES:-} ]] || kill -KILL $$
TEXT
# The results of a run, the same on every worker but for the policy BROKEN; the summary as the command prints it.
program starpath <<'TEXT'
if [[ $1 == loop ]]; then # as the command prints it, pretty
  same=true gpu=100
  [[ $2 == "${OTHER_BITS:-}" ]] && same=false
  [[ $2 == "${ON_CPU:-}" ]] && gpu=40
  printf '{\n  "gpu_iterations": %s,\n  "identical": %s,\n  "iterations": 100,\n  "loop": "%s",\n  "microseconds": 21.5,\n' $gpu $same "$2"
  printf '  "serial_microseconds": 40.25,\n  "workers": [\n    {\n      "iterations": 7\n    }\n  ]\n}\n'
  [[ $same == true ]]
  exit
fi
if [[ $1 == compare ]]; then
  printf '%s\n' 'cpu: 2 workers; area bound 1.0 s' '' 'policy makespan s       min       max  /bound   moved MB  idle cpu  idle cuda' \
    'pats        2.744     2.650     2.837   1.528       12.5    30.1 %  2.0 %' '' 'share of tasks'
  exit
fi
shares='"cuda":{"watershed":{"seconds":1.0,"tasks":9}}'
while (($#)); do
  case $1 in
    --out) out=$2 ;;
    --gpus) shares='"cpu":{"watershed":{"seconds":1.0,"tasks":9}}' ;;
    --policy) policy=$2 ;;
  esac
  shift
done
[[ $policy == "${ON_CPU:-}" ]] && shares='"cpu":{"watershed":{"seconds":1.0,"tasks":9}}'
mkdir -p "$out"
for file in nuclei.csv nuclei.geojson fields.csv regions.geojson map.png; do echo "$file" >"$out/$file"; done
[[ $policy == "${BROKEN:-}" ]] && echo other >"$out/regions.geojson"
if [[ ${STARPATH_TRACE:-} ]]; then
  printf '[\n%s,\n%s,\n%s\n' '{"name":"thread_name","ph":"M","pid":0,"tid":1,"args":{"name":"1 cuda A GPU"}}' '{"name":"watershed","ph":"X","pid":0,"tid":1,"ts":1.5,"dur":100.0,"args":{"priority":0,"expected_us":80.0}}' \
    '{"name":"watershed","ph":"X","pid":0,"tid":1,"ts":200.5,"dur":100.0,"args":{"priority":0,"expected_us":80.0}}' >"$STARPATH_TRACE"
fi
echo "{\"event\":\"summary\",\"policy\":\"$policy\",\"seconds\":1.5,\"shares\":{$shares},\"workers\":{\"cpu\":2,\"cuda\":1}}"
[[ $policy != "${FAILING:-}" ]]
TEXT

NO_DEVICE=1 check 3
says 'no CUDA device'

check 0 --policies eager
for step in device kernels segmentation nbia operations compare estimates policies loops memcheck racecheck; do ended $step passed; done
says '"device": "a \\"stand-in\\" \\\\ of tests"' out/report.json
says '"pipeline": "nbia", "policy": "eager", "seconds": 1.5, "seconds on cores": 1.5, "same bytes": "yes"' out/report.json
says '"operation": "watershed", "CPU core ms": 1600.25, "GPU ms": 4.125' out/report.json
says '"policy": "pats", "makespan s": 2.744, .*"moved MB": 12.5' out/report.json
says '"codelet": "watershed", "class": "cuda", "tasks": 2, "median error": 0.25, "mean expected us": 80, "mean measured us": 100' out/report.json
read -ra loops < <(sed -n "s/^LOOPS = \"\(.*\)\".split()$/\1/p" "$source_dir/scripts/gpu-check.py")
((${#loops[@]} == 10)) || fail 'the loops are not found'
for loop in "${loops[@]}"; do
  says "\"loop\": \"$loop\", \"workers\": \"GPUs\", \"iterations\": 100, \"on GPUs\": 100, \"us\": 21.5, .*\"same bits\": \"yes\"" out/report.json
done

BROKEN=pats ON_CPU=odds FAILING=lws check 1 --policies 'pats odds lws' --steps 'segmentation nbia policies'
says '"pipeline": "nbia", "policy": "pats", .*"same bytes": "no: regions.geojson differs"' out/report.json
says '"pipeline": "segmentation", "policy": "pats", .*"same bytes": "yes"' out/report.json
says '"policy": "odds", .*"same bytes": "no: no task ran on a GPU"' out/report.json
says '"policy": "lws", .*"same bytes": "no: exit status 1"' out/report.json
ended segmentation passed; ended nbia failed; ended loops 'left out'

OTHER_BITS=knn ON_CPU=heart check 1 --steps loops
says '"loop": "knn", "workers": "GPUs", .*"same bits": "no: exit status 1"' out/report.json
says '"loop": "heart", "workers": "GPUs", .*"same bits": "no: not all iterations ran on GPUs"' out/report.json
says '"loop": "heart", "workers": "GPUs and cores", .*"on GPUs": 40.*"same bits": "yes"' out/report.json

# Whatever a step does, the next ones run, and what it had said stays.
KERNELS_DIFFER=1 BENCH_DIES=1 check 1 --steps 'kernels operations compare'
ended kernels failed; ended operations failed; ended compare passed
says '"operation": "watershed"' out/report.json
HANGS=1 check 1 --steps 'kernels operations' --step-seconds 8
ended kernels 'took too long'; ended operations passed

# Killed from outside: the report holds what there was.
rm -rf "$work/out"
# Else the log of the last check says it, and the signal meets a copy of this shell, which runs the trap above.
: >"$work/log"
HANGS=1 "$work/bundle/gpu-check.py" --out "$work/out" --steps 'device kernels' >"$work/log" 2>&1 &
check_pid=$!
for ((i = 0; i < 300; ++i)); do grep -q 'gpu-check: kernels' "$work/log" && break; sleep 0.1; done
kill -TERM "$check_pid"
! wait "$check_pid" || fail 'it was ended and says that all is well'
valid_report
ended device passed; ended kernels stopped

rm "$work/bundle/bin/gpu_tests"
check 2
says 'run this in a folder that scripts/gpu-bundle.sh packed'
