// SPDX-License-Identifier: Apache-2.0

/** Kernel machines with deep kernels, multiple kernels and prototypes. */
module org.libdk {
    exports org.libdk;
}
