# The Debian package that `cpack --preset package` makes: the command, the plug-in and its own StarPU.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME starpath)
set(CPACK_PACKAGE_VENDOR "Starpath")
set(CPACK_PACKAGE_CONTACT "Starpath maintainers <maintainers@starpath.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "nuclei segmentation of slides and scheduling policies on StarPU")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Segments nuclei in whole-slide images and measures them, on all CPU cores of a
machine, and gives any StarPU 1.4 program further scheduling policies to choose
from (see starpath env --help).
The StarPU library inside is for the command's own use, and without CUDA.
Programs of your own bring theirs.")

# Which packages the programs need, dpkg-shlibdeps reads off them. StarPU lies in the package itself.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${starpu_LIBDIR})

configure_file(cmake/debian_copyright.in generated/copyright @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/generated/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
include(CPack)
