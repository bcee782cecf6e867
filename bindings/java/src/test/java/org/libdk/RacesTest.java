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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is closed and cancelled while other threads use it. */
class RacesTest {
    /** Threads that predict with a model until it or the data are closed; each has a control of its own. */
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
            thread.start();
            return thread;
        }

        void predict(Model model, Dataset data, double[][] expected, Control control) {
            try (control) {
                while (wrong.get() == null) {
                    try {
                        double[][] decisions = model.decision(data, control);
                        if (!Arrays.deepEquals(expected, decisions)) throw new AssertionError("a wrong prediction");
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

        /** Waits for an answer or a cancel more than there was. */
        void await(AtomicInteger counter, int before) {
            while (counter.get() == before && wrong.get() == null) Thread.yield();
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
                    running.add(users.start(() -> users.predict(model, data, expected, control)));
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
        try (Dataset data = labelled()) {
            byte[] bytes;
            double[] expected;
            try (Model model = Model.train(data, Params.of("svm").kernel(Kernel.rbf(1)))) {
                bytes = model.toBytes();
                expected = model.predict(data);
            }
            AtomicInteger answered = new AtomicInteger();
            AtomicInteger wrong = new AtomicInteger();
            for (int round = 0; round < 200; round++) {
                Model model = Model.fromBytes(bytes);
                int before = answered.get();
                Thread[] users = new Thread[8];
                for (int t = 0; t < users.length; t++) {
                    users[t] = new Thread(() -> {
                        try (Control control = new Control().threads(1)) {
                            while (true) {
                                if (Arrays.equals(expected, model.predict(data, control)))
                                    answered.incrementAndGet();
                                else wrong.incrementAndGet();
                            }
                        } catch (IllegalStateException closed) {
                            // as it should be
                        }
                    });
                    users[t].start();
                }
                while (answered.get() == before) Thread.yield();
                model.close();
                for (Thread user : users) user.join();
            }
            assertEquals(0, wrong.get());
        }
    }
}
