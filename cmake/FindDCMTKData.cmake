# Finds the part of DCMTK that reads and writes DICOM files: its own CMake files ask for all libraries that it was built with.
# Defines the target DCMTKData::dcmdata.
find_path(DCMTKData_INCLUDE_DIR dcmtk/dcmdata/dctk.h)
foreach(part dcmdata oflog ofstd)
  find_library(DCMTKData_${part}_LIBRARY ${part})
endforeach()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(DCMTKData REQUIRED_VARS DCMTKData_INCLUDE_DIR DCMTKData_dcmdata_LIBRARY
                                                          DCMTKData_oflog_LIBRARY DCMTKData_ofstd_LIBRARY)
if(DCMTKData_FOUND AND NOT TARGET DCMTKData::dcmdata)
  add_library(DCMTKData::dcmdata INTERFACE IMPORTED)
  target_include_directories(DCMTKData::dcmdata INTERFACE ${DCMTKData_INCLUDE_DIR})
  target_link_libraries(DCMTKData::dcmdata INTERFACE ${DCMTKData_dcmdata_LIBRARY} ${DCMTKData_oflog_LIBRARY}
                                                     ${DCMTKData_ofstd_LIBRARY})
endif()
