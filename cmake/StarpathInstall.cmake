# Where things are installed, the CMake and pkg-config packages, and the Debian package.
# Everything installed finds the rest relative to itself, so that the tree can be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
option(STARPATH_BUNDLE_STARPU "Install StarPU's library beside the plug-in (packages for a Debian without StarPU 1.4 need it)" OFF)
option(STARPATH_PACKAGE "Make a Debian package (scripts/package.sh)" OFF)

set(STARPATH_PLUGIN_DIR ${CMAKE_INSTALL_LIBDIR}/starpath)
set(STARPATH_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/starpath)
set(STARPATH_PKGCONFIG_DIR ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH STARPATH_PLUGIN_FROM_PROGRAM ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/starpath)
set(STARPATH_PYTHON_DIR ${CMAKE_INSTALL_DATADIR}/starpath/python)
file(RELATIVE_PATH STARPATH_PYTHON_FROM_PROGRAM ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/starpath/python)
set(STARPATH_POLICY_SOURCES ${CMAKE_INSTALL_DATADIR}/starpath/policy)
set(STARPATH_READER_DIR ${CMAKE_INSTALL_LIBEXECDIR}/starpath)
file(RELATIVE_PATH STARPATH_READER_FROM_PROGRAM ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBEXECDIR}/starpath)
file(RELATIVE_PATH STARPATH_PREFIX_FROM_PKGCONFIG ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" STARPATH_PREFIX_FROM_PKGCONFIG "${STARPATH_PREFIX_FROM_PKGCONFIG}")

# starpath_rpath(TARGET FOLDER)  lets TARGET, installed in FOLDER, find StarPU: beside the plug-in, or where it is now
function(starpath_rpath target folder)
  if(STARPATH_BUNDLE_STARPU)
    file(RELATIVE_PATH way /${folder} /${STARPATH_PLUGIN_DIR})
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "\$ORIGIN/${way}")
  else()
    set_target_properties(${target} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  endif()
endfunction()

# What the pkg-config file says more once there is something to include and to link.
function(starpath_pkgconfig_file)
  set(STARPATH_PC_REQUIRES "")
  set(STARPATH_PC_LIBS "")
  if(TARGET starpath_perfmodel)
    set(STARPATH_PC_REQUIRES "Requires: starpu-1.4")
    set(STARPATH_PC_LIBS "Libs: -L\${libdir} -lstarpath_perfmodel")
  endif()
  string(JOIN " " STARPATH_PC_POLICIES ${STARPATH_POLICIES})
  configure_file(cmake/starpath.pc.in generated/starpath.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/generated/starpath.pc DESTINATION ${STARPATH_PKGCONFIG_DIR} COMPONENT sched)
endfunction()

function(starpath_cmake_package)
  set(config ${PROJECT_BINARY_DIR}/generated/starpath-config.cmake)
  set(version ${PROJECT_BINARY_DIR}/generated/starpath-config-version.cmake)
  configure_package_config_file(cmake/starpath-config.cmake.in ${config} INSTALL_DESTINATION ${STARPATH_CMAKE_DIR}
                                PATH_VARS STARPATH_PLUGIN_DIR STARPATH_POLICY_SOURCES)
  write_basic_package_version_file(${version} COMPATIBILITY SameMinorVersion)
  install(FILES ${config} ${version} cmake/starpath-existing-includes.cmake DESTINATION ${STARPATH_CMAKE_DIR} COMPONENT sched)
  install(EXPORT starpath-targets NAMESPACE starpath:: DESTINATION ${STARPATH_CMAKE_DIR} COMPONENT sched)
endfunction()

# What projects outside write policies with (starpath-add-policy.cmake): headers, the plug-in's own source, and the rest of
# the plug-in as a library.
function(starpath_install_policy_host)
  install(FILES $<TARGET_FILE:starpath_policy_host> DESTINATION ${STARPATH_PLUGIN_DIR} COMPONENT sched)
  install(DIRECTORY base estimator sched_policies DESTINATION ${STARPATH_POLICY_SOURCES} COMPONENT sched
          FILES_MATCHING PATTERN "*.hpp" PATTERN "sched_policies/plugin.cpp")
  install(FILES support/policy_contract.hpp support/policy_simulation.hpp support/random_dag.hpp
          DESTINATION ${STARPATH_POLICY_SOURCES}/support COMPONENT sched)
  install(FILES cmake/starpath-add-policy.cmake cmake/plugin_policies.hpp.in cmake/policy_contract.cpp.in
          DESTINATION ${STARPATH_CMAKE_DIR} COMPONENT sched)
  install(CODE "if(CMAKE_INSTALL_DO_STRIP)
    execute_process(COMMAND ${CMAKE_STRIP} --strip-debug
      \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${STARPATH_PLUGIN_DIR}/libstarpath_policy_host.a\" COMMAND_ERROR_IS_FATAL ANY)
  endif()" COMPONENT sched)
endfunction()

# StarPU's library, named by its soname, which is what the plug-in and the command ask for.
function(starpath_bundle_starpu)
  file(GLOB named ${starpu_LIBDIR}/libstarpu-1.4.so.?)
  if(NOT named)
    message(FATAL_ERROR "STARPATH_BUNDLE_STARPU=ON, but there is no libstarpu-1.4.so.N in ${starpu_LIBDIR}")
  endif()
  get_filename_component(soname ${named} NAME)
  file(REAL_PATH ${named} library)
  install(PROGRAMS ${library} DESTINATION ${STARPATH_PLUGIN_DIR} RENAME ${soname} COMPONENT sched)
  install(CODE "if(CMAKE_INSTALL_DO_STRIP)
    execute_process(COMMAND ${CMAKE_STRIP} --strip-unneeded
      \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${STARPATH_PLUGIN_DIR}/${soname}\" COMMAND_ERROR_IS_FATAL ANY)
  endif()" COMPONENT sched)
endfunction()

# The manual page and the completions of shells, which the program prints (apps/describe).
function(starpath_install_descriptions)
  set(folder ${PROJECT_BINARY_DIR}/generated/described)
  set(zsh_folder ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  if(STARPATH_PACKAGE) # Debian's zsh looks elsewhere
    set(zsh_folder ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
  endif()
  install(CODE "file(MAKE_DIRECTORY \"${folder}\")
  foreach(format man bash zsh)
    execute_process(COMMAND \"$<TARGET_FILE:starpath>\" describe \${format} OUTPUT_FILE \"${folder}/\${format}\"
                    COMMAND_ERROR_IS_FATAL ANY)
  endforeach()" COMPONENT command)
  install(FILES ${folder}/man DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 RENAME starpath.1 COMPONENT command)
  install(FILES ${folder}/bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME starpath COMPONENT command)
  install(FILES ${folder}/zsh DESTINATION ${zsh_folder} RENAME _starpath COMPONENT command)
endfunction()

# starpath_install()  every install rule, and a target that builds what they install; called once the targets are there.
# Each rule belongs to `sched`, the plug-in and what programs of others use, or to `command`, the program starpath: they
# become one Debian package each.
function(starpath_install)
  foreach(target starpath_sched starpath_pipelines_common starpath_segmentation starpath_nbia starpath_declared starpath_codelets
                 starpath_loops_starpu starpath_perfmodel starpath_adapter starpath_starpu_facts starpath_base)
    if(TARGET ${target}) # StarPU's macros keep the name of the file that uses them
      target_compile_options(${target} PRIVATE -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
    endif()
  endforeach()
  add_custom_target(starpath_installed)
  foreach(target starpath starpath_sched starpath_perfmodel starpath_policy_host starpath_zarr)
    if(TARGET ${target})
      add_dependencies(starpath_installed ${target})
    endif()
  endforeach()
  if(TARGET starpath)
    starpath_rpath(starpath ${CMAKE_INSTALL_BINDIR})
    install(TARGETS starpath RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
    install(TARGETS starpath_read RUNTIME DESTINATION ${STARPATH_READER_DIR} COMPONENT command)
    install(DIRECTORY python/starpath DESTINATION ${STARPATH_PYTHON_DIR} COMPONENT command FILES_MATCHING PATTERN "*.py"
            PATTERN "__pycache__" EXCLUDE)
    install(FILES include/starpath/workflow.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/starpath COMPONENT command)
    if(TARGET starpath_zarr)
      install(TARGETS starpath_zarr LIBRARY DESTINATION ${STARPATH_PLUGIN_DIR} COMPONENT command)
    endif()
    starpath_install_descriptions()
  endif()
  starpath_rpath(starpath_sched ${STARPATH_PLUGIN_DIR})
  set_target_properties(starpath_sched PROPERTIES EXPORT_NAME sched)
  install(TARGETS starpath_sched EXPORT starpath-targets LIBRARY DESTINATION ${STARPATH_PLUGIN_DIR} COMPONENT sched)
  if(TARGET starpath_perfmodel)
    starpath_rpath(starpath_perfmodel ${CMAKE_INSTALL_LIBDIR})
    set_target_properties(starpath_perfmodel PROPERTIES EXPORT_NAME perfmodel)
    target_include_directories(starpath_perfmodel INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    install(TARGETS starpath_perfmodel EXPORT starpath-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT sched
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT sched)
    install(FILES include/starpath/perfmodel.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/starpath COMPONENT sched)
  endif()
  install(FILES include/starpath/estimator.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/starpath COMPONENT sched)
  install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs COMPONENT sched FILES_MATCHING PATTERN "*.md"
          PATTERN "*.png" PATTERN "*.jpg" PATTERN "*.cpp" PATTERN "*.sbatch")
  install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT sched)
  install(CODE "set(documents \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}\")
include(\"${CMAKE_CURRENT_FUNCTION_LIST_DIR}/installed_documents.cmake\")" COMPONENT sched)
  starpath_pkgconfig_file()
  starpath_cmake_package()
  if(TARGET starpath_policy_host)
    starpath_install_policy_host()
  endif()
  if(STARPATH_BUNDLE_STARPU)
    starpath_bundle_starpu()
  endif()
  if(STARPATH_PACKAGE)
    include(StarpathPackage)
  endif()
endfunction()
