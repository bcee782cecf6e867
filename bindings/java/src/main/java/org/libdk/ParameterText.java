// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Values of parameters as the library's text. */
final class ParameterText {
    /** Their choices are one list; those of others stand between colons. */
    private static final Set<String> CHOSEN_FROM_LISTS = Set.of("kernel", "weights");

    private ParameterText() {}

    static String of(Object value) {
        if (value instanceof Boolean truth) return truth ? "yes" : "no";
        if (value instanceof Double || value instanceof Float) return number(((Number) value).doubleValue());
        if (value instanceof List<?> list)
            return list.stream().map(ParameterText::of).collect(Collectors.joining(", ", "[", "]"));
        if (value == null) throw DkException.invalidArgument("a value of a parameter is null");
        return value.toString();
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15 ? Long.toString((long) value) : Double.toString(value);
    }

    static String ofPairs(Map<String, ?> values) {
        return values.entrySet().stream()
                .map(one -> one.getKey() + ":" + of(one.getValue())).collect(Collectors.joining(","));
    }

    static String ofGrid(Map<String, ?> choices) {
        return choices.entrySet().stream()
                .map(one -> one.getKey() + "=" + choices(one.getKey(), one.getValue())).collect(Collectors.joining(";"));
    }

    private static String choices(String key, Object choices) {
        if (!(choices instanceof List<?> list) || CHOSEN_FROM_LISTS.contains(key)) return of(choices);
        return list.stream().map(ParameterText::of).collect(Collectors.joining(":"));
    }
}
