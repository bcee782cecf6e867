// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.util.LinkedHashMap;
import java.util.List;
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
        return set(key, ParameterText.of(value));
    }

    /**
     * Sets a parameter.
     *
     * @param key its name
     * @param value a whole number
     * @return this
     */
    public Params set(String key, long value) {
        return set(key, Long.toString(value));
    }

    /**
     * Sets a parameter.
     *
     * @param key its name
     * @param value yes or no
     * @return this
     */
    public Params set(String key, boolean value) {
        return set(key, ParameterText.of(value));
    }

    /**
     * Sets a parameter from a list, such as the kernels of a bank.
     *
     * @param key its name
     * @param values kernels, texts, numbers or truth values
     * @return this
     */
    public Params set(String key, List<?> values) {
        return set(key, ParameterText.of(values));
    }

    /**
     * Sets a parameter from a map: {@code grid} from what each parameter is to be, such as
     * {@code Map.of("C", List.of(1, 10))}, and {@code class_weight} from the weight of each class. A
     * {@link LinkedHashMap} and a {@link java.util.SortedMap} keep their order, which is that of the candidates; others
     * are sorted by name, so that every run has the same. A name or value with a character at which the library would
     * cut it, such as a comma in the name of a class, is refused.
     *
     * @param key its name
     * @param values by name
     * @return this
     */
    public Params set(String key, Map<String, ?> values) {
        return set(key, key.equals("grid") ? ParameterText.ofGrid(values) : ParameterText.ofPairs(values));
    }

    /**
     * Sets parameters from text; all of them, or none.
     *
     * @param settings such as {@code "C=10 kernel=rbf(gamma=0.5)"}
     * @return this
     */
    public synchronized Params parse(String settings) {
        NativeParams params = new NativeParams(machine, settings);
        try {
            for (String key : params.given().split(" ")) if (!key.isEmpty()) values.put(key, params.get(key));
        } finally {
            params.delete();
        }
        return this;
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
     * What the machine learns.
     *
     * @return its task
     */
    public Task task() {
        return Task.values()[use(NativeParams::task_number)];
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
