# libslipstick.a and libslipstick.so from the same objects. The tests and the program link the static
# one, which lets tests reach internals; the shared one exports what the public headers declare, no more.
add_library(slipstick STATIC $<TARGET_OBJECTS:slipstick_objects>)
set_target_properties(slipstick PROPERTIES EXPORT_NAME static)
set(SLIPSTICK_LIBRARIES slipstick)
if(SLIPSTICK_SHARED)
  add_library(slipstick_shared SHARED $<TARGET_OBJECTS:slipstick_objects>)
  set_target_properties(slipstick_shared PROPERTIES OUTPUT_NAME slipstick EXPORT_NAME slipstick
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  target_link_libraries(slipstick_shared PRIVATE $<BUILD_INTERFACE:slipstick_needs>)
  list(APPEND SLIPSTICK_LIBRARIES slipstick_shared)
endif()
foreach(library ${SLIPSTICK_LIBRARIES})
  target_include_directories(${library} PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>
                                               $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
target_link_libraries(slipstick PUBLIC $<BUILD_INTERFACE:slipstick_needs>)
if(SLIPSTICK_SANITIZE OR SLIPSTICK_COVERAGE)
  target_link_libraries(slipstick PUBLIC $<BUILD_INTERFACE:slipstick_flags>)
  if(SLIPSTICK_SHARED)
    target_link_libraries(slipstick_shared PRIVATE $<BUILD_INTERFACE:slipstick_flags>)
  endif()
endif()

# every slip_name( in a public header is public; the rest stays inside the shared library
file(GLOB public_headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/include/slipstick/*.h)
set(names "")
foreach(header ${public_headers})
  file(READ ${header} text)
  string(REGEX MATCHALL "slip_[A-Za-z0-9_]+\\(" found "${text}")
  list(APPEND names ${found})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
endforeach()
list(TRANSFORM names REPLACE "\\($" "")
list(REMOVE_DUPLICATES names)
list(SORT names)
list(JOIN names ";\n    " names)
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/generated/exports.map CONTENT
"{
  global:
    @names@;
  local: *;
};
")
if(SLIPSTICK_SHARED AND UNIX AND NOT APPLE)
  target_link_options(slipstick_shared PRIVATE LINKER:--version-script=${CMAKE_CURRENT_BINARY_DIR}/generated/exports.map)
  set_property(TARGET slipstick_shared APPEND PROPERTY LINK_DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/generated/exports.map)
endif()
