# Windows on x86-64: gcc-mingw-w64-x86-64 of Debian; wine64 runs what it makes. Numbers are printed and read by mingw's
# own routines, whose digits are exact.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-gcc)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
# Its macros of <math.h> name a float that is never computed, and gcc's check of formats does not know that they are mingw's.
set(CMAKE_C_FLAGS_INIT "-D__USE_MINGW_ANSI_STDIO=1 -D_WIN32_WINNT=0x0A00 -Wno-float-conversion -Wno-format")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -Wl,--stack,8388608 -Wl,--no-insert-timestamp")
set(SLIPSTICK_SUFFIX .exe)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE NEVER)
get_filename_component(SLIPSTICK_CROSS ${CMAKE_CURRENT_LIST_DIR}/../../build-windows/dependencies ABSOLUTE)
set(ENV{PKG_CONFIG_LIBDIR} ${SLIPSTICK_CROSS}/lib/pkgconfig)
