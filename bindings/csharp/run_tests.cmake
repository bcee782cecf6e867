# SPDX-License-Identifier: Apache-2.0
# Runs the tests of PROJECT with DOTNET against the package in PACKAGES; all that is built goes to FOLDER.
file(REMOVE_RECURSE ${FOLDER}/cache/libdk)
set(ENV{DOTNET_CLI_TELEMETRY_OPTOUT} 1)
execute_process(
  COMMAND ${DOTNET} test ${PROJECT} --nologo -p:RestoreAdditionalProjectSources=${PACKAGES}
    -p:RestorePackagesPath=${FOLDER}/cache -p:BaseIntermediateOutputPath=${FOLDER}/obj/
    -p:BaseOutputPath=${FOLDER}/bin/
  COMMAND_ERROR_IS_FATAL ANY)
