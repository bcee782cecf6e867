// SPDX-License-Identifier: Apache-2.0
package org.libdk;

/** Hears how far a call has come. */
@FunctionalInterface
public interface ProgressListener {
    /**
     * Called on the thread that called libdk, at most about 20 times a second. What it throws ends the call and is
     * thrown by it.
     *
     * @param fraction in [0, 1]; never falls during one call
     * @param stage the work in progress
     * @return whether to go on; false cancels the call
     */
    boolean progress(double fraction, String stage);
}
