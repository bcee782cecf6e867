# SPDX-License-Identifier: Apache-2.0
# The package's library, and libdk itself where configure has built it.
folder <- file.path(R_PACKAGE_DIR, paste0("libs", R_ARCH))
dir.create(folder, recursive = TRUE, showWarnings = FALSE)
file.copy(c(Sys.glob(paste0("*", SHLIB_EXT)), Sys.glob("libdk.so.*"), Sys.glob("symbols.rds")), folder, overwrite = TRUE)
