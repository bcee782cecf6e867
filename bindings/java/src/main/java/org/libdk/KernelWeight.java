// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.util.List;

/**
 * A kernel of a bank with the weight that training gave it.
 *
 * @param kernel its specification, with every parameter as a number
 * @param weight what its values count in the sum
 */
public record KernelWeight(String kernel, double weight) {
    static KernelWeight of(Facts facts) {
        return new KernelWeight(facts.text("kernel"), facts.number("weight"));
    }

    static String table(List<KernelWeight> weights) {
        Table table = Table.withHeader(List.of("weight", "kernel"));
        for (KernelWeight one : weights) table.row(List.of(Table.text(one.weight), one.kernel));
        return table.toString();
    }

    /** The weight, then the kernel. */
    @Override
    public String toString() {
        return Table.text(weight) + " " + kernel;
    }
}
