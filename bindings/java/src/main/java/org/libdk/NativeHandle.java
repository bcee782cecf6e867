// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.lang.ref.Cleaner;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A native object of an owner that may be closed at any time: it is freed when the owner was closed, or was
 * collected, and no call uses it any more.
 */
final class NativeHandle<T> {
    private static final Cleaner CLEANER = Cleaner.create();

    private final State<T> state;
    private final Cleaner.Cleanable cleanable;

    /** What the cleaner holds; it must not know the owner. */
    private static final class State<T> implements Runnable {
        private final Consumer<T> free;
        private final String name;
        private T object;
        private int users;
        private boolean closed;

        State(T object, String name, Consumer<T> free) {
            this.object = object;
            this.name = name;
            this.free = free;
        }

        synchronized T begin() {
            if (closed) throw new IllegalStateException("the " + name + " is closed");
            users++;
            return object;
        }

        void end() {
            freeIf(false);
        }

        @Override
        public void run() {
            freeIf(true);
        }

        private synchronized void freeIf(boolean closing) {
            if (closing) closed = true;
            else users--;
            if (!closed || users > 0 || object == null) return;
            free.accept(object);
            object = null;
        }
    }

    NativeHandle(Object owner, T object, String name, Consumer<T> free) {
        state = new State<>(object, name, free);
        cleanable = CLEANER.register(owner, state);
    }

    /** Runs a call with the native object, which stays until the call has ended. */
    <R> R use(Function<T, R> call) {
        T object = state.begin();
        try {
            return call.apply(object);
        } finally {
            state.end();
        }
    }

    /** Prints what is open; what was closed before or meanwhile is named as closed. */
    String print(Supplier<String> open) {
        try {
            return open.get();
        } catch (IllegalStateException closed) {
            return "closed " + state.name;
        }
    }

    void close() {
        cleanable.clean();
    }
}
