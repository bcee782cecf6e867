// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.libdk.Samples.ROWS;
import static org.libdk.Samples.failure;
import static org.libdk.Samples.labelled;
import static org.libdk.Samples.noise;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Progress, cancel, interrupts and memory of calls. */
class ControlTest {
    @Test
    void progressIsHeardOnTheCallingThread() {
        List<Double> heard = new ArrayList<>();
        AtomicReference<Thread> thread = new AtomicReference<>();
        try (Dataset data = labelled(); Control control = new Control()) {
            control.threads(2).listener((fraction, stage) -> {
                heard.add(fraction);
                thread.set(Thread.currentThread());
                return true;
            });
            Model.train(data, Params.of("svm"), control).close();
            assertFalse(heard.isEmpty());
            assertSame(Thread.currentThread(), thread.get());
            assertEquals(1, control.progress());
        }
    }

    @Test
    void listenersCancelOrThrow() {
        try (Dataset data = labelled(); Control control = new Control()) {
            control.listener((fraction, stage) -> false);
            failure(DkException.Status.CANCELLED, () -> Model.train(data, Params.of("svm"), control));
            IllegalArgumentException thrown = new IllegalArgumentException("from the listener");
            control.reset();
            control.listener((fraction, stage) -> {
                throw thrown;
            });
            assertSame(thrown, assertThrows(IllegalArgumentException.class,
                    () -> Model.train(data, Params.of("svm"), control)));
            control.reset();
            control.listener(null);
            Model.train(data, Params.of("svm"), control).close();
            control.cancel();
            failure(DkException.Status.CANCELLED, () -> Model.train(data, Params.of("svm"), control));
        }
    }

    @Test
    void interruptedThreadsMakeNoCalls() {
        try (Dataset data = labelled(); Model model = Model.train(data, Params.of("svm"));
                Control plain = new Control(); Control heard = new Control().listener((fraction, stage) -> true)) {
            for (Control one : new Control[] {null, plain, heard}) {
                Thread.currentThread().interrupt();
                failure(DkException.Status.CANCELLED, () -> model.predict(data, one));
                assertTrue(Thread.interrupted());
                // the control needs no reset
                assertEquals(ROWS, model.predict(data, one).length);
            }
        }
    }

    @Test
    @Timeout(60)
    void interruptsEndTraining() throws Exception {
        Params endless = Params.of("svm").set("C", 1e9).set("tolerance", 1e-12).kernel(Kernel.rbf(1e-3));
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try (Dataset data = noise(2000, 20); Control control = new Control()) {
            CountDownLatch began = new CountDownLatch(1);
            control.listener((fraction, stage) -> {
                if (fraction > 0) began.countDown();
                return true;
            });
            Future<DkException> failed = pool.submit(
                    () -> failure(DkException.Status.CANCELLED, () -> Model.train(data, endless, control)));
            began.await();
            pool.shutdownNow();
            assertTrue(failed.get().getMessage().startsWith("cancelled"), failed.get().getMessage());
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void interruptsAreHeardWithoutAControl() {
        try (Dataset data = Dataset.similarity(8, 8, (rows, training) -> {
            Thread.currentThread().interrupt();
            return new double[rows.length][training.length];
        }).labels(0, 1, 0, 1, 0, 1, 0, 1)) {
            failure(DkException.Status.CANCELLED,
                    () -> Model.train(data, Params.of("mean_of_class").kernel(Kernel.of("gram(0)"))));
        } finally {
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    void callsWithoutAControlStandInsideOthers() {
        try (Dataset data = labelled(); Model model = Model.train(data, Params.of("svm"));
                Dataset asking = Dataset.similarity(8, 8, (rows, training) -> {
                    assertEquals(ROWS, model.predict(data).length);
                    return new double[rows.length][training.length];
                }).labels(0, 1, 0, 1, 0, 1, 0, 1)) {
            Model.train(asking, Params.of("mean_of_class").kernel(Kernel.of("gram(0)"))).close();
        }
    }

    @Test
    @Timeout(60)
    void interruptsEndNoCallsOfOtherThreads() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        try (Dataset data = labelled(); Model model = Model.train(data, Params.of("svm"))) {
            List<Future<?>> ended = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                boolean interrupted = thread % 2 == 0;
                ended.add(pool.submit(() -> {
                    for (int call = 0; call < 5000; call++) {
                        if (!interrupted) {
                            assertEquals(ROWS, model.predict(data).length);
                            continue;
                        }
                        Thread.currentThread().interrupt();
                        failure(DkException.Status.CANCELLED, () -> model.predict(data));
                        assertTrue(Thread.interrupted());
                    }
                }));
            }
            for (Future<?> one : ended) one.get();
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void readingIsCancelledAndAsksMemory(@TempDir Path folder) throws Exception {
        Path table = folder.resolve("table.csv");
        Path file = folder.resolve("model.dk");
        Files.writeString(table, "a,b,label\n" + "0.123456789,-9.87654321,1\n1.5,2.25,0\n".repeat(80000));
        try (Dataset wide = noise(2000, 100);
                Model model = Model.train(wide, Params.of("mean_of_class").kernel(Kernel.rbf(0.01)))) {
            model.save(file);
            byte[] bytes = model.toBytes();
            try (Control control = new Control().threads(2).memory(1000);
                    Dataset read = Dataset.read(table, "label=label", control);
                    Model loaded = Model.load(file, control); Model again = Model.fromBytes(bytes, control)) {
                assertEquals(160000, read.rows());
                assertArrayEquals(bytes, loaded.toBytes());
                assertArrayEquals(bytes, again.toBytes());
            }
            List<Consumer<Control>> readers = List.of(
                    control -> Dataset.read(table, "", control), control -> model.read(table, "", control),
                    control -> Model.load(file, control), control -> Model.fromBytes(bytes, control));
            for (Consumer<Control> reader : readers) {
                try (Control control = new Control()) {
                    control.cancel();
                    failure(DkException.Status.CANCELLED, () -> reader.accept(control));
                }
            }
            try (Control control = new Control().memory(1)) {
                for (Consumer<Control> reader : readers.subList(0, 3)) // the bytes of the last are the caller's
                    failure(DkException.Status.MEMORY_BUDGET, () -> reader.accept(control));
                failure(DkException.Status.INVALID_ARGUMENT, () -> control.memory(-1));
                control.memory(0);
                Dataset.read(table, "", control).close();
            }
        }
    }
}
