#!/usr/bin/env bash
# Checks and measures the CUDA code on this machine's GPU. Made by scripts/gpu-bundle.sh, which packs what it needs.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

usage() {
  cat <<'TEXT'
usage: gpu-check.sh [--out FOLDER] [--size PIXELS] [--policies "NAME..."]

Takes less than 10 minutes:
  1. every CUDA kernel against the reference, many sizes and seeds; on small images under compute-sanitizer
  2. both pipelines on synthetic slides with CPU and GPU workers, under each policy, byte for byte against CPU workers alone
  3. CPU and GPU time of each operation, transfers, share of the device's copy bandwidth; NBIA on tiles of 32 to 4096 pixels,
     with copies in turn and beside the kernels
  4. a profile of measured times, for the estimator and for simulated machines
  5. each loop of starpath loop on GPUs alone and on GPUs and CPU workers, bit for bit against the serial one
FOLDER (default: gpu-check) receives report.md, report.json, profile.sqlite and the logs.
Exit status: 0 all the same bytes and no error; 1 something differs or failed; 3 there is no CUDA device.
TEXT
}

out=gpu-check size=4096
policies='pats pams odds dmda dmdas heteroprio lws eager'
loops='increment blackscholes histogram boxfilter nbody heat2d strmatch heart knn eclat'
while (($#)); do
  case $1 in
    --out) out=${2:?--out needs a folder}; shift ;;
    --size) size=${2:?--size needs a number}; shift ;;
    --policies) policies=${2:?--policies needs names}; shift ;;
    -h | --help) usage; exit ;;
    *) usage >&2; echo "gpu-check: unknown argument: $1" >&2; exit 2 ;;
  esac
  shift
done

export PATH=$PATH:/usr/local/cuda/bin STARPU_SILENT=1
bin=$here/bin
[[ -x $bin/gpu_tests ]] || {
  echo "gpu-check: $bin/gpu_tests is missing: run this in a folder that scripts/gpu-bundle.sh packed" >&2
  exit 2
}
mkdir -p "$out" || exit 2
out=$(cd "$out" && pwd)
export STARPU_HOME=$out/starpu
mkdir -p "$STARPU_HOME"
status=0
say() { printf 'gpu-check: %s\n' "$*" >&2; }
failed() { status=1; say "FAILED: $*"; }

# 0. Is there a device at all?
"$bin/gpu_tests" --gtest_filter=Cuda.FeaturesOfNoObject >"$out/device.log" 2>&1
case $? in
  0) device=$(sed -n 's/^device: //p' "$out/device.log") ;;
  77)
    say "there is no CUDA device on this machine: nothing was checked"
    sed 's/^/  /' "$out/device.log" >&2
    exit 3
    ;;
  *)
    say "the programs do not run on this machine:"
    sed 's/^/  /' "$out/device.log" >&2
    exit 1
    ;;
esac
say "device: $device"

# 1. Kernels
say "kernels against the reference"
kernels=passed
timeout 150 "$bin/gpu_tests" >"$out/kernels.log" 2>&1 || { kernels=failed && failed "kernels: $out/kernels.log"; }
sanitizer='not run: compute-sanitizer is not here'
if command -v compute-sanitizer >/dev/null; then
  say "kernels under compute-sanitizer"
  STARPATH_DEVICE_STRENGTH=1 timeout 120 compute-sanitizer --tool memcheck --error-exitcode 9 "$bin/gpu_tests" \
    --gtest_filter='Cuda.*-*Bounded*:*AnyRelief*' >"$out/sanitizer.log" 2>&1
  case $? in
    0) sanitizer=passed ;;
    124) sanitizer='out of time'; failed "compute-sanitizer took more than 120 s: $out/sanitizer.log" ;;
    *) sanitizer=failed; failed "compute-sanitizer: $out/sanitizer.log" ;;
  esac
fi

# 2. The pipelines, and 4. the profile
segmentation="segment synthetic:${size}x${size},seed=3 --tile 1024"
nbia="nbia run synthetic:${size}x${size},pattern=stroma,seed=3"
rows=() json_rows=()
run() { # NAME COMMAND OPTION...: into $out/NAME
  local name=$1
  shift
  rm -rf "${out:?}/$name"
  timeout 60 "$bin/starpath" "$@" --out "$out/$name" --json >"$out/$name.json" 2>"$out/$name.log"
}
seconds_of() { tail -n 1 "$out/$1.json" | sed -n 's/"shares":.*//; s/.*"seconds":\([0-9.e+-]*\).*/\1/p'; }
tell() { # PIPELINE POLICY NAME SAME: a row
  local seconds
  seconds=$(seconds_of "$3")
  rows+=("| $1 | $2 | $seconds | $4 |")
  json_rows+=("{\"pipeline\": \"$1\", \"policy\": \"$2\", \"seconds\": ${seconds:-null}, \"same\": \"$4\"}")
}
compare() { # PIPELINE COMMAND FILE...: under each policy against CPU workers alone
  local pipeline=$1 command=$2 policy name code file same
  shift 2
  say "$pipeline on CPU workers alone"
  # shellcheck disable=SC2086 # the command is several words
  run "$pipeline-cpu" $command --policy eager --gpus 0 || failed "$pipeline on the CPU: $out/$pipeline-cpu.log"
  tell "$pipeline" 'CPU workers alone' "$pipeline-cpu" -
  for policy in $policies; do
    say "$pipeline under $policy"
    name=$pipeline-$policy
    # The second run has the times that the first one learnt.
    export STARPATH_PROFILE=$out/profile.sqlite
    # shellcheck disable=SC2086
    run "$name" $command --policy "$policy" && run "$name" $command --policy "$policy"
    code=$?
    unset STARPATH_PROFILE
    same=yes
    ((code == 0)) || same="no: exit status $code"
    for file in "$@"; do
      cmp -s "$out/$pipeline-cpu/$file" "$out/$name/$file" || same="no: $file differs"
    done
    # grep reads to the end: with -q it could leave first, and tail's broken pipe would count as the pipeline's failure.
    tail -n 1 "$out/$name.json" | grep '"cuda":{.*"tasks"' >/dev/null || same='no: no task ran on the GPU'
    [[ $same == yes ]] || failed "$pipeline under $policy: $same ($out/$name.log)"
    tell "$pipeline" "$policy" "$name" "$same"
  done
}
compare segmentation "$segmentation" nuclei.csv nuclei.geojson
compare nbia "$nbia" fields.csv regions.geojson map.png

# 5. Loops. The command compares with the serial loop itself, and fails where they differ.
loop_rows=() loop_json=()
check_loop() { # LOOP WORKERS OPTION...
  local loop=$1 workers=$2 name=loop-$1-${2// /-} code same=yes took serial all on_gpus
  shift 2
  timeout 60 "$bin/starpath" loop "$loop" --json "$@" >"$out/$name.json" 2>"$out/$name.log"
  code=$?
  number() { sed -n "s/^  \"$1\": \([0-9.e+-]*\),*$/\1/p" "$out/$name.json"; }
  took=$(number microseconds) serial=$(number serial_microseconds)
  all=$(number iterations) on_gpus=$(number gpu_iterations)
  grep '"identical": true' "$out/$name.json" >/dev/null || same='no: not the bits of the serial loop'
  [[ $workers != GPUs || $on_gpus == "$all" ]] || same='no: not all iterations ran on GPUs'
  ((code == 0)) || same="no: exit status $code"
  [[ $same == yes ]] || failed "loop $loop on $workers: $same ($out/$name.log)"
  loop_rows+=("| $loop | $workers | $on_gpus of $all | $took | $serial | $same |")
  loop_json+=("{\"loop\": \"$loop\", \"workers\": \"$workers\", \"on_gpus\": ${on_gpus:-null}, \"microseconds\": ${took:-null}, \"same\": \"$same\"}")
}
for loop in $loops; do
  say "loop $loop"
  check_loop "$loop" 'GPUs' --cpus 0
  check_loop "$loop" 'GPUs and cores'
done

# 3. Operations
say "time of each operation"
timeout 120 "$bin/gpu_bench" --json "$out/operations.json" >"$out/operations.md" 2>"$out/operations.log" ||
  failed "operations: $out/operations.md, $out/operations.log"
[[ -s $out/operations.json ]] || echo null >"$out/operations.json"

{
  printf '# Starpath on %s\n\n' "$device"
  printf 'Processor: %s, %s cores. Driver: %s.\n\n' "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)" \
    "$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -n 1)"
  printf '## Kernels\n\nAgainst the reference: %s. Under compute-sanitizer (memcheck, small images): %s.\n\n' "$kernels" "$sanitizer"
  printf '## Operations\n\n%s\n\n' "$(cat "$out/operations.md")"
  printf '## Pipelines\n\n'
  printf '    starpath %s\n' "$segmentation" "$nbia"
  printf '\nEach policy with CPU and GPU workers.\n\n'
  printf '| pipeline | policy | seconds | same results as on CPU workers alone |\n|---|---|---|---|\n'
  printf '%s\n' "${rows[@]}"
  printf '\n## Loops\n\n'
  printf '| loop | workers | iterations on GPUs | us | serial, one core, us | same bits as the serial loop |\n|---|---|---|---|---|---|\n'
  printf '%s\n' "${loop_rows[@]}"
} >"$out/report.md"
{
  printf '{"device": "%s",\n "kernels": "%s",\n "sanitizer": "%s",\n' "$device" "$kernels" "$sanitizer"
  printf ' "pipelines": [%s],\n "loops": [%s],\n "operations": %s}\n' "$(IFS=,; echo "${json_rows[*]}")" \
    "$(IFS=,; echo "${loop_json[*]}")" "$(cat "$out/operations.json")"
} >"$out/report.json"
say "report: $out/report.md, $out/report.json; profile: $out/profile.sqlite"
exit "$status"
