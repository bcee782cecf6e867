// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Rows that are records: components of numbers and truth values are columns, and one component may be what is learned.
 * A target of whole numbers gives labels, which a regression takes for values too; one of other numbers gives values; one of
 * texts, enumerators or truth values gives names of classes.
 */
final class RecordRows {
    private static final Set<Class<?>> WHOLE = Set.of(
            byte.class, short.class, int.class, long.class, Byte.class, Short.class, Integer.class, Long.class);
    private static final Set<Class<?>> REAL = Set.of(float.class, double.class, Float.class, Double.class);
    private static final Set<Class<?>> TRUTH = Set.of(boolean.class, Boolean.class);

    private final List<? extends Record> rows;
    private final List<RecordComponent> columns = new ArrayList<>();
    private final RecordComponent target;

    private RecordRows(List<? extends Record> rows, Class<?> type, String targetName) {
        this.rows = rows;
        target = targetName == null ? null : component(type, targetName);
        if (target != null) allowAccess(target);
        for (RecordComponent component : type.getRecordComponents()) {
            if (component.getName().equals(targetName)) continue;
            if (!isNumber(component.getType()))
                throw DkException.invalidArgument("the component " + component.getName() + " of " + type.getName()
                        + " is a " + component.getType().getName() + ": columns are numbers or truth values");
            allowAccess(component);
            columns.add(component);
        }
        if (columns.isEmpty()) throw DkException.invalidArgument(type.getName() + " has no component that is a column");
    }

    private static RecordComponent component(Class<?> type, String name) {
        RecordComponent[] all = type.getRecordComponents();
        return Arrays.stream(all).filter(one -> one.getName().equals(name)).findFirst()
                .orElseThrow(() -> DkException.invalidArgument(type.getName() + " has no component " + name + ", it has "
                        + Arrays.stream(all).map(RecordComponent::getName).collect(Collectors.joining(", "))));
    }

    /** The rows as a dataset; without a target where its name is null. */
    static Dataset dataset(List<? extends Record> rows, String targetName) {
        RecordRows records = new RecordRows(rows, typeOf(rows), targetName);
        Dataset data = Dataset.of(records.values(), rows.size(), records.columns.size());
        try {
            data.featureNames(records.columns.stream().map(RecordComponent::getName).toArray(String[]::new));
            if (records.target != null) records.setTarget(data);
            return data;
        } catch (RuntimeException | Error failure) {
            data.close();
            throw failure;
        }
    }

    private static Class<?> typeOf(List<? extends Record> rows) {
        if (rows.isEmpty()) throw DkException.invalidArgument("there are no rows");
        List<?> types = rows.stream().filter(Objects::nonNull).map(Record::getClass).distinct().toList();
        if (types.size() != 1)
            throw DkException.invalidArgument("rows are records of one type, these are of " + types);
        return (Class<?>) types.get(0);
    }

    private static boolean isNumber(Class<?> type) {
        return WHOLE.contains(type) || REAL.contains(type) || TRUTH.contains(type);
    }

    private static void allowAccess(RecordComponent component) {
        try {
            component.getAccessor().setAccessible(true);
        } catch (InaccessibleObjectException closed) {
            throw DkException.invalidArgument("the component " + component.getName() + " cannot be read: its package "
                    + "has to be open to the module org.libdk, or exported with a record that is public");
        }
    }

    private double[] values() {
        int cols = columns.size();
        double[] values = new double[Math.multiplyExact(rows.size(), cols)];
        for (int i = 0; i < rows.size(); i++)
            for (int j = 0; j < cols; j++) values[i * cols + j] = number(i, columns.get(j));
        return values;
    }

    private void setTarget(Dataset data) {
        Class<?> type = target.getType();
        if (WHOLE.contains(type)) {
            long[] labels = new long[rows.size()];
            for (int i = 0; i < labels.length; i++) labels[i] = ((Number) value(i, target)).longValue();
            data.labels(labels);
        } else if (REAL.contains(type)) {
            double[] targets = new double[rows.size()];
            for (int i = 0; i < targets.length; i++) targets[i] = number(i, target);
            data.targets(targets);
        } else if (TRUTH.contains(type) || type == String.class || type.isEnum()) {
            List<String> names = new ArrayList<>(rows.size());
            for (int i = 0; i < rows.size(); i++) names.add(name(value(i, target)));
            data.labels(names);
        } else {
            throw DkException.invalidArgument("the target " + target.getName() + " is a " + type.getName()
                    + ": it has to be a number, a text, an enumerator or a truth value");
        }
    }

    private static String name(Object value) {
        return value instanceof Enum<?> enumerator ? enumerator.name() : value.toString();
    }

    private double number(int row, RecordComponent component) {
        Object value = value(row, component);
        return value instanceof Boolean truth ? (truth ? 1 : 0) : ((Number) value).doubleValue();
    }

    private Object value(int row, RecordComponent component) {
        Record record = rows.get(row);
        if (record == null) throw DkException.invalidArgument("row " + row + " (counted from 0) is null");
        Object value = read(record, component.getAccessor());
        if (value == null)
            throw DkException.invalidArgument(
                    "the component " + component.getName() + " of row " + row + " (counted from 0) is null");
        return value;
    }

    /** What an accessor throws comes out as it is. */
    private static Object read(Record record, Method accessor) {
        try {
            return accessor.invoke(record);
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof RuntimeException failure) throw failure;
            if (thrown.getCause() instanceof Error failure) throw failure;
            throw new IllegalStateException(thrown.getCause());
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
