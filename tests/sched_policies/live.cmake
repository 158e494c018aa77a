# Live tests: programs that know StarPU only load the plug-in as any application does. A deadlock under SimGrid exits
# with 0 and an unknown policy runs another one, so each program must print its own PASS line to pass.
set(STARPATH_POLICIES fcfs pats)

# starpath_live_program(NAME)  a StarPU program that is not linked with anything of ours
function(starpath_live_program name)
  add_executable(${name} ${name}.c)
  target_link_libraries(${name} PRIVATE PkgConfig::starpu)
  target_compile_options(${name} PRIVATE -Wall -Wextra -Werror)
endfunction()

# starpath_live_test(NAME PROGRAM POLICY [ENVIRONMENT var=value...] [ARGUMENTS ...])
function(starpath_live_test name program policy)
  cmake_parse_arguments(live "" "" "ENVIRONMENT;ARGUMENTS" ${ARGN})
  add_test(NAME live.${name}.${policy} COMMAND ${program} ${live_ARGUMENTS})
  set_tests_properties(live.${name}.${policy} PROPERTIES
    ENVIRONMENT "STARPU_SCHED_LIB=$<TARGET_FILE:starpath_sched>;STARPU_SCHED=${policy};STARPU_SILENT=1;${live_ENVIRONMENT}"
    PASS_REGULAR_EXPRESSION "PASS ${program}[^\n]* policy=${policy}"
    TIMEOUT 120)
endfunction()

starpath_live_program(outside_app)
foreach(policy IN LISTS STARPATH_POLICIES)
  foreach(workers 1 2)
    starpath_live_test(outside_app.${workers}_workers outside_app ${policy} ENVIRONMENT STARPU_NCPU=${workers})
  endforeach()
endforeach()
