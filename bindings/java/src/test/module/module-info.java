// SPDX-License-Identifier: Apache-2.0

/** A program that has libdk on its module path. */
module program {
    requires org.libdk;

    opens program.open;
}
