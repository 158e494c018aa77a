# Live tests: programs that know StarPU only load the plug-in as any application does. A deadlock under SimGrid exits
# with 0 and an unknown policy runs another one, so each program must print its own PASS line to pass.

# A sanitizer's finding fails a test even when it passed. hwloc's PCI plug-in leaks under every StarPU policy, and is
# unloaded before a suppression could tell it by name.
set(sanitizer_environment)
if(STARPATH_SANITIZE)
  set(sanitizer_environment HWLOC_COMPONENTS=-pci
    TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/starpu.tsan.supp)
endif()

# starpath_live_program(NAME)  a StarPU program that is not linked with anything of ours
# Some take the place of StarPU's functions: the plug-in finds them by their names.
function(starpath_live_program name)
  add_executable(${name} ${name}.c)
  set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON)
  target_link_libraries(${name} PRIVATE PkgConfig::starpu)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(${name} PRIVATE -Wall -Wextra -Werror)
endfunction()

# starpath_live_test(NAME PROGRAM POLICY [ENVIRONMENT var=value...] [ARGUMENTS ...] [EXPECT regex before PASS]
#                    [LINES n])  n: at most so many lines of Starpath's on stderr
function(starpath_live_test name program policy)
  cmake_parse_arguments(live "" "EXPECT;LINES" "ENVIRONMENT;ARGUMENTS" ${ARGN})
  set(failures "(WARNING|ERROR): [A-Za-z]*Sanitizer" "runtime error: ")
  if(DEFINED live_LINES)
    string(REPEAT "starpath: .*" ${live_LINES} lines)
    list(APPEND failures "${lines}starpath: ")
  endif()
  add_test(NAME live.${name}.${policy} COMMAND ${program} ${live_ARGUMENTS})
  set_tests_properties(live.${name}.${policy} PROPERTIES
    ENVIRONMENT "STARPU_SCHED_LIB=$<TARGET_FILE:starpath_sched>;STARPU_SCHED=${policy};STARPU_SILENT=1;${live_ENVIRONMENT};${sanitizer_environment}"
    FAIL_REGULAR_EXPRESSION "${failures}"
    PASS_REGULAR_EXPRESSION "${live_EXPECT}PASS ${program}[^\n]* policy=${policy}"
    TIMEOUT 120)
endfunction()

# StarPU closes the plug-in while it is in use. (A compiler may keep it loaded by accident, so a run does not tell.)
add_test(NAME plugin_is_never_unloaded COMMAND ${CMAKE_READELF} -d $<TARGET_FILE:starpath_sched>)
set_tests_properties(plugin_is_never_unloaded PROPERTIES PASS_REGULAR_EXPRESSION "NODELETE")

if(STARPATH_FLAVOUR STREQUAL "simgrid")
  # StarPU's recorded machine "mirage": CPU cores and three GPUs. StarPU installs its recordings with itself.
  set(mirage STARPU_HOSTNAME=mirage STARPU_PERF_MODEL_DIR=${starpu_PREFIX}/share/starpu/perfmodels/sampling)
  starpath_live_program(simulated_app)
  starpath_live_program(three_classes)
  starpath_live_program(transfers_app)
  starpath_live_program(random_dags)
  starpath_live_program(errors_app)
  foreach(policy IN LISTS STARPATH_POLICIES)
    foreach(estimator perfmodel knn none)
      if(policy STREQUAL "pats" AND NOT estimator STREQUAL "perfmodel")
        set(arguments ARGUMENTS any)  # without true speedups from the start, who runs what is not given
      else()
        set(arguments)
      endif()
      starpath_live_test(simulated_app.${estimator} simulated_app ${policy} ${arguments}
        ENVIRONMENT ${mirage} STARPATH_ESTIMATOR=${estimator})
    endforeach()
    foreach(streams one_stream four_streams)
      starpath_live_test(three_classes.${streams} three_classes ${policy} ARGUMENTS ${streams} 0 1
        ENVIRONMENT ${mirage} STARPATH_ESTIMATOR=perfmodel STARPATH_CLASSES=one=0,1:two=2)
    endforeach()
    # 20 random DAGs each: as the policies come, and with three classes that look ahead and learn as they go.
    starpath_live_test(random_dags random_dags ${policy} ARGUMENTS 1 20
      ENVIRONMENT ${mirage} STARPATH_ESTIMATOR=perfmodel)
    starpath_live_test(random_dags.ahead random_dags ${policy} ARGUMENTS 21 40
      ENVIRONMENT ${mirage} STARPATH_ESTIMATOR=knn STARPATH_CLASSES=one=0,1:two=2 STARPATH_LOCALITY=on
        STARPATH_PREFETCH=adaptive)
    add_test(NAME live.simulated_app.repeats.${policy} COMMAND ${CMAKE_COMMAND}
      -DPROGRAM=$<TARGET_FILE:simulated_app> -P ${CMAKE_CURRENT_SOURCE_DIR}/repeats.cmake)
    set_tests_properties(live.simulated_app.repeats.${policy} PROPERTIES TIMEOUT 120
      ENVIRONMENT "STARPU_SCHED_LIB=$<TARGET_FILE:starpath_sched>;STARPU_SCHED=${policy};${mirage};\
STARPATH_ESTIMATOR=perfmodel")
  endforeach()

  # A deadlock is seen, and is a failure.
  add_test(NAME live.random_dags.stuck COMMAND random_dags stuck)
  set_tests_properties(live.random_dags.stuck PROPERTIES TIMEOUT 120
    PASS_REGULAR_EXPRESSION "FAIL: the program ended with 0 of 1 tasks run"
    ENVIRONMENT "STARPU_SCHED_LIB=$<TARGET_FILE:starpath_sched>;STARPU_SCHED=fcfs;${mirage}")

  # Errors in the estimates cost these policies far less than dmda, which trusts its estimates of time.
  foreach(policy pats padas pams)
    add_test(NAME live.errors.${policy} COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:errors_app> -DPOLICY=${policy}
      -P ${CMAKE_CURRENT_SOURCE_DIR}/errors.cmake)
    set_tests_properties(live.errors.${policy} PROPERTIES TIMEOUT 120 PASS_REGULAR_EXPRESSION "PASS errors policy=${policy}"
      ENVIRONMENT "STARPU_SCHED_LIB=$<TARGET_FILE:starpath_sched>;${mirage};STARPATH_ESTIMATOR=perfmodel")
  endforeach()

  # starpath_gain_test(NAME POLICY STEPS TIME BYTES OPTION...)  TIME, BYTES: at most so many percent with the options
  function(starpath_gain_test name policy steps time bytes)
    add_test(NAME live.gains.${name}.${policy} COMMAND ${CMAKE_COMMAND}
      -DPROGRAM=$<TARGET_FILE:transfers_app> -DSTEPS=${steps} -DTIME=${time} -DBYTES=${bytes} "-DOPTIONS=${ARGN}"
      -P ${CMAKE_CURRENT_SOURCE_DIR}/gains.cmake)
    set_tests_properties(live.gains.${name}.${policy} PROPERTIES TIMEOUT 120
      PASS_REGULAR_EXPRESSION "PASS gains policy=${policy}"
      ENVIRONMENT "STARPU_SCHED_LIB=$<TARGET_FILE:starpath_sched>;STARPU_SCHED=${policy};${mirage};\
STARPATH_ESTIMATOR=perfmodel")
  endfunction()
  foreach(policy fcfs pats)
    starpath_gain_test(locality ${policy} 4 80 50 STARPATH_LOCALITY=on)
    # The GPUs get more done, so more goes there: time is what falls.
    starpath_gain_test(prefetch ${policy} 1 92 125 STARPATH_PREFETCH=2)
    starpath_gain_test(prefetch_adaptive ${policy} 1 95 125 STARPATH_PREFETCH=adaptive)
    starpath_gain_test(both ${policy} 4 65 50 STARPATH_LOCALITY=on STARPATH_PREFETCH=2)
  endforeach()
  # ODDS is ddwrr with windows.
  starpath_gain_test(odds ddwrr 1 90 125 STARPU_SCHED=odds)
  return()
endif()

starpath_live_program(outside_app)
# files_test.cpp runs it too.
starpath_live_program(bound_workers)  # topology_test.cpp runs it
add_dependencies(sched_policies_tests outside_app bound_workers starpath_sched)
target_link_libraries(sched_policies_tests PRIVATE nlohmann_json::nlohmann_json)
target_compile_definitions(sched_policies_tests PRIVATE
  STARPATH_OUTSIDE_APP="$<TARGET_FILE:outside_app>" STARPATH_BOUND_WORKERS="$<TARGET_FILE:bound_workers>" STARPATH_PLUGIN="$<TARGET_FILE:starpath_sched>")
foreach(policy IN LISTS STARPATH_POLICIES)
  foreach(workers 1 2)
    starpath_live_test(outside_app.${workers}_workers outside_app ${policy} ENVIRONMENT STARPU_NCPU=${workers})
  endforeach()
endforeach()

# A run that learns into a profile, then StarPU's dmda on what was learnt.
starpath_live_program(dmda_on_profile)
target_link_libraries(dmda_on_profile PRIVATE starpath_perfmodel)
set(profile ${CMAKE_CURRENT_BINARY_DIR}/live.profile)
add_test(NAME live.profile.none_yet COMMAND ${CMAKE_COMMAND} -E rm -f ${profile})
set_tests_properties(live.profile.none_yet PROPERTIES FIXTURES_SETUP no_profile)
foreach(policy fcfs pats) # one that asks for no estimates, one that does; this machine may have one class only
  starpath_live_test(profile.record dmda_on_profile ${policy} ARGUMENTS record
    ENVIRONMENT STARPU_NCPU=2 STARPATH_PROFILE=${profile})
  set_tests_properties(live.profile.record.${policy} PROPERTIES FIXTURES_REQUIRED no_profile FIXTURES_SETUP profile)
endforeach()
starpath_live_test(profile.known dmda_on_profile dmda ARGUMENTS known
  ENVIRONMENT STARPU_NCPU=2 STARPU_NCUDA=0 STARPATH_PROFILE=${profile})
set_tests_properties(live.profile.known.dmda PROPERTIES FIXTURES_REQUIRED profile)
starpath_live_test(profile.unknown dmda_on_profile dmda ARGUMENTS unknown ENVIRONMENT STARPU_NCPU=2
  EXPECT "starpath: starpath_perfmodel: STARPATH_PROFILE names no profile. going on without estimates.*")

starpath_live_program(obligations)
foreach(policy IN LISTS STARPATH_POLICIES)
  foreach(case specific_worker can_execute where change_of_mind priorities contexts nodelete parallel push_end wake_up
          again task_break)
    starpath_live_test(${case} obligations ${policy} ARGUMENTS ${case} ENVIRONMENT STARPU_NCPU=2)
  endforeach()
  foreach(estimator knn perfmodel none)
    starpath_live_test(nan_model.${estimator} obligations ${policy} ARGUMENTS nan_model
      ENVIRONMENT STARPU_NCPU=2 STARPATH_ESTIMATOR=${estimator} STARPATH_CLASSES=slow=0:fast@accelerator=1)
  endforeach()
  starpath_live_test(best_implementation obligations ${policy} ARGUMENTS best_implementation
    ENVIRONMENT STARPU_NCPU=2 STARPATH_ESTIMATOR=perfmodel)
  # The same, with an "accelerator" that looks ahead.
  foreach(case specific_worker can_execute change_of_mind contexts nodelete parallel push_end wake_up again task_break)
    starpath_live_test(${case}.ahead obligations ${policy} ARGUMENTS ${case}
      ENVIRONMENT STARPU_NCPU=2 STARPATH_CLASSES=slow=0:fast@accelerator=1 STARPATH_LOCALITY=on
        STARPATH_PREFETCH=adaptive)
  endforeach()
  starpath_live_test(reservations obligations ${policy} ARGUMENTS reservations
    ENVIRONMENT STARPU_NCPU=2 STARPATH_CLASSES=slow=0:fast@accelerator=1 STARPATH_PREFETCH=8)
  foreach(case short_tasks short_tasks_left)
    starpath_live_test(${case} obligations ${policy} ARGUMENTS ${case}
      ENVIRONMENT STARPU_NCPU=2 STARPATH_ESTIMATOR=perfmodel STARPATH_CLASSES=slow=0:fast@accelerator=1)
  endforeach()
  starpath_live_test(outside_app.ahead outside_app ${policy} ENVIRONMENT STARPU_NCPU=2
    STARPATH_CLASSES=slow=0:fast@accelerator=1 STARPATH_LOCALITY=on STARPATH_PREFETCH=4)
endforeach()

# Who ran what: each device class gets the tasks that the policy's definition gives it.
starpath_live_program(who_ran_what)
starpath_live_test(who_ran_what who_ran_what pats
  ENVIRONMENT STARPU_NCPU=2 STARPATH_ESTIMATOR=perfmodel STARPATH_CLASSES=slow=0:fast@accelerator=1)
starpath_live_test(who_ran_what.learning who_ran_what pats ARGUMENTS learn
  ENVIRONMENT STARPU_NCPU=2 STARPATH_ESTIMATOR=knn STARPATH_CLASSES=slow=0:fast@accelerator=1)

# Bad input: what the user is told, once, and that the application runs on.
starpath_live_program(bad_input)
set(damaged ${CMAKE_CURRENT_BINARY_DIR}/damaged)
string(REPEAT "no profile " 300 text)
file(WRITE ${damaged}.text "${text}")
set(unnamed "a codelet has neither a name nor a performance model with a symbol")
set(no_model "codelet 'odd' has no performance model, so STARPATH_ESTIMATOR=perfmodel knows nothing of its tasks")
set(nan "codelet 'odd': a parameter that its performance model declares is negative or no number")
set(negative "${nan}")
foreach(policy IN LISTS STARPATH_POLICIES)
  foreach(case unnamed no_model nan negative)
    set(estimator knn)
    if(case STREQUAL "no_model")
      set(estimator perfmodel)
    endif()
    set(expect EXPECT "starpath: ${${case}}.*" LINES 1)
    if(policy MATCHES "fcfs$")  # asks for no estimates
      set(expect LINES 0)
    endif()
    starpath_live_test(bad_input.${case} bad_input ${policy} ARGUMENTS ${case} ${expect} ENVIRONMENT STARPU_NCPU=2
      STARPATH_ESTIMATOR=${estimator} STARPATH_CLASSES=slow=0:fast@accelerator=1)
  endforeach()
  starpath_live_test(bad_input.nowhere bad_input ${policy} ARGUMENTS nowhere ENVIRONMENT STARPU_NCPU=2 LINES 1
    EXPECT "starpath: a task of codelet 'odd' waits: no worker says that it can run it.*")
  starpath_live_test(bad_profile.folder outside_app ${policy} LINES 1
    ENVIRONMENT STARPATH_PROFILE=${CMAKE_CURRENT_BINARY_DIR} EXPECT "starpath: .*is a folder. going on without it.*")
  add_test(NAME live.bad_profile.write.${policy}
    COMMAND ${CMAKE_COMMAND} -E copy ${damaged}.text ${damaged}.${policy}.profile)
  set_tests_properties(live.bad_profile.write.${policy} PROPERTIES FIXTURES_SETUP damaged_profile_${policy})
  starpath_live_test(bad_profile.damaged outside_app ${policy} LINES 1
    ENVIRONMENT STARPATH_PROFILE=${damaged}.${policy}.profile
    EXPECT "starpath: .*damaged.${policy}.profile.*moved to .*going on without its samples.*")
  set_tests_properties(live.bad_profile.damaged.${policy} PROPERTIES FIXTURES_REQUIRED damaged_profile_${policy})
  # The profile of another machine, and of too short a run for k.
  starpath_live_test(bad_profile.gaps outside_app ${policy} LINES 2 ENVIRONMENT STARPU_NCPU=2 STARPATH_KNN_K=64
    STARPATH_PROFILE=${profile} STARPATH_CLASSES=slow=0:fast@accelerator=1 STARPATH_LEARN=off
    EXPECT "no samples of the device class 'slow' 'fast'.*fewer samples of codelet 'sleeper' on 'cpu' .* than STARPATH_KNN_K=64.*")
  set_tests_properties(live.bad_profile.gaps.${policy} PROPERTIES FIXTURES_REQUIRED profile)
endforeach()

# The list of policies, an unknown name, bad values: what the user is told.
foreach(policy IN LISTS STARPATH_POLICIES)
  starpath_live_test(bad_value.estimator outside_app ${policy} LINES 1 ENVIRONMENT STARPATH_ESTIMATOR=oracle
    EXPECT "starpath: STARPATH_ESTIMATOR='oracle' is not valid: expected knn, perfmodel or none. using the default knn.*")
  starpath_live_test(bad_value.knn_k outside_app ${policy} LINES 1 ENVIRONMENT STARPATH_KNN_K=0
    EXPECT "starpath: STARPATH_KNN_K='0' is not valid: expected an integer from 1 to 64. using the default 2.*")
  starpath_live_test(bad_value.learn outside_app ${policy} LINES 1 ENVIRONMENT STARPATH_LEARN=yes
    EXPECT "starpath: STARPATH_LEARN='yes' is not valid: expected on or off. using the default on.*")
  starpath_live_test(bad_value.speedup_error outside_app ${policy} LINES 1 ENVIRONMENT STARPATH_SPEEDUP_ERROR=-5
    EXPECT "starpath: STARPATH_SPEEDUP_ERROR='-5' is not valid: expected PERCENT.*")
  starpath_live_test(bad_value.classes outside_app ${policy} LINES 1 ENVIRONMENT STARPATH_CLASSES=big
    EXPECT "starpath: STARPATH_CLASSES='big' is not valid: expected NAME.*")
  starpath_live_test(bad_value.class_worker outside_app ${policy} LINES 1 ENVIRONMENT STARPATH_CLASSES=big=99
    EXPECT "starpath: STARPATH_CLASSES: class 'big' names worker 99.*")
  starpath_live_test(bad_value.locality outside_app ${policy} LINES 1 ENVIRONMENT STARPATH_LOCALITY=1
    EXPECT "starpath: STARPATH_LOCALITY='1' is not valid: expected on or off. using the default off.*")
  starpath_live_test(bad_value.transfer_impact outside_app ${policy} LINES 1 ENVIRONMENT STARPATH_TRANSFER_IMPACT=1.5
    EXPECT "starpath: STARPATH_TRANSFER_IMPACT='1.5' is not valid: expected a number from 0 to 1 or measured.*")
  starpath_live_test(bad_value.prefetch outside_app ${policy} LINES 1 ENVIRONMENT STARPATH_PREFETCH=0
    EXPECT "starpath: STARPATH_PREFETCH='0' is not valid: expected off, adaptive or an integer from 1 to 64.*")
  starpath_live_test(bad_value.placement outside_app ${policy} LINES 1 ENVIRONMENT STARPATH_PLACEMENT=near
    EXPECT "starpath: STARPATH_PLACEMENT='near' is not valid: expected closest, os or worst. using the default closest.*")
  starpath_live_test(bad_value.stats outside_app ${policy} LINES 1 ENVIRONMENT STARPATH_STATS=/nowhere/at/all.json
    EXPECT "starpath: cannot write STARPATH_STATS='/nowhere/at/all.json': No such file or directory.*")
  starpath_live_test(bad_value.trace outside_app ${policy} LINES 1 ENVIRONMENT STARPATH_TRACE=/nowhere/at/all.json
    EXPECT "starpath: cannot write STARPATH_TRACE='/nowhere/at/all.json': No such file or directory.*")
endforeach()

starpath_live_test(unknown_name outside_app no_such_policy)
set_tests_properties(live.unknown_name.no_such_policy PROPERTIES
  PASS_REGULAR_EXPRESSION "scheduling policy 'no_such_policy' was not found.*FAIL: STARPU_SCHED is the policy in use"
  ENVIRONMENT "STARPU_SCHED_LIB=$<TARGET_FILE:starpath_sched>;STARPU_SCHED=no_such_policy")
starpath_live_test(help outside_app help)
set_tests_properties(live.help.help PROPERTIES
  PASS_REGULAR_EXPRESSION "dynamically available policies.*fcfs[ \t]+-> first come.*pams[ \t]+-> one queue a device class.*odds[ \t]+-> as ddwrr")
