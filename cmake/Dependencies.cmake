# What the library stands on. Target slipstick_needs carries it all; Install.cmake repeats it for users
# of the static library, who have to link the same.
find_package(PkgConfig REQUIRED)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(CMINPACK REQUIRED IMPORTED_TARGET cminpack)
pkg_check_modules(EXPAT REQUIRED IMPORTED_TARGET expat)
pkg_check_modules(NLOPT REQUIRED IMPORTED_TARGET nlopt)

add_library(slipstick_needs INTERFACE)
target_link_libraries(slipstick_needs INTERFACE PkgConfig::YAML PkgConfig::CMINPACK PkgConfig::EXPAT PkgConfig::NLOPT m)

# slip_optional(PART found): turns SLIPSTICK_<PART> = AUTO | ON | OFF and what was found into SLIP_HAVE_<PART>.
function(slip_optional part found)
  set(SLIP_HAVE_${part} 0 PARENT_SCOPE)
  if(found)
    set(SLIP_HAVE_${part} 1 PARENT_SCOPE)
  elseif(NOT SLIPSTICK_${part} STREQUAL AUTO AND SLIPSTICK_${part})
    message(FATAL_ERROR "SLIPSTICK_${part}=ON, but ${part} was not found")
  endif()
endfunction()

# hdf5-serial and not hdf5: with Open MPI installed, the plain name means the parallel build
set(HDF5_FOUND FALSE)
if(NOT SLIPSTICK_HDF5 STREQUAL OFF)
  pkg_check_modules(HDF5 QUIET IMPORTED_TARGET hdf5-serial)
  if(HDF5_FOUND)
    target_link_libraries(slipstick_needs INTERFACE PkgConfig::HDF5)
  endif()
endif()
slip_optional(HDF5 "${HDF5_FOUND}")

# What is installed later is noticed by the next build: package directories change, and CMake looks again.
execute_process(COMMAND ${PKG_CONFIG_EXECUTABLE} --variable pc_path pkg-config OUTPUT_VARIABLE package_dirs
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
string(REPLACE ":" ";" package_dirs "${package_dirs}")
foreach(dir ${package_dirs})
  if(IS_DIRECTORY ${dir})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${dir})
  endif()
endforeach()
file(GLOB cmake_dirs /usr/lib/*/cmake /usr/local/lib/cmake)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${cmake_dirs})

configure_file(${CMAKE_CURRENT_LIST_DIR}/slipstick_config.h.in ${CMAKE_CURRENT_BINARY_DIR}/generated/slipstick_config.h)
