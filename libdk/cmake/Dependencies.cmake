# SPDX-License-Identifier: Apache-2.0
# What libdk is built from, all from the distribution's packages.

find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(ZLIB REQUIRED)
find_package(nlohmann_json 3.10 CONFIG REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(HWY REQUIRED libhwy)

# Only Highway's headers, see libdk/base/vector_target.cpp.
add_library(dk_highway INTERFACE)
target_include_directories(dk_highway SYSTEM INTERFACE ${HWY_INCLUDE_DIRS})

# The serial OpenBLAS as a static archive with run-time dispatch: OpenMP runs over tiles, each product is
# computed by one thread, and nothing of the BLAS is visible outside libdk.
find_library(DK_OPENBLAS_ARCHIVE NAMES libopenblas.a
  PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-serial openblas-serial
  PATHS /usr/lib /usr/lib64 /usr/local/lib
  DOC "Static serial OpenBLAS built with DYNAMIC_ARCH")
if(NOT DK_OPENBLAS_ARCHIVE)
  message(FATAL_ERROR "The static serial OpenBLAS is missing (Debian, Ubuntu: libopenblas-serial-dev). "
    "Set DK_OPENBLAS_ARCHIVE to libopenblas.a of a build with DYNAMIC_ARCH=1 USE_THREAD=0.")
endif()

# See libdk/base/blas.cpp for what is wrapped and why.
add_library(dk_blas INTERFACE)
target_link_libraries(dk_blas INTERFACE ${DK_OPENBLAS_ARCHIVE})
target_link_options(dk_blas INTERFACE -Wl,--wrap=blas_memory_alloc -Wl,--wrap=blas_memory_free)
