# SPDX-License-Identifier: Apache-2.0
# Runs COMMAND of DOTNET (test, pack, or "run --project") for PROJECT against the packages in PACKAGES, with ARGUMENTS; all
# that is built goes to FOLDER, and what is restored goes to RESTORED, by default a folder in it.
if(NOT DEFINED RESTORED)
  set(RESTORED ${FOLDER}/cache)
endif()
file(REMOVE_RECURSE ${RESTORED}/libdk ${RESTORED}/libdk.ml)
set(ENV{DOTNET_CLI_TELEMETRY_OPTOUT} 1)
separate_arguments(COMMAND)
separate_arguments(ARGUMENTS)
execute_process(
  COMMAND ${DOTNET} ${COMMAND} ${PROJECT} -p:RestoreAdditionalProjectSources=${PACKAGES}
    -p:RestorePackagesPath=${RESTORED} -p:BaseIntermediateOutputPath=${FOLDER}/obj/
    -p:BaseOutputPath=${FOLDER}/bin/ ${ARGUMENTS}
  COMMAND_ERROR_IS_FATAL ANY)
