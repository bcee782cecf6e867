// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.libdk.Samples.labelled;
import static org.libdk.Samples.noise;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is closed and cancelled while other threads use it. */
class RacesTest {
    /** Threads that ask a model until it or the data are closed; each has a control of its own. */
    private static final class Users {
        final AtomicInteger answered = new AtomicInteger();
        final AtomicInteger cancelled = new AtomicInteger();
        final AtomicInteger closed = new AtomicInteger();
        final AtomicReference<Throwable> wrong = new AtomicReference<>();

        Thread start(Runnable action) {
            Thread thread = new Thread(() -> {
                try {
                    action.run();
                } catch (Throwable error) {
                    wrong.compareAndSet(null, error);
                }
            });
            thread.setDaemon(true);
            thread.start();
            return thread;
        }

        /** Asks again and again, which is to say each time that the answer is right. */
        void ask(Control control, BooleanSupplier isRight) {
            try (control) {
                while (wrong.get() == null) {
                    try {
                        if (!isRight.getAsBoolean()) throw new AssertionError("a wrong prediction");
                        answered.incrementAndGet();
                    } catch (DkException error) {
                        if (error.status() != DkException.Status.CANCELLED) throw error;
                        cancelled.incrementAndGet();
                        control.reset();
                    }
                }
            } catch (IllegalStateException isClosed) {
                closed.incrementAndGet();
            }
        }

        /** Prints again and again until what is printed is closed. */
        void print(Object printed, String open, String whenClosed) {
            String said = open;
            while (!said.equals(whenClosed)) {
                said = printed.toString();
                if (!said.equals(open) && !said.equals(whenClosed)) throw new AssertionError(said);
                answered.incrementAndGet();
            }
        }

        /** Waits for an answer or a cancel more than there was, or for a failure. */
        void await(AtomicInteger counter, int before) throws InterruptedException {
            while (counter.get() == before && wrong.get() == null) {
                if (Thread.interrupted()) throw new InterruptedException();
                Thread.yield();
            }
        }
    }

    @Test
    @Timeout(60)
    void closingAndCancellingMayRaceWithPredicting() throws Exception {
        int rounds = 30;
        int threads = 4;
        int rows = 2000;
        Users users = new Users();
        try (Dataset kept = noise(rows, 2);
                Model first = Model.train(kept, Params.of("mean_of_class").kernel(Kernel.rbf(0.5)))) {
            byte[] bytes = first.toBytes();
            double[][] expected = first.decision(kept, null);
            for (int round = 0; round < rounds; round++) {
                Model model = Model.fromBytes(bytes);
                Dataset data = noise(rows, 2);
                int answeredBefore = users.answered.get();
                int cancelledBefore = users.cancelled.get();
                List<Control> controls = new ArrayList<>();
                List<Thread> running = new ArrayList<>();
                for (int user = 0; user < threads; user++) {
                    Control control = new Control().threads(1);
                    controls.add(control);
                    running.add(users.start(() -> users.ask(control,
                            () -> Arrays.deepEquals(expected, model.decision(data, control)))));
                }
                users.await(users.answered, answeredBefore);
                running.add(users.start(() -> {
                    try {
                        for (Control control : controls) control.cancel();
                    } catch (IllegalStateException isClosed) {
                        // the user has ended already
                    }
                }));
                // in every other round somebody hears of the cancel first
                if (round % 2 == 0) users.await(users.cancelled, cancelledBefore);
                running.add(users.start(model::close));
                running.add(users.start(data::close));
                for (Thread thread : running) thread.join();
            }
        }
        assertNull(users.wrong.get());
        assertEquals(rounds * threads, users.closed.get());
        assertTrue(users.cancelled.get() >= rounds / 2);
    }

    @Test
    @Timeout(60)
    void closingMayRaceWithPredicting() throws Exception {
        int rounds = 200;
        int threads = 8;
        Users users = new Users();
        try (Dataset data = labelled(); Model first = Model.train(data, Params.of("svm").kernel(Kernel.rbf(1)))) {
            byte[] bytes = first.toBytes();
            double[] expected = first.predict(data);
            for (int round = 0; round < rounds; round++) {
                Model model = Model.fromBytes(bytes);
                int before = users.answered.get();
                List<Thread> running = new ArrayList<>();
                for (int user = 0; user < threads; user++) {
                    Control control = new Control().threads(1);
                    running.add(users.start(() -> users.ask(control,
                            () -> Arrays.equals(expected, model.predict(data, control)))));
                }
                users.await(users.answered, before);
                model.close();
                for (Thread thread : running) thread.join();
            }
        }
        assertNull(users.wrong.get());
        assertEquals(rounds * threads, users.closed.get());
        assertEquals(0, users.cancelled.get());
    }

    @Test
    @Timeout(60)
    void closingMayRaceWithPrinting() throws Exception {
        Users users = new Users();
        try (Dataset kept = labelled(); Model first = Model.train(kept, Params.of("mean_of_class"))) {
            byte[] bytes = first.toBytes();
            String ofModel = first.toString();
            String ofData = kept.toString();
            for (int round = 0; round < 500; round++) {
                Model model = Model.fromBytes(bytes);
                Dataset data = labelled();
                int before = users.answered.get();
                List<Thread> running = List.of(users.start(() -> users.print(model, ofModel, "closed model")),
                        users.start(() -> users.print(data, ofData, "closed dataset")));
                users.await(users.answered, before);
                model.close();
                data.close();
                for (Thread thread : running) thread.join();
            }
        }
        assertNull(users.wrong.get());
    }
}
