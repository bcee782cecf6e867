# SPDX-License-Identifier: Apache-2.0
# Runs exported models by ONNX Runtime and exchanges tables with Apache Arrow, by DOTNET, with LibDk from PACKAGES; all that
# is built goes to FOLDER. Both peers come from NuGet: where that cannot be reached, a message says that nothing was tested.
set(PROJECT ${CMAKE_CURRENT_LIST_DIR}/LibDk.Peers.Tests/LibDk.Peers.Tests.csproj)
set(RESTORED ${FOLDER}/cache)
set(COMMAND test)
set(ARGUMENTS)

file(REMOVE_RECURSE ${RESTORED}/libdk)
execute_process(
  COMMAND ${DOTNET} restore ${PROJECT} -p:RestoreAdditionalProjectSources=${PACKAGES} -p:RestorePackagesPath=${RESTORED}
    -p:BaseIntermediateOutputPath=${FOLDER}/obj/
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status)
if(status EQUAL 0)
  include(${CMAKE_CURRENT_LIST_DIR}/run_tests.cmake)
elseif(output MATCHES "NU1301") # the index of a source could not be loaded
  message("SKIPPED: NuGet cannot be reached, so that ONNX Runtime and Apache Arrow are not tried.\n${output}")
else()
  message(FATAL_ERROR "${output}")
endif()
