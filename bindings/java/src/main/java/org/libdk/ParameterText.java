// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Values of parameters as the library's text. */
final class ParameterText {
    /** Their choices are one list; those of others stand between colons. */
    private static final Set<String> CHOSEN_FROM_LISTS = Set.of("kernel", "weights");

    private ParameterText() {}

    static String of(Object value) {
        if (value instanceof Boolean truth) return truth ? "yes" : "no";
        if (value instanceof Double || value instanceof Float) return number(((Number) value).doubleValue());
        if (value instanceof List<?> list)
            return list.stream().map(one -> uncut(of(one), ",")).collect(Collectors.joining(", ", "[", "]"));
        if (value == null) throw DkException.invalidArgument("a value of a parameter is null");
        return value.toString();
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15 ? Long.toString((long) value) : Double.toString(value);
    }

    static String ofPairs(Map<String, ?> values) {
        return ordered(values).map(one -> uncutAnywhere(one.getKey(), ":,") + ":" + uncutAnywhere(of(one.getValue()), ":,"))
                .collect(Collectors.joining(","));
    }

    static String ofGrid(Map<String, ?> choices) {
        return ordered(choices)
                .map(one -> uncutAnywhere(one.getKey(), "=:;,") + "=" + uncut(choices(one.getKey(), one.getValue()), ";"))
                .collect(Collectors.joining(";"));
    }

    private static String choices(String key, Object choices) {
        if (!(choices instanceof List<?> list) || CHOSEN_FROM_LISTS.contains(key)) return of(choices);
        return list.stream().map(one -> uncut(of(one), ":")).collect(Collectors.joining(":"));
    }

    /** What a map has, by name where its own order is none: that of {@link Map#of} differs from run to run. */
    private static Stream<? extends Map.Entry<String, ?>> ordered(Map<String, ?> values) {
        boolean hasOrder = values instanceof LinkedHashMap || values instanceof SortedMap;
        return (hasOrder ? values : new TreeMap<String, Object>(values)).entrySet().stream();
    }

    /** Refuses a text that the library would read as several, since a separator is in it outside of all brackets. */
    private static String uncut(String text, String separators) {
        int depth = 0;
        for (char c : text.toCharArray()) {
            if (depth <= 0) requireNo(c, separators, text);
            if (c == '(' || c == '[') depth++;
            if (c == ')' || c == ']') depth--;
        }
        return text;
    }

    /** Refuses a text with a separator, where the library does not look at brackets. */
    private static String uncutAnywhere(String text, String separators) {
        for (char c : text.toCharArray()) requireNo(c, separators, text);
        return text;
    }

    private static void requireNo(char c, String separators, String text) {
        if (separators.indexOf(c) >= 0)
            throw DkException.invalidArgument("'" + text + "' cannot be one name or value: the library would cut it at '"
                    + c + "'");
    }
}
