# SPDX-License-Identifier: Apache-2.0
# Runs COMMAND of DOTNET (test, or "run --project") for PROJECT against the package in PACKAGES, with ARGUMENTS; all
# that is built goes to FOLDER.
file(REMOVE_RECURSE ${FOLDER}/cache/libdk)
set(ENV{DOTNET_CLI_TELEMETRY_OPTOUT} 1)
separate_arguments(COMMAND)
separate_arguments(ARGUMENTS)
execute_process(
  COMMAND ${DOTNET} ${COMMAND} ${PROJECT} -p:RestoreAdditionalProjectSources=${PACKAGES}
    -p:RestorePackagesPath=${FOLDER}/cache -p:BaseIntermediateOutputPath=${FOLDER}/obj/
    -p:BaseOutputPath=${FOLDER}/bin/ ${ARGUMENTS}
  COMMAND_ERROR_IS_FATAL ANY)
