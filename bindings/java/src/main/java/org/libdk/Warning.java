// SPDX-License-Identifier: Apache-2.0
package org.libdk;

/**
 * What whoever uses a model should know.
 *
 * @param about such as {@code convergence}, {@code leak} or {@code copied rows} ({@code dk_model_warnings} in dk.h)
 * @param text a sentence
 */
public record Warning(String about, String text) {
    static Warning of(Facts facts) {
        return new Warning(facts.text("about"), facts.text("text"));
    }

    /** What it is about, and the sentence. */
    @Override
    public String toString() {
        return about + ": " + text;
    }
}
