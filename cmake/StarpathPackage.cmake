# The Debian packages that scripts/package.sh makes: the command and the plug-in, with a StarPU of their own or for the
# distribution's.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME starpath)
set(CPACK_PACKAGE_VENDOR "Starpath")
set(CPACK_PACKAGE_CONTACT "Starpath maintainers <maintainers@starpath.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "nuclei segmentation of slides and scheduling policies on StarPU")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(about_starpu "The StarPU library inside is for the command's own use, and without CUDA.
Programs of your own bring theirs.")
if(NOT STARPATH_BUNDLE_STARPU)
  set(about_starpu "It uses the distribution's StarPU, as its packaged programs do.")
endif()
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Segments nuclei in whole-slide images and measures them, on all CPU cores of a
machine, and gives any StarPU 1.4 program further scheduling policies to choose
from (see starpath env --help).
${about_starpu}")

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
install(FILES ${PROJECT_BINARY_DIR}/generated/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
include(CPack)
