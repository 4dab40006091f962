# Linux as on this machine, with what slipstick stands on inside: for a Python wheel that needs nothing but the C library.
get_filename_component(SLIPSTICK_CROSS ${CMAKE_CURRENT_LIST_DIR}/../../build-wheel/dependencies ABSOLUTE)
set(ENV{PKG_CONFIG_LIBDIR} ${SLIPSTICK_CROSS}/lib/pkgconfig)
