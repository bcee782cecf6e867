// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Threads, memory, progress and cancel of calls. One call at a time uses a control; {@link #cancel} and
 * {@link #progress} may be called from any thread. Without a control a call uses all processors. A control keeps its
 * threads between calls, and so does one that the library keeps for calls without.
 *
 * <p>With or without a control, a call ends within 0.2 s when the thread that made it is interrupted: it fails with
 * {@link DkException.Status#CANCELLED}, and the thread stays interrupted, as with {@link Thread#isInterrupted}.
 */
public final class Control implements AutoCloseable {
    /**
     * One that no call has at the moment, for the next call without a control: making it takes longer than a small call.
     * One alone is kept, since each has threads that wait. Nobody can cancel it, and each call begins anew.
     */
    private static final AtomicReference<NativeControl> KEPT = new AtomicReference<>();

    private final NativeHandle<Listened> handle;
    private volatile ProgressListener listener;

    /**
     * What native code calls, on the thread that made the call. It knows its control weakly, so that a control that was
     * forgotten is collected, whatever the user's listener knows.
     */
    private static final class Listener extends Progress {
        private final WeakReference<Control> owner;

        Listener(Control owner) {
            this.owner = new WeakReference<>(owner);
        }

        @Override
        public boolean report(double fraction, String stage) {
            if (interrupted()) return false;
            Control control = owner.get();
            ProgressListener target = control == null ? null : control.listener;
            return target == null || target.progress(fraction, stage);
        }
    }

    /** A native control and what it calls, which are freed together. */
    private record Listened(NativeControl control, Listener listener) {
        Listened {
            control.set_listener(listener);
        }

        void delete() {
            control.delete();
            listener.delete();
        }
    }

    /** A control with all processors and no listener. */
    public Control() {
        Listened made = new Listened(NativeControl.make(), new Listener(this));
        handle = new NativeHandle<>(this, made, "control", Listened::delete);
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
    public Control listener(ProgressListener target) {
        return with(control -> listener = target);
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
        return handle.use(listened -> listened.control().progress());
    }

    private Control with(Consumer<NativeControl> action) {
        handle.use(listened -> {
            action.accept(listened.control());
            return null;
        });
        return this;
    }

    /** Runs a call with the native control of this; with one that no other call has where `control` is null. */
    static <R> R use(Control control, Function<NativeControl, R> call) {
        if (control == null) return Scoped.with(interruptible(), Control::keep, call);
        try {
            return control.handle.use(listened -> call.apply(listened.control()));
        } finally {
            Reference.reachabilityFence(control); // its listener is asked for until the call ends
        }
    }

    /** Whether the thread of the call is interrupted; native code asks it for calls without a control. */
    private static boolean interrupted() {
        return Thread.currentThread().isInterrupted();
    }

    private static NativeControl interruptible() {
        NativeControl kept = KEPT.getAndSet(null);
        if (kept != null) return kept;
        NativeControl control = NativeControl.make();
        try {
            control.end_interrupted();
        } catch (RuntimeException | Error failed) {
            control.delete();
            throw failed;
        }
        return control;
    }

    private static void keep(NativeControl control) {
        if (!KEPT.compareAndSet(null, control)) control.delete();
    }

    @Override
    public void close() {
        handle.close();
    }
}
