// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What the library says of a model, by name. Native code makes the values: maps, lists, texts, numbers and truth values,
 * and null where a number is not defined. A copy of them is kept that nobody can change.
 */
final class Facts {
    private final Map<String, Object> values;

    Facts(Object values) {
        this.values = mapOf((Map<?, ?>) values, Facts::fixed);
    }

    private static <V> Map<String, V> mapOf(Map<?, ?> from, Function<Object, V> read) {
        Map<String, V> out = new LinkedHashMap<>();
        from.forEach((name, value) -> out.put((String) name, read.apply(value)));
        return Collections.unmodifiableMap(out);
    }

    private static <V> List<V> listOf(List<?> from, Function<Object, V> read) {
        List<V> out = new ArrayList<>(from.size());
        for (Object value : from) out.add(read.apply(value));
        return Collections.unmodifiableList(out);
    }

    private static Object fixed(Object value) {
        if (value instanceof Map<?, ?> map) return mapOf(map, Facts::fixed);
        if (value instanceof List<?> list) return listOf(list, Facts::fixed);
        return value;
    }

    Map<String, Object> values() {
        return values;
    }

    boolean has(String name) {
        return values.get(name) != null;
    }

    /** Null where there is none. */
    String text(String name) {
        return (String) values.get(name);
    }

    long whole(String name) {
        return ((Number) values.get(name)).longValue();
    }

    boolean truth(String name) {
        return (Boolean) values.get(name);
    }

    /** NaN where it is not defined. */
    double number(String name) {
        return number(values.get(name));
    }

    private static double number(Object value) {
        return value instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    List<Double> numbers(String name) {
        return list(name, Facts::number);
    }

    List<String> texts(String name) {
        return list(name, String.class::cast);
    }

    /** All values, which are texts, by name. */
    Map<String, String> texts() {
        return mapOf(values, String.class::cast);
    }

    Facts part(String name) {
        return new Facts(values.get(name));
    }

    /** Each part as the reader makes it; empty where there are none. */
    <V> List<V> parts(String name, Function<Facts, V> read) {
        return list(name, value -> read.apply(new Facts(value)));
    }

    /** Each part by its name, as the reader makes it. */
    <V> Map<String, V> partsByName(String name, Function<Facts, V> read) {
        return map(name, value -> read.apply(new Facts(value)));
    }

    private <V> List<V> list(String name, Function<Object, V> read) {
        return values.get(name) instanceof List<?> list ? listOf(list, read) : List.of();
    }

    private <V> Map<String, V> map(String name, Function<Object, V> read) {
        return values.get(name) instanceof Map<?, ?> map ? mapOf(map, read) : Map.of();
    }
}
