#!/usr/bin/env bash
# gpu-check.sh where there is no GPU: what it makes of what the programs do, which are stand-ins here.
set -uo pipefail
source_dir=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/bundle/bin"
cp "$source_dir/scripts/gpu-check.sh" "$work/bundle/"
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
  "$work/bundle/gpu-check.sh" --out "$work/out" "$@" >"$work/log" 2>&1
  status=$?
  ((status == expected)) || fail "exit status $status, expected $expected"
}
says() { grep -q -- "$1" "$work/${2:-log}" || fail "it does not say: $1"; }

program gpu_tests <<'TEXT'
[[ ${NO_DEVICE:-} ]] && { echo 'there is no CUDA device here' >&2; exit 77; }
echo 'device: a stand-in'
TEXT
program gpu_bench <<'TEXT'
while (($#)); do
  [[ $1 == --json ]] && echo '{"tile_ms": 20}' >"$2"
  shift
done
echo '| operation | CPU core ms |'
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
echo "{\"event\":\"summary\",\"policy\":\"$policy\",\"seconds\":1.5,\"shares\":{$shares},\"workers\":{\"cpu\":2,\"cuda\":1}}"
[[ $policy != "${FAILING:-}" ]]
TEXT

NO_DEVICE=1 check 3
says 'no CUDA device'

check 0 --policies eager
says '"pipeline": "nbia", "policy": "eager", "seconds": 1.5, "same": "yes"' out/report.json
says '"operations": {"tile_ms": 20}' out/report.json
says '| segmentation | eager | 1.5 | yes |' out/report.md
read -ra loops < <(sed -n "s/^loops='\(.*\)'$/\1/p" "$source_dir/scripts/gpu-check.sh")
((${#loops[@]} == 10)) || fail 'the loops are not found'
for loop in "${loops[@]}"; do
  says "| $loop | GPUs | 100 of 100 | 21.5 | 40.25 | yes |" out/report.md
  says "| $loop | GPUs and cores | 100 of 100 | 21.5 | 40.25 | yes |" out/report.md
done
says '"loop": "heat2d", "workers": "GPUs", "on_gpus": 100, "microseconds": 21.5, "same": "yes"' out/report.json
if command -v python3 >/dev/null; then python3 -m json.tool "$work/out/report.json" >/dev/null || fail 'report.json is no JSON'; fi

BROKEN=pats ON_CPU=odds FAILING=lws check 1 --policies 'pats odds lws'
says 'nbia under pats: no: regions.geojson differs'
says '| segmentation | pats | 1.5 | yes |' out/report.md
says 'segmentation under odds: no: no task ran on the GPU'
says 'segmentation under lws: no: exit status 1'

OTHER_BITS=knn ON_CPU=heart check 1 --policies eager
says 'loop knn on GPUs: no: exit status 1'
says 'loop heart on GPUs: no: not all iterations ran on GPUs'
says '| heart | GPUs and cores | 40 of 100 | 21.5 | 40.25 | yes |' out/report.md

rm "$work/bundle/bin/gpu_tests"
check 2
says 'run this in a folder that scripts/gpu-bundle.sh packed'
