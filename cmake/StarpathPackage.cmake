# The two Debian packages that scripts/package.sh makes: `starpath-sched` holds the plug-in, its estimator and the documents,
# `starpath` the command. The first brings a StarPU of its own, or is made for the distribution's.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME starpath)
set(CPACK_PACKAGE_VENDOR "Starpath")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "scheduling policies and image pipelines on StarPU") # of both packages
set(CPACK_PACKAGE_CONTACT "Starpath maintainers <maintainers@starpath.invalid>")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL sched)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)

set(about_starpu "The StarPU library inside is without CUDA, and for the command of the package starpath alone.
Programs of your own bring theirs.")
if(NOT STARPATH_BUNDLE_STARPU)
  set(about_starpu "They serve every program that uses the distribution's StarPU.")
endif()
set(CPACK_DEBIAN_SCHED_PACKAGE_NAME starpath-sched)
set(CPACK_DEBIAN_SCHED_PACKAGE_SECTION science)
# The files were in the package starpath of earlier versions.
set(CPACK_DEBIAN_SCHED_PACKAGE_REPLACES "starpath (<< ${PROJECT_VERSION})")
set(CPACK_DEBIAN_SCHED_PACKAGE_BREAKS "starpath (<< ${PROJECT_VERSION})")
set(CPACK_COMPONENT_SCHED_DESCRIPTION "Scheduling policies that any StarPU 1.4 program can choose, with an estimator
of the times of its tasks.
${about_starpu}")

if(TARGET starpath)
  list(APPEND CPACK_COMPONENTS_ALL command)
  set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME starpath)
  set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS "starpath-sched (= ${PROJECT_VERSION})")
  # `starpath cohort` runs in Python.
  set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS "python3-scipy, python3-pandas, python3-matplotlib")
  set(CPACK_COMPONENT_COMMAND_DESCRIPTION "Segments nuclei in whole-slide images and measures them, on all CPU cores of a
machine, under the scheduling policies of the package starpath-sched.")
endif()

# Which packages the programs need, dpkg-shlibdeps reads off them.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
if(STARPATH_BUNDLE_STARPU) # StarPU lies in the package itself
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${starpu_LIBDIR})
endif()

configure_file(cmake/debian_copyright.in generated/copyright @ONLY)
if(STARPATH_BUNDLE_STARPU)
  configure_file(cmake/debian_copyright_starpu.in generated/copyright_starpu @ONLY)
  file(READ ${PROJECT_BINARY_DIR}/generated/copyright_starpu about_starpu)
  file(APPEND ${PROJECT_BINARY_DIR}/generated/copyright "${about_starpu}")
endif()
install(FILES ${PROJECT_BINARY_DIR}/generated/copyright DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/starpath-sched COMPONENT sched)
install(FILES ${PROJECT_BINARY_DIR}/generated/copyright DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/starpath COMPONENT command)
include(CPack)
