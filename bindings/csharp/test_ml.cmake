# SPDX-License-Identifier: Apache-2.0
# Tests LibDk.ML as a user has it: packs it as pack_ml.cmake says, and runs the tests against the package.
include(${CMAKE_CURRENT_LIST_DIR}/pack_ml.cmake)
if(skipped)
  return()
endif()
set(FOLDER ${tests})
set(PROJECT ${CMAKE_CURRENT_LIST_DIR}/LibDk.ML.Tests/LibDk.ML.Tests.csproj)
set(COMMAND test)
set(ARGUMENTS)
include(${CMAKE_CURRENT_LIST_DIR}/run_tests.cmake)
