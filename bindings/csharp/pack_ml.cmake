# SPDX-License-Identifier: Apache-2.0
# Packs LibDk.ML of VERSION into PACKAGES, beside LibDk, by DOTNET; all that is built goes to FOLDER. ML.NET comes from
# NuGet: where that cannot be reached, nothing is packed, `skipped` is on, and a message says so.
set(tests ${FOLDER}/tests)
set(FOLDER ${FOLDER}/package)
set(RESTORED ${FOLDER}/../cache)
set(PROJECT ${CMAKE_CURRENT_LIST_DIR}/LibDk.ML/LibDk.ML.csproj)
set(COMMAND pack)
set(ARGUMENTS "--nologo --verbosity quiet --configuration Release --output ${PACKAGES} -p:Version=${VERSION}")

file(REMOVE_RECURSE ${RESTORED}/libdk)
execute_process(
  COMMAND ${DOTNET} restore ${PROJECT} -p:RestoreAdditionalProjectSources=${PACKAGES} -p:RestorePackagesPath=${RESTORED}
    -p:BaseIntermediateOutputPath=${FOLDER}/obj/ -p:Version=${VERSION}
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status)
set(skipped OFF)
if(status EQUAL 0)
  include(${CMAKE_CURRENT_LIST_DIR}/run_tests.cmake)
elseif(output MATCHES "NU1301") # the index of a source could not be loaded
  set(skipped ON)
  message("SKIPPED: NuGet cannot be reached, so that LibDk.ML is neither packed nor tested.\n${output}")
else()
  message(FATAL_ERROR "${output}")
endif()
