// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * A machine and its parameters. Each is checked when it is set: an unknown one fails with the nearest name, a value out
 * of range with what is allowed. {@link Libdk#describe} lists all.
 */
public final class Params {
    private final String machine;
    private final Map<String, String> values = new LinkedHashMap<>();

    private Params(String machine) {
        this.machine = machine;
        use(params -> null);
    }

    /**
     * The parameters of a machine at their defaults.
     *
     * @param machine such as {@code "svm"}, {@code "cvm"}, {@code "fisher"}
     * @return to be set further
     */
    public static Params of(String machine) {
        return new Params(machine);
    }

    /**
     * Sets a parameter.
     *
     * @param key its name
     * @param value as text
     * @return this
     */
    public synchronized Params set(String key, String value) {
        use(params -> {
            params.set(key, value);
            return null;
        });
        values.put(key, value);
        return this;
    }

    /**
     * Sets a parameter.
     *
     * @param key its name
     * @param value a number
     * @return this
     */
    public Params set(String key, double value) {
        return set(key, value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value) : Double.toString(value));
    }

    /**
     * Sets the kernel, or the bank of kernels.
     *
     * @param kernel see {@link Kernel}
     * @return this
     */
    public Params kernel(Kernel kernel) {
        return set("kernel", kernel.toString());
    }

    /**
     * The value of a parameter.
     *
     * @param key its name
     * @return as text
     */
    public String get(String key) {
        return use(params -> params.get(key));
    }

    /** Native parameters live for a call only: there is nothing to close. */
    <R> R use(Function<NativeParams, R> call) {
        NativeParams params = new NativeParams(machine, "");
        try {
            synchronized (this) {
                values.forEach(params::set);
            }
            return call.apply(params);
        } finally {
            params.delete();
        }
    }

    @Override
    public synchronized String toString() {
        return machine + " " + values;
    }
}
