// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.lang.ref.Reference;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Threads, memory, progress and cancel of calls. One call at a time uses a control; {@link #cancel} and {@link #progress} may
 * be called from any thread. Without a control a call uses all processors.
 *
 * <p>With or without a control, a call ends within 0.2 s when the thread that made it is interrupted: it fails with
 * {@link DkException.Status#CANCELLED}, and the thread stays interrupted, as with {@link Thread#isInterrupted}.
 */
public final class Control implements AutoCloseable {
    /** Hears for all calls without a listener; it never ends, so that no call outlives it. */
    private static final Listener INTERRUPTS = new Listener((fraction, stage) -> true);

    private final NativeHandle<NativeControl> handle;
    private Listener listener = INTERRUPTS; // kept from the collector while native code knows it

    /** Native code calls it on the thread that made the call. */
    private static final class Listener extends Progress {
        private final ProgressListener target;

        Listener(ProgressListener target) {
            this.target = target;
        }

        @Override
        public boolean report(double fraction, String stage) {
            return !Thread.currentThread().isInterrupted() && target.progress(fraction, stage);
        }
    }

    /** A control with all processors and no listener. */
    public Control() {
        handle = new NativeHandle<>(this, interruptible(), "control", NativeControl::delete);
    }

    private static NativeControl interruptible() {
        NativeControl control = NativeControl.make();
        control.set_listener(INTERRUPTS);
        return control;
    }

    /**
     * Sets the number of threads.
     *
     * @param threads 1 to 1024, or 0 for all processors
     * @return this
     */
    public Control threads(int threads) {
        return with(control -> control.set_threads(threads));
    }

    /**
     * Sets what the large objects of a call may take together. What needs more fails with
     * {@link DkException.Status#MEMORY_BUDGET}.
     *
     * @param megabytes 1 or more, or 0 for half of the machine's memory
     * @return this
     */
    public Control memory(long megabytes) {
        return with(control -> control.set_memory(megabytes));
    }

    /**
     * Sets the listener.
     *
     * @param target hears of progress; null for none
     * @return this
     */
    public synchronized Control listener(ProgressListener target) {
        Listener next = target == null ? INTERRUPTS : new Listener(target);
        with(control -> control.set_listener(next));
        listener = next;
        return this;
    }

    /** Asks the running call, or the next one, to stop, which it does within 0.2 s. Safe from any thread. */
    public void cancel() {
        with(NativeControl::cancel);
    }

    /** Forgets a cancel, so that the control can be used again. */
    public void reset() {
        with(NativeControl::reset);
    }

    /**
     * Progress of the running or last call. Safe from any thread.
     *
     * @return a fraction in [0, 1]
     */
    public double progress() {
        return handle.use(NativeControl::progress);
    }

    private Control with(Consumer<NativeControl> action) {
        handle.use(control -> {
            action.accept(control);
            return null;
        });
        return this;
    }

    /** Runs a call with the native control of this; with one of its own where `control` is null. */
    static <R> R use(Control control, Function<NativeControl, R> call) {
        if (control == null) return Scoped.with(interruptible(), NativeControl::delete, call);
        R result = control.handle.use(call);
        Reference.reachabilityFence(control.listener);
        return result;
    }

    @Override
    public void close() {
        handle.close();
    }
}
