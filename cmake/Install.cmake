# The install tree. Nothing in it holds an absolute path: it may be moved as a whole.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/slipstick)
set(generated ${CMAKE_CURRENT_BINARY_DIR}/generated)

install(TARGETS ${SLIPSTICK_LIBRARIES} EXPORT slipstick
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/slipstick DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(DIRECTORY models DESTINATION ${CMAKE_INSTALL_DATADIR}/slipstick FILES_MATCHING PATTERN "*.yaml" PATTERN "*.csv")
# the pages as they stand to one another in the source tree, so that their links hold; models are linked to
install(FILES README.md LICENSE CHANGELOG.md CONTRIBUTING.md SECURITY.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY python/notebooks DESTINATION ${CMAKE_INSTALL_DOCDIR}/python)
install(DIRECTORY octave DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES npm/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/npm)
file(RELATIVE_PATH SLIP_MODELS_FROM_DOCS /x/${CMAKE_INSTALL_DOCDIR} /x/${CMAKE_INSTALL_DATADIR}/slipstick/models)
install(CODE "file(CREATE_LINK \"${SLIP_MODELS_FROM_DOCS}\"
  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}/models\" SYMBOLIC)")
install(TARGETS slipstick_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${generated}/slipstick.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME slipstick OPTIONAL)
install(FILES ${generated}/slipstick.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
        RENAME _slipstick OPTIONAL)
install(FILES ${generated}/slipstick.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d OPTIONAL)

# the man page, where scdoc is there to make it
find_program(SCDOC scdoc)
if(SCDOC)
  add_custom_command(OUTPUT ${generated}/slipstick.1 DEPENDS man/slipstick.1.scd
    COMMAND sh -c "'${SCDOC}' < '${CMAKE_CURRENT_SOURCE_DIR}/man/slipstick.1.scd' > '${generated}/slipstick.1'" VERBATIM)
  add_custom_target(man ALL DEPENDS ${generated}/slipstick.1)
  install(FILES ${generated}/slipstick.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

# pkg-config and the CMake package find their prefix from where they lie
file(RELATIVE_PATH SLIP_PREFIX_FROM_PC /x/${CMAKE_INSTALL_LIBDIR}/pkgconfig /x)
string(REGEX REPLACE "/$" "" SLIP_PREFIX_FROM_PC "${SLIP_PREFIX_FROM_PC}")
set(SLIP_PC_REQUIRES "yaml-0.1, cminpack, expat, nlopt")
if(SLIP_HAVE_HDF5)
  string(APPEND SLIP_PC_REQUIRES ", hdf5-serial")
endif()
set(SLIP_PC_PRIVATE "-lm")
set(SLIP_CONFIG_PRIVATE "m")
configure_file(cmake/slipstick.pc.in ${generated}/slipstick.pc @ONLY)
install(FILES ${generated}/slipstick.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(SLIP_CONFIG_HDF5 "")
if(SLIP_HAVE_HDF5)
  set(SLIP_CONFIG_HDF5 hdf5-serial)
endif()
configure_package_config_file(cmake/slipstickConfig.cmake.in ${generated}/slipstickConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${generated}/slipstickConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${generated}/slipstickConfig.cmake ${generated}/slipstickConfigVersion.cmake DESTINATION ${package_dir})
install(EXPORT slipstick NAMESPACE slipstick:: FILE slipstickTargets.cmake DESTINATION ${package_dir})
