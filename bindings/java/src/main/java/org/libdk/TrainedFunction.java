// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * How the training of one decision function went. Which facts there are depends on the machine.
 *
 * @param positive the class for which the function is positive; null where there are no classes, or the machine does not
 *     tell it
 * @param negative the class for which it is negative, {@code rest} for all the others; null where {@code positive} is
 * @param facts what the machine tells of the function, by name: numbers, texts, truth values and lists; null stands for
 *     a number that is not defined
 */
public record TrainedFunction(String positive, String negative, Map<String, Object> facts) {
    static TrainedFunction of(Facts facts) {
        return new TrainedFunction(facts.text("positive"), facts.text("negative"), facts.values());
    }

    /**
     * The value of the machine's program where training ended.
     *
     * @return empty for machines that do not tell it
     */
    public OptionalDouble objective() {
        return number(facts, "objective");
    }

    /**
     * How far the solution is at most from the optimum, as the machine measures it.
     *
     * @return empty for machines that do not tell it
     */
    public OptionalDouble gap() {
        return number(facts, "gap");
    }

    /**
     * The iterations of the solver.
     *
     * @return empty for machines that do not iterate
     */
    public OptionalLong iterations() {
        return whole(facts, "iterations");
    }

    /**
     * Whether training ended because its tolerance was met.
     *
     * @return empty for machines that do not iterate
     */
    public Optional<Boolean> converged() {
        return truth(facts, "converged");
    }

    /**
     * The number of support vectors.
     *
     * @return empty for machines without
     */
    public OptionalLong supportVectors() {
        return whole(facts, "support_vectors");
    }

    /**
     * What is added to the sum of kernel values.
     *
     * @return empty for machines that do not tell it
     */
    public OptionalDouble offset() {
        return number(facts, "offset");
    }

    static OptionalDouble number(Map<String, Object> facts, String name) {
        return facts.get(name) instanceof Number number
                ? OptionalDouble.of(number.doubleValue()) : OptionalDouble.empty();
    }

    static OptionalLong whole(Map<String, Object> facts, String name) {
        return facts.get(name) instanceof Long number ? OptionalLong.of(number) : OptionalLong.empty();
    }

    static Optional<Boolean> truth(Map<String, Object> facts, String name) {
        return facts.get(name) instanceof Boolean truth ? Optional.of(truth) : Optional.empty();
    }

    /** What there is of it in a small table; lists are left out. */
    @Override
    public String toString() {
        return table(facts);
    }

    /** The facts that fit into a line each. */
    static String table(Map<String, Object> facts) {
        Table table = Table.ofFacts();
        facts.forEach((name, value) -> {
            if (value instanceof Number || value instanceof Boolean || value instanceof String)
                table.fact(name.replace('_', ' '), value);
        });
        return table.toString();
    }
}
