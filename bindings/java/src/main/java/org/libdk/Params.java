// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A machine and its parameters. Each is checked when it is set: an unknown one fails with the nearest name, a value out
 * of range with what is allowed. {@link Libdk#describe} lists all.
 */
public final class Params {
    private final String machine;
    private final Map<String, String> values = new LinkedHashMap<>();
    private final NativeHandle<NativeParams> handle;

    private Params(String machine) {
        this.machine = machine;
        handle = new NativeHandle<>(this, new NativeParams(machine), "parameters", NativeParams::delete);
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
        handle.use(params -> {
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
    public synchronized String get(String key) {
        return handle.use(params -> params.get(key));
    }

    synchronized <R> R use(java.util.function.Function<NativeParams, R> call) {
        return handle.use(call);
    }

    @Override
    public String toString() {
        return machine + " " + values;
    }
}
