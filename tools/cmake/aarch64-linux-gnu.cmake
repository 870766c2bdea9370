# Debian's cross compiler for AArch64 (g++-aarch64-linux-gnu), which has its own C and C++ libraries. Other libraries come
# from TENON_LIBRARIES_ROOT, which tests/neon/host/libraries fills; the preset `neon` needs none. What is built runs under
# qemu-aarch64 (qemu-user).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TENON_LIBRARIES_ROOT)
if(TENON_LIBRARIES_ROOT)
  list(PREPEND CMAKE_FIND_ROOT_PATH "${TENON_LIBRARIES_ROOT}")
  set(libraries "${TENON_LIBRARIES_ROOT}/usr/lib/aarch64-linux-gnu")
  set(ENV{PKG_CONFIG_LIBDIR} "${libraries}/pkgconfig")
  set(ENV{PKG_CONFIG_SYSROOT_DIR} "${TENON_LIBRARIES_ROOT}")
  # Where Debian puts headers that differ between processors.
  set(CMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES "${TENON_LIBRARIES_ROOT}/usr/include/aarch64-linux-gnu")
  add_link_options("LINKER:-rpath-link,${libraries}" "LINKER:-rpath-link,${TENON_LIBRARIES_ROOT}/lib/aarch64-linux-gnu")
endif()
