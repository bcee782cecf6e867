# SPDX-License-Identifier: Apache-2.0
# What libdk is built from, all from the distribution's packages.

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
if(DK_OPENMP)
  find_package(OpenMP COMPONENTS CXX)
  if(NOT OpenMP_CXX_FOUND)
    message(FATAL_ERROR "The compiler has no OpenMP (GCC has its own; Clang needs libomp-dev). -DDK_OPENMP=OFF builds without it")
  endif()
  # Packages for systems that may lack it carry GCC's OpenMP library beside libdk, under the name that libdk asks for.
  if(OpenMP_gomp_LIBRARY)
    get_filename_component(gomp ${OpenMP_gomp_LIBRARY} REALPATH)
    configure_file("${gomp}" "${PROJECT_BINARY_DIR}/runtime/libgomp.so.1" COPYONLY)
    set(DK_RUNTIME_LIBRARY ${PROJECT_BINARY_DIR}/runtime/libgomp.so.1)
  endif()
endif()
if(WIN32)
  set(ZLIB_USE_STATIC_LIBS ON)
endif()
find_package(ZLIB REQUIRED)
find_package(nlohmann_json 3.10 CONFIG REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(PkgConfig REQUIRED)
pkg_check_modules(HWY REQUIRED libhwy)

# Eigen never runs threads of its own. It leaves vectors to the compiler, because its own vectorised sums begin where
# memory is aligned, so that a row's sum would depend on where the row lies. Only what is under the MPL is used.
add_library(dk_eigen INTERFACE)
target_link_libraries(dk_eigen INTERFACE Eigen3::Eigen)
target_compile_definitions(dk_eigen INTERFACE EIGEN_DONT_PARALLELIZE EIGEN_DONT_VECTORIZE EIGEN_MPL2_ONLY)

# Only Highway's headers: matrix/instructions.cpp finds out what the processor has. Of Highway's targets those are compiled
# that matrix/instructions.hpp names. No product and sum are contracted but where Highway says so, so that every compiler
# gives the same bits.
add_library(dk_highway INTERFACE)
target_include_directories(dk_highway SYSTEM INTERFACE ${HWY_INCLUDE_DIRS})
target_compile_definitions(dk_highway INTERFACE
  "HWY_DISABLED_TARGETS=(HWY_SSE4|HWY_AVX3_DL|HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128)")
target_compile_options(dk_highway INTERFACE -ffp-contract=off)

# CLP solves the linear programs of one machine. It is not a part of what is shipped, since it loads LAPACK and BLAS.
if(DK_CLP)
  pkg_check_modules(CLP REQUIRED IMPORTED_TARGET clp)
endif()
