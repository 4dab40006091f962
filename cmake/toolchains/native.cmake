# This machine, with libyaml, expat, cminpack and NLopt as static libraries of our own (tools/cross/dependencies.sh native).
get_filename_component(SLIPSTICK_CROSS ${CMAKE_CURRENT_LIST_DIR}/../../build-native/dependencies ABSOLUTE)
set(ENV{PKG_CONFIG_LIBDIR} ${SLIPSTICK_CROSS}/lib/pkgconfig)
