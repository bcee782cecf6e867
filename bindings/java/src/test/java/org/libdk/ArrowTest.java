// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tables of Arrow by the addresses of their structs: an answer of libdk is a table that libdk reads. */
class ArrowTest {
    // sizes of ArrowSchema and ArrowArray where pointers have 64 bits
    private final long schema = zeroed(72);
    private final long array = zeroed(80);

    /** Calls the only class of every Java since 17 that makes memory of C; by its name, because it is nobody's to import. */
    private static Object memory(String method, Class<?>[] types, Object... arguments) {
        try {
            Class<?> unsafe = Class.forName("sun.misc.Unsafe");
            Field field = unsafe.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            return unsafe.getMethod(method, types).invoke(field.get(null), arguments);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static long zeroed(long bytes) {
        long address = (long) memory("allocateMemory", new Class<?>[] {long.class}, bytes);
        memory("setMemory", new Class<?>[] {long.class, long.class, byte.class}, address, bytes, (byte) 0);
        return address;
    }

    @AfterEach
    void free() {
        for (long address : new long[] {schema, array}) memory("freeMemory", new Class<?>[] {long.class}, address);
    }

    @Test
    void answersAreTables() {
        Dataset data = Dataset.of(new double[][] {{0}, {1}, {2}, {3}}).labels(List.of("no", "yes", "no", "yes"));
        Model model = Model.train(data, Params.of("svm").set("kernel", "rbf(gamma=1)"));
        model.predictArrow(schema, array, data, "prediction,decision,explanation", null);
        Dataset read = Dataset.arrow(schema, array, "label=prediction ignore=none", null);
        assertEquals("decision[0]", read.featureName(0));
        assertEquals("explanation[0]", read.featureName(1));
        double[] decisions = model.decision(data, null)[0];
        assertEquals(decisions[0], read.values()[0][0]);
        long[] predicted = new long[4];
        for (int i = 0; i < 4; ++i) predicted[i] = (long) model.predict(data)[i];
        assertArrayEquals(predicted, read.labels());
        DkException released =
                Samples.failure(DkException.Status.INVALID_ARGUMENT, () -> Dataset.arrow(schema, array, "", null));
        assertTrue(released.getMessage().contains("released"), released.getMessage());

        Model again = Model.train(read, Params.of("svm"));
        model.predictArrow(schema, array, data, "explanation,decision", null);
        Dataset rows = again.arrow(schema, array, "", null);
        assertArrayEquals(read.values()[3], rows.values()[3]);
        Samples.failure(DkException.Status.INVALID_ARGUMENT, () -> model.predictArrow(schema, array, data, "all", null));
        Samples.failure(DkException.Status.INVALID_ARGUMENT, () -> Dataset.arrowStream(0, "", null));
        Samples.failure(DkException.Status.INVALID_ARGUMENT, () -> again.arrowStream(0, "", null));
    }
}
