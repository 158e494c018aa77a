# shellcheck shell=bash disable=SC2154
# StarPU's own programs: which there are for a flavour, and their build from its source against the installed StarPU.
# `cache` and the functions called here: scripts/lib.

# Where StarPU's makefiles list its programs: folder, variable, and what we take of it.
program_lists=(
  "examples STARPU_EXAMPLES ^(cholesky|lu|mult|sched_ctx|tag_example)/"
  "tests myPROGRAMS ^(main|sched_ctx|parallel_tasks)/|^microbenchs/tasks_overhead$"
)

# Where an OpenCL device runs, those programs that have a kernel for it.
opencl_lists=(
  "examples STARPU_EXAMPLES ^(axpy|basic_examples|binary|cpp|filters|incrementer|interface|matvecmult|profiling|reductions|scheduler|spmv|stencil|tag_example)/"
  "tests myPROGRAMS ^(datawizard|main|microbenchs|overlap|parallel_tasks|perfmodels|variable)/"
)

quick_programs='^(cholesky/cholesky_(tag|implicit)|lu/lu_example_float|mult/sgemm|sched_ctx/(sched_ctx|sched_ctx_remove|prio)|tag_example/tag_(example|restartable)|main/(insert_task|execute_on_a_specific_worker|pause_resume|subgraph_repeat_tag|callback|insert_task_where|declare_deps_in_callback|static_restartable|get_current_task)|parallel_tasks/parallel_kernels|microbenchs/tasks_overhead)$'

# programs_key PREFIX FLAVOUR: the name that scripts/setup.sh gave this StarPU; another name for one it did not build.
programs_key() {
  if [[ $1 == "$cache"/starpu/* ]]; then
    basename "$1"
  else
    printf 'installed-%s-%s\n' "$2" "$(printf %s "$1" | sha256sum | cut -c1-8)"
  fi
}

# configure_programs FOLDER PREFIX FLAVOUR: unpacks and configures the source as the installed StarPU was; no library
# of it is compiled. Small problem sizes (quick check). Leaves FOLDER/build.
configure_programs() {
  local folder=$1 work=$1.new log=$cache/logs/conformance-$3.log tarball options
  [[ ! -e $folder/build ]] || return 0
  ! have_apt || install_packages libblas-dev
  rm -rf "$work"
  mkdir -p "$cache/logs" "$work/build"
  : >"$log"
  say "configuring StarPU's own programs, flavour $3 (about a minute; log: $log)"
  tarball=$(find_source "$log") || exit 1
  unpack_source "$tarball" "$work" "$log" || die "the StarPU tarball $tarball could not be unpacked" "Log: $log"
  mapfile -t options < <(flavour_options "$3" | grep -vx -e --disable-build-tests -e --disable-build-examples)
  (cd "$work/build" && logged "$log" ../src/configure --prefix="$2" --enable-quick-check "${options[@]}") ||
    die "StarPU's own programs (flavour $3) could not be configured" "Log: $log"
  same_configuration "$work/build/include/starpu_config.h" "$2" ||
    die "the StarPU in $2 was configured otherwise than scripts/setup.sh does it, so its programs cannot be built for it" \
      "Unset STARPU_ROOT and PKG_CONFIG_PATH to test with a StarPU that scripts/setup.sh builds."
  # The build folder finds the source by a relative path: both move together.
  mkdir -p "$folder"
  rm -rf "$folder/src"
  mv "$work/src" "$folder/src"
  mv "$work/build" "$folder/build"
  rm -rf "$work"
}

# same_configuration HEADER PREFIX: the programs see the sizes and features that the library has.
same_configuration() {
  local installed=$2/include/starpu/1.4/starpu_config.h
  [[ -e $installed ]] && diff <(grep -v STARPU_QUICK_CHECK "$1") <(grep -v STARPU_QUICK_CHECK "$installed") >/dev/null
}

# with_opencl FOLDER PART: of the programs on standard input, those whose own source, or one named after it, has OpenCL
# implementations.
with_opencl() {
  local program source
  while read -r program; do
    source=$1/src/$2/$program
    ! grep -qs -e opencl_funcs -e starpu_opencl_ "$source".c "$source".cpp "$source"[-_]*.c || printf '%s\n' "$program"
  done
}

# list_programs FOLDER QUICK: the programs StarPU itself runs in this flavour, as FOLDER/NAME, one a line.
list_programs() {
  local list part variable pattern lists=("${program_lists[@]}") chosen=cat
  [[ $flavour != opencl ]] || lists=("${opencl_lists[@]}") chosen=with_opencl
  for list in "${lists[@]}"; do
    read -r part variable pattern <<<"$list"
    # shellcheck disable=SC2016 # make expands it
    printf 'include Makefile\nstarpath_list:\n\t@printf "%%s\\n" $(%s)\n' "$variable" |
      make -s -C "$1/build/$part" -f - starpath_list | grep -E "$pattern" |
      if [[ $chosen == cat ]]; then cat; else "$chosen" "$1" "$part"; fi
  done | sort -u | if [[ -n $2 ]]; then grep -E "$quick_programs"; else cat; fi
}

# list_examples FOLDER: the programs in it, no scripts. The first ends in a deadlock on purpose, the others want a screen.
list_examples() {
  find "$1" -maxdepth 1 -type f -perm -u+x ! -name "*.sh" ! -name "*.gp" -printf '%f\n' | grep -vx -e deadlock -e 'gl_interop.*' | sort
}

# program_file PROGRAM: where its executable is or would be.
program_file() {
  [[ -z ${examples:-} ]] || { printf '%s\n' "$examples/$1"; return; }
  case $1 in
    sched_ctx/sched_ctx_hierarchy | sched_ctx/sched_ctx_list | sched_ctx/sched_ctx_policy_data | datawizard/* | \
      main/* | microbenchs/* | overlap/* | parallel_tasks/* | perfmodels/* | variable/*) printf '%s\n' "$folder/build/tests/$1" ;;
    *) printf '%s\n' "$folder/build/examples/$1" ;;
  esac
}

# build_programs FOLDER PREFIX PROGRAM...: those that cannot be built are skipped later; none at all is an error.
build_programs() {
  local folder=$1 prefix=$2 log=$1/make.log program part file libraries
  local -A targets=()
  shift 2
  : >"$log"
  for program; do
    file=$(program_file "$program")
    file=${file#"$folder/build/"}
    targets[${file%%/*}]+=" ${file#*/}"
  done
  # shellcheck disable=SC2016 # make expands the variables
  libraries="-L$prefix/lib -Wl,-rpath,$prefix/lib -lstarpu-1.4"' -lpthread -lrt -lm $(HWLOC_LIBS) $(STARPU_CUDA_LDFLAGS) $(STARPU_OPENCL_LDFLAGS)'
  say "building what is missing of ${#} programs (log: $log)"
  for part in "${!targets[@]}"; do
    # shellcheck disable=SC2086 # a list of targets
    logged "$log" make -C "$folder/build/$part" -k -j"$(nproc)" "LIBS=$libraries" ${targets[$part]} || true
  done
  for program; do [[ ! -x $(program_file "$program") ]] || return 0; done
  die "none of StarPU's programs could be built" "Log: $log"
}
