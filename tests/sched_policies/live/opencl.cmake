# Live tests in the flavour opencl: a core, and OpenCL devices on cores (PoCL) that have memories of their own to StarPU.

# starpath_devices(OUT "NAME...")  environment for these PoCL devices: basic computes in the thread that drives it,
# pthread in one of its own. StarPU measures buses once for each set of devices, which it takes for a host of that name.
function(starpath_devices out names)
  string(REPLACE " " ";" list "${names}")
  list(LENGTH list count)
  string(REPLACE " " "-" host "${names}")
  set(${out} STARPU_OPENCL_ON_CPUS=1 STARPU_OPENCL_ONLY_ON_CPUS=1 STARPU_NOPENCL=${count} "POCL_DEVICES=${names}"
    STARPU_HOSTNAME=starpath-${host} PARENT_SCOPE)
endfunction()

starpath_devices(device_environment "pthread")
set(two_workers STARPU_NCPU=1)
set(two_classes STARPU_NCPU=1 STARPATH_CLASSES=slow=1:fast@accelerator=0) # StarPU counts devices first

# What only real devices show: evictions from their memories, two of them, two classes of them, gains of locality.
function(starpath_device_tests)
  starpath_live_program(device_graphs)
  starpath_devices(two_devices "basic basic")
  starpath_devices(unlike_devices "basic pthread")
  set(two_devices_two_classes ${unlike_devices} STARPU_NCPU=1 STARPATH_CLASSES=slow=2:one@accelerator=0:two@accelerator=1)
  set(ahead STARPATH_LOCALITY=on STARPATH_PREFETCH=adaptive)
  foreach(policy IN LISTS STARPATH_POLICIES)
    foreach(estimator perfmodel knn)
      starpath_live_test(device_graphs.${estimator} device_graphs ${policy} ARGUMENTS 1 6
        ENVIRONMENT ${two_workers} STARPATH_ESTIMATOR=${estimator})
      starpath_live_test(device_graphs.${estimator}.ahead device_graphs ${policy} ARGUMENTS 7 12
        ENVIRONMENT ${two_workers} STARPATH_ESTIMATOR=${estimator} ${ahead})
    endforeach()
    # Two MiB of memory for 6 of data, with as many tasks reserved ahead as are allowed.
    foreach(prefetch off adaptive 64)
      starpath_live_test(device_graphs.little_memory.${prefetch} device_graphs ${policy} ARGUMENTS 1 6 256
        ENVIRONMENT ${two_workers} STARPU_LIMIT_OPENCL_MEM=2 STARPATH_LOCALITY=on STARPATH_PREFETCH=${prefetch})
    endforeach()
    starpath_live_test(device_graphs.two_devices device_graphs ${policy} ARGUMENTS 1 6
      ENVIRONMENT ${two_devices} STARPU_NCPU=1 STARPATH_TRANSFER_IMPACT=measured ${ahead})
    starpath_live_test(device_graphs.two_devices.little_memory device_graphs ${policy} ARGUMENTS 7 12 256
      ENVIRONMENT ${two_devices} STARPU_NCPU=1 STARPU_LIMIT_OPENCL_MEM=2 ${ahead})
    starpath_live_test(device_graphs.three_classes device_graphs ${policy} ARGUMENTS 1 6
      ENVIRONMENT ${two_devices_two_classes})
    starpath_live_test(device_graphs.three_classes.ahead device_graphs ${policy} ARGUMENTS 7 12 256
      ENVIRONMENT ${two_devices_two_classes} STARPU_LIMIT_OPENCL_MEM=3 ${ahead})
    starpath_live_test(device_graphs.device_alone device_graphs ${policy} ARGUMENTS 1 6
      ENVIRONMENT STARPU_NCPU=0 ${ahead})
    foreach(kind IN LISTS unreported_ends)
      starpath_live_test(unreported_ends.${kind}.ahead unreported_ends ${policy} ARGUMENTS ${kind} 11 20
        ENVIRONMENT ${two_classes} ${ahead})
      starpath_live_test(unreported_ends.${kind}.three_classes unreported_ends ${policy} ARGUMENTS ${kind} 21 30
        ENVIRONMENT ${two_devices_two_classes} ${ahead})
    endforeach()
  endforeach()

  # StarPU measures the buses in the first of its runs, which no other may do at the same time.
  foreach(names "pthread" "basic basic" "basic pthread")
    starpath_devices(devices "${names}")
    string(REPLACE " " "_" name "${names}")
    add_test(NAME live.buses.${name} COMMAND outside_app)
    set_tests_properties(live.buses.${name} PROPERTIES ENVIRONMENT "STARPU_SCHED=eager;STARPU_SILENT=1;${devices}"
      PASS_REGULAR_EXPRESSION "PASS outside_app" FIXTURES_SETUP buses TIMEOUT 300 RESOURCE_LOCK buses)
  endforeach()
  get_property(tests DIRECTORY PROPERTY TESTS)
  list(FILTER tests EXCLUDE REGEX "^live[.]buses[.]|^plugin_is|^live[.]profile[.]none_yet")
  foreach(test IN LISTS tests)
    set_property(TEST ${test} APPEND PROPERTY FIXTURES_REQUIRED buses)
  endforeach()
endfunction()
